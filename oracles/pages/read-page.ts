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

/** A page with the time it was read at, in ms of one monotonic clock. */
export interface TimedPage extends ReadPage {
  readonly exchange: { readonly startedMs: number; readonly endedMs: number };
}

/** A message at its place. */
export interface PlacedItem {
  readonly sequence: bigint;
  readonly id: string;
}

/** The items whose place and identity are known. */
export function placed(items: readonly ReadItem[]): PlacedItem[] {
  return items.flatMap(({ sequence, id }) =>
    sequence === undefined || id === undefined ? [] : [{ sequence, id }],
  );
}

/** The sequences that are usable, in the order of the page. */
export function sequencesOf(items: readonly ReadItem[]): bigint[] {
  return items.flatMap(({ sequence }) => sequence ?? []);
}

/** How far a page reaches: its highest sequence or its cursor, whichever lies further on. */
export function reachOf({ items, nextAfter }: ReadPage): bigint | undefined {
  return highestOf([...sequencesOf(items), nextAfter ?? []].flat());
}

export function highestOf(values: readonly bigint[]): bigint | undefined {
  return values.toSorted((left, right) => Number(left - right)).at(-1);
}
