/** What a reading of a stream says of one message. */
type Presence = 'there' | 'absent' | 'unknown';

/** How a message, and those around it, are told in a reading. */
interface Surroundings<Item> {
  readonly isIt: (item: Item) => boolean;
  /** True of a message that was sent later. */
  readonly isLater: (item: Item) => boolean;
  /** True of a message of the same author that was sent before it. */
  readonly isOlder: (item: Item) => boolean;
}

/**
 * The rule by which an absence counts: the reading shows a later message, or it may not have come so far; and it still
 * shows an older one of the same author, or retention may have taken the message.
 */
export function presenceIn<Item>(
  items: readonly Item[],
  { isIt, isLater, isOlder }: Surroundings<Item>,
): Presence {
  if (items.some(isIt)) return 'there';
  return items.some(isLater) && items.some(isOlder) ? 'absent' : 'unknown';
}
