import type { ClauseId } from '../../spec/index.ts';
import { type DimensionName, type MessageCase, messageDimensions } from './dimensions.ts';

/** What an answer puts to the test: a page as a whole, each message on it, or that a message is there, or is not. */
type Subject = 'page' | 'message' | 'presence';

/** Along what a rule about reading could be broken. */
export interface Declaration {
  readonly subject: Subject;
  /** Where the rule holds: both calls when `undefined`. */
  readonly call?: 'channel-read' | 'mentions';
  /** The only targets that the rule speaks of, each with every value of `along`; without them every pair of two of those counts. */
  readonly targets?: readonly MessageCase['target'][];
  /** Targets that a message of this rule cannot have. */
  readonly without?: readonly MessageCase['target'][];
  readonly along: readonly DimensionName[];
}

const ofPage = ['reader', 'of', 'cursor', 'limit', 'wait'] as const;
const ofMessage = Object.keys(messageDimensions) as readonly (keyof MessageCase)[];

function page(call?: 'channel-read' | 'mentions', ...but: readonly DimensionName[]): Declaration {
  const isOfCall = (name: DimensionName): boolean =>
    call !== 'mentions' || (name !== 'wait' && name !== 'of');
  return {
    subject: 'page',
    ...(call && { call }),
    along: ofPage.filter((name) => isOfCall(name) && !but.includes(name)),
  };
}

function message(call?: 'channel-read' | 'mentions'): Declaration {
  const along = [...ofMessage, 'reader'] as const;
  // What names nobody, or its sender alone, is listed for nobody.
  return {
    subject: 'message',
    ...(call && { call }),
    ...(call === 'mentions' && { without: ['none', 'self'] }),
    along,
  };
}

function listed(...targets: readonly MessageCase['target'][]): Declaration {
  return {
    subject: 'presence',
    call: 'mentions',
    targets,
    along: ofMessage.filter((name) => name !== 'target'),
  };
}

/** Every rule about what is read, with the dimensions along which it could be broken. */
export const declarations: Readonly<Partial<Record<ClauseId, Declaration>>> = {
  'channel-read.ascending': page('channel-read'),
  'channel-read.no-duplicate-sequence': page('channel-read'),
  'channel-read.after-exclusive': page('channel-read'),
  'channel-read.limit-respected': page('channel-read'),
  'channel-read.walk-is-complete': page('channel-read'),
  'channel-read.cursor-never-skips': page('channel-read'),
  'channel-read.after-zero': page('channel-read', 'cursor'),
  'channel-read.sequence-names-one-message': page('channel-read'),
  'channel-read.success-is-2xx': page('channel-read'),
  'mentions.ascending': page('mentions'),
  'mentions.no-duplicate-sequence': page('mentions'),
  'mentions.after.exclusive': page('mentions'),
  'mentions.after.zero-is-oldest': page('mentions', 'cursor'),
  'mentions.limit.respected': page('mentions'),
  'mentions.limit.default': page('mentions', 'limit'),
  'mentions.walk-is-complete': page('mentions'),
  'mentions.cursor-never-skips': page('mentions'),
  'mentions.newest-page': page('mentions', 'cursor'),
  'mentions.newest-page-ascends': page('mentions', 'cursor'),
  'mentions.sequence-names-one-mention': page('mentions'),
  'mentions.status-is-200': page('mentions'),
  'mention.id.is-the-message-id': page('mentions'),
  'page.next-after-not-behind-items': page(),
  'page.next-after-passes-the-cursor': page(),
  'page.has-more-while-items-remain': page(),
  'page.high-watermark-covers-the-page': page(),
  'message.id.one-message': page(),
  'message.content.unaltered': message('channel-read'),
  'message.content-type.default': message('channel-read'),
  'message.content-type.kept': message('channel-read'),
  'message.size-bytes.is-utf8-length': message(),
  'message.mentions.captured': message('channel-read'),
  'message.attachments.captured': message('channel-read'),
  'message.channel-id.is-its-channel': message(),
  'message.workspace-id.is-its-workspace': message(),
  'message.immutable': message(),
  'author.is-the-agent': message(),
  'author.agent-host.captured-at-write': message('channel-read'),
  'source-session.valid-is-accepted': message('channel-read'),
  'mentions.feed-agrees-with-channel': message('mentions'),
  'service.sent-is-readable': { subject: 'presence', call: 'channel-read', along: ofMessage },
  'service.channels-are-shared': {
    subject: 'message',
    call: 'channel-read',
    along: [...ofMessage, 'reader'],
  },
  'mentions.matches-agent-target': listed('agent', 'several'),
  'mentions.matches-human-target': listed('user'),
  'mentions.matches-machine-target': listed('machine'),
  'mentions.across-channels': {
    subject: 'message',
    call: 'mentions',
    without: ['none', 'self'],
    along: ['channel', 'target'],
  },
  'mentions.self-authored-excluded': listed('self', 'several'),
  'mentions.broadcasts-excluded': listed('none'),
  'mentions.other-targets-excluded': listed('other-agent'),
};

/** Rules about several reads together, which the same pages put to the test. */
const ofReads = {
  'channel-read': [
    'channel-read.issued-cursor-is-no-conflict',
    'channel-read.nothing-unsent',
    'channel-read.reads-are-monotonic',
    'channel-read.reads-own-writes',
    'channel-read.reads-repeat',
    'channel-read.recency',
    'message.author.immutable',
    'page.empty-page-moves-on',
    'page.next-after-never-falls-back',
    'page.next-after-rises',
    'page.high-watermark-never-falls',
    'receipts.client-reported',
    'states.messages-do-not-vanish',
    'send.to-the-named-channel',
    'send.appends',
    'send.acknowledged-order',
    'send.stored-once',
  ],
  mentions: [
    'mention.sequence.immutable',
    'mentions.agent-id-header.is-the-caller',
    'mentions.duplicate-message',
    'mentions.feeds-agree-on-order',
    'mentions.issued-cursor-is-no-conflict',
    'mentions.own-workspace-only',
    'mentions.recency',
    'mentions.records-no-retrieval',
    'states.mentions-do-not-vanish',
    'page.empty-page-moves-on',
    'page.next-after-never-falls-back',
    'page.next-after-rises',
    'page.high-watermark-never-falls',
  ],
} as const satisfies Readonly<Record<string, readonly ClauseId[]>>;

/** The clauses that a population read through a call in every form brings about what they are decided by. */
export function clausesReadBy(call: 'channel-read' | 'mentions'): readonly ClauseId[] {
  const declared = (Object.keys(declarations) as ClauseId[]).filter(
    (clause) => (declarations[clause]?.call ?? call) === call,
  );
  return [...declared, ...ofReads[call]];
}
