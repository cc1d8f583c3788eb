import { randomUUID } from 'node:crypto';
import { bodyTextOf, emptyWorld, type SendBodyInput } from '../../../generators/spaces/body/send-body.ts';
import { wordsOf } from '../../../harness/config/target.ts';
import type { Send } from '../../../history/operation.ts';
import type { SeenMessage } from '../../../history/seen-message.ts';
import { readChannel, sendMessage } from '../../../spec/calls/index.ts';
import type { StressClient } from '../clients/client.ts';
import { channelStream } from '../scene/agents.ts';
import { carriedOf } from '../scene/parts.ts';
import { partKinds } from '../scene/plan.ts';
import type { Stage, TakenFields } from '../scene/stage.ts';
import { mayComeLater, startsOf, until, untilAnswered } from './open-scene.ts';

type Field = keyof TakenFields;

/** Whether a message shows what its send carried. */
const isShownBy: Readonly<Record<Field, (sent: Send, shown: SeenMessage) => boolean>> = {
  targets: ({ targets }, shown) => targets.every((target) => shown.targets.includes(target)),
  session: ({ session }, { author }) => session !== undefined && author?.session === session,
  host: ({ host }, { author }) => host !== undefined && author?.host === host,
  file: ({ files }, shown) => files.every((file) => shown.files.includes(file)),
};

/**
 * Finds out which fields of a send have an effect that are not known to: the contract leaves their names open, so that a server which
 * ignores or refuses one is sent none. `client` writes into no history that is judged. What a moment's trouble left open is tried again.
 */
export async function probeFields(client: StressClient, stage: Stage): Promise<void> {
  const { taken, files } = stage;
  if (taken.file === undefined && files.length === 0) {
    const id = await stage.uploadFile();
    if (id === undefined) taken.file = false;
    else files.push(id);
  }
  const untried = (['targets', ...partKinds] as const).filter((field) => taken[field] === undefined);
  if (untried.length === 0) return;
  const [channel = ''] = stage.channels;
  const { starts } = await startsOf([client], stage);
  const id = client.agent.ids.agent;
  const sent = new Map<Field, Send>();
  for (const field of untried) {
    if (field === 'targets' && id === undefined) continue;
    const body = bodyTextOf(carrying(field, id), { ...emptyWorld, ...wordsOf(stage.target), files });
    const request = sendMessage(channel, body, randomUUID());
    const { exchange, operation } = await untilAnswered(client, request);
    if (mayComeLater(exchange)) continue;
    if (operation?.kind === 'send' && operation.outcome === 'accepted') sent.set(field, operation);
    else taken[field] = false;
  }
  if (sent.size === 0) return;
  await until(performance.now() + stage.patience.ms, stage, async () => {
    const after = starts.get(channelStream(channel));
    const page = await client.ask(readChannel(channel, { after, limit: 100 }));
    const items = page?.kind === 'read' ? page.items : [];
    for (const [field, send] of sent) {
      const shown = items.find(({ message }) => message.content?.digest === send.content?.digest);
      if (shown !== undefined) taken[field] = isShownBy[field](send, shown.message);
    }
    return [...sent.keys()].every((field) => taken[field] !== undefined);
  });
  // What is never shown shows no effect either.
  for (const field of sent.keys()) taken[field] ??= false;
}

/** A message that carries one thing beside its text. */
function carrying(field: Field, agentId: string | undefined): SendBodyInput {
  const content = `conform ${randomUUID()}: are ${field} taken?`;
  if (field === 'targets')
    return { fields: { content }, mentions: [{ literal: { kind: 'agent', id: agentId ?? '' } }] };
  const { fields, attachments } = carriedOf([{ part: field, index: 0 }]);
  return { fields: { content, ...fields }, ...(attachments.length > 0 && { attachments }) };
}
