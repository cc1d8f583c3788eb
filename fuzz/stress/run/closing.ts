import { setTimeout as sleep } from 'node:timers/promises';
import { lookAtEnds, readAll, viewsOf, type View } from '../../../harness/chapter/views.ts';
import type { StressClient } from '../clients/client.ts';
import { requestOf } from '../clients/run-step.ts';
import type { Agent } from '../scene/agents.ts';
import type { Scene } from '../scene/scene.ts';
import type { Stage } from '../scene/stage.ts';

/** How often a send is repeated of which nobody knows whether it happened. */
const mostRepeats = 3;
/** Timers may fire a millisecond early, and judges ask for more than the settle time, in ms. */
const moreMs = 20;
/** How many of the newest items are read again in pages of seven, and one by one. */
const tails = [
  { limit: 7, back: 140, pages: 30 },
  { limit: 1, back: 25, pages: 40 },
];

/** What closes a chapter. */
interface Closing {
  readonly stage: Stage;
  readonly scene: Scene;
  /** A client on a fresh connection. */
  readonly freshClient: (name: string, agent: Agent) => StressClient;
  /** True once there is no time left. */
  readonly isOver: () => boolean;
}

/**
 * After the last writer has stopped: asks by their keys about sends without an answer, waits until all is visible, then reads
 * every stream to its end over fresh connections, in pages of every size, without a cursor, and the same pages once more. Every agent
 * looks at the ends of every channel. Between the two looks lies the settle time: what the second shows so much later was there
 * during the first, and only beside that does a page, or a walk of several, lack anything.
 */
export async function closeChapter(closing: Closing): Promise<void> {
  const { stage } = closing;
  await resolve(closing);
  await sleep(stage.settleMs);
  const { known } = await readAll(viewsAs('closing', closing));
  await Promise.all(known.map((view) => lookAtEnds(view, view.isWhole ? tails : [])));
  await sleep(stage.settleMs + moreMs);
  await readAll(viewsAs('again', closing));
}

/** Reads every stream to its end once more: what is missing may come later. */
export async function readOn(closing: Closing): Promise<void> {
  await readAll(viewsAs('later', closing));
}

/** Every view of every agent, each over a connection of its own. */
function viewsAs(doing: string, { scene, freshClient, isOver }: Closing): readonly View[] {
  const { channels, starts } = scene;
  const byName = new Map(scene.agents.map((agent) => [agent.name, agent]));
  return viewsOf({
    channels,
    starts,
    agents: [...byName.keys()],
    askerOf: (name, stream) => {
      const client = freshClient(`${doing} ${stream} as ${name}`, byName.get(name) as Agent);
      return async (request) => (isOver() ? undefined : client.ask(request));
    },
  });
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
