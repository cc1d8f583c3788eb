import { setTimeout as sleep } from 'node:timers/promises';
import { listMentions, readChannel, type CallRequest, type QueryDraft } from '../../calls/index.ts';
import { walkRecorded } from '../../harness/stream/walk.ts';
import type { Read } from '../../history/operation.ts';
import type { Sequence } from '../../history/sequence.ts';
import type { StressClient } from '../clients/client.ts';
import { requestOf } from '../clients/run-step.ts';
import { feedOf } from '../scene/agents.ts';
import type { Scene } from '../scene/scene.ts';
import type { Stage } from '../scene/stage.ts';

/** How often a send is repeated of which nobody knows whether it happened. */
const mostRepeats = 3;
/** How many of the newest items are read again in pages of seven, and one by one. */
const reread = { 7: 140, 1: 25 } as const;
/** The most pages that one walk reads. */
const maxPages = 2_000;

/** What closes a chapter. */
interface Closing {
  readonly stage: Stage;
  readonly scene: Scene;
  /** A client on a fresh connection. */
  readonly freshClient: (name: string, agent: Scene['agents'][number]) => StressClient;
  /** True once there is no time left. */
  readonly isOver: () => boolean;
}

/**
 * After the last writer has stopped: asks by their keys about sends without an answer, waits until all is visible, then reads
 * every stream to its end over fresh connections, in pages of every size, without a cursor, and the same pages once more.
 */
export async function closeChapter(closing: Closing): Promise<void> {
  const { stage, scene } = closing;
  await resolve(closing);
  await sleep(stage.settleMs);
  const [first = scene.agents[0]] = scene.agents.slice(-1);
  await Promise.all([
    ...scene.channels.map(async (channel, index) => {
      const agent = scene.agents[index % scene.agents.length] ?? first;
      const stream = { key: channel, name: `channel ${index + 1}` };
      if (agent !== undefined)
        await readWhole(closing, stream, agent, (query) => readChannel(channel, query));
    }),
    ...scene.agents.map((agent) =>
      readWhole(closing, { key: feedOf(agent), name: feedOf(agent) }, agent, listMentions),
    ),
  ]);
}

async function resolve({ scene, freshClient, isOver }: Closing): Promise<void> {
  await Promise.all(
    scene.agents.map(async (agent) => {
      const client = freshClient('resolver', agent);
      for (const sent of scene.sent.indeterminate.filter((each) => each.agent === agent)) {
        for (let tries = 0; tries < mostRepeats && !isOver(); tries += 1) {
          const operation = await client.ask(requestOf(sent));
          if (operation === undefined || operation.outcome === 'indeterminate') continue;
          sent.outcome = operation.outcome;
          break;
        }
      }
      await client.close();
    }),
  );
}

/** Reads one stream as one agent in every way. */
async function readWhole(
  { stage, scene, freshClient, isOver }: Closing,
  { key, name }: { readonly key: string; readonly name: string },
  agent: Scene['agents'][number],
  pageOf: (query: QueryDraft) => CallRequest,
): Promise<void> {
  const client = freshClient(`closing ${name}`, agent);
  const walk = (from: Sequence, limit: number): Promise<readonly Read[]> =>
    walkRecorded(async (after) => (isOver() ? undefined : client.ask(pageOf({ after, limit }))), from, {
      maxPages,
    });
  const pages = await walk(scene.cursors.startOf(key), 100);
  const items = pages.flatMap((page) => page.items);
  for (const limit of [7, 1] as const) {
    const before = items.at(-reread[limit] - 1)?.sequence;
    await walk(before ?? scene.cursors.startOf(key), limit);
  }
  for (const limit of [100, 7, 1, undefined]) await client.ask(pageOf({ limit }));
  await client.ask(pageOf({ after: 0, limit: 100 }));
  await client.close();
  const again = freshClient(`again ${name}`, agent);
  for (const { after } of pages) {
    if (isOver()) break;
    await again.ask(pageOf({ after, limit: 100 }));
  }
  await again.close();
  const end = pages.at(-1)?.nextAfter;
  if (end !== undefined && pages.at(-1)?.hasMore === false) stage.ends.set(key, end);
}
