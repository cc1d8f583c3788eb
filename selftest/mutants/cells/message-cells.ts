import type { ClauseId } from '../../../spec/index.ts';
import type { OutgoingMessage, Rules, StreamName } from '../../../reference/index.ts';
import { mutant, type Mutant } from '../base/mutant.ts';
import { askedCells, messageCells, messageOf, withMessage, type Cell } from './cell.ts';

/** What is wrong with a message that is shown. */
interface Fault {
  readonly slug: string;
  readonly what: string;
  readonly clause: Readonly<Record<StreamName, ClauseId>>;
  /** What is wrong in a channel is wrong in feeds too. */
  readonly isInFeedsToo?: true;
  /** `undefined` leaves it out of its page. */
  readonly change: (message: OutgoingMessage) => OutgoingMessage | undefined;
  readonly cells: readonly Cell[];
}

const inFeed = { mentions: 'mentions.feed-agrees-with-channel' } as const;

/** A message need not show what one view leaves out and another shows. */
const inOneView = 'message.optional-fields-in-every-view';

type Change = Fault['change'];

const withoutSession: Change = ({ author: { source_session: _left, ...author }, ...message }) => ({
  ...message,
  author,
});

const withoutHost: Change = ({ author: { agent_host: _left, ...author }, ...message }) => ({
  ...message,
  author,
});

const messageFaults: readonly Fault[] = [
  {
    slug: 'cuts-the-text',
    what: 'a text lacks its last character',
    clause: { channel: 'message.content.unaltered', ...inFeed },
    change: (message) =>
      message.size_bytes > 1 ? { ...message, content: message.content.slice(0, -1) } : message,
    cells: [
      // A text of one byte is known by itself alone.
      ...messageCells('target', 'text', 'length', 'type', 'files', 'session', 'host').filter(
        ({ slug }) => slug !== 'length-1-byte',
      ),
      ...askedCells('reader', 'of', 'limit', 'cursor').filter(({ slug }) => slug !== 'cursor-end'),
    ],
  },
  {
    slug: 'loses-the-targets',
    what: 'a message shows no targets',
    clause: { channel: 'message.mentions.captured', ...inFeed },
    change: (message) => ({ ...message, mentions: [] }),
    cells: [...messageCells('target', 'length', 'type', 'files', 'host'), ...askedCells('reader', 'of')],
  },
  {
    slug: 'loses-the-files',
    what: 'a message shows no files',
    clause: { channel: 'message.attachments.captured', ...inFeed },
    change: (message) => ({ ...message, attachments: [] }),
    cells: [...messageCells('files', 'target', 'text', 'type'), ...askedCells('reader', 'of')],
  },
  {
    slug: 'loses-the-session',
    what: 'a message shows no source session',
    clause: { channel: 'source-session.valid-is-accepted', mentions: inOneView },
    isInFeedsToo: true,
    change: withoutSession,
    cells: [...messageCells('session', 'target', 'files'), ...askedCells('of')],
  },
  {
    slug: 'hides-the-session',
    what: 'some are shown no source session',
    clause: { channel: inOneView, mentions: inOneView },
    change: withoutSession,
    cells: askedCells('reader'),
  },
  {
    slug: 'loses-the-host',
    what: 'a message shows no host',
    clause: { channel: 'author.agent-host.captured-at-write', mentions: inOneView },
    isInFeedsToo: true,
    change: withoutHost,
    cells: [...messageCells('host', 'target', 'text', 'type'), ...askedCells('of')],
  },
  {
    slug: 'hides-the-host',
    what: 'some are shown no host',
    clause: { channel: inOneView, mentions: inOneView },
    change: withoutHost,
    cells: askedCells('reader'),
  },
  {
    slug: 'names-another-author',
    what: 'a message names another agent as its author',
    clause: { channel: 'author.is-the-agent', ...inFeed },
    change: ({ author, ...message }) => ({
      ...message,
      author: { ...author, id: author.id.replace(/^./, (digit) => (digit === 'a' ? 'b' : 'a')) },
    }),
    cells: [...messageCells('target', 'session', 'length'), ...askedCells('reader', 'of')],
  },
  {
    slug: 'is-left-out',
    what: 'a message is on no page',
    clause: { channel: 'service.sent-is-readable', mentions: 'mentions.matches-agent-target' },
    change: () => undefined,
    // Where nothing plain is shown, no message beside what is missing tells that it is.
    cells: messageCells('text', 'length', 'type', 'files', 'session', 'host', 'target').filter(
      ({ slug }) => !['type-text-plain', 'target-agent', 'length-500-kB'].includes(slug),
    ),
  },
];

/** The clause that lists a message through its target. */
const listingOf: Readonly<Record<string, ClauseId>> = {
  'target-user': 'mentions.matches-human-target',
  'target-machine': 'mentions.matches-machine-target',
};

/** Every fault in every cell of what a message is and of who reads it, in channels or in feeds. */
export const messageCellMutants: readonly Mutant[] = (['channel', 'mentions'] as const).flatMap((stream) =>
  messageFaults.flatMap((fault) =>
    fault.cells
      .filter((cell) => cell.stream === undefined || cell.stream === stream)
      .map((cell) => messageMutant(fault, stream, cell)),
  ),
);

function messageMutant(fault: Fault, stream: StreamName, cell: Cell): Mutant {
  const { slug, what, clause, change, isInFeedsToo } = fault;
  const isWrongIn = (shown: StreamName) =>
    shown === stream || (isInFeedsToo === true && stream === 'channel');
  const of =
    stream === 'mentions' && slug === 'is-left-out'
      ? (listingOf[cell.slug] ?? clause[stream])
      : clause[stream];
  return mutant(`cell-${stream}-${slug}-${cell.slug}`, of, `${what} (${stream}, ${cell.when})`, {
    presentRead: showing(isWrongIn, cell, change),
  });
}

function showing(
  isWrongIn: (stream: StreamName) => boolean,
  { isAsked, isMessage }: Cell,
  change: Change,
): Rules['presentRead'] {
  return ({ items, page }, facts) => {
    if (!isWrongIn(facts.page.stream) || !isAsked(facts)) return { items, page };
    return {
      items: items.flatMap((item) => {
        const message = messageOf(item);
        if (!isMessage(message)) return [item];
        const changed = change(message);
        return changed === undefined ? [] : [withMessage(item, changed)];
      }),
      page,
    };
  };
}
