import type { MentionTarget } from '../../spec/generated/types.ts';
import type { World } from '../model/world.ts';
import { targetKey } from '../paging/streams.ts';
import { captureAuthor } from '../sending/append-message.ts';
import type { SentFields } from '../sending/draft.ts';
import type { Service } from '../service/service.ts';
import { idPlace, numberDigits, numberPlace } from '../store/seed.ts';

/** Of so many messages one mentions the reader. */
const mentionEvery = 50;

/**
 * Gives the main channel of a world a history of `count` short messages by its author, each fiftieth of which mentions
 * its reader, as if they had been sent long ago. A million take about ten seconds and a gigabyte.
 * @throws when the world lacks an author or a reader
 */
export function seedMessages(
  service: Service,
  { channelId, workspaceId, roles }: World,
  count: number,
): void {
  const { rules, store, sources } = service;
  const author = store.directory.agent(roles.author.agentId ?? '');
  const readerId = roles.reader.agentId;
  if (author === undefined || readerId === undefined) throw new Error('there is no author, or no reader');
  if (count === 0) return;
  const content = `a message of the history, number ${numberPlace}`;
  const sizeBytes = content.length - numberPlace.length + numberDigits;
  const committedMs = sources.now();
  const target: MentionTarget = { kind: 'agent', id: readerId };
  const draft: SentFields = {
    content,
    contentType: 'text/plain',
    mentions: [],
    attachments: [],
    sourceSession: null,
    agentHost: null,
  };
  const documentOf = (mentions: readonly MentionTarget[]): string =>
    JSON.stringify({
      id: idPlace,
      workspace_id: workspaceId,
      channel_id: channelId,
      author: captureAuthor(service, author, draft),
      content_type: draft.contentType,
      content,
      size_bytes: sizeBytes,
      created_at: new Date(committedMs).toISOString(),
      attachments: [],
      mentions,
    });
  store.transaction(() => {
    const lastSequence = store.workspaces.channel(channelId)?.lastSequence ?? null;
    const lastEvent = store.workspaces.lastEvent(workspaceId);
    const event =
      lastEvent === null ? rules.firstEventSequence() : rules.nextEventSequence(lastEvent, workspaceId);
    const sequence = lastSequence === null ? rules.firstChannelSequence(channelId, event) : lastSequence + 1n;
    store.seed({
      workspaceId,
      channelId,
      authorId: author.id,
      count,
      sizeBytes,
      committedMs,
      sequence,
      event,
      idPrefix: sources.id().slice(0, 24),
      plain: documentOf([]),
      mentioning: documentOf([target]),
      mentionEvery,
      mentionKey: targetKey(target),
    });
    store.workspaces.setLastSequence(sequence + BigInt(count) - 1n, channelId);
    store.workspaces.setLastEvent(event + BigInt(count) - 1n, workspaceId);
  });
}
