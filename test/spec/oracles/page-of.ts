import type { ReadItem, ReadPage } from '../../../spec/oracles/pages/read-page.ts';

/** A message at a sequence; its id is made from the sequence unless given. */
export function item(sequence: bigint | number, id = `m${sequence}`): ReadItem {
  return { sequence: BigInt(sequence), id };
}

interface PageFacts {
  readonly after: number;
  readonly items?: readonly (ReadItem | number)[];
  /** The last item's sequence, or the cursor, unless given. */
  readonly next?: number;
  readonly more?: boolean;
}

/** A page as a server that keeps every rule would give it, apart from what is said. */
export function pageOf({ after, items = [], next, more = false }: PageFacts): ReadPage {
  const read = items.map((each) => (typeof each === 'object' ? each : item(each)));
  const nextAfter = BigInt(next ?? read.at(-1)?.sequence ?? after);
  return {
    after: BigInt(after),
    limit: undefined,
    items: read,
    nextAfter,
    hasMore: more,
    highWatermark: nextAfter,
  };
}
