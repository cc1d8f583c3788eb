import { judgeEach } from '../values/judgement.ts';
import type { Judgement } from '../values/judgement.ts';
import {
  cursorOf,
  firstOf,
  idsOf,
  isKnownBefore,
  isSeenAgain,
  isSettledAround,
  judgeRequired,
  nameOf,
  witnessOf,
} from './required.ts';
import type { CoverageJudgement } from './required.ts';
import { reachOf, sequencesOf } from './read-page.ts';
import type { ReadItem, TimedPage } from './read-page.ts';
import { Sightings } from './sightings.ts';
import type { SeenMessage } from './sightings.ts';

/**
 * A read passes over no message: what had been read before it began, and what lies between its cursor and where it
 * ends, is on its page. A message that is there counts; a missing one fails when it was seen again more than
 * `settleMs` after the read, so that retention explains nothing. What is missing in front of a page from 0 is left to
 * {@link judgeFromTheOldest}, and what precedes the first item of a page without a cursor to {@link judgeNewestPage}.
 */
export function judgePassedOver<P extends TimedPage>(
  reads: readonly P[],
  settleMs: number,
  judged: readonly P[] = reads,
): CoverageJudgement<P> {
  const sightings = new Sightings(reads);
  return judgeRequired(
    judged,
    (read) => {
      const ids = idsOf(read.items);
      const begin = read.after === 0n ? firstOf(read) : cursorOf(read);
      return sightings
        .between(begin, reachOf(read))
        .filter((message) => isKnownBefore(message, read))
        .filter((message) => ids.has(message.id) || isSeenAgain(message, read, settleMs))
        .map((message) => (ids.has(message.id) ? undefined : message));
    },
    (message, read) => ({
      expected: `the page after ${String(read.after)}, which reaches ${String(reachOf(read))}, to hold ${nameOf(message)}`,
      actual: 'it was passed over, and was there before and afterwards',
    }),
  );
}

/**
 * Nothing becomes visible below a cursor that was given out: what is first read only after a read had begun, and is not
 * on its page, lies beyond where it ended. A message below fails when it was seen again more than `settleMs` after
 * the read. A read counts when something came to light after it had begun.
 */
export function judgeCursorNeverSkips<P extends TimedPage>(
  reads: readonly P[],
  settleMs: number,
): CoverageJudgement<P> {
  const sightings = new Sightings(reads);
  return judgeRequired(
    reads,
    (read) => {
      const ids = idsOf(read.items);
      const late = sightings
        .between(cursorOf(read), reachOf(read))
        .filter((message) => !isKnownBefore(message, read) && !ids.has(message.id))
        .filter((message) => isSeenAgain(message, read, settleMs));
      const isJudged = sightings.above(reachOf(read)).some((message) => !isKnownBefore(message, read));
      return isJudged ? [...late, undefined] : late;
    },
    (message, read) => ({
      expected: `nothing new at or below ${String(reachOf(read))} once that had been read`,
      actual: `${nameOf(message)} came to light afterwards`,
    }),
  );
}

/**
 * A page that denies more has nothing beyond it that was known more than `settleMs` before and was seen again more than
 * `settleMs` afterwards. A page that announces more, rightly, counts as well.
 */
export function judgeMoreWhileItemsRemain<P extends TimedPage>(
  reads: readonly P[],
  settleMs: number,
  judged: readonly P[] = reads,
): CoverageJudgement<P> {
  const sightings = new Sightings(reads);
  return judgeRequired(
    judged.filter(({ hasMore }) => hasMore !== undefined),
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

/**
 * A page without a cursor holds the newest messages: those from its first item on that were known more than `settleMs`
 * before, and seen again afterwards, are not more than its limit. Where a byte cap cuts such a page is left open. A page
 * without items that denies more has missed them all; one that announces more says nothing.
 */
export function judgeNewestPage<P extends TimedPage>(
  reads: readonly P[],
  settleMs: number,
  defaultLimit: number,
): CoverageJudgement<P> {
  const sightings = new Sightings(reads);
  const required = reads
    .filter(({ after, hasMore }) => after === undefined && hasMore !== undefined)
    .map((read) => {
      const [first] = sequencesOf(read.items);
      const known = sightings
        .between(first === undefined ? -1n : first - 1n, sightings.top)
        .filter((message) => isSettledAround(message, read, settleMs));
      return { read, first, known, limit: read.limit ?? defaultLimit };
    })
    .filter(({ known, first, read }) => known.length > 0 && (first !== undefined || read.hasMore !== true));
  const problems = required.flatMap(({ read, first, known, limit }) => {
    const witness = witnessOf(read, known);
    const count = known.length;
    if (first === undefined) {
      return [{ expected: 'the newest messages', actual: `none of ${count} known ones`, witness }];
    }
    if (count <= limit) return [];
    return [
      {
        expected: `the newest ${limit} messages`,
        actual: `a page that begins ${count} before the end, at ${first}`,
        witness,
      },
    ];
  });
  return { judged: required.length, problems };
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
