import type { ClauseId } from '../../spec/index.ts';

/**
 * Clauses that one fault of a server breaks together: where messages stand, what they show, and what is refused. A judge of the whole
 * history sees all that a fault does; the check that looked for it names it best.
 */
const families: readonly RegExp[] = [
  /^(?:page|channel-read|mentions|mention|limits)\.|^message\.(?:sequence|id)\.|^service\.(?:reads|cursor|sent|mentions)-|^send\.(?:appends|acknowledged|to-the|stored|retry|distinct|conflict|concurrent)/,
  /^(?:message|author|human-user|machine|source-session|file|mention-target)\.|^mentions\.(?:feed-agrees|agent-id)|^mention\.message|^send\.(?:conflict|concurrent|content)|^service\.(?:messages|objects|timestamps)/,
  /^(?:auth|errors|send|file)\.|^message\.content\.unaltered$|^mentions\.membership/,
  /^(?:receipts|receipts-list|mentions\.records|message\.receipts|service\.retrieval)/,
];

/** Whether a breach of one clause may be no more than another side of a breach of the other. */
export function isSameFamily(clause: ClauseId, other: ClauseId): boolean {
  return families.some((family) => family.test(clause) && family.test(other));
}
