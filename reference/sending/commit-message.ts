import { jsonText } from '../model/json-text.ts';
import type { Entry } from '../model/page-facts.ts';
import { presentMessage } from '../service/present.ts';
import type { Agent } from '../model/principals.ts';
import type { OutgoingMessage } from '../model/resources.ts';
import type { Service } from '../service/service.ts';
import { appendMessage, channelIds } from './append-message.ts';
import type { SentFields } from './draft.ts';
import { recordUse, type KeyUse } from './key-use.ts';

/** Body of the answer to a send. */
export interface Sent {
  readonly message: OutgoingMessage;
}

/** Stores a message and the use of its key in one transaction, then wakes whoever waits for it. */
export function commitMessage(
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
  const { rules, waiters } = service;
  if (!rules.wakesPolls(entry.channelId)) return;
  const delayMs = rules.wakeAfterMs(Math.max(rules.snapshotAgeMs('channel'), rules.commitDelayMs(entry)));
  for (const channelId of rules.channelsWoken(entry.channelId, () => channelIds(service))) {
    if (delayMs <= 0) waiters.wake(channelId);
    else setTimeout(() => waiters.wake(channelId), delayMs + 1).unref();
  }
}
