import { judgeEach, type Judgement } from '../values/judgement.ts';
import { highestOf, sequencesOf, type ReadItem } from './read-page.ts';

/** All of `expected` stand among `items`; each is one comparison. */
export function judgeHoldsAll(items: readonly ReadItem[], expected: readonly ReadItem[]): Judgement {
  const ids = idsOf(items);
  return judgeEach(
    expected.filter(({ id }) => id !== undefined),
    ({ id, sequence }) =>
      ids.has(id)
        ? undefined
        : { expected: `message ${String(id)} at sequence ${String(sequence)}`, actual: 'it is missing' },
  );
}

/**
 * Reading again brings the same messages. A missing one is a failure only while nothing newer has come after `first`,
 * so that no retention by count explains it; the time between the two reads should be short.
 */
export function judgeReadAgain(first: readonly ReadItem[], again: readonly ReadItem[]): Judgement {
  const ids = idsOf(again);
  const last = highestOf(sequencesOf(first)) ?? 0n;
  const hasNewer = sequencesOf(again).some((sequence) => sequence > last);
  const judgeable = first.filter(({ id }) => id !== undefined && (ids.has(id) || !hasNewer));
  return judgeEach(judgeable, ({ id, sequence }) =>
    ids.has(id)
      ? undefined
      : { expected: `message ${String(id)} at sequence ${String(sequence)} again`, actual: 'it is gone' },
  );
}

/**
 * Each sequence lies above the one before it. Items are given in the order in which they must lie; those without a
 * usable sequence decide nothing.
 */
export function judgeBehind(items: readonly ReadItem[]): Judgement {
  const pairs = items.slice(1).flatMap(({ sequence: later }, index) => {
    const earlier = items[index]?.sequence;
    return earlier === undefined || later === undefined ? [] : [{ earlier, later }];
  });
  return judgeEach(pairs, ({ earlier, later }) =>
    later > earlier
      ? undefined
      : { expected: `a sequence above ${earlier}, that of an earlier message`, actual: String(later) },
  );
}

/** Ids of all messages that stand somewhere. */
function idsOf(items: readonly ReadItem[]): ReadonlySet<string | undefined> {
  return new Set(items.map(({ id }) => id));
}
