import type { MentionTarget } from '../../../spec/generated/types.ts';
import type { ClauseId } from '../../../spec/index.ts';
import type { OutgoingMessage, ReadFacts, Rules, StreamName } from '../../../reference/index.ts';
import { mutant, type Mutant, named } from '../base/mutant.ts';
import { otherUuid } from '../base/spoil-answer.ts';
import { askedCells, messageCells, messageOf, withinCell, withMessage, type Cell } from './cell.ts';

/** What is wrong with a message that is shown, or with its being there. */
interface Fault {
  /** By the stream in which it is wrong. */
  readonly clause: Readonly<Partial<Record<StreamName, ClauseId>>>;
  /** What is wrong in a channel is wrong in feeds too. */
  readonly isInFeedsToo?: true;
  /** In the cell; `undefined` leaves it out of its page. */
  readonly change: Change;
  /** Outside of the cell; as it is when omitted. */
  readonly outside?: Change;
  /** Rules that let into a feed what has no place there. */
  readonly rules?: Partial<Rules>;
  readonly cells: readonly Cell[];
}

/** By what begins the names of their mutants, and their sentences. */
type Faults = Readonly<Record<string, Fault>>;

type Change = (message: OutgoingMessage, facts: ReadFacts) => OutgoingMessage | undefined;

const inFeed = { mentions: 'mentions.feed-agrees-with-channel' } as const;

/** A message need not show what one view leaves out and another shows. */
const inOneView = 'message.optional-fields-in-every-view';

const asItIs: Change = (message) => message;

function leavingOut(isLeftOut: (message: OutgoingMessage, facts: ReadFacts) => boolean): Change {
  return (message, facts) => (isLeftOut(message, facts) ? undefined : message);
}

const withoutSession: Change = ({ author: { source_session: _left, ...author }, ...message }) => ({
  ...message,
  author,
});

const withoutHost: Change = ({ author: { agent_host: _left, ...author }, ...message }) => ({
  ...message,
  author,
});

const messageFaults: Faults = {
  'cuts-the-text: a text lacks its last character': {
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
  'loses-the-targets: a message shows no targets': {
    clause: { channel: 'message.mentions.captured', ...inFeed },
    change: (message) => ({ ...message, mentions: [] }),
    cells: [...messageCells('target', 'length', 'type', 'files', 'host'), ...askedCells('reader', 'of')],
  },
  'loses-the-files: a message shows no files': {
    clause: { channel: 'message.attachments.captured', ...inFeed },
    change: (message) => ({ ...message, attachments: [] }),
    cells: [...messageCells('files', 'target', 'text', 'type'), ...askedCells('reader', 'of')],
  },
  'loses-the-session: a message shows no source session': {
    clause: { channel: 'source-session.valid-is-accepted', mentions: inOneView },
    isInFeedsToo: true,
    change: withoutSession,
    cells: [...messageCells('session', 'target', 'files'), ...askedCells('of')],
  },
  'hides-the-session: some are shown no source session': {
    clause: { channel: inOneView, mentions: inOneView },
    change: withoutSession,
    cells: askedCells('reader'),
  },
  'loses-the-host: a message shows no host': {
    clause: { channel: 'author.agent-host.captured-at-write', mentions: inOneView },
    isInFeedsToo: true,
    change: withoutHost,
    cells: [...messageCells('host', 'target', 'text', 'type'), ...askedCells('of')],
  },
  'hides-the-host: some are shown no host': {
    clause: { channel: inOneView, mentions: inOneView },
    change: withoutHost,
    cells: askedCells('reader'),
  },
  'names-another-author: a message names another agent as its author': {
    clause: { channel: 'author.is-the-agent', ...inFeed },
    change: ({ author, ...message }) => ({
      ...message,
      author: { ...author, id: otherUuid(author.id) },
    }),
    cells: [...messageCells('target', 'session', 'length'), ...askedCells('reader', 'of')],
  },
  'is-left-out: a message is on no page': {
    clause: { channel: 'service.sent-is-readable', mentions: 'mentions.matches-agent-target' },
    change: () => undefined,
    // Where nothing plain is shown, no message beside what is missing tells that it is.
    cells: [
      ...messageCells('text', 'length', 'type', 'files', 'session', 'host', 'target').filter(
        ({ slug }) => !['type-text-plain', 'target-agent', 'length-500-kB'].includes(slug),
      ),
      // A feed that lists nothing of a sender may have lost it to retention: the newest need not name whose feed it is.
      ...messageCells('sender').map((cell) => ({ ...cell, stream: 'channel' as const })),
    ],
  },
};

/** The longest texts name somebody, and none their sender. */
const ofTexts = messageCells('text', 'length', 'files', 'type').filter(
  ({ slug }) => slug !== 'length-500-kB',
);
/** Which agent an API key acts as is left open, so that nobody knows what its feed must not list. */
const inAnyForm = askedCells('reader', 'cursor').filter(
  ({ slug }) => !['cursor-end', 'cursor-0', 'reader-api-key'].includes(slug),
);

/** What a feed lists that it must not. */
const feedFaults: Faults = {
  'lists-what-it-sent: an agent is listed what it sent itself': {
    clause: { mentions: 'mentions.self-authored-excluded' },
    rules: { isSelfAuthored: () => false },
    change: asItIs,
    outside: leavingOut(({ author }, { reader }) => author.id === reader.id),
    cells: [...ofTexts, ...inAnyForm.filter(({ slug }) => slug !== 'reader-peer')],
  },
  'lists-a-broadcast: a message that names nobody is listed': {
    clause: { mentions: 'mentions.broadcasts-excluded' },
    rules: { broadcastsReach: () => true },
    change: asItIs,
    outside: leavingOut(({ mentions }) => (mentions?.length ?? 0) === 0),
    cells: [...ofTexts, ...messageCells('session'), ...inAnyForm],
  },
  'lists-what-names-another: a message that names another agent is listed': {
    clause: { mentions: 'mentions.other-targets-excluded' },
    rules: {
      mentionedBy: (targets, _content, agents): readonly MentionTarget[] =>
        targets.some(({ kind }) => kind === 'agent')
          ? [...targets, ...agents().map(({ id }) => ({ kind: 'agent' as const, id }))]
          : targets,
    },
    change: asItIs,
    outside: leavingOut(
      ({ mentions = [] }, { reader }) =>
        mentions.length > 0 &&
        !mentions.some(({ id }) => [reader.id, reader.humanUserId, reader.machineId].includes(id)),
    ),
    cells: [...ofTexts, ...messageCells('session'), ...inAnyForm],
  },
};

/** What is shown beside a message that is missing is plain, and names an agent. */
function isBesideThePlainest({ slug }: Cell): boolean {
  return !slug.endsWith('target-agent');
}

/** What is kept from somebody that everybody else, or everything else, comes to. */
const sharingFaults: Faults = {
  'keeps-from-others: a channel shows messages to their author alone': {
    clause: { channel: 'service.channels-are-shared' },
    change: leavingOut(({ author }, { reader }) => author.id !== reader.id),
    // Somebody who is shown nothing of an author may have lost it to retention.
    cells: askedCells('reader')
      .filter(({ slug }) => slug === 'reader-reader')
      .flatMap((cell) =>
        withinCell(cell, ...messageCells('target', 'files', 'session', 'host')).filter(isBesideThePlainest),
      ),
  },
  'keeps-the-second-channel: a feed lacks what stands in the second channel': {
    clause: { mentions: 'mentions.across-channels' },
    change: leavingOut(({ channel_id: id }, { isDefaultChannel }) => !isDefaultChannel(id)),
    cells: messageCells('target').filter(isBesideThePlainest),
  },
};

/** The clause that lists a message through its target. */
const listingOf: Readonly<Record<string, ClauseId>> = {
  'target-user': 'mentions.matches-human-target',
  'target-machine': 'mentions.matches-machine-target',
};

/** Every fault in every cell of what a message is and of who reads it, in channels or in feeds. */
export const messageCellMutants: readonly Mutant[] = Object.entries({
  ...messageFaults,
  ...feedFaults,
  ...sharingFaults,
}).flatMap(([name, fault]) =>
  (['channel', 'mentions'] as const).flatMap((stream) => {
    const clause = fault.clause[stream];
    if (clause === undefined) return [];
    return fault.cells
      .filter((cell) => cell.stream === undefined || cell.stream === stream)
      .map((cell) => {
        const { id, what } = named(name);
        const of = stream === 'mentions' && id === 'is-left-out' ? (listingOf[cell.slug] ?? clause) : clause;
        const where = fault.rules === undefined ? stream : 'feed';
        return mutant(`cell-${where}-${id}-${cell.slug}`, of, `${what} (${stream}, ${cell.when})`, {
          ...fault.rules,
          presentRead: showing(fault, stream, cell),
        });
      });
  }),
);

function showing(
  { isInFeedsToo, change, outside = asItIs }: Fault,
  stream: StreamName,
  { isAsked, isMessage }: Cell,
): Rules['presentRead'] {
  return ({ items, page }, facts) => {
    const shown = facts.page.stream;
    if (shown !== stream && !(isInFeedsToo === true && stream === 'channel')) return { items, page };
    const isWrong = isAsked(facts);
    return {
      items: items.flatMap((item) => {
        const message = messageOf(item);
        const changed = (isWrong && isMessage(message) ? change : outside)(message, facts);
        if (changed === message) return [item];
        return changed === undefined ? [] : [withMessage(item, changed)];
      }),
      page,
    };
  };
}
