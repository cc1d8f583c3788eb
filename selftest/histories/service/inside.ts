import type { Intern } from '../../../history/intern.ts';
import type { Clock } from '../base/clock.ts';
import type { Random } from '../base/random.ts';
import type { Choices } from '../choices/choices.ts';
import { drawAgents } from './directory.ts';
import type { Agent, Ids } from './directory.ts';
import { Stream } from './stream.ts';

/** What one service is made with. */
export interface Parts {
  readonly choices: Choices;
  readonly clock: Clock;
  readonly random: Random;
  readonly intern: Intern;
  readonly ids: Ids;
  readonly runId: string;
}

/** What the rooms of the service share, and what a rule may look at. */
export interface Inside extends Parts {
  readonly workspace: string;
  readonly agents: readonly Agent[];
  readonly channels: readonly Stream[];
  /** By the id of the agent. */
  readonly feeds: ReadonlyMap<string, Stream>;
  /** For whatever a mutant has to remember. */
  readonly memory: Map<string, unknown>;
}

/** An empty service. */
export function makeInside(parts: Parts): Inside {
  const { choices, random, ids } = parts;
  const agents = drawAgents(random, ids);
  const { retention, feedRetention } = choices;
  const ofFeeds = feedRetention === 'with-channel' ? { kind: 'all' as const } : feedRetention;
  return {
    ...parts,
    workspace: ids.next(),
    agents,
    channels: choices.starts.map(() => new Stream(ids.next(), retention)),
    feeds: new Map(agents.map(({ id }) => [id, new Stream(id, ofFeeds)])),
    memory: new Map(),
  };
}
