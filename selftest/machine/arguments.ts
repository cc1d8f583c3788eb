import type { ClauseId } from '../../spec/index.ts';
import type { MachineMutant } from './build.ts';

/** Why a run does not fail some mutants. */
export type Argument = {
  /** Their names, as {@link namesOf} has them: each may stand for one mutant, or for all of a place. */
  readonly of: readonly string[];
  readonly why: string;
} & (
  | {
      /** Nobody can tell it from the reference. */
      readonly is: 'equivalent';
    }
  | {
      /** What it does is left open, by this clause. */
      readonly is: 'open';
      readonly clause: ClauseId;
    }
  | {
      /** A campaign shows it; or nothing does that ought to. */
      readonly is: 'campaign' | 'hole';
      /** What a run would have to vary to see it. */
      readonly dimension: string;
    }
);

/** What some mutants do is left open by a clause. */
export function open(clause: ClauseId, why: string, of: readonly string[]): Argument {
  return { is: 'open', clause, why, of };
}

/** Nobody can tell some mutants from the reference. */
export function equivalent(why: string, of: readonly string[]): Argument {
  return { is: 'equivalent', why, of };
}

const mostShown = 100;

/** Code on one line, cut where it is long. */
export function inShort(code: string): string {
  const line = code.replaceAll(/\s+/g, ' ');
  return line.length > mostShown ? `${line.slice(0, mostShown)}…` : line;
}

/**
 * What a mutant is called wherever its line moves to, from the narrowest name on: the change itself, with a number where there are
 * several alike; the code that is changed; the function; the file.
 */
function namesOf({ file, within, original, replacement }: MachineMutant, nth: number): readonly string[] {
  const place = `${file} ${within}`;
  const code = `${place}: ${inShort(original)}`;
  const change = `${code} → ${inShort(replacement)}`;
  return [nth > 1 ? `${change} (${nth})` : change, code, place, file];
}

/** The mutants of a build with their narrowest names, and the argument of each that has one. */
export function arguedMutants(
  mutants: readonly MachineMutant[],
  table: readonly Argument[],
): readonly { mutant: MachineMutant; name: string; argument: Argument | undefined }[] {
  const byName = new Map(table.flatMap((each) => each.of.map((name) => [name, each])));
  const alike = new Map<string, number>();
  return mutants.map((mutant) => {
    const [first = ''] = namesOf(mutant, 1);
    const nth = (alike.get(first) ?? 0) + 1;
    alike.set(first, nth);
    const names = namesOf(mutant, nth);
    const argued = names.find((name) => byName.has(name));
    return { mutant, name: names[0] ?? '', argument: byName.get(argued ?? '') };
  });
}
