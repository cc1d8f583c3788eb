import { describePrintedLines } from './printed-lines.ts';

describePrintedLines([{ id: 'limit-ends-at-101', hasHooks: false, cases: 60, only: ['mentions'] }]);
