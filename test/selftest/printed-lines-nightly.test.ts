import { describePrintedLines } from './printed-lines.ts';

// A refusal and an order again, of all checks; a status of one call, a status of another; what a request says that no server should take.
describePrintedLines([
  { id: 'limit-ends-at-101', hasHooks: false },
  { id: 'read-sorts-by-size', hasHooks: true },
  { id: 'partial-listing-is-201', hasHooks: false },
  { id: 'missing-is-forbidden', hasHooks: false },
  { id: 'takes-leap-days-every-year-and-shows-it', hasHooks: true },
]);
