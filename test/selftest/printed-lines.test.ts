import { describePrintedLines } from './printed-lines.ts';

// A refusal, and what a request says that no server should take.
describePrintedLines([
  { id: 'limit-ends-at-101', hasHooks: false },
  { id: 'takes-leap-days-every-year-and-shows-it', hasHooks: true },
]);
