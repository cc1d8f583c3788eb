import { judgeEach, inconclusive, type Judgement } from '../values/judgement.ts';
import type { ReadItem } from '../pages/read-page.ts';

/** A message as far as it can be told from others. */
export interface StoredItem extends ReadItem {
  readonly content: string | undefined;
}

/** No client gives up an answer that comes within a quarter of a second of when it usually comes, in ms. */
const leastPatienceMs = 250;

/**
 * How long a record of a key is kept is open. One that is gone sooner, in ms from the begin of the request that leaves it to the end of one
 * that asks for it, could not tell a retry from another message: none comes before the first answer was due, nor takes less time than
 * that. `answerMs` is what the fastest answers take.
 */
export function shortestKeyLifeMs(answerMs: number): number {
  return leastPatienceMs + 2 * answerMs;
}

/** How many messages there may be; both ends count. */
interface Bounds {
  readonly atLeast: number;
  readonly atMost: number;
}

/**
 * The messages with a marker are as many as `bounds` allow, in however many reads they were seen. Where ids and places
 * disagree on the number, that is another rule's matter, and the number that keeps the bounds counts.
 */
export function judgeStored(items: readonly StoredItem[], marker: string, bounds: Bounds): Judgement {
  const stored = items.filter(({ content }) => content?.includes(marker) === true);
  // A message that is not there at all, be it late, gone again or lost, says nothing of how often it was stored.
  if (stored.length === 0) return inconclusive;
  const ids = new Set(stored.map(({ id }) => id)).size;
  const places = new Set(stored.map(({ sequence }) => sequence)).size;
  const isKept = Math.max(ids, places) >= bounds.atLeast && Math.min(ids, places) <= bounds.atMost;
  return judgeEach([ids], (count) =>
    isKept ? undefined : { expected: `${inWords(bounds)} with the marker ${marker}`, actual: String(count) },
  );
}

function inWords({ atLeast, atMost }: Bounds): string {
  if (atLeast === atMost) return `exactly ${atLeast}`;
  return atMost === Number.POSITIVE_INFINITY ? `at least ${atLeast}` : `${atLeast} to ${atMost}`;
}
