import { describePrintedLines } from './printed-lines.ts';

// A refusal, an order, a status of one call, a status of another.
describePrintedLines([
  { id: 'limit-ends-at-101', hasHooks: false },
  { id: 'read-sorts-by-size', hasHooks: true },
  { id: 'partial-listing-is-201', hasHooks: false },
  { id: 'missing-is-forbidden', hasHooks: false },
]);
