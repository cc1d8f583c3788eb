import type { AgentCall } from '../http/call.ts';
import { type Answer, jsonAnswer } from '../model/answer.ts';
import type { Entry } from '../model/page-facts.ts';
import type { Agent } from '../model/principals.ts';
import { presentMention, presentRead } from '../service/present.ts';
import { readStreamPage } from '../service/read-page.ts';
import type { Service } from '../service/service.ts';
import { mentionStream, targetsOf } from '../service/streams.ts';
import { pageRequestOf } from './parameters.ts';
import { recordRetrieval } from './receipts.ts';

/** `GET /v0/mentions`: what mentions the agent, its human or its machine, in any shared channel of the workspace. */
export function listMentions(call: AgentCall): Answer {
  const { service } = call;
  const { rules, store } = service;
  const readerId = rules.readerId(call.agent.id, call.query, store.directory.agentsOf);
  const reader = store.directory.agent(readerId) ?? call.agent;
  const targets = targetsOf(rules, reader);
  const end = store.workspaces.lastEvent(reader.workspaceId) ?? 0n;
  const stream = mentionStream(store, rules, targets, { id: reader.id, end, lastEvent: () => end });
  const kinds = new Map<string, string>();
  const facts = readStreamPage(service, stream, pageRequestOf(call), (entry) =>
    reaches(service, entry, reader, kinds),
  );

  const mentions = facts.entries.map((entry) => presentMention(service, entry));
  recordRetrieval(call, facts.entries);
  if (rules.consumesMentions()) consume(service, targets, facts.entries);
  const { items, page } = presentRead(call, facts, mentions);
  const agentId = rules.agentIdHeader(call.agent);
  return jsonAnswer(
    200,
    { mentions: items, page },
    agentId === null ? {} : { 'x-service-agent-id': agentId },
  );
}

/** `kinds` holds those of the channels that were asked for in this request. */
function reaches(
  { rules, store }: Service,
  entry: Entry,
  reader: Agent,
  kinds: Map<string, string>,
): boolean {
  if (rules.isSelfAuthored(entry, reader, () => store.directory.agent(entry.authorId))) return false;
  if (!rules.isOfReadersWorkspace(entry, reader)) return false;
  const { channelId } = entry;
  const kind = kinds.get(channelId) ?? store.workspaces.channel(channelId)?.kind ?? '';
  kinds.set(channelId, kind);
  return rules.coversChannel({
    kind,
    hasJoined: () => store.workspaces.hasJoined(entry.channelId, reader.id),
  });
}

function consume({ store }: Service, targets: readonly string[], entries: readonly Entry[]): void {
  for (const target of targets) {
    for (const { sequence } of entries) store.messages.unlistMention(target, sequence);
  }
}
