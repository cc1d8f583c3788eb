import { readJsonObject } from '../http/body.ts';
import type { AgentCall } from '../http/call.ts';
import { jsonAnswer } from '../model/answer.ts';
import type { Answer } from '../model/answer.ts';
import { Refusal } from '../model/refusal.ts';
import { commitMessage } from '../sending/commit-message.ts';
import type { Sent } from '../sending/commit-message.ts';
import { readDraft } from '../sending/draft.ts';
import type { SentFields } from '../sending/draft.ts';
import { refusalOf } from '../sending/judge-draft.ts';
import { commitAfterPause, recordUse, replayOf, waitForTurn } from '../sending/key-use.ts';
import type { KeyUse } from '../sending/key-use.ts';
import type { Service } from '../service/service.ts';
import { channelOf } from './parameters.ts';

/** `POST /v0/channels/{channel_id}/messages`: appends a message, once for each idempotency key. */
export async function sendMessage(call: AgentCall): Promise<Answer> {
  const { service, agent } = call;
  const { rules } = service;
  const { id: channelId, workspaceId } = await channelOf(call);
  const key = keyOf(call);
  const body = await readJsonObject(call);
  const draft = readDraft(rules, body);

  const scope = rules.idempotencyScope({ agentId: agent.id, channelId, workspaceId });
  const use =
    key === undefined
      ? undefined
      : { scope, key: rules.comparedKey(key, body), fingerprint: rules.fingerprint(body) };
  const commit = (recorded?: KeyUse): Sent => commitMessage(service, agent, channelId, draft, recorded);

  const refusal = refusalOf(service, workspaceId, draft);
  if (refusal) {
    if (rules.storesRefusedSend(refusal)) commit();
    if (use && rules.remembersRefusedSend()) recordUse(service, use, '{}');
    throw refusal;
  }
  return use ? sendOnce(call, draft, use, commit) : jsonAnswer(rules.statusOfSend(false), commit());
}

/** Sends under a key: answers as before when it was used for an equal body, refuses when for another one. */
async function sendOnce(
  { service }: AgentCall,
  { content }: SentFields,
  use: KeyUse,
  commit: (recorded?: KeyUse) => Sent,
): Promise<Answer> {
  const { rules } = service;
  const earlier = await answerOfEarlierUse(service, use, commit);
  if (earlier) return earlier;

  const commitOnce = (): Sent => {
    for (let times = rules.timesStored(content); times > 1; times -= 1) commit();
    return commit(rules.recordsKey(use.key) ? use : undefined);
  };
  const pauseMs = rules.pauseBeforeCommitMs(content);
  const sent = pauseMs > 0 ? await commitAfterPause(service, use, pauseMs, commitOnce) : commitOnce();
  return jsonAnswer(rules.statusOfSend(false), sent);
}

async function answerOfEarlierUse(
  service: Service,
  use: KeyUse,
  commit: () => Sent,
): Promise<Answer | undefined> {
  try {
    await waitForTurn(service, use);
    return replayOf(service, use);
  } catch (conflict) {
    if (service.rules.storesConflictingSend()) commit();
    throw conflict;
  }
}

function keyOf({ request, service: { rules } }: AgentCall): string | undefined {
  const header = request.headers['idempotency-key'];
  const key = Array.isArray(header) ? header.join(', ') : header;
  if (key === undefined && !rules.requiresIdempotencyKey()) return undefined;
  if (key === undefined) throw new Refusal('invalid', 'an Idempotency-Key header is needed');
  if (!rules.acceptsIdempotencyKey(key)) {
    throw new Refusal('invalid', 'the Idempotency-Key is not 1 to 255 printable ASCII characters');
  }
  return key;
}
