import { describePrintedLines } from './printed-lines.ts';

// An order, a status of one call, a status of another.
describePrintedLines([
  { id: 'read-sorts-by-size', hasHooks: true },
  { id: 'partial-listing-is-201', hasHooks: false },
  { id: 'missing-is-forbidden', hasHooks: false },
]);
