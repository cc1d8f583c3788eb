import { describePrintedLines } from './printed-lines.ts';

// A refusal, and an order.
describePrintedLines([
  { id: 'limit-ends-at-101', hasHooks: false, cases: 150, only: ['mentions'] },
  { id: 'read-sorts-by-size', hasHooks: true, cases: 0, only: ['channel-read', 'population'] },
]);
