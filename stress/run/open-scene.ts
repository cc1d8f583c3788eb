import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { listMentions, readChannel, sendMessage, stringifyExact } from '../../calls/index.ts';
import { findEnd } from '../../harness/stream/find-end.ts';
import { readPage } from '../../harness/stream/page.ts';
import type { SeenMessage } from '../../history/seen-message.ts';
import { sequenceOf } from '../../history/sequence.ts';
import type { StressClient } from '../clients/client.ts';
import type { Stage } from '../scene/stage.ts';
import type { Read } from '../../history/operation.ts';
import { feedOf, type Agent } from '../scene/agents.ts';
import { Scene } from '../scene/scene.ts';

/** Nothing is waited for longer than this when a chapter begins, in ms; more where the settle time is longer. */
const leastPatienceMs = 2_000;

interface Opening {
  readonly stage: Stage;
  readonly runId: string;
  readonly canCut: boolean;
  /** One for each agent of the stage. */
  readonly clients: readonly StressClient[];
}

/**
 * Opens a chapter: finds where each stream ends, has every agent send an anchor to every channel, and reads those back. An agent
 * or a channel to which that is refused stays out; says why where nobody is left.
 */
export async function openScene(opening: Opening): Promise<Scene | { readonly why: string }> {
  const { stage, clients } = opening;
  const scene = sceneOf(opening, stage.agents, stage.channels);
  for (const client of clients) await openFeed(client, stage, scene);
  const [first] = clients;
  for (const channel of stage.channels)
    if (first !== undefined) await openChannel(first, channel, stage, scene);
  const [mainChannel, ...others] = stage.channels;
  const sent = new Map<string, Set<Agent>>();
  for (const channel of stage.channels) sent.set(channel, await anchorsIn(channel, clients, scene));
  const agents = stage.agents.filter((agent) => sent.get(mainChannel ?? '')?.has(agent) === true);
  if (agents.length === 0) return { why: 'no agent could send a message to the channel' };
  const usable = others.filter((channel) => agents.every((agent) => sent.get(channel)?.has(agent) === true));
  const opened = sceneOf(opening, agents, [mainChannel ?? '', ...usable], scene);
  await readBack(clients, opened, stage);
  return opened;
}

function sceneOf(
  { stage: { target, budget, takesTargets = false }, runId, canCut }: Opening,
  agents: readonly Agent[],
  channels: readonly string[],
  before?: Scene,
): Scene {
  return new Scene({ target, budget, runId, canCut, takesTargets, agents, channels, before });
}

async function openFeed(client: StressClient, stage: Stage, scene: Scene): Promise<void> {
  const { agent } = client;
  const read = await openStream(client, feedOf(agent), stage, scene, (query) => listMentions(query));
  if (read?.agentId !== undefined) agent.ids.agent = read.agentId;
}

async function openChannel(client: StressClient, channel: string, stage: Stage, scene: Scene): Promise<void> {
  await openStream(client, channel, stage, scene, (query) => readChannel(channel, query));
}

/** Finds the end of a stream, from where it was known to end on; gives the last page. */
async function openStream(
  client: StressClient,
  stream: string,
  stage: Stage,
  scene: Scene,
  requestOf: (query: Readonly<Record<string, number | bigint | undefined>>) => ReturnType<typeof readChannel>,
): Promise<Read | undefined> {
  let last: Read | undefined;
  const known = stage.ends.get(stream);
  const { nextAfter } = await findEnd(async (after, limit) => {
    const from = after === 0n ? (known ?? 0) : after;
    const { exchange, operation } = await client.exchange(requestOf({ after: from, limit }));
    if (operation?.kind === 'read' && operation.outcome === 'accepted') last = operation;
    return readPage(exchange, stage.target.bindings.items);
  });
  const end = sequenceOf(nextAfter);
  if (end !== undefined) {
    stage.ends.set(stream, end);
    scene.cursors.begin(stream, end);
  }
  return last;
}

/** Who could send an anchor to a channel; each mentions all agents whose ids are known. */
async function anchorsIn(
  channel: string,
  clients: readonly StressClient[],
  scene: Scene,
): Promise<Set<Agent>> {
  const sent = new Set<Agent>();
  const targets = scene.agents.flatMap(({ ids }) =>
    ids.agent === undefined ? [] : [{ kind: 'agent' as const, id: ids.agent }],
  );
  for (const client of clients) {
    const body = scene.bodyOf({ kind: 'plain', bytes: 0 }, targets);
    if (body === undefined) continue;
    const operation = await client.ask(sendMessage(channel, body, randomUUID()));
    if (operation?.outcome === 'accepted') sent.add(client.agent);
  }
  return sent;
}

/** Reads the anchors by every agent in every stream; what does not show in time is for the judges. */
async function readBack(clients: readonly StressClient[], scene: Scene, stage: Stage): Promise<void> {
  const deadlineMs = deadlineMsOf(stage);
  await Promise.all(
    clients
      .filter(({ agent }) => scene.agents.includes(agent))
      .map(async (client) => {
        for (const channel of scene.channels) {
          const after = scene.cursors.startOf(channel);
          await until(deadlineMs, stage.settleMs, async () => {
            const page = await client.ask(readChannel(channel, { after, limit: 100 }));
            if (page?.kind !== 'read') return false;
            learnPrincipals(page, scene);
            return page.items.length >= scene.agents.length;
          });
        }
        await client.ask(listMentions({ after: scene.cursors.startOf(feedOf(client.agent)), limit: 100 }));
      }),
  );
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

function deadlineMsOf({ settleMs }: Stage): number {
  return performance.now() + Math.max(leastPatienceMs, 5 * settleMs);
}

async function until(deadlineMs: number, settleMs: number, isShown: () => Promise<boolean>): Promise<void> {
  while (!(await isShown())) {
    if (performance.now() >= deadlineMs) return;
    await sleep(Math.min(settleMs, 200));
  }
}

/**
 * Whether the field of a send that names targets has an effect: the contract leaves its name open, so that a server which ignores
 * or refuses it is sent none. `client` writes into no history that is judged.
 */
export async function probeTargets(client: StressClient, stage: Stage): Promise<boolean> {
  const {
    target,
    channels: [channel = ''],
  } = stage;
  const feed = await client.ask(listMentions({ limit: 1 }));
  const id = feed?.kind === 'read' ? feed.agentId : undefined;
  if (id === undefined) return false;
  const { nextAfter } = await findEnd(async (after, limit) => {
    const { exchange } = await client.exchange(readChannel(channel, { after, limit }));
    return readPage(exchange, target.bindings.items);
  });
  const marker = `conform ${randomUUID()}`;
  const body = stringifyExact({
    content: `${marker}: are targets taken?`,
    [target.bindings.mentions]: [{ kind: 'agent', id }],
  });
  const sent = await client.ask(sendMessage(channel, body, randomUUID()));
  if (sent?.kind !== 'send' || sent.outcome !== 'accepted') return false;
  const isOurs = ({ content }: SeenMessage): boolean => content?.digest === sent.content?.digest;
  let isTaken = false;
  await until(deadlineMsOf(stage), stage.settleMs, async () => {
    const page = await client.ask(readChannel(channel, { after: sequenceOf(nextAfter) ?? 0, limit: 100 }));
    const shown = page?.kind === 'read' ? page.items.find(({ message }) => isOurs(message)) : undefined;
    isTaken = shown?.message.targets.includes(`agent:${id}`) === true;
    return shown !== undefined;
  });
  return isTaken;
}
