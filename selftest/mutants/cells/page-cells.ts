import type { ClauseId } from '../../../spec/index.ts';
import type { OutgoingRead, ReadFacts, Rules, StreamName } from '../../../reference/index.ts';
import { mutant, type Mutant } from '../base/mutant.ts';
import { askedCells, type Cell } from './cell.ts';

type Items = OutgoingRead['items'];

/** A rule of a page, and how an answer breaks it. */
interface Fault {
  /** Begins the names of its mutants. */
  readonly slug: string;
  /** Begins their sentences. */
  readonly what: string;
  readonly clause: (stream: StreamName, facts: Cell) => ClauseId;
  /** Made again for each start. */
  readonly make: () => (read: OutgoingRead, facts: ReadFacts) => OutgoingRead;
  /** Cells in which nothing can be wrong. */
  readonly isIdle?: (slug: string, stream: StreamName) => boolean;
}

const atTheEnd = (slug: string): boolean => slug === 'cursor-end';
const onPagesOfOne = (slug: string): boolean => atTheEnd(slug) || slug === 'limit-1';

const pageFaults: readonly Fault[] = [
  {
    slug: 'drops-an-item',
    what: 'a page lacks its last but one item',
    clause: (stream, { slug }) => {
      if (stream === 'channel') return 'channel-read.walk-is-complete';
      return slug === 'cursor-none' ? 'mentions.newest-page' : 'mentions.walk-is-complete';
    },
    make: () => changingItems((items) => items.toSpliced(-2, 1)),
    // What a channel returns without a cursor is left open.
    isIdle: (slug, stream) => onPagesOfOne(slug) || (stream === 'channel' && slug === 'cursor-none'),
  },
  {
    slug: 'repeats-an-item',
    what: 'a page has its last item twice, the second time for another message',
    clause: (stream) =>
      stream === 'channel' ? 'channel-read.no-duplicate-sequence' : 'mentions.no-duplicate-sequence',
    make: () =>
      changingItems((items) => {
        const [before, last] = items.slice(-2);
        return before === undefined || last === undefined
          ? items
          : [...items.slice(0, -1), { ...last, sequence: before.sequence }];
      }),
    isIdle: onPagesOfOne,
  },
  {
    slug: 'descends',
    what: 'a page descends',
    clause: (stream, { slug }) =>
      stream === 'channel'
        ? 'channel-read.ascending'
        : slug === 'cursor-none'
          ? 'mentions.newest-page-ascends'
          : 'mentions.ascending',
    make: () => changingItems((items) => items.toReversed()),
    isIdle: onPagesOfOne,
  },
  {
    slug: 'includes-the-cursor',
    what: 'a page holds the item of its cursor',
    clause: (stream) => (stream === 'channel' ? 'channel-read.after-exclusive' : 'mentions.after.exclusive'),
    make: () => {
      const seen = new Seen();
      return ({ items, page }, { page: { history, after } }) => {
        const own = seen.at(history, after);
        seen.note(history, items);
        return { items: own === undefined ? items : [own, ...items], page };
      };
    },
    isIdle: (slug) => slug === 'cursor-none' || slug === 'cursor-0',
  },
  {
    slug: 'denies-more',
    what: 'has_more is false',
    clause: () => 'page.has-more-while-items-remain',
    make: () => changingPage((page) => ({ ...page, has_more: false })),
    isIdle: (slug) => atTheEnd(slug) || slug === 'cursor-none',
  },
  {
    slug: 'next-after-falls-behind',
    what: 'next_after lies before the last item',
    clause: () => 'page.next-after-not-behind-items',
    make: () =>
      changingPage((page, items) => ({ ...page, next_after: items.at(-2)?.sequence ?? page.next_after })),
    isIdle: onPagesOfOne,
  },
  {
    slug: 'next-after-stays',
    what: 'next_after is the cursor itself while more is there',
    clause: () => 'page.next-after-passes-the-cursor',
    make: () =>
      changingPage((page, _items, { page: { after } }) =>
        after !== undefined && page.has_more ? { ...page, next_after: exact(after) } : page,
      ),
    isIdle: (slug) => atTheEnd(slug) || slug === 'cursor-none',
  },
  {
    slug: 'next-after-goes-beyond',
    what: 'next_after lies one beyond the last item, where more is there',
    clause: (stream) =>
      stream === 'channel' ? 'channel-read.walk-is-complete' : 'mentions.walk-is-complete',
    make: () =>
      changingPage((page) =>
        page.has_more ? { ...page, next_after: exact(BigInt(page.next_after) + 5n) } : page,
      ),
    isIdle: (slug) => atTheEnd(slug) || slug === 'cursor-none',
  },
  {
    slug: 'exceeds-the-limit',
    what: 'a full page has an item more than its limit',
    clause: (stream, { slug }) =>
      stream === 'channel'
        ? 'channel-read.limit-respected'
        : slug === 'limit-none'
          ? 'mentions.limit.default'
          : 'mentions.limit.respected',
    make: () => {
      const seen = new Seen();
      return ({ items, page }, { page: { history, after, limit } }) => {
        const further =
          items.length < limit ? undefined : seen.beside(history, items.at(-1), (other, own) => other > own);
        const earlier =
          items.length < limit ? undefined : seen.beside(history, items[0], (other, own) => other < own);
        seen.note(history, items);
        if (further !== undefined) return { items: [...items, further], page };
        return { items: earlier === undefined || after !== undefined ? items : [earlier, ...items], page };
      };
    },
    // A channel has no default limit, and a server whose smallest page has two items is free to have it.
    isIdle: (slug, stream) =>
      atTheEnd(slug) || (stream === 'channel' && (slug === 'limit-none' || slug === 'limit-1')),
  },
];

/** Every fault in every cell of how a page is asked for, in either stream. */
export const pageCellMutants: readonly Mutant[] = (['channel', 'mentions'] as const).flatMap((stream) =>
  askedCells('cursor', 'limit', 'reader', 'of', 'wait')
    .filter((cell) => cell.stream === undefined || cell.stream === stream)
    .flatMap((cell) =>
      pageFaults
        .filter((fault) => fault.isIdle?.(cell.slug, stream) !== true)
        .map((fault) => pageMutant(fault, stream, cell)),
    ),
);

function pageMutant({ slug, what, clause, make }: Fault, stream: StreamName, cell: Cell): Mutant {
  return mutant(
    `cell-${stream}-${slug}-${cell.slug}`,
    clause(stream, cell),
    `${what} (${stream}, ${cell.when})`,
    () => {
      const change = make();
      return { presentRead: onlyIn(stream, cell, change) };
    },
  );
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
