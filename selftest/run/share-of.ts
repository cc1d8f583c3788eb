import { createHash } from 'node:crypto';
import type { Check } from '../../harness/check/check.ts';

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
