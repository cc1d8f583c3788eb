import { judgeEach, neighboursOf } from '../values/judgement.ts';
import type { Judgement } from '../values/judgement.ts';
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
