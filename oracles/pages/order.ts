import { judgeEach, neighboursOf, inconclusive, type Judgement } from '../values/judgement.ts';
import { sequencesOf, type ReadItem } from './read-page.ts';

/**
 * Items rise by sequence; neighbours are compared. Equal numbers are no matter of order: {@link judgeDistinctSequences}
 * has them.
 */
export function judgeAscending(items: readonly ReadItem[]): Judgement {
  return judgeEach(neighboursOf(sequencesOf(items)), ({ earlier, later }) =>
    later < earlier
      ? { expected: `a sequence above ${earlier}`, actual: `${later} right after it` }
      : undefined,
  );
}

/** No two items of one page have the same sequence. A single item decides nothing. */
export function judgeDistinctSequences(items: readonly ReadItem[]): Judgement {
  const sequences = sequencesOf(items);
  if (sequences.length < 2) return inconclusive;
  const seen = new Set<bigint>();
  return judgeEach(sequences, (sequence) => {
    if (!seen.has(sequence)) {
      seen.add(sequence);
      return undefined;
    }
    return { expected: 'a sequence of its own for every item', actual: `sequence ${sequence} twice` };
  });
}

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
