import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { listMentions, readChannel, sendMessage, stringifyExact } from '../../calls/index.ts';
import { findEnd } from '../../harness/stream/find-end.ts';
import { readPage } from '../../harness/stream/page.ts';
import type { SeenMessage } from '../../history/seen-message.ts';
import { sequenceOf } from '../../history/sequence.ts';
import type { StressClient } from '../clients/client.ts';
import type { Stage } from '../scene/stage.ts';

/** How long the probe is waited for, in ms; more where the settle time is longer. */
const leastPatienceMs = 2_000;

/**
 * Whether the field of a send that names targets has an effect: the contract leaves its name open, so that a server which ignores
 * or refuses it is sent none. `client` writes into no history that is judged.
 */
export async function probeTargets(
  client: StressClient,
  { target, channels, settleMs }: Stage,
): Promise<boolean> {
  const [channel = ''] = channels;
  const feed = await client.ask(listMentions({ limit: 1 }));
  const id = feed?.kind === 'read' ? feed.agentId : undefined;
  if (id === undefined) return false;
  const { nextAfter } = await findEnd(async (after, limit) => {
    const { exchange } = await client.exchange(readChannel(channel, { after, limit }));
    return readPage(exchange, { after, limit }, target.bindings.items);
  });
  const marker = `conform ${randomUUID()}`;
  const body = stringifyExact({
    content: `${marker}: are targets taken?`,
    [target.bindings.mentions]: [{ kind: 'agent', id }],
  });
  const sent = await client.ask(sendMessage(channel, body, randomUUID()));
  if (sent?.kind !== 'send' || sent.outcome !== 'accepted') return false;
  const patienceMs = Math.max(leastPatienceMs, 5 * settleMs);
  const isOurs = ({ content }: SeenMessage): boolean => content?.digest === sent.content?.digest;
  for (const endMs = performance.now() + patienceMs; performance.now() < endMs;) {
    const page = await client.ask(readChannel(channel, { after: sequenceOf(nextAfter) ?? 0, limit: 100 }));
    const shown = page?.kind === 'read' ? page.items.find(({ message }) => isOurs(message)) : undefined;
    if (shown !== undefined) return shown.message.targets.includes(`agent:${id}`);
    await sleep(Math.min(settleMs, 200));
  }
  return false;
}
