import type { PageItem, PageRead } from './page.ts';
import { walk, type Walk, type WalkOptions } from './walk.ts';

/** Requests in which the end of a stream is found, whatever it holds; a stream that takes more is walked. */
export const mostRequests = 40;
/** Pages that may follow the place that was found, within the same bound: others may be writing. */
const pagesToTheEnd = 6;
const pageSize = 100;

/** How one page is read; `after` is left out where it is `undefined`. */
type ReadPageAfter = (after: bigint | undefined, limit: number) => Promise<PageRead>;

/**
 * Finds where a stream ends without reading all of it: by the newest page, by the watermark, and else by bisecting
 * `after`. The cursor it gives was handed out by a page, or is the place of an item that was seen, and a page from there
 * said that nothing follows; what is sent from now on lies above it. Where the search fails the stream is walked, within
 * `options`.
 */
export async function findEnd(readPage: ReadPageAfter, options: WalkOptions = {}): Promise<Walk> {
  const search = new EndSearch(readPage);
  const first = await search.page(0n);
  const found = first.hasMore === true ? await search.from(first) : undefined;
  if (found !== undefined) return found;
  const known = [first];
  return walk(async (after) => known.pop() ?? search.page(after), 0n, options);
}

/** One search: it only ever climbs to places that a page has shown, so that a wrong guess costs a request and no more. */
class EndSearch {
  readonly #readPage: ReadPageAfter;
  #requests = 0;
  /** The highest place known to be within the stream. */
  #low = 0n;
  /** The last page began much further on than it was asked to. */
  #isBehindGap = false;

  constructor(readPage: ReadPageAfter) {
    this.#readPage = readPage;
  }

  page(after: bigint | undefined): Promise<PageRead> {
    this.#requests += 1;
    return this.#readPage(after, pageSize);
  }

  /** The walk that ended the stream; `undefined` when the search led nowhere. */
  async from(first: PageRead): Promise<Walk | undefined> {
    this.#climb(first);
    const newest = await this.page(undefined);
    // What is read without a cursor is open: it counts when it shows what lies further on.
    const end = this.#climb(newest) ? await this.#toTheEnd() : undefined;
    if (end !== undefined) return end;
    for (const { highWatermark } of [first, newest]) {
      // The watermark may be that of another count, or of its page.
      if (highWatermark === undefined || highWatermark <= this.#low) continue;
      if (await this.#isEndAt(highWatermark - 1n)) return this.#toTheEnd();
    }
    await this.#bisect();
    return this.#toTheEnd();
  }

  /** Widens until nothing follows, then halves; the page at which nothing more follows ends it. */
  async #bisect(): Promise<void> {
    const base = this.#low;
    let [least, most] = [0, 64];
    while (least < most && this.#mayAsk) {
      const middle = Math.floor((least + most) / 2);
      if (await this.#isEndAt(base + 2n ** BigInt(middle))) return;
      if (this.#low >= base + 2n ** BigInt(middle)) least = middle + 1;
      else most = middle;
    }
    for (let high = base + 2n ** BigInt(most); high - this.#low > 1n && this.#mayAsk;) {
      const span = high - this.#low;
      // Behind a gap the rest may be anywhere, and is likelier to be near.
      const middle = this.#low + (this.#isBehindGap ? 2n ** BigInt(Math.ceil(bitsOf(span) / 2)) : span / 2n);
      this.#isBehindGap = false;
      if (await this.#isEndAt(middle)) return;
      if (this.#low <= middle) high = middle;
    }
  }

  get #mayAsk(): boolean {
    return this.#requests < mostRequests - pagesToTheEnd;
  }

  /** Looks behind a place; true when what lies there is the last of the stream. */
  async #isEndAt(place: bigint): Promise<boolean> {
    const page = await this.page(place);
    return this.#climb(page) && page.hasMore === false;
  }

  /** True when a page shows something above all that was known. */
  #climb(page: PageRead): boolean {
    const reach = reachOfPage(page);
    if (reach === undefined || reach <= this.#low) return false;
    if (page.after !== undefined && reach <= page.after) return false;
    this.#low = reach;
    const [first = reach] = page.items.flatMap(({ sequence }) => sequence ?? []);
    this.#isBehindGap = page.after !== undefined && first - page.after > 4n * (reach - first + 1n);
    return true;
  }

  /** A walk from the highest place on; `undefined` unless it soon comes to the end. */
  async #toTheEnd(): Promise<Walk | undefined> {
    const maxPages = Math.min(pagesToTheEnd, mostRequests - this.#requests);
    const last = await walk((after) => this.page(after), this.#low, { maxPages });
    for (const page of last.pages) this.#climb(page);
    return last.isComplete ? last : undefined;
  }
}

/**
 * How far an answered page reaches: up to its last item or its next cursor, whichever comes first, since a cursor that
 * leads too far would hide what is sent later. An empty page that says more is there reaches as far as its cursor.
 */
function reachOfPage({ items, nextAfter, hasMore, exchange }: PageRead): bigint | undefined {
  const status = exchange.response?.status ?? 0;
  if (exchange.fault !== undefined || status < 200 || status > 299) return undefined;
  const last = highestOf(items);
  if (last === undefined) return items.length === 0 && hasMore === true ? nextAfter : undefined;
  return nextAfter !== undefined && nextAfter < last ? nextAfter : last;
}

function bitsOf(value: bigint): number {
  return value.toString(2).length;
}

function highestOf(items: readonly PageItem[]): bigint | undefined {
  return items
    .flatMap(({ sequence }) => sequence ?? [])
    .reduce<bigint | undefined>((high, each) => (high === undefined || each > high ? each : high), undefined);
}
