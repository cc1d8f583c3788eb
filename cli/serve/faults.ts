import { InvalidTarget } from '../../harness/errors.ts';
import { didYouMean } from '../../harness/gate/names-meant.ts';
import type { Reference, ServeOptions } from '../../reference/index.ts';
import type { Mutant } from '../../selftest/mutants/index.ts';
import type { Variant } from '../../selftest/variants/index.ts';
import { ownCommand } from '../shared/own-command.ts';

/** What a served reference does in another way than usual, by name. */
export interface FaultNames {
  readonly mutant?: string;
  readonly variant: readonly string[];
}

/** What makes the reference do so. */
interface Faults {
  readonly options: Pick<ServeOptions, 'rules' | 'answer' | 'settings'>;
  /** Goes to work on the started reference; what it returns ends the work. */
  readonly join: (reference: Reference) => () => Promise<unknown>;
}

const none: Faults = { options: {}, join: () => () => Promise.resolve() };

/**
 * The faults and variants of some names. No other command needs them, and they take their time to load.
 * @throws InvalidTarget on an unknown name, and on names that do not go together
 */
export async function faultsNamed({ mutant, variant: names }: FaultNames, seed: number): Promise<Faults> {
  if (mutant !== undefined && names.length > 0)
    throw new InvalidTarget('--mutant breaks the contract and --variant keeps it: give one of them');
  if (mutant !== undefined) {
    const { mutants } = await import('../../selftest/mutants/index.ts');
    return { ...none, options: named('mutant', mutant, mutants).options() };
  }
  return names.length === 0 ? none : variantsNamed(names, seed);
}

/** A line for each name that `--mutant` and `--variant` take. */
export async function faultLines(): Promise<string[]> {
  const { mutants } = await import('../../selftest/mutants/index.ts');
  const { variants } = await import('../../selftest/variants/index.ts');
  return [
    ...mutants.toSorted(inOrderOfIds).map(({ id, clause, what }) => `--mutant ${id}  ${what} (${clause})`),
    ...variants.toSorted(inOrderOfIds).map(({ id, words }) => `--variant ${id}  left open: ${words}`),
  ];
}

async function variantsNamed(names: readonly string[], seed: number): Promise<Faults> {
  const { combine, goTogether, variants } = await import('../../selftest/variants/index.ts');
  const chosen = [...new Set(names)].map((name) => named('variant', name, variants));
  for (const [index, one] of chosen.entries()) {
    const other = chosen.slice(0, index).find((each) => !goTogether(each, one));
    if (other !== undefined)
      throw new InvalidTarget(`the variants ${other.id} and ${one.id} do not go together`);
  }
  const { options, company } = combine(chosen, { seed });
  const join: Faults['join'] = (reference) => {
    const stops = company.map((each) => each(reference));
    return () => Promise.all(stops.map((stop) => stop()));
  };
  return { options, join };
}

function named<Named extends Mutant | Variant>(kind: string, name: string, among: readonly Named[]): Named {
  const found = among.find(({ id }) => id === name);
  if (found !== undefined) return found;
  const ids = among.map(({ id }) => id);
  const hint = didYouMean(name, ids) || `; ${ownCommand()} reference --list shows all`;
  throw new InvalidTarget(`there is no ${kind} ${JSON.stringify(name)}${hint}`);
}

function inOrderOfIds(one: { readonly id: string }, other: { readonly id: string }): number {
  return one.id < other.id ? -1 : 1;
}
