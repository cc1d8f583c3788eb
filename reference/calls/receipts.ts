import type { AgentCall } from '../http/call.ts';
import { type Answer, jsonAnswer } from '../model/answer.ts';
import type { Entry } from '../model/page-facts.ts';
import { Refusal } from '../model/refusal.ts';
import { exactInteger } from '../model/resources.ts';
import type { OutgoingReceipt, Receipt } from '../rules/receipts.ts';
import { channelOf, pageRequestOf, readUuid } from './parameters.ts';

/**
 * `GET /v0/channels/{channel_id}/receipts`: every recorded retrieval in the order of recording, the author's own
 * included; of one message when `message_id` is given.
 */
export async function receiptsCall(call: AgentCall): Promise<Answer> {
  const { rules, store } = call.service;
  const channelId = (await channelOf(call)).id;
  const { after = 0n, limit } = pageRequestOf(call);
  const messageId =
    call.query['message_id'] === undefined ? undefined : readUuid(call.query['message_id'], 'message_id');

  const found = store.receipts.list(channelId, messageId, after, limit + 1);
  const receipts = found.slice(0, limit);
  return jsonAnswer(200, {
    receipts: receipts.map((receipt) => rules.presentReceipt(outgoing(receipt))),
    page: {
      next_after: exactInteger(receipts.at(-1)?.sequence ?? after),
      has_more: found.length > limit,
      high_watermark: exactInteger(store.receipts.lastSequence(channelId)),
    },
  });
}

function outgoing({ messageId, agentId, recordedMs }: Receipt): OutgoingReceipt {
  return {
    message_id: messageId,
    agent_id: agentId,
    kind: 'retrieved',
    recorded_at: new Date(recordedMs).toISOString(),
  };
}

/** Messages that one report may name: as many as the largest page holds. */
const maxReported = 100;

/** `POST /v0/channels/{channel_id}/receipts`: the agent reports that it retrieved messages of the channel. */
export async function reportReceipts(call: AgentCall): Promise<Answer> {
  const { rules, store, sources } = call.service;
  const channelId = (await channelOf(call)).id;
  const messageIds = readMessageIds(await call.request.body());
  if (messageIds.some((id) => store.messages.channelOf(id) !== channelId)) {
    throw new Refusal('not-found', 'a reported message is not in the channel');
  }
  const record = rules.keepsFirstReport() ? store.receipts.add : store.receipts.replace;
  store.transaction(() => {
    const counted = messageIds.filter((_id, place) => rules.countsInReport(place));
    for (const id of counted) record(id, channelId, call.agent.id, rules.recordedMs(sources.now()));
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

/** Records that a page was handed out, should a rule take that for a retrieval. */
export function recordRetrieval(
  { agent, route, service: { rules, store, sources } }: AgentCall,
  entries: readonly Entry[],
): void {
  if (!rules.recordsRetrievalOnRead(route.name)) return;
  store.transaction(() => {
    for (const entry of entries) {
      store.receipts.add(
        store.messages.read(entry.messageNumber).written.id,
        entry.channelId,
        agent.id,
        sources.now(),
      );
    }
  });
}
