import type { ClauseId } from '../../spec/index.ts';

/** One anomaly: what it is, and the clauses that it breaks, of which each finding names one. */
interface Row {
  readonly what: string;
  readonly clauses: readonly [ClauseId, ...ClauseId[]];
}

/**
 * Every anomaly that a judge may name. What the contract forbids stands under clauses of the level `must`; what it only implies,
 * under `inferred` ones; what it leaves open has no row.
 */
export const catalogue = {
  'unordered-page': {
    what: 'items of a page do not rise by sequence',
    clauses: ['channel-read.ascending', 'mentions.ascending', 'mentions.newest-page-ascends'],
  },
  'duplicate-sequence': {
    what: 'two messages of a page have one sequence',
    clauses: ['channel-read.no-duplicate-sequence', 'mentions.no-duplicate-sequence'],
  },
  'duplicate-in-page': {
    what: 'a message stands twice in a page',
    clauses: ['message.id.one-message', 'mentions.duplicate-message'],
  },
  'inclusive-cursor': {
    what: 'an item lies at or below the cursor of its page',
    clauses: ['channel-read.after-exclusive', 'mentions.after.exclusive'],
  },
  'over-limit': {
    what: 'a page holds more than its limit',
    clauses: ['mentions.limit.respected', 'mentions.limit.default', 'channel-read.limit-respected'],
  },
  'next-behind-page': {
    what: 'the next cursor lies below an item of its page',
    clauses: ['page.next-after-not-behind-items'],
  },
  'cursor-stall': {
    what: 'a page with items announces more and does not move the cursor on',
    clauses: ['page.next-after-passes-the-cursor'],
  },
  'empty-stall': {
    what: 'empty pages announce more and hand out one cursor for ever',
    clauses: ['page.empty-page-moves-on'],
  },
  'cursor-regression': {
    what: 'a cursor that was issued is answered with a smaller one',
    clauses: ['page.next-after-never-falls-back', 'page.next-after-rises'],
  },
  'above-watermark': {
    what: 'an item lies above the watermark of its page',
    clauses: ['page.high-watermark-covers-the-page'],
  },
  'watermark-regression': {
    what: 'the watermark falls',
    clauses: ['page.high-watermark-never-falls'],
  },
  'issued-cursor-conflict': {
    what: 'a cursor that was issued is a conflict',
    clauses: ['channel-read.issued-cursor-is-no-conflict', 'mentions.issued-cursor-is-no-conflict'],
  },
  'inconsistent-offsets': {
    what: 'one sequence stands for two messages',
    clauses: ['channel-read.sequence-names-one-message', 'mentions.sequence-names-one-mention'],
  },
  'sequence-reuse': {
    what: 'a sequence stands for another message after a restart',
    clauses: ['channel-read.restart-reuses-no-sequence', 'mentions.sequence-names-one-mention'],
  },
  'shared-number': {
    what: 'one number stands for two messages in two feeds of a workspace',
    clauses: ['mention.sequence.workspace-wide'],
  },
  moved: {
    what: 'one message stands at two places of a stream',
    clauses: ['message.id.one-message', 'mention.sequence.immutable'],
  },
  mutated: {
    what: 'a message reads differently than before',
    clauses: [
      'message.immutable',
      'message.id.one-message',
      'message.author.immutable',
      'message.author.captured-at-write',
      'human-user.display-name.captured-at-write',
      'message.mentions.never-re-resolved',
      'message.attachments.stable',
    ],
  },
  'feed-channel-disagree': {
    what: 'a message reads differently in a feed than in its channel',
    clauses: ['mentions.feed-agrees-with-channel'],
  },
  'left-out': {
    what: 'a view of a message leaves out what another shows',
    clauses: ['message.optional-fields-in-every-view'],
  },
  'poll-skip': {
    what: 'a page passes over a message that was known before',
    clauses: [
      'channel-read.walk-is-complete',
      'channel-read.after-zero',
      'mentions.walk-is-complete',
      'mentions.after.zero-is-oldest',
      'limits.byte-cap-loses-nothing',
      'mentions.shortened-first-page-continues',
    ],
  },
  'late-commit': {
    what: 'a message becomes visible below a cursor that was handed out',
    clauses: ['channel-read.cursor-never-skips', 'mentions.cursor-never-skips'],
  },
  'newest-page-hole': {
    what: 'a page without a cursor leaves out a message between its items',
    clauses: ['mentions.newest-page', 'channel-read.walk-is-complete'],
  },
  resurrection: {
    what: 'a message that was gone for long comes back',
    clauses: ['channel-read.nothing-returns'],
  },
  'long-poll-disagrees': {
    what: 'a read that waited is not what a later read from its cursor gives',
    clauses: [
      'channel-read.walk-is-complete',
      'channel-read.cursor-never-skips',
      'channel-read.reads-repeat',
    ],
  },
  'hidden-from-reader': {
    what: 'a reader is never shown what others read in its channel',
    clauses: ['service.channels-are-shared'],
  },
  'has-more-false': {
    what: 'a page denies that there is more, and there is',
    clauses: ['page.has-more-while-items-remain', 'mentions.shortened-first-page-continues'],
  },
  'newest-page-not-newest': {
    what: 'a page without a cursor has not the newest messages',
    clauses: ['mentions.newest-page'],
  },
  'late-insert': {
    what: 'a message comes before one that had been read when it was sent',
    clauses: ['send.appends', 'mentions.cursor-never-skips'],
  },
  'nonmonotonic-send': {
    what: 'a message comes before one that had been acknowledged when it was sent',
    clauses: ['send.acknowledged-order'],
  },
  vanished: {
    what: 'a message that was read is gone, while an older one of its kind is there',
    clauses: [
      'channel-read.reads-repeat',
      'mentions.acknowledges-nothing',
      'states.messages-do-not-vanish',
      'states.mentions-do-not-vanish',
    ],
  },
  'lost-write': {
    what: 'an acknowledged message is in no read, while an older one of its kind is there',
    clauses: ['service.sent-is-readable'],
  },
  'silent-drop': {
    what: 'no message of a size is ever shown although its send is acknowledged, while others are there; or none at all is shown',
    clauses: ['service.sent-is-readable'],
  },
  'lost-across-restart': {
    what: 'an acknowledged message is gone after a restart',
    clauses: ['channel-read.survives-a-restart', 'service.sent-is-readable'],
  },
  'mention-lost': {
    what: 'a message that names a reader is not in its feed, while an older one is there, or nothing ever is',
    clauses: [
      'mentions.matches-agent-target',
      'mentions.matches-human-target',
      'mentions.matches-machine-target',
      'mentions.peers-reach-each-other',
    ],
  },
  'stale-read': {
    what: 'a complete read lacks what another read had just shown',
    clauses: ['channel-read.recency', 'mentions.recency'],
  },
  'read-your-writes': {
    what: 'a complete read lacks an own acknowledged message',
    clauses: ['channel-read.reads-own-writes'],
  },
  'monotonic-reads': {
    what: 'a complete read lacks what the reader had read before',
    clauses: ['channel-read.reads-are-monotonic', 'mentions.recency'],
  },
  'missed-wakeup': {
    what: 'a read that waited ends empty although a message had arrived long before',
    clauses: ['channel-read.wait-wakes'],
  },
  'aborted-read': {
    what: 'a message is read whose send was refused',
    clauses: ['send.refused-stores-nothing'],
  },
  'conflict-applied': {
    what: 'a message is read whose send was refused for its key',
    clauses: ['send.conflict-stores-nothing'],
  },
  unexpected: {
    what: 'a message of this run is read that nobody sent',
    clauses: ['channel-read.nothing-unsent'],
  },
  duplicate: {
    what: 'one send shows as two messages',
    clauses: ['send.stored-once', 'send.retry-stores-once'],
  },
  'conflict-accepted': {
    what: 'a key that serves one message is taken for another right afterwards',
    clauses: ['send.conflict-is-refused'],
  },
  'conflict-concurrent-double': {
    what: 'both of two messages that were sent under one key at once are read',
    clauses: ['send.concurrent-conflict-stores-one'],
  },
  'replay-conflict': {
    what: 'the repetition of an accepted send is a conflict',
    clauses: ['send.equal-replay-is-no-conflict'],
  },
  'cross-channel-leak': {
    what: 'a message is read in another channel than it was sent to, or names another one',
    clauses: ['send.to-the-named-channel', 'message.channel-id.is-its-channel'],
  },
  'foreign-workspace': {
    what: 'a message is of another workspace than its reader',
    clauses: ['mentions.own-workspace-only', 'message.workspace-id.is-its-workspace'],
  },
  'content-corruption': {
    what: 'a content is not the one that was sent',
    clauses: ['message.content.unaltered'],
  },
  'wrong-size': {
    what: 'the size is not that of the content',
    clauses: ['message.size-bytes.is-utf8-length'],
  },
  'wrong-content-type': {
    what: 'a content type is not the one that was sent, or not the default',
    clauses: ['message.content-type.default', 'message.content-type.kept'],
  },
  'wrong-targets': {
    what: 'the targets are not those that were sent',
    clauses: ['message.mentions.captured'],
  },
  'wrong-files': {
    what: 'the files are not those that were sent',
    clauses: ['message.attachments.captured'],
  },
  'wrong-session': {
    what: 'the source session is not the one that was sent',
    clauses: ['source-session.valid-is-accepted'],
  },
  'wrong-host': {
    what: 'the host is not the one that was sent',
    clauses: ['author.agent-host.captured-at-write'],
  },
  'wrong-author': {
    what: 'the author is not the agent that sent the message',
    clauses: ['author.is-the-agent'],
  },
  'feed-crosstalk': {
    what: 'answers name different agents to one credential',
    clauses: ['mentions.agent-id-header.is-the-caller'],
  },
  'mention-id': {
    what: 'the id of a mention is not that of its message',
    clauses: ['mention.id.is-the-message-id'],
  },
  'self-authored': {
    what: 'a feed lists a message of its reader',
    clauses: ['mentions.self-authored-excluded'],
  },
  unmentioned: {
    what: 'a feed lists a message that names nobody, or only others',
    clauses: [
      'mentions.broadcasts-excluded',
      'mentions.other-machines-excluded',
      'mentions.other-targets-excluded',
    ],
  },
  'feed-order-disagreement': {
    what: 'two feeds list two messages in opposite orders',
    clauses: ['mentions.feeds-agree-on-order'],
  },
  'receipt-on-read': {
    what: 'an agent that only read a message is among its retrievals',
    clauses: ['mentions.records-no-retrieval', 'receipts.client-reported'],
  },
  'receipt-author': {
    what: 'the author of a message is among its retrievals',
    clauses: ['receipts.agent-ids.no-author'],
  },
  'receipt-order': {
    what: 'retrievals are not in the order in which they were recorded',
    clauses: [
      'receipts.agent-ids.earlier-is-a-prefix',
      'receipts.agent-ids.ordered',
      'receipts.agent-ids.ordered-by-time',
    ],
  },
  'receipts-shrink': {
    what: 'retrievals that were shown are shown no more',
    clauses: ['receipts.agent-ids.earlier-is-a-prefix', 'receipts.empty-means-none-recorded'],
  },
  'receipt-lost': {
    what: 'an agent that reported a message is not listed with it long after',
    clauses: ['receipts.reported-agent-is-listed'],
  },
  'server-error': {
    what: 'a request that is served at other times draws a server error again and again',
    clauses: ['mentions.error-statuses', 'service.served-requests-stay-served'],
  },
  'let-in': {
    what: 'a request is served of somebody who may not make it',
    clauses: ['auth.other-workspace-refused', 'auth.no-access-is-403'],
  },
  'turned-away': {
    what: 'a request that is served at other times is refused to whoever may make it again and again',
    clauses: ['auth.bearer-accepted', 'service.served-requests-stay-served'],
  },
} as const satisfies Readonly<Record<string, Row>>;

/** What the catalogue calls an anomaly. */
export type AnomalyName = keyof typeof catalogue;

/** The clauses that anomalies of these names may break. */
export function clausesOf(...names: readonly AnomalyName[]): readonly ClauseId[] {
  return [...new Set(names.flatMap((name): readonly ClauseId[] => catalogue[name].clauses))];
}
