import { describeShown } from './shown.ts';

describeShown((index) => index % 6 !== 0);
