import type { Tally } from '../results/generated/events.ts';

/** What the process ends with; the only meaning of each number, in every command. */
export const exitCodes = Object.freeze({
  conforms: 0,
  broken: 1,
  usage: 2,
  inconclusive: 3,
  suiteBug: 4,
  interrupted: 130,
});

const meanings: Readonly<Record<keyof typeof exitCodes, string>> = Object.freeze({
  conforms: 'nothing failed and at least one clause passed',
  broken: 'something failed, an entry of the baseline no longer holds, or a call was slower than it may be',
  usage: 'the command line, the target file or another file that it names is wrong',
  inconclusive:
    'nothing could be concluded, a required clause was inconclusive, or trouble kept the run from completing',
  suiteBug: 'a bug of the suite',
  interrupted: 'interrupted; the report shows what ran',
});

/** Each exit code with what it says to a user, lowest first. */
export const exitCodeRows: readonly (readonly [code: number, meaning: string])[] = (
  Object.keys(exitCodes) as (keyof typeof exitCodes)[]
).map((name) => [exitCodes[name], meanings[name]]);

/** The exit code of what came to its end, by what counts as failed and as warned: a warning counts only when `isStrict`. */
export function exitCodeOf(
  { failed, warned, hasProved }: Pick<Tally, 'failed' | 'warned'> & { readonly hasProved: boolean },
  isStrict: boolean,
): number {
  if (failed > 0 || (isStrict && warned > 0)) return exitCodes.broken;
  return hasProved ? exitCodes.conforms : exitCodes.inconclusive;
}
