import type { ReadItem, TimedPage } from '../../oracles/pages/read-page.ts';

/** A message at a sequence; its id is made from the sequence unless given. */
export function item(sequence: bigint | number, id = `m${sequence}`): ReadItem {
  return { sequence: BigInt(sequence), id };
}

interface PageFacts {
  readonly after?: bigint | number;
  readonly limit?: number;
  readonly items?: readonly (ReadItem | bigint | number)[];
  /** The last item's sequence, or the cursor, unless given. */
  readonly next?: bigint | number;
  readonly more?: boolean;
  readonly watermark?: bigint | number;
  /** Begin and end in ms. */
  readonly at?: readonly [number, number];
}

/** A page as a server that keeps every rule would give it, apart from what is said. */
export function pageOf({
  after,
  limit,
  items = [],
  next,
  more = false,
  watermark,
  at = [0, 1],
}: PageFacts): TimedPage {
  const read = items.map((each) => (typeof each === 'object' ? each : item(each)));
  const nextAfter = BigInt(next ?? read.at(-1)?.sequence ?? after ?? 0);
  return {
    after: after === undefined ? undefined : BigInt(after),
    limit,
    items: read,
    nextAfter,
    hasMore: more,
    highWatermark: BigInt(watermark ?? nextAfter),
    exchange: { startedMs: at[0], endedMs: at[1] },
  };
}
