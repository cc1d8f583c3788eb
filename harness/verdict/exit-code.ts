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

/** The exit code of what came to its end, by what counts as failed and as warned: a warning counts only when `isStrict`. */
export function exitCodeOf(
  { failed, warned, hasProved }: Pick<Tally, 'failed' | 'warned'> & { readonly hasProved: boolean },
  isStrict: boolean,
): number {
  if (failed > 0 || (isStrict && warned > 0)) return exitCodes.broken;
  return hasProved ? exitCodes.conforms : exitCodes.inconclusive;
}
