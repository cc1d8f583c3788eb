import type { Tally } from '../results/events.ts';

/** What the process ends with; the only meaning of each number, in every command. */
export const exitCodes = Object.freeze({
  conforms: 0,
  broken: 1,
  usage: 2,
  inconclusive: 3,
  suiteBug: 4,
  interrupted: 130,
});

/** The exit code of a run that came to its end: a warning counts only when `strict`. */
export function exitCodeOf(
  checks: Tally,
  clauses: { must: Tally; inferred: Tally },
  strict: boolean,
): number {
  const failed = checks.failed + clauses.must.failed + clauses.inferred.failed;
  const warned = checks.warned + clauses.inferred.warned;
  if (failed > 0 || (strict && warned > 0)) return exitCodes.broken;
  const proved = clauses.must.passed + clauses.inferred.passed;
  return proved > 0 ? exitCodes.conforms : exitCodes.inconclusive;
}
