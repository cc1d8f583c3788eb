import { judgeEach } from './judgement.ts';
import type { Judgement } from './judgement.ts';
import { cursorOf, idsOf, isKnownBefore, isSeenAgain, judgePairs, nameOf } from './owed.ts';
import type { CoverageJudgement } from './owed.ts';
import { reachOf, sequencesOf } from './read-page.ts';
import type { ReadItem, TimedPage } from './read-page.ts';
import { Sightings } from './sightings.ts';

/**
 * A read that claims to be complete is not behind an earlier one: nothing that was read before it began lies beyond its
 * end, unless it never came back. An inferred rule: the contract promises no recency.
 */
export function judgeRecent<P extends TimedPage>(
  reads: readonly P[],
  judged: readonly P[] = reads,
): CoverageJudgement<P> {
  const sightings = new Sightings(reads);
  return judgePairs(
    judged.filter(({ hasMore }) => hasMore === false),
    (read) => {
      const { startedMs } = read.exchange;
      const missing = sightings.findAbove(reachOf(read), startedMs, (message) =>
        isSeenAgain(message, read, 0),
      );
      if (missing !== undefined) return [{ message: missing, isMissing: true }];
      const ids = idsOf(read);
      const present = sightings
        .between(cursorOf(read), reachOf(read))
        .filter((message) => isKnownBefore(message, read) && ids.has(message.id));
      return present.map((message) => ({ message, isMissing: false }));
    },
    ({ message, read }) => ({
      expected: `the complete read after ${String(read.after)} to reach ${nameOf(message)}, which was readable before`,
      actual: `it ends at ${String(reachOf(read))}`,
    }),
  );
}

/**
 * Reading again brings the same messages. One that is gone convicts only while nothing newer has come behind `first`,
 * so that no retention by count explains it; the time between the two reads should be short.
 */
export function judgeReadAgain(first: readonly ReadItem[], again: readonly ReadItem[]): Judgement {
  const ids = new Set(again.flatMap(({ id }) => id ?? []));
  const last = sequencesOf(first).reduce((top, each) => (each > top ? each : top), 0n);
  const hasNewer = sequencesOf(again).some((sequence) => sequence > last);
  const judgeable = first.filter(({ id }) => id !== undefined && (ids.has(id) || !hasNewer));
  return judgeEach(judgeable, ({ id, sequence }) =>
    id !== undefined && ids.has(id)
      ? undefined
      : { expected: `message ${String(id)} at sequence ${String(sequence)} again`, actual: 'it is gone' },
  );
}
