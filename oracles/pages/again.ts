import { judgeEach } from '../values/judgement.ts';
import type { Judgement } from '../values/judgement.ts';
import { cursorOf, idsOf, isKnownBefore, isSettledAround, judgeRequired, nameOf } from './required.ts';
import type { CoverageJudgement } from './required.ts';
import { highestOf, reachOf, sequencesOf } from './read-page.ts';
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
  return judgeRequired(
    judged.filter(({ hasMore }) => hasMore === false),
    (read) => {
      const missing = sightings.above(reachOf(read)).find((message) => isSettledAround(message, read, 0));
      if (missing !== undefined) return [missing];
      const ids = idsOf(read.items);
      const present = sightings
        .between(cursorOf(read), reachOf(read))
        .filter((message) => isKnownBefore(message, read) && ids.has(message.id));
      return present.map(() => undefined);
    },
    (message, read) => ({
      expected: `the complete read after ${String(read.after)} to reach ${nameOf(message)}, which was readable before`,
      actual: `it ends at ${String(reachOf(read))}`,
    }),
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
