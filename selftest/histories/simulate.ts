import { MessageReader } from '../../harness/record/seen-message.ts';
import { Intern } from '../../history/intern.ts';
import type { History } from '../../history/operation.ts';
import type { Sources } from '../../reference/model/sources.ts';
import type { Overlay } from '../mutants/index.ts';
import { Clock } from './base/clock.ts';
import { Random } from './base/random.ts';
import type { Choices } from './choices/choices.ts';
import { drawChoices } from './choices/draw-choices.ts';
import { habitsOf } from './choices/habits.ts';
import { IssuedCursors } from './clients/connection.ts';
import type { Credential } from './clients/connection.ts';
import { Drafts } from './clients/drafts.ts';
import type { Event } from './clients/operator.ts';
import { wholeHistory } from './clients/phases.ts';
import { Recorder } from './clients/recorder.ts';
import { Site, type SiteAgent } from './clients/site.ts';

/** What is simulated. */
export interface Simulation {
  readonly seed: number;
  /** What is wrong with the service; absent: nothing. */
  readonly fault?: (sources: Sources, random: Random) => Overlay;
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

/** Runs clients against the reference in virtual time; the same seed gives the same history. */
export async function simulate({
  seed,
  fault,
  choices: chosen,
  events: wanted,
  runId = 'simulated',
  space = 1,
}: Simulation): Promise<Simulated> {
  const random = new Random(seed);
  const drawn = drawChoices(random.fork());
  const choices = chosen?.(drawn) ?? drawn;
  const clock = new Clock();
  const [ofSite, ofHabits, ofFault] = [random.fork(), random.fork(), random.fork()];
  const overlays = (sources: Sources): Overlay[] => [
    habitsOf({ choices, random: ofHabits, sources }),
    ...(fault === undefined ? [] : [fault(sources, ofFault)]),
  ];
  const site = new Site({ choices, clock, random: ofSite, space, overlays });
  const isDurable = random.chance(0.5);
  const recorder = new Recorder({ runId, settleMs: choices.settleMs, isDurable }, choices.tickMs);
  const intern = new Intern({ runId });
  const messages = new MessageReader(intern);
  const lab = { site, clock, random: random.fork(), recorder, intern, messages, issued: new IssuedCursors() };
  const drafts = new Drafts({ runId, firstIndex: space * 100_000, random: random.fork(), site });
  const drawnEvents = drawEvents(random);
  const credentials = credentialsOf(site.agents, random, space);
  clock.start(wholeHistory({ lab, drafts, credentials, events: wanted ?? drawnEvents }));
  await clock.run();
  site.close();
  return { history: recorder.history(), choices };
}

/** One for each agent; sometimes an agent has two. */
function credentialsOf(agents: readonly SiteAgent[], random: Random, space: number): readonly Credential[] {
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
