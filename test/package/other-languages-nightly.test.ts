import { describeRunners } from './other-languages.ts';

describeRunners({ isWhole: true });
