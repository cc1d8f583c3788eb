import type { Exchange } from '../../../harness/client/exchange.ts';
import { isAccepted } from '../../../harness/client/exchange.ts';
import type { PageItem } from '../../../harness/stream/page.ts';
import type { Always } from '../../../harness/check/context.ts';
import type { StreamView } from '../../../harness/stream/stream-view.ts';
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
      const [{ items, ...sight }, wanted] = await Promise.all([lookAt(feed, from), sought]);
      return { ...sight, found: wanted.map((message) => items.find((item) => isSame(item, message))) };
    },
    ({ found }) => found.every((item) => item !== undefined),
  );
}

/**
 * Everything a feed lists from `from` on, and its newest pages: a broken cursor does not hide a mention, nor does a byte
 * cap that cuts the longer of the two.
 */
async function lookAt(
  feed: StreamView,
  from: bigint | undefined,
): Promise<Pick<Listing, 'isWhole' | 'exchanges'> & { readonly items: readonly PageItem[] }> {
  const [walked, ...newest] = await Promise.all([
    feed.walk(from),
    feed.readPage(undefined, 3),
    feed.readPage(undefined, 100),
  ]);
  return {
    items: [...walked.items, ...newest.flatMap(({ items }) => items)],
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
