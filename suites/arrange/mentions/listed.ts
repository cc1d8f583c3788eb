import { isAccepted, type Exchange } from '../../../harness/client/exchange.ts';
import type { PageItem } from '../../../harness/stream/page.ts';
import type { Always } from '../../../harness/check/context.ts';
import type { StreamView } from '../../../harness/stream/stream-view.ts';
import type { Walk } from '../../../harness/stream/walk.ts';
import { eventually } from '../eventually.ts';
import { exchangesOf } from './mentioning.ts';

/** What a feed listed when it was last looked at. */
interface Listing {
  /** The item for each message that was sought, in that order; `undefined` where it is not listed. */
  readonly found: readonly (PageItem | undefined)[];
  /** Every way of asking was answered to its end. */
  readonly isWhole: boolean;
  readonly exchanges: readonly Exchange[];
}

/**
 * Waits until a feed lists messages as they were read in their channel, which may still be waited for; `from` is a cursor
 * from before they were sent.
 */
export function seekListed(
  context: Pick<Always, 'settleMs' | 'clock'>,
  feed: StreamView,
  from: bigint | undefined,
  sought: readonly PageItem[] | Promise<readonly PageItem[]>,
): Promise<Listing> {
  return eventually(
    context,
    async () => {
      const [walked, wanted] = await Promise.all([feed.walk(from), sought]);
      return lookFor(wanted, feed, walked);
    },
    ({ found }) => found.every((item) => item !== undefined),
  );
}

/**
 * Seeks messages in what a feed lists from a cursor on, and where that lacks any, on its newest pages: a broken cursor does not hide
 * a mention, nor does a byte cap that cuts the longer of the two.
 */
async function lookFor(sought: readonly PageItem[], feed: StreamView, walked: Walk): Promise<Listing> {
  const findIn = (items: readonly PageItem[]): (PageItem | undefined)[] =>
    sought.map((message) => items.find((item) => isSame(item, message)));
  const listed = findIn(walked.items);
  if (!listed.includes(undefined))
    return { found: listed, isWhole: walked.isComplete, exchanges: exchangesOf(walked.pages) };
  const newest = await Promise.all([feed.readPage(undefined, 3), feed.readPage(undefined, 100)]);
  return {
    found: findIn([...walked.items, ...newest.flatMap(({ items }) => items)]),
    isWhole: walked.isComplete && newest.every(({ exchange }) => isAccepted(exchange)),
    exchanges: exchangesOf([...newest, ...walked.pages]),
  };
}

/** One message, by its id or by its text: a feed that spoils one of the two still lists it. */
function isSame(item: PageItem, message: PageItem): boolean {
  return (
    (item.id !== undefined && item.id === message.id) ||
    (item.content !== undefined && item.content === message.content)
  );
}
