import { judgeEach, neighboursOf, inconclusive } from '../values/judgement.ts';
import type { Judgement } from '../values/judgement.ts';
import { placed } from './read-page.ts';
import type { ReadItem } from './read-page.ts';

/**
 * Each sequence lies above the one before it. Items are given in the order in which they must lie; those without a
 * usable sequence decide nothing.
 */
export function judgeBehind(items: readonly ReadItem[]): Judgement {
  const pairs = neighboursOf(items).flatMap(
    ({ earlier: { sequence: earlier }, later: { sequence: later } }) =>
      earlier === undefined || later === undefined ? [] : [{ earlier, later }],
  );
  return judgeEach(pairs, ({ earlier, later }) =>
    later > earlier
      ? undefined
      : { expected: `a sequence above ${earlier}, that of an earlier message`, actual: String(later) },
  );
}

/** An id stands at one sequence, in one read and in all of them; an id that is alone decides nothing. */
export function judgeIdsStandOnce(reads: readonly (readonly ReadItem[])[]): Judgement {
  const items = reads.flatMap(placed);
  if (items.length < 2) return inconclusive;
  const places = new Map<string, bigint>();
  return judgeEach(items, ({ id, sequence }) => {
    const known = places.get(id);
    if (known === undefined) places.set(id, sequence);
    return known === undefined || known === sequence
      ? undefined
      : { expected: `the id ${id} at sequence ${known} alone`, actual: `at ${sequence} too` };
  });
}
