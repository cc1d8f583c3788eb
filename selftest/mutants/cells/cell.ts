import { messageDimensions } from '../../../history/situations/dimensions.ts';
import type { ReadCase, MessageCase } from '../../../history/situations/dimensions.ts';
import type {
  OutgoingMention,
  OutgoingMessage,
  OutgoingRead,
  ReadFacts,
  StreamName,
} from '../../../reference/index.ts';

/** One value of one dimension as a server can tell it: of the request, or of a message. */
export interface Cell {
  /** Ends the names of mutants. */
  readonly slug: string;
  /** Ends their sentences. */
  readonly when: string;
  /** The stream in which the cell lies; both when `undefined`. */
  readonly stream?: StreamName;
  readonly isAsked: (facts: ReadFacts) => boolean;
  readonly isMessage: (message: OutgoingMessage) => boolean;
}

/** The message of an item, which in a feed is around it. */
export function messageOf(item: OutgoingRead['items'][number]): OutgoingMessage {
  return 'message' in item ? item.message : item;
}

/** An item with another message. */
export function withMessage(
  item: OutgoingRead['items'][number],
  message: OutgoingMessage,
): OutgoingMessage | OutgoingMention {
  return 'message' in item ? { ...item, message } : message;
}

type Predicates<Value extends string, Of> = Readonly<Partial<Record<Value, (of: Of) => boolean>>>;

/** How a server tells how it was asked. A first place looks as one in the middle, and an issued cursor as any other. */
const asked: { readonly [Name in keyof Omit<ReadCase, 'call'>]: Predicates<ReadCase[Name], ReadFacts> } = {
  cursor: {
    none: ({ query }) => query['after'] === undefined,
    '0': ({ query }) => query['after'] === '0',
    middle: ({ page }) => (page.after ?? 0n) > 0n && page.entries.length > 0,
    end: ({ page }) => (page.after ?? 0n) > 0n && page.entries.length === 0,
  },
  limit: {
    none: ({ query }) => query['limit'] === undefined,
    '1': ({ query }) => query['limit'] === '1',
    middle: ({ page, query }) => query['limit'] !== undefined && page.limit > 1 && page.limit < 20,
    '99': ({ query }) => query['limit'] === '99',
    '100': ({ query }) => query['limit'] === '100',
  },
  reader: {
    author: ({ reader }) => reader.displayName.startsWith('Author'),
    reader: ({ reader }) => reader.displayName.startsWith('Reader'),
    peer: ({ reader }) => reader.displayName.startsWith('Peer'),
    'api-key': ({ credential }) => credential === 'api_key',
  },
  of: {
    first: ({ page, isDefaultChannel }) => page.stream === 'channel' && isDefaultChannel(page.history),
    second: ({ page, isDefaultChannel }) => page.stream === 'channel' && !isDefaultChannel(page.history),
  },
  wait: { '0': ({ query }) => query['wait'] === '0', '1': ({ query }) => query['wait'] === '1' },
};

/** How a server tells what a message is. */
const shownCell: {
  readonly [Name in keyof Omit<MessageCase, 'channel'>]: Predicates<MessageCase[Name], OutgoingMessage>;
} = {
  sender: {
    reader: ({ author }) => author.display_name.startsWith('Reader'),
    'api-key': ({ author }) => author.display_name.startsWith('Service'),
  },
  target: {
    agent: ({ mentions }) => isOf(mentions, 'agent'),
    user: ({ mentions }) => isOf(mentions, 'user'),
    machine: ({ mentions }) => isOf(mentions, 'machine'),
    several: ({ mentions }) => (mentions?.length ?? 0) > 1,
  },
  text: {
    bmp: ({ content }) => /[\u6f00-\u6fff]/.test(content),
    astral: ({ content }) => /[\u{10000}-\u{10ffff}]/u.test(content),
    combining: ({ content }) => /[\u0300-\u036f]/.test(content),
    controls: ({ content }) => content.includes('\u0007'),
    json: ({ content }) => content.startsWith('{'),
    'white-space': ({ content }) => content !== content.trim(),
    'long-line': ({ size_bytes, content }) =>
      size_bytes > 900 && !content.includes('\n') && /^[\x20-\x7e]*$/.test(content),
  },
  length: {
    '1 byte': ({ size_bytes }) => size_bytes === 1,
    '1 kB': ({ size_bytes }) => size_bytes >= 1_000 && size_bytes < 10_000,
    '16 kB': ({ size_bytes }) => size_bytes >= 16_384 && size_bytes < 20_000,
    '500 kB': ({ size_bytes }) => size_bytes >= 400_000,
  },
  type: {
    'text/plain': ({ content_type }) => content_type === 'text/plain',
    'text/markdown': ({ content_type }) => content_type === 'text/markdown',
    'application/json': ({ content_type }) => content_type === 'application/json',
  },
  files: {
    one: ({ attachments }) => attachments?.length === 1,
    '2 to 19': ({ attachments }) => (attachments?.length ?? 0) > 1 && (attachments?.length ?? 0) < 20,
    '20': ({ attachments }) => attachments?.length === 20,
  },
  session: Object.fromEntries(
    messageDimensions.session
      .filter((words) => words !== 'none')
      .map((words) => [
        words,
        ({ author: { source_session: session } }: OutgoingMessage) =>
          `${session?.provider} ${session?.surface}` === words,
      ]),
  ),
  host: {
    '1 character': ({ author }) => author.agent_host?.length === 1,
    '80 characters': ({ author }) => author.agent_host?.length === 80,
  },
};

function isOf(targets: OutgoingMessage['mentions'], kind: string): boolean {
  return targets?.length === 1 && targets[0]?.kind === kind;
}

const anyMessage = (): boolean => true;

/** The cells of how a page is asked for. */
export function askedCells(...names: readonly (keyof typeof asked)[]): Cell[] {
  return names.flatMap((name) =>
    Object.entries(asked[name]).map(([value, isAsked]) => ({
      slug: cellSlug(name, value),
      when: `${name === 'of' ? 'channel' : name} ${value}`,
      ...(name === 'of' || name === 'wait' ? { stream: 'channel' as const } : {}),
      isAsked: isAsked as (facts: ReadFacts) => boolean,
      isMessage: anyMessage,
    })),
  );
}

/** The cells of what a message is. */
export function messageCells(...names: readonly (keyof typeof shownCell)[]): Cell[] {
  return names.flatMap((name) =>
    Object.entries(shownCell[name]).map(([value, isMessage]) => ({
      slug: cellSlug(name, value),
      when: `${name} ${value}`,
      isAsked: () => true,
      isMessage: isMessage as (message: OutgoingMessage) => boolean,
    })),
  );
}

/** A cell of another dimension within one. */
export function withinCell(cell: Cell, ...others: readonly Cell[]): Cell[] {
  return others.map((other) => ({
    ...cell,
    ...other,
    slug: `${cell.slug}-${other.slug}`,
    when: `${cell.when}, ${other.when}`,
    isAsked: (facts) => cell.isAsked(facts) && other.isAsked(facts),
    isMessage: (message) => cell.isMessage(message) && other.isMessage(message),
  }));
}

function cellSlug(name: string, value: string): string {
  return `${name === 'of' ? 'channel' : name}-${value}`.replaceAll(/[^a-z0-9]+/gi, '-');
}
