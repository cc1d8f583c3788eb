import { judgeEach, neighboursOf, inconclusive } from '../values/judgement.ts';
import type { Judgement } from '../values/judgement.ts';
import { placed, sequencesOf } from './read-page.ts';
import type { ReadItem, ReadPage } from './read-page.ts';

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

/** Every item of a page lies above the cursor it was asked with. Without a cursor nothing is judged. */
export function judgeExclusive({ after, items }: ReadPage): Judgement {
  if (after === undefined) return inconclusive;
  return judgeEach(sequencesOf(items), (sequence) =>
    sequence > after
      ? undefined
      : { expected: `only sequences above after=${after}`, actual: `an item with sequence ${sequence}` },
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

/** One sequence stands for one message in all reads of a stream, however far apart; repeated sightings are compared. */
export function judgeSequenceNamesOneMessage(reads: readonly (readonly ReadItem[])[]): Judgement {
  const repeated = sightings(
    reads,
    ({ sequence }) => String(sequence),
    ({ id }) => id,
  );
  return judgeEach(repeated, ({ key, first, later }) =>
    first === later
      ? undefined
      : {
          expected: `sequence ${key} to stand for message ${first} as before`,
          actual: `it stands for ${later}`,
        },
  );
}

/** One message has one sequence in all reads of a stream; repeated sightings are compared. */
export function judgeMessageKeepsItsSequence(reads: readonly (readonly ReadItem[])[]): Judgement {
  const repeated = sightings(
    reads,
    ({ id }) => id,
    ({ sequence }) => String(sequence),
  );
  return judgeEach(repeated, ({ key, first, later }) =>
    first === later
      ? undefined
      : { expected: `message ${key} to keep its sequence ${first}`, actual: `its sequence is ${later}` },
  );
}

interface Sighting {
  readonly key: string;
  /** What the first read showed for the key, and what a later one shows. */
  readonly first: string;
  readonly later: string;
}

/** Everything that reads after the first show again, beside what was shown first; repeats within one read are left out. */
function sightings(
  reads: readonly (readonly ReadItem[])[],
  keyOf: (item: { sequence: bigint; id: string }) => string,
  valueOf: (item: { sequence: bigint; id: string }) => string,
): Sighting[] {
  const known = new Map<string, string>();
  return reads.flatMap((items) => {
    const own = new Map(
      placed(items)
        .toReversed()
        .map((item) => [keyOf(item), valueOf(item)]),
    );
    const again = [...own].flatMap(([key, later]) => {
      const first = known.get(key);
      return first === undefined ? [] : [{ key, first, later }];
    });
    for (const [key, value] of own) if (!known.has(key)) known.set(key, value);
    return again;
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
