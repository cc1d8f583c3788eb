import type { PageRead } from '../../harness/stream/page.ts';

/** Longest answer that surely no byte cap has cut, in bytes. */
const surelyUncutBytes = 50_000;

/**
 * The smallest page of a channel that a server gave while more followed. A server may have a least size of pages: more than
 * was asked for breaks a limit only where a smaller page shows that fewer can be had.
 */
export class SmallestPage {
  #count = Infinity;

  /** Takes a page into account. */
  note({ items, hasMore, after, exchange }: PageRead): void {
    // How long a page without a cursor is may have a rule of its own.
    if (after === undefined) return;
    const isUncut = (exchange.response?.bytes.byteLength ?? Infinity) <= surelyUncutBytes;
    if (hasMore === true && isUncut) this.#count = Math.min(this.#count, items.length);
  }

  /** Whether a page has more than the server needs to give. */
  isBelow({ items }: Pick<PageRead, 'items'>): boolean {
    return items.length > this.#count;
  }
}
