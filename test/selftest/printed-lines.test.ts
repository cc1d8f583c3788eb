import { describePrintedLines } from './printed-lines.ts';

// What a request says that no server should take.
describePrintedLines([{ id: 'takes-leap-days-every-year-and-shows-it', hasHooks: true }]);
