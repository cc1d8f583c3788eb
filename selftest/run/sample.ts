import { createHash } from 'node:crypto';
import { areaOf, type Check } from '../../harness/check/check.ts';
import type { Mutant } from '../mutants/index.ts';
import { grouped } from '../../spec/groups.ts';

/** Mutants of each area that a sample takes at most. */
const perArea = 5;

/** The same few mutants of every area, whatever others there are: those whose ids hash lowest. */
export function sampleOf(mutants: readonly Mutant[]): Mutant[] {
  const byArea = grouped(mutants, ({ clause }) => areaOf({ id: clause }));
  return [...byArea.values()].flatMap((ofArea) => shuffled(ofArea).slice(0, perArea));
}

/** The items in an order that their ids and a seed decide, whatever others there are. */
export function shuffled<Item extends { readonly id: string }>(items: readonly Item[], seed = ''): Item[] {
  const digestOf = ({ id }: Item): string => createHash('sha256').update(`${seed} ${id}`).digest('hex');
  return items.toSorted((one, other) => (digestOf(one) < digestOf(other) ? -1 : 1));
}

/** Contents larger than this cost more than all the rest, and say nothing of other clauses. */
const expensiveBytes = 100_000;
/** A check with large contents is drawn this much more rarely. */
const expensiveFactor = 4;

/** Checks without large contents. */
export function cheapAmong(checks: readonly Check[]): Check[] {
  return checks.filter(({ bodyBytes }) => bodyBytes <= expensiveBytes);
}

/** One check in `parts`, of those with large contents fewer: the same ones for the same seed. 1 takes them all. */
export function shareOf(checks: readonly Check[], parts: number, seed: string): Check[] {
  if (parts === 1) return [...checks];
  return checks.filter((check) => {
    const chance = check.bodyBytes > expensiveBytes ? parts * expensiveFactor : parts;
    return createHash('sha256').update(`${seed} ${check.id}`).digest().readUInt32BE() % chance === 0;
  });
}
