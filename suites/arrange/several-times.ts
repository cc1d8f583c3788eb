import { withWorkers } from '../../harness/run/waves.ts';

/** Sends at one time: enough that writers meet, few enough that a limit does not. */
const workers = 8;

/** Does a thing `count` times, a few at once. */
export function severalTimes<Result>(
  count: number,
  make: (index: number) => Promise<Result>,
): Promise<Result[]> {
  return withWorkers(
    Array.from({ length: count }, (_, index) => index),
    workers,
    make,
  );
}
