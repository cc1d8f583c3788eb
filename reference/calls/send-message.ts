import type { AgentCall } from '../http/call.ts';
import { type Answer, jsonAnswer } from '../model/answer.ts';
import { jsonText } from '../model/json-text.ts';
import type { Entry } from '../model/page-facts.ts';
import type { Agent } from '../model/principals.ts';
import { Refusal } from '../model/refusal.ts';
import type { OutgoingMessage } from '../model/resources.ts';
import { appendMessage, channelIds } from '../sending/append-message.ts';
import { readDraft, type SentFields } from '../sending/draft.ts';
import { refusalOf } from '../sending/judge-draft.ts';
import { commitAfterPause, type KeyUse, recordUse, replayOf, waitForTurn } from '../sending/key-use.ts';
import { presentMessage } from '../service/present.ts';
import type { Service } from '../service/service.ts';
import { channelOf } from './parameters.ts';

/** `POST /v0/channels/{channel_id}/messages`: appends a message, once for each idempotency key. */
export async function sendMessage(call: AgentCall): Promise<Answer> {
  const { service, agent } = call;
  const { rules } = service;
  const { id: channelId, workspaceId } = await channelOf(call);
  const key = keyOf(call);
  const body = await call.request.body();
  const draft = readDraft(rules, body);

  const scope = rules.idempotencyScope({ agentId: agent.id, channelId, workspaceId });
  const use =
    key === undefined
      ? undefined
      : { scope, key: rules.comparedKey(key, body), fingerprint: rules.fingerprint(body) };
  const commit = (recorded?: KeyUse): Sent => commitMessage(service, agent, channelId, draft, recorded);

  const refusal = refusalOf(service, { agentId: agent.id, workspaceId }, draft);
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

/** Body of the answer to a send. */
interface Sent {
  readonly message: OutgoingMessage;
}

/** Stores a message and the use of its key in one transaction, then wakes whoever waits for it. */
function commitMessage(
  service: Service,
  agent: Agent,
  channelId: string,
  draft: SentFields,
  use: KeyUse | undefined,
): Sent {
  const { entry, sent } = service.store.transaction(() => {
    const appended = appendMessage(service, agent, channelId, draft);
    const answer: Sent = { message: presentMessage(service, appended, 'send') };
    if (use) recordUse(service, use, jsonText(answer));
    return { entry: appended, sent: answer };
  });
  wakeReaders(service, entry);
  return sent;
}

function wakeReaders(service: Service, entry: Entry): void {
  const { rules, waiters, sources } = service;
  if (!rules.wakesPolls(entry.channelId)) return;
  const delayMs = rules.wakeAfterMs(Math.max(rules.snapshotAgeMs('channel'), rules.commitDelayMs(entry)));
  for (const channelId of rules.channelsWoken(entry.channelId, () => channelIds(service))) {
    const wake = (): void => waiters.wake(channelId, rules.waitersWoken());
    if (delayMs <= 0) wake();
    else sources.after(delayMs + 1, wake);
  }
}
