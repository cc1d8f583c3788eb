/** An item of a page, as far as its place in the stream goes; `undefined` where the server's field is unusable. */
export interface ReadItem {
  /** The stream's own sequence: that of the mention in a feed, of the message in a channel. */
  readonly sequence: bigint | undefined;
  /** Id of the message. */
  readonly id: string | undefined;
}

/** A page that was read, and how it was asked for. */
export interface ReadPage {
  /** `undefined` when the cursor was omitted. */
  readonly after: bigint | undefined;
  readonly limit: number | undefined;
  readonly items: readonly ReadItem[];
  readonly nextAfter: bigint | undefined;
  readonly hasMore: boolean | undefined;
  readonly highWatermark: bigint | undefined;
}

/** The sequences that are usable, in the order of the page. */
export function sequencesOf(items: readonly ReadItem[]): bigint[] {
  return items.flatMap(({ sequence }) => sequence ?? []);
}

/** `undefined` of none. */
export function highestOf(values: readonly bigint[]): bigint | undefined {
  return values.toSorted((left, right) => Number(left - right)).at(-1);
}

/** A page without items that announces more and hands the same cursor out again, or a smaller one. */
export function isEmptyAndStill({ hasMore, items, after, nextAfter }: ReadPage): boolean {
  const step = after === undefined || nextAfter === undefined ? 1n : nextAfter - after;
  return hasMore === true && items.length === 0 && step <= 0n;
}
