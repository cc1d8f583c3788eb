import { jsonAnswer, type Answer } from '../model/answer.ts';
import type { AgentCall } from '../http/call.ts';
import { exactInteger } from '../model/resources.ts';
import type { OutgoingReceipt, Receipt } from '../rules/receipts.ts';
import { channelOf, readUuid } from './channel-of.ts';
import { pageRequestOf } from './page-request.ts';

/**
 * `GET /v0/channels/{channel_id}/receipts`: every recorded retrieval in the order of recording, the author's own
 * included; of one message when `message_id` is given.
 */
export async function listReceipts(call: AgentCall): Promise<Answer> {
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
