import type { MentionTarget, MessageAuthor } from '../../spec/generated/types.ts';
import type { Entry } from '../model/page-facts.ts';
import type { Agent } from '../model/principals.ts';
import type { WrittenMessage } from '../model/resources.ts';
import type { Service } from '../service/service.ts';
import { broadcastKey, targetKey } from '../service/streams.ts';
import type { StoredChannel } from '../store/workspaces.ts';
import type { SentFields } from './draft.ts';

/** Forgetting takes a look at all that is kept, so that it is done seldom. */
const sendsBetweenSweeps = 1_000;

/**
 * Writes a message: stores it, gives it its numbers and lists it. It has to run synchronously within one
 * transaction: that is what makes the order of the numbers the order in which messages become visible.
 */
export function appendMessage(service: Service, agent: Agent, channelId: string, draft: SentFields): Entry {
  const { rules, store } = service;
  const channel = channelNow(service, channelId);
  const committedMs = service.sources.now();
  const written = writtenMessage(service, agent, channel, draft, rules.createdAtMs(committedMs));
  const eventSequence = nextEvent(service, channel.workspaceId);
  const sequence = nextPlace(service, channel, eventSequence, agent.id);

  const entry: Entry = {
    stream: 'channel',
    sequence,
    messageNumber: store.messages.add(written, sequence, committedMs),
    channelId,
    workspaceId: channel.workspaceId,
    authorId: agent.id,
    sizeBytes: written.size_bytes,
    committedMs,
  };
  if (rules.recordsAuthorOnSend()) store.receipts.add(written.id, channelId, agent.id, committedMs);
  if (rules.listsAcceptedSend(draft.content)) {
    listInChannels(service, entry, eventSequence);
    const agents = agentsIn(service, channel);
    listUnderTargets(
      service,
      entry,
      rules.mentionedBy(written.mentions, draft.content, agents),
      eventSequence,
    );
    retain(service, entry, written.mentions);
    if (entry.messageNumber % sendsBetweenSweeps === 0) sweep(service);
  }
  return entry;
}

function writtenMessage(
  service: Service,
  agent: Agent,
  channel: StoredChannel,
  draft: SentFields,
  createdMs: number,
): WrittenMessage {
  const { rules } = service;
  return {
    id: service.sources.id(),
    workspace_id: channel.workspaceId,
    channel_id: channel.id,
    author: captureAuthor(service, agent, draft),
    content_type: rules.storedContentType(draft.contentType),
    content: rules.storedContent(draft.content),
    size_bytes: rules.sizeBytes(draft.content),
    created_at: new Date(createdMs).toISOString(),
    attachments: rules.capturedAttachments(draft.attachments),
    mentions: rules.capturedTargets([
      ...draft.mentions,
      ...rules.targetsInText(draft.content, agentsIn(service, channel)),
    ]),
  };
}

/** Gives the agents of the workspace of a channel, for a rule that asks for them. */
function agentsIn({ store }: Service, { workspaceId }: StoredChannel): () => Agent[] {
  return () => store.directory.agentsOf(workspaceId);
}

function nextEvent({ rules, store }: Service, workspaceId: string): bigint {
  const last = store.workspaces.lastEvent(workspaceId);
  const next = last === null ? rules.firstEventSequence() : rules.nextEventSequence(last, workspaceId);
  if (last === null || next > last) store.workspaces.setLastEvent(next, workspaceId);
  return next;
}

function nextPlace(
  { rules, store }: Service,
  { id, lastSequence }: StoredChannel,
  eventSequence: bigint,
  authorId: string,
): bigint {
  const next =
    lastSequence === null
      ? rules.firstChannelSequence(id, eventSequence)
      : rules.nextChannelSequence(lastSequence, eventSequence, authorId, id);
  if (lastSequence === null || next > lastSequence) store.workspaces.setLastSequence(next, id);
  return next;
}

function listInChannels(service: Service, entry: Entry, eventSequence: bigint): void {
  const { rules, store } = service;
  for (const channelId of rules.channelsOfMessage(entry.channelId, () => channelIds(service))) {
    const place =
      channelId === entry.channelId
        ? entry.sequence
        : nextPlace(service, channelNow(service, channelId), eventSequence, entry.authorId);
    store.messages.listInChannel(channelId, place, entry.messageNumber, entry.authorId);
  }
}

function listUnderTargets(
  { rules, store }: Service,
  { workspaceId, messageNumber }: Entry,
  targets: readonly MentionTarget[],
  eventSequence: bigint,
): void {
  if (targets.length === 0)
    store.messages.listAsMention(broadcastKey(workspaceId), eventSequence, messageNumber);
  let last = store.workspaces.lastEvent(workspaceId) ?? eventSequence;
  const before = last;
  for (const [index, sequence] of rules.mentionSequences(eventSequence, targets).entries()) {
    const target = targets[index];
    if (target) store.messages.listAsMention(targetKey(target), sequence, messageNumber);
    if (sequence > last) last = sequence;
  }
  if (last > before) store.workspaces.setLastEvent(last, workspaceId);
}

function retain(
  { rules, settings, store }: Service,
  { channelId, authorId, workspaceId, messageNumber }: Entry,
  targets: readonly MentionTarget[],
): void {
  const { keepPerChannel, keepPerAuthor, keepMentions } = settings;
  // What is too much is found by counting all that is kept: of a lot, seldom enough to be no burden to every send.
  const isDue = (keep: number | null): keep is number =>
    keep !== null && messageNumber % Math.max(1, Math.floor(keep / 100)) === 0;
  if (isDue(keepPerChannel)) store.messages.keepInChannel(channelId, keepPerChannel);
  if (isDue(keepPerAuthor)) store.messages.keepOfAuthor(channelId, authorId, keepPerAuthor);
  const keys = targets.length === 0 ? [broadcastKey(workspaceId)] : targets.map(targetKey);
  for (const [index, key] of keys.entries()) {
    const keep = rules.mentionsKept(keepMentions, targets[index]);
    if (isDue(keep)) store.messages.keepMentionsOf(key, keep);
  }
}

/** Gives the room back that retention made: without it, a service that keeps little would grow all the same. */
function sweep({ settings, store }: Service): void {
  const { keepPerChannel, keepPerAuthor, keepMentions, keepKeys } = settings;
  const retains = [keepPerChannel, keepPerAuthor, keepMentions].some((keep) => keep !== null);
  if (retains) store.messages.dropUnlisted();
  if (keepKeys !== null) store.idempotencyKeys.keepNewest(keepKeys);
}

function channelNow({ store }: Service, id: string): StoredChannel {
  const channel = store.workspaces.channel(id);
  if (!channel) throw new Error(`channel ${id} does not exist`);
  return channel;
}

/** Ids of every channel of every workspace. */
export function channelIds({ store }: Service): string[] {
  return store.workspaces.channels().flatMap(({ id }) => id ?? []);
}

/** The author of a draft as known at this moment, whenever the request began; it goes into the message for good. */
export function captureAuthor({ rules, store }: Service, writer: Agent, draft: SentFields): MessageAuthor {
  const agent = store.directory.agent(writer.id) ?? writer;
  const human = agent.humanUserId === null ? undefined : store.directory.human(agent.humanUserId);
  const machine = agent.machineId === null ? undefined : store.directory.machine(agent.machineId);
  const session = rules.capturedSession(draft.sourceSession);
  return {
    id: rules.capturedAgentId(agent),
    display_name: rules.capturedAgentName(agent),
    agent_host: rules.capturedAgentHost(draft.agentHost),
    human_user: rules.capturedHuman(human ?? null),
    machine: rules.capturedMachine(machine ?? null),
    ...(session && { source_session: session }),
  };
}
