import type { Answer } from '../model/answer.ts';
import { readJsonObject } from '../http/body.ts';
import type { AgentCall } from '../http/call.ts';
import { Refusal } from '../model/refusal.ts';
import { channelOf } from './channel-of.ts';

/** Messages that one report may name: as many as the largest page holds. */
const maxReported = 100;

/** `POST /v0/channels/{channel_id}/receipts`: the agent reports that it retrieved messages of the channel. */
export async function reportReceipts(call: AgentCall): Promise<Answer> {
  const { rules, store, sources } = call.service;
  const channelId = (await channelOf(call)).id;
  const messageIds = readMessageIds(await readJsonObject(call));
  if (messageIds.some((id) => store.messages.channelOf(id) !== channelId)) {
    throw new Refusal('not-found', 'a reported message is not in the channel');
  }
  const record = rules.keepsFirstReport() ? store.receipts.add : store.receipts.replace;
  store.transaction(() => {
    for (const id of messageIds) record(id, channelId, call.agent.id, rules.recordedMs(sources.now()));
  });
  return { status: 204, headers: {} };
}

function readMessageIds(body: Readonly<Record<string, unknown>>): string[] {
  const ids = body['message_ids'];
  const isReport =
    Object.keys(body).length === 1 && Array.isArray(ids) && ids.length > 0 && ids.length <= maxReported;
  if (!isReport || !ids.every((id) => typeof id === 'string')) {
    throw new Refusal('invalid', `the body has to be {"message_ids": [...]} with 1 to ${maxReported} ids`);
  }
  return ids.map((id) => id.toLowerCase());
}
