import type { ClauseId } from '../../../spec/index.ts';
import type { OutgoingRead, ReadFacts, Rules, StreamName } from '../../../reference/index.ts';
import { mutant, type Mutant, named } from '../base/mutant.ts';
import { askedCells, type Cell } from './cell.ts';

type Items = OutgoingRead['items'];

/** A rule of a page, and how an answer breaks it. */
interface Fault {
  readonly clause: Readonly<Record<StreamName, ClauseId>>;
  /** The clause of a feed where it is another one in some cell, by the slug of that. */
  readonly inFeed?: Readonly<Record<string, ClauseId>>;
  /** Made again for each start. */
  readonly make: () => (read: OutgoingRead, facts: ReadFacts) => OutgoingRead;
  /** Slugs of cells in which nothing can be wrong, and of such as are of a channel. */
  readonly idle?: readonly string[];
  readonly idleInChannel?: readonly string[];
}

const onPagesOfOne = ['cursor-end', 'limit-1'];
const withoutMore = ['cursor-end', 'cursor-none'];
const walk = { channel: 'channel-read.walk-is-complete', mentions: 'mentions.walk-is-complete' } as const;

/** Faults by what begins the names of their mutants, and their sentences. */
const pageFaults: Readonly<Record<string, Fault>> = {
  'drops-an-item: a page lacks its last but one item': {
    clause: walk,
    inFeed: { 'cursor-none': 'mentions.newest-page' },
    make: () => changingItems((items) => items.toSpliced(-2, 1)),
    idle: onPagesOfOne,
    // What a channel returns without a cursor is left open.
    idleInChannel: ['cursor-none'],
  },
  'repeats-an-item: a page has its last item twice, the second time for another message': {
    clause: {
      channel: 'channel-read.no-duplicate-sequence',
      mentions: 'mentions.no-duplicate-sequence',
    },
    make: () =>
      changingItems((items) => {
        const [before, last] = items.slice(-2);
        return before === undefined || last === undefined
          ? items
          : [...items.slice(0, -1), { ...last, sequence: before.sequence }];
      }),
    idle: onPagesOfOne,
  },
  'descends: a page descends': {
    clause: { channel: 'channel-read.ascending', mentions: 'mentions.ascending' },
    inFeed: { 'cursor-none': 'mentions.newest-page-ascends' },
    make: () => changingItems((items) => items.toReversed()),
    idle: onPagesOfOne,
  },
  'includes-the-cursor: a page holds the item of its cursor': {
    clause: { channel: 'channel-read.after-exclusive', mentions: 'mentions.after.exclusive' },
    make: () => {
      const seen = new Seen();
      return ({ items, page }, { page: { history, after } }) => {
        const own = seen.at(history, after);
        seen.note(history, items);
        return { items: own === undefined ? items : [own, ...items], page };
      };
    },
    idle: ['cursor-none', 'cursor-0'],
  },
  'denies-more: has_more is false': {
    clause: inEither('page.has-more-while-items-remain'),
    make: () => changingPage((page) => ({ ...page, has_more: false })),
    idle: withoutMore,
  },
  'next-after-falls-behind: next_after lies before the last item': {
    clause: inEither('page.next-after-not-behind-items'),
    make: () =>
      changingPage((page, items) => ({ ...page, next_after: items.at(-2)?.sequence ?? page.next_after })),
    idle: onPagesOfOne,
  },
  'next-after-stays: next_after is the cursor itself while more is there': {
    clause: inEither('page.next-after-passes-the-cursor'),
    make: () =>
      changingPage((page, _items, { page: { after } }) =>
        after !== undefined && page.has_more ? { ...page, next_after: exact(after) } : page,
      ),
    idle: withoutMore,
  },
  'next-after-goes-beyond: next_after lies one beyond the last item, where more is there': {
    clause: walk,
    make: () =>
      changingPage((page) =>
        page.has_more ? { ...page, next_after: exact(BigInt(page.next_after) + 5n) } : page,
      ),
    idle: withoutMore,
  },
  'exceeds-the-limit: a full page has an item more than its limit': {
    clause: { channel: 'channel-read.limit-respected', mentions: 'mentions.limit.respected' },
    inFeed: { 'limit-none': 'mentions.limit.default' },
    make: () => {
      const seen = new Seen();
      return ({ items, page }, { page: { history, after, limit } }) => {
        const isFull = items.length >= limit;
        const further = isFull ? seen.beside(history, items.at(-1), (other, own) => other > own) : undefined;
        const earlier = isFull ? seen.beside(history, items[0], (other, own) => other < own) : undefined;
        seen.note(history, items);
        if (further !== undefined) return { items: [...items, further], page };
        return { items: earlier === undefined || after !== undefined ? items : [earlier, ...items], page };
      };
    },
    idle: ['cursor-end'],
    // A channel has no default limit, and a server whose smallest page has two items is free to have it.
    idleInChannel: ['limit-none', 'limit-1'],
  },
};

function inEither(clause: ClauseId): Readonly<Record<StreamName, ClauseId>> {
  return { channel: clause, mentions: clause };
}

/** Every fault in every cell of how a page is asked for, in either stream. */
export const pageCellMutants: readonly Mutant[] = (['channel', 'mentions'] as const).flatMap((stream) =>
  askedCells('cursor', 'limit', 'reader', 'of', 'wait')
    .filter((cell) => cell.stream === undefined || cell.stream === stream)
    .flatMap((cell) =>
      Object.entries(pageFaults).flatMap(([name, fault]) => pageMutants(name, fault, stream, cell)),
    ),
);

function pageMutants(
  name: string,
  { clause, inFeed = {}, make, idle = [], idleInChannel = [] }: Fault,
  stream: StreamName,
  cell: Cell,
): Mutant[] {
  const { id, what } = named(name);
  const isChannel = stream === 'channel';
  if (idle.includes(cell.slug) || (isChannel && idleInChannel.includes(cell.slug))) return [];
  const of = isChannel ? clause.channel : (inFeed[cell.slug] ?? clause.mentions);
  const sentence = `${what} (${stream}, ${cell.when})`;
  return [
    mutant(`cell-${stream}-${id}-${cell.slug}`, of, sentence, () => ({
      presentRead: onlyIn(stream, cell, make()),
    })),
  ];
}

function onlyIn(
  stream: StreamName,
  { isAsked }: Cell,
  change: (read: OutgoingRead, facts: ReadFacts) => OutgoingRead,
): Rules['presentRead'] {
  return (read, facts) => {
    if (facts.page.stream !== stream) return read;
    // Every page is shown to it, so that it knows what others hold.
    const changed = change(read, facts);
    return isAsked(facts) ? changed : read;
  };
}

function changingItems(change: (items: Items) => Items): (read: OutgoingRead) => OutgoingRead {
  return ({ items, page }) => ({ items: items.length > 1 ? change(items) : items, page });
}

function changingPage(
  change: (page: OutgoingRead['page'], items: Items, facts: ReadFacts) => OutgoingRead['page'],
): (read: OutgoingRead, facts: ReadFacts) => OutgoingRead {
  return ({ items, page }, facts) => ({ items, page: items.length > 0 ? change(page, items, facts) : page });
}

/** Items that a history was seen to hold. */
class Seen {
  readonly #items = new Map<string, Map<bigint, Items[number]>>();

  note(history: string, items: Items): void {
    const known = this.#items.get(history) ?? new Map<bigint, Items[number]>();
    for (const item of items) known.set(BigInt(item.sequence), item);
    this.#items.set(history, known);
  }

  at(history: string, sequence: bigint | undefined): Items[number] | undefined {
    return sequence === undefined ? undefined : this.#items.get(history)?.get(sequence);
  }

  /** Any that lies beside another, where there is one. */
  beside(
    history: string,
    item: Items[number] | undefined,
    isMeant: (sequence: number | bigint, own: number | bigint) => boolean,
  ): Items[number] | undefined {
    const known = item === undefined ? [] : [...(this.#items.get(history)?.values() ?? [])];
    return known.find(({ sequence }) => item !== undefined && isMeant(sequence, item.sequence));
  }
}

function exact(value: bigint): number | bigint {
  return value <= Number.MAX_SAFE_INTEGER ? Number(value) : value;
}
