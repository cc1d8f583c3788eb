import { Intern } from '../../history/intern.ts';
import type { History } from '../../history/operation.ts';
import { Clock } from './base/clock.ts';
import { Random } from './base/random.ts';
import type { Choices } from './choices/choices.ts';
import { drawChoices } from './choices/draw-choices.ts';
import { IssuedCursors } from './clients/connection.ts';
import type { Credential } from './clients/connection.ts';
import { Drafts } from './clients/drafts.ts';
import type { Event } from './clients/operator.ts';
import { wholeHistory } from './clients/phases.ts';
import { Recorder } from './clients/recorder.ts';
import { Ids } from './service/directory.ts';
import type { Agent } from './service/directory.ts';
import { conforming } from './service/rules.ts';
import type { Rules } from './service/rules.ts';
import { Service } from './service/service.ts';

/** What is simulated. */
export interface Simulation {
  readonly seed: number;
  /** What is wrong with the service; absent: nothing. */
  readonly rules?: (random: Random) => Partial<Rules>;
  /** What the service has to do for the mutant to show. */
  readonly choices?: (drawn: Choices) => Choices;
  /** What happens, instead of what is drawn. */
  readonly events?: readonly Event[];
  readonly runId?: string;
  /** Histories of different spaces share no id and no marker. */
  readonly space?: number;
}

/** A history, and what the service was that made it. */
export interface Simulated {
  readonly history: History;
  readonly choices: Choices;
}

/** Runs clients against the service in virtual time; the same seed gives the same history. */
export function simulate({
  seed,
  rules,
  choices: chosen,
  events: wanted,
  runId = 'simulated',
  space = 1,
}: Simulation): Simulated {
  const random = new Random(seed);
  const drawn = drawChoices(random.fork());
  const choices = chosen?.(drawn) ?? drawn;
  const clock = new Clock();
  const parts = {
    choices,
    clock,
    random: random.fork(),
    intern: new Intern({ runId }),
    ids: new Ids(space),
    runId,
  };
  const service = new Service(parts, { ...conforming, ...rules?.(random.fork()) });
  const { agents } = service.inside;
  const isDurable = random.chance(0.5);
  const recorder = new Recorder({ runId, settleMs: choices.settleMs, isDurable }, choices.tickMs);
  const lab = { service, clock, random: random.fork(), recorder, issued: new IssuedCursors() };
  const drafts = new Drafts({ runId, firstIndex: space * 100_000, random: random.fork(), agents });
  const drawnEvents = drawEvents(random);
  const events = wanted ?? drawnEvents;
  clock.start(wholeHistory({ lab, drafts, credentials: credentialsOf(agents, random, space), events }));
  clock.run();
  return { history: recorder.history(), choices };
}

/** One for each agent; sometimes an agent has two. */
function credentialsOf(agents: readonly Agent[], random: Random, space: number): readonly Credential[] {
  const credentials = agents.map((agent, index) => ({ name: `agent-${space}-${index}`, agent }));
  const [first] = agents;
  if (first === undefined || random.chance(0.8)) return credentials;
  return [...credentials, { name: `agent-${space}-second`, agent: first }];
}

function drawEvents(random: Random): readonly Event[] {
  const likely: readonly (readonly [Event, number])[] = [
    ['restart', 0.35],
    ['rename', 0.3],
    ['rename human', 0.2],
    ['deactivate', 0.2],
    ['file', 0.2],
  ];
  return likely.filter(([, share]) => random.chance(share)).map(([event]) => event);
}
