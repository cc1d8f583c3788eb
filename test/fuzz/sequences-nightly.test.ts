import { describeShownBySequences, otherShown } from './sequences.ts';

describeShownBySequences(otherShown);
