import { describeShown } from './shown.ts';

describeShown((index) => index % 3 !== 0);
