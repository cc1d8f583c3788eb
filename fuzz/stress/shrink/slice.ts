import type { Operation } from '../../../history/operation.ts';
import type { Chapter } from '../run/chapter.ts';
import type { Fault, Plan, Round, Step, Target, Turn } from '../scene/plan.ts';
import { addTo } from '../../../spec/groups.ts';

/** How much of what ran is kept: the turns that a witness belongs to, their whole rounds, or the plans of those. */
export const extents = ['turns', 'rounds', 'plans'] as const;
type Extent = (typeof extents)[number];

/** A plan of those parts of a chapter that the operations of a witness belong to. */
export function sliceOf(
  { plans, placeOf }: Pick<Chapter, 'plans' | 'placeOf'>,
  witness: readonly Operation[],
  extent: Extent,
): Plan {
  const kept = new Map<number, Map<number, Set<number>>>();
  for (const operation of witness) {
    const place = placeOf.get(operation);
    if (place === undefined) continue;
    const rounds = kept.get(place.plan) ?? new Map<number, Set<number>>();
    kept.set(place.plan, rounds);
    addTo(rounds, place.round, place.turn);
  }
  const slice: { channels: number; agents: number; rounds: Round[]; faults: Fault[] } = {
    channels: 1,
    agents: 1,
    rounds: [],
    faults: [],
  };
  for (const [number, plan] of plans.entries()) {
    const turns = kept.get(number);
    if (turns === undefined) continue;
    slice.channels = Math.max(slice.channels, plan.channels);
    slice.agents = Math.max(slice.agents, plan.agents);
    slice.faults.push(...faultsOf(plan, slice.rounds.length));
    slice.rounds.push(...roundsOf(plan, turns, extent));
  }
  const hasRestart = slice.faults.length > 0 || witness.every(({ kind }) => kind !== 'change');
  if (hasRestart) return slice;
  return { ...slice, faults: [{ round: Math.floor(slice.rounds.length / 2), delay: 0 }] };
}

function roundsOf(plan: Plan, turns: ReadonlyMap<number, ReadonlySet<number>>, extent: Extent): Round[] {
  return plan.rounds.flatMap(({ par }, round) => {
    if (extent === 'plans') return [{ par: par.map((turn) => settled(turn, plan)) }];
    const own = turns.get(round);
    if (own === undefined) return [];
    const kept = extent === 'rounds' ? par : par.filter((_, index) => own.has(index));
    return [{ par: kept.map((turn) => settled(turn, plan)) }];
  });
}

function faultsOf({ faults, rounds }: Plan, begin: number): Fault[] {
  return faults.map(({ round, delay }) => ({ round: begin + (round % Math.max(rounds.length, 1)), delay }));
}

/** A turn whose numbers mean the same in a plan of more channels and agents. */
function settled(turn: Turn, plan: Plan): Turn {
  return { ...turn, step: settledStep(turn.step, plan) };
}

function settledStep(step: Step, { channels, agents }: Plan): Step {
  const targetsOf = (targets: readonly Target[]): readonly Target[] =>
    targets.map(({ kind, agent }) => ({ kind, agent: agent % agents }));
  switch (step.do) {
    case 'read':
      return step.stream === 'feed' ? step : { ...step, stream: step.stream % channels };
    case 'poll':
    case 'report':
    case 'trespass':
      return { ...step, channel: step.channel % channels };
    case 'send':
    case 'drop':
      return { ...step, channel: step.channel % channels, targets: targetsOf(step.targets) };
  }
}
