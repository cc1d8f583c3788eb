import { createHash } from 'node:crypto';
import type { Mutant } from '../mutants/index.ts';
import { grouped } from './grouped.ts';

/** Mutants of each area that a sample takes at most. */
const perArea = 5;

/** The same few mutants of every area, whatever others there are: those whose ids hash lowest. */
export function sampleOf(mutants: readonly Mutant[]): Mutant[] {
  const byArea = grouped(mutants, ({ clause }) => clause.slice(0, clause.indexOf('.')));
  return [...byArea.values()].flatMap((ofArea) =>
    ofArea.toSorted((left, right) => (digestOf(left) < digestOf(right) ? -1 : 1)).slice(0, perArea),
  );
}

function digestOf({ id }: Mutant): string {
  return createHash('sha256').update(id).digest('hex');
}
