import { describeShown } from './shown.ts';

describeShown((index) => index % 12 !== 0);
