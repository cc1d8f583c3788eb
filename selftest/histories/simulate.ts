import { defaultBindings, defaultNames } from '../../harness/config/target.ts';
import { requestFactsOfStanding, type Standing } from '../../harness/config/request-facts.ts';
import { HistoryRecorder } from '../../harness/record/history-recorder.ts';
import type { History } from '../../history/operation.ts';
import type { ClauseId } from '../../spec/index.ts';
import type { Variant } from '../variants/index.ts';
import { Clock } from './base/clock.ts';
import { Random } from './base/random.ts';
import { type Conditions, drawConditions } from './choices/conditions.ts';
import { type Credential, IssuedCursors } from './clients/connection.ts';
import { Drafts } from './clients/drafts.ts';
import { type Event, intruders } from './clients/operator.ts';
import { wholeHistory } from './clients/phases.ts';
import { Site, type SiteAgent } from './clients/site.ts';
import { drawFreedoms } from './choices/freedoms.ts';

/** What is simulated. */
export interface Simulation {
  readonly seed: number;
  /** What the service does otherwise than the reference; drawn when absent. */
  readonly variants?: readonly Variant[];
  /** What is around it, given what was drawn. */
  readonly conditions?: (drawn: Conditions) => Conditions;
  /** What happens, instead of what is drawn. */
  readonly events?: readonly Event[];
  /** Whether agents without access ask beside the others, with whatever else happens. */
  readonly hasIntruders?: boolean;
  readonly runId?: string;
  /** Histories of different spaces share no id and no marker. */
  readonly space?: number;
}

/** A history, and what the service was that made it. */
export interface Simulated {
  readonly history: History;
  /** What the service did otherwise than the reference. */
  readonly variants: readonly Variant[];
  /** Inferred clauses that the service may be warned of: the contract allows it, a reader may wonder. */
  readonly mayWarn: readonly ClauseId[];
}

/** Runs clients against the reference in virtual time; the same seed gives the same history. */
export async function simulate({
  seed,
  variants: wanted,
  conditions: changed = (drawn) => drawn,
  events,
  hasIntruders = false,
  runId = 'simulated',
  space = 1,
}: Simulation): Promise<Simulated> {
  const random = new Random(seed);
  const [ofFreedoms, ofConditions, ofSite] = [random.fork(), random.fork(), random.fork()];
  const conditions = changed(drawConditions(ofConditions));
  const drawn = drawFreedoms(ofFreedoms);
  const variants = wanted ?? drawn;
  const clock = new Clock();
  const site = new Site({ conditions, clock, random: ofSite, space, variants });
  const facts = { runId, settleMs: conditions.settleMs, isDurable: random.chance(0.5) };
  const target = { bindings: defaultBindings, names: defaultNames };
  const standings = new Map<string, Standing>([
    ...site.agents.map(({ token }) => [`Bearer ${token}`, 'member'] as const),
    ...intruders.map((name) => [`Bearer ${site.tokenOf(name)}`, name] as const),
  ]);
  const asked = requestFactsOfStanding(target, standings, () => site.channels);
  const recorder = new HistoryRecorder(facts, target, { asked });
  const lab = { site, clock, conditions, random: random.fork(), recorder, issued: new IssuedCursors() };
  const drafts = new Drafts({ runId, firstIndex: space * 100_000, random: random.fork(), site });
  const drawnEvents = drawEvents(random);
  const credentials = credentialsOf(site.agents, random, space);
  const intrusion: readonly Event[] = hasIntruders ? ['trespass'] : [];
  clock.start(wholeHistory({ lab, drafts, credentials, events: events ?? [...drawnEvents, ...intrusion] }));
  await clock.run();
  site.close();
  return {
    history: recorder.history,
    variants,
    mayWarn: variants.flatMap(({ mayWarn = [] }) => mayWarn),
  };
}

/** One for each agent; sometimes an agent has two, which differ in the spelling of the scheme. */
function credentialsOf(agents: readonly SiteAgent[], random: Random, space: number): readonly Credential[] {
  const credentials = agents.map(({ token }, index) => ({
    name: `agent-${space}-${index}`,
    authorization: `Bearer ${token}`,
  }));
  const [first] = agents;
  if (first === undefined || random.chance(0.8)) return credentials;
  return [...credentials, { name: `agent-${space}-second`, authorization: `bearer ${first.token}` }];
}

function drawEvents(random: Random): readonly Event[] {
  const likely: readonly (readonly [Event, number])[] = [
    ['restart', 0.35],
    ['rename', 0.3],
    ['rename human', 0.2],
    ['deactivate', 0.2],
    ['file', 0.4],
  ];
  return likely.filter(([, share]) => random.chance(share)).map(([event]) => event);
}
