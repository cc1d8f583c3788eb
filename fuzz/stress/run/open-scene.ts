import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type CallRequest, listMentions, readChannel, sendMessage } from '../../../spec/calls/index.ts';
import { findStarts } from '../../../harness/chapter/find-starts.ts';
import type { Exchange } from '../../../harness/client/exchange.ts';
import type { Read } from '../../../history/operation.ts';
import type { StressClient } from '../clients/client.ts';
import { channelStream, feedOf, type Agent } from '../scene/agents.ts';
import { Cursors } from '../scene/cursors.ts';
import { Bodies, SentLog, type Scene } from '../scene/scene.ts';
import type { Stage } from '../scene/stage.ts';

interface Opening {
  readonly stage: Stage;
  readonly runId: string;
  readonly canCut: boolean;
  /** One for each agent of the stage. */
  readonly clients: readonly StressClient[];
}

/** Where a stream ends is asked so often at most where no answer says: a client tries nothing again by itself. */
const mostTries = 4;

/**
 * Opens a chapter: finds where each stream ends, has every agent send an anchor to every channel, and reads those back. An agent
 * or a channel to which that is refused stays out, as does a channel whose end is not found; says why where nobody is left, or where it is the first
 * one.
 */
export async function openScene({
  stage,
  runId,
  clients,
  canCut,
}: Opening): Promise<Scene | { readonly why: string }> {
  const bodies = new Bodies(stage, runId);
  const { starts, whyNot } = await startsOf(clients, stage);
  const [mainChannel = '', ...others] = stage.channels;
  const why = whyNot.get(channelStream(mainChannel));
  if (why !== undefined) return { why };
  const sent = new Map<string, Set<Agent>>();
  for (const channel of stage.channels) sent.set(channel, await anchorsIn(channel, clients, bodies));
  const agents = stage.agents.filter((agent) => sent.get(mainChannel)?.has(agent) === true);
  if (agents.length === 0)
    return {
      why: `no agent could send a message to the channel${bodies.isUsedUp ? ': --max-bytes is used up' : ''}`,
    };
  const usable = others.filter(
    (channel) =>
      starts.has(channelStream(channel)) && agents.every((agent) => sent.get(channel)?.has(agent) === true),
  );
  const channels = [mainChannel, ...usable];
  const cursors = new Cursors(starts);
  const { bindings } = stage.target;
  const { intruders } = stage;
  const sentLog = new SentLog();
  const scene = { agents, intruders, channels, bodies, bindings, canCut, starts, cursors, sent: sentLog };
  await readBack(clients, scene, stage);
  return scene;
}

/** Where each stream ends before anything of a chapter is in it; agents learn their ids. */
export async function startsOf(
  clients: readonly StressClient[],
  { channels, target }: Stage,
): ReturnType<typeof findStarts> {
  const byName = new Map(clients.map((client) => [client.agent.name, client]));
  const found = await findStarts({
    channels,
    agents: [...byName.keys()],
    target,
    askAs: (name, request) => untilAnswered(byName.get(name) as StressClient, request),
  });
  const { agentIds } = found;
  for (const [name, { agent }] of byName) {
    const id = agentIds.get(name);
    if (id !== undefined) agent.ids.agent = id.toLowerCase();
  }
  return found;
}

/** Asks once more where an answer does not come, or says that it may come later. */
export async function untilAnswered(
  client: StressClient,
  request: CallRequest,
): ReturnType<StressClient['exchange']> {
  let asked = await client.exchange(request);
  for (let tries = 1; tries < mostTries && mayComeLater(asked.exchange); tries += 1)
    asked = await client.exchange(request);
  return asked;
}

/** Whether an answer did not come, or says that it may come later. */
export function mayComeLater({ response }: Exchange): boolean {
  return response === undefined || response.status === 429 || response.status >= 500;
}

/** Who could send an anchor to a channel; each mentions all agents whose ids are known. */
async function anchorsIn(
  channel: string,
  clients: readonly StressClient[],
  bodies: Bodies,
): Promise<Set<Agent>> {
  const sent = new Set<Agent>();
  const targets = clients.flatMap(({ agent: { ids } }) =>
    ids.agent === undefined ? [] : [{ kind: 'agent' as const, id: ids.agent }],
  );
  for (const client of clients) {
    const body = bodies.of({ kind: 'plain', bytes: 0 }, targets);
    if (body === undefined) continue;
    const operation = await client.ask(sendMessage(channel, body, randomUUID()));
    if (operation?.outcome === 'accepted') sent.add(client.agent);
  }
  return sent;
}

/** Reads the anchors by every agent in every stream; what does not show in time is for the judges. */
async function readBack(clients: readonly StressClient[], scene: Scene, stage: Stage): Promise<void> {
  const deadlineMs = performance.now() + stage.patience.ms;
  let isAllShown = true;
  await Promise.all(
    clients
      .filter(({ agent }) => scene.agents.includes(agent))
      .map(async (client) => {
        for (const channel of scene.channels) {
          const after = scene.starts.get(channelStream(channel));
          const isShown = await until(deadlineMs, stage, async () => {
            const page = await client.ask(readChannel(channel, { after, limit: 100 }));
            if (page?.kind !== 'read') return false;
            learnPrincipals(page, scene);
            return page.items.length >= scene.agents.length;
          });
          isAllShown = isAllShown && isShown;
        }
        await client.ask(listMentions({ after: scene.starts.get(feedOf(client.agent)), limit: 100 }));
      }),
  );
  if (!isAllShown) stage.patience.wasInVain();
}

/** An agent's human and machine, as the author of its own message shows them. */
function learnPrincipals({ items }: Read, { agents }: Scene): void {
  for (const { message } of items) {
    const agent = agents.find(({ ids }) => ids.agent !== undefined && ids.agent === message.author?.id);
    if (agent === undefined) continue;
    const { human, machine } = message.author ?? {};
    if (human?.id !== undefined) agent.ids.user = human.id;
    if (machine?.id !== undefined) agent.ids.machine = machine.id;
  }
}

/** Looks until something is shown, or as long as there is patience with the server; whether it was. */
export async function until(
  deadlineMs: number,
  { settleMs }: Stage,
  isShown: () => Promise<boolean>,
): Promise<boolean> {
  while (!(await isShown())) {
    if (performance.now() >= deadlineMs) return false;
    await sleep(Math.min(settleMs, 200));
  }
  return true;
}
