// All that is asked of simulated histories stands in one test file, so that each history is made once.
import './as-intended.ts';
import './conforming.ts';
import { conformingSeeds, fewMutants, firstMutants } from './judged.ts';
import { describeKnowingLess } from './knowing-less.ts';
import { describeLacking } from './lacking-pages.ts';
import { describeFound } from './mutants-are-found.ts';
import { describeToldOtherwise } from './told-otherwise.ts';

describeFound(firstMutants);
describeLacking(firstMutants, 1);
describeKnowingLess(fewMutants, conformingSeeds);
describeToldOtherwise(fewMutants);
