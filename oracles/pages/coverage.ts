import { judgeEach, type Judgement } from '../values/judgement.ts';
import { idsOf, isKnownBefore, isSeenAgain, isSettledAround, judgeRequired, nameOf } from './required.ts';
import type { CoverageJudgement } from './required.ts';
import { reachOf, sequencesOf, highestOf, type ReadItem, type TimedPage } from './read-page.ts';
import { Sightings, type SeenMessage } from './sightings.ts';

/**
 * A page that denies more has nothing beyond it that was known more than `settleMs` before and was seen again more than
 * `settleMs` afterwards. A page that announces more, rightly, counts as well.
 */
export function judgeMoreWhileItemsRemain<P extends TimedPage>(
  reads: readonly P[],
  settleMs: number,
): CoverageJudgement<P> {
  const sightings = new Sightings(reads);
  return judgeRequired(
    reads.filter(({ hasMore }) => hasMore !== undefined),
    (read) => {
      const beyond = sightings.above(reachOf(read));
      if (read.hasMore === true)
        return beyond.some((message) => isKnownBefore(message, read)) ? [undefined] : [];
      return beyond.filter((message) => isSettledAround(message, read, settleMs)).slice(0, 1);
    },
    (message, read) => ({
      expected: `has_more true, since ${nameOf(message)} lies beyond ${String(reachOf(read))}`,
      actual: 'has_more false',
    }),
  );
}

/**
 * A page from 0 begins with the oldest message that was read before it, or an older one. A later begin fails when the
 * oldest was seen again more than `settleMs` afterwards.
 */
export function judgeFromTheOldest<P extends TimedPage>(
  reads: readonly P[],
  settleMs: number,
): CoverageJudgement<P> {
  const sightings = new Sightings(reads);
  return judgeRequired(
    reads.filter(({ after }) => after === 0n),
    (read) => {
      const [first] = sequencesOf(read.items);
      const known = sightings.between(0n, reachOf(read)).filter((message) => isKnownBefore(message, read));
      const isBefore = ({ sequence }: SeenMessage<P>): boolean => first === undefined || sequence < first;
      const missed = known.find((message) => isBefore(message) && isSeenAgain(message, read, settleMs));
      if (missed !== undefined) return [missed];
      return known
        .slice(0, 1)
        .filter((message) => !isBefore(message))
        .map(() => undefined);
    },
    (message, read) => ({
      expected: `the page from 0 to begin at ${nameOf(message)} or before`,
      actual: `it begins at ${String(sequencesOf(read.items)[0] ?? 'nothing')}`,
    }),
  );
}

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
