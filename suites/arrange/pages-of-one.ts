import type { PageRead } from '../../harness/stream/page.ts';
import { sequencesOf } from '../../spec/oracles/pages/read-page.ts';
import { severalTimes } from './several-times.ts';

/** Pages at most. */
const most = 60;
/** Items that a store may keep together: at the end of such a block a cursor is easily mistaken. */
const blocks = [50n, 64n];

/**
 * Pages of a single item, one after each place and each that these lead to, a few at once: what a walk in ones would
 * show, without waiting for each page before the next is asked for.
 */
export async function singlesAfter<Page extends PageRead>(
  stream: { readonly readPage: (after: bigint | undefined, limit: number) => Promise<Page> },
  places: readonly (bigint | undefined)[],
): Promise<readonly Page[]> {
  const pages: Page[] = [];
  const asked = new Set<bigint | undefined>();
  const unasked = [...new Set(places)];
  for (
    let next = [...unasked.filter(isAtBlock), ...unasked.filter((each) => !isAtBlock(each))];
    next.length > 0 && pages.length < most;
  ) {
    for (const place of next) asked.add(place);
    const now = next.slice(0, most - pages.length);
    const read = await severalTimes(now.length, (index) => stream.readPage(now[index], 1));
    pages.push(...read);
    next = [...new Set(read.flatMap(placesOn))].filter((place) => !asked.has(place));
  }
  return pages;
}

/** Whether a place is the last of a block, or the first. */
export function isAtBlock(place: bigint | undefined): boolean {
  return place !== undefined && blocks.some((size) => place % size <= 1n);
}

/** Where a client may go on after a page. */
function placesOn({ items, nextAfter, hasMore }: PageRead): bigint[] {
  const cursor = hasMore === true && nextAfter !== undefined ? [nextAfter] : [];
  return [...sequencesOf(items), ...cursor];
}
