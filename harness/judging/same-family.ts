import type { ClauseId } from '../../spec/index.ts';

/**
 * Clauses that one fault of a server breaks together, by the beginnings of their ids: where messages stand, what they show,
 * what is refused, and retrievals. A judge of the whole history sees all that a fault does; the check that looked for it
 * names it best.
 */
const families: readonly (readonly string[])[] = [
  [
    'page.',
    'channel-read.',
    'mentions.',
    'mention.',
    'limits.',
    'states.',
    'message.sequence.',
    'message.id.',
    'message.channel-id.',
    'service.reads-',
    'service.cursor-',
    'service.sent-',
    'service.mentions-',
    'service.channels-',
    'send.appends',
    'send.acknowledged',
    'send.to-the-',
    'send.stored-',
    'send.retry-',
    'send.distinct-',
    'send.conflict-',
    'send.concurrent-',
  ],
  [
    'message.',
    'author.',
    'human-user.',
    'machine.',
    'source-session.',
    'file.',
    'mention-target.',
    'mention.message.',
    'mentions.feed-agrees-',
    'mentions.agent-id-',
    'mentions.broadcasts-',
    'mentions.other-targets-',
    'mentions.matches-',
    'mentions.self-authored-',
    'send.conflict-',
    'send.concurrent-',
    'send.content',
    'service.messages-',
    'service.objects-',
    'service.timestamps-',
  ],
  [
    'auth.',
    'errors.',
    'send.',
    'file.',
    'message.content.unaltered',
    'mentions.membership-',
    'author.is-the-agent',
  ],
  ['receipts.', 'receipts-list.', 'mentions.records-', 'message.receipts.', 'service.retrieval-'],
];

/** Whether a breach of one clause may be no more than another side of a breach of the other. */
export function isSameFamily(clause: ClauseId, other: ClauseId): boolean {
  return families.some((family) => isOf(family, clause) && isOf(family, other));
}

function isOf(family: readonly string[], clause: ClauseId): boolean {
  return family.some((beginning) => clause.startsWith(beginning));
}
