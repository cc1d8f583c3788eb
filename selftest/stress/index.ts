import type { ConcurrencyMutant } from './concurrency-mutant.ts';
import { readingMutants } from './reading-mutants.ts';
import { refusingMutants } from './refusing-mutants.ts';
import { restartMutants } from './restart-mutants.ts';
import { sendingMutants } from './sending-mutants.ts';

export type { ConcurrencyMutant } from './concurrency-mutant.ts';
export { findMutant } from './find-mutant.ts';
export type { Search } from './find-mutant.ts';

/** Every server that goes wrong only where clients meet, or at a restart under load. */
export const allConcurrencyMutants: readonly ConcurrencyMutant[] = Object.freeze([
  ...sendingMutants,
  ...readingMutants,
  ...refusingMutants,
  ...restartMutants,
]);
