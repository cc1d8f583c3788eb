import { contentKinds, cursorNames, targetKinds, trespasses } from './plan.ts';
import type { From, KeyChoice, Limit, Part, PartKind, Plan, Step, Target, Text, Turn } from './plan.ts';
import fc from 'fast-check';

/** How large plans are. */
export interface PlanShape {
  readonly clients: number;
  readonly agents: number;
  readonly channels: number;
  readonly rounds: number;
  /** Whether contents of the largest size may be sent. */
  readonly hasLargest: boolean;
  /** What messages may carry beside their text. */
  readonly parts?: readonly PartKind[];
  /** Whether there is anybody without access. */
  readonly hasIntruders?: boolean;
}

/** Bytes of the longest content of the contract. */
export const largestContent = 500_000;

/** What shrinks may be made of the rounds of several plans. */
const mostRounds = 1_000;
const mostFaults = 10;

/** Share of the alternatives of a choice; what comes from a file shrinks within its own. */
type Weighted<T> = readonly [weight: number, arbitrary: fc.Arbitrary<T>];

function choice<T>(...alternatives: readonly Weighted<T>[]): fc.Arbitrary<T> {
  return fc.oneof(...alternatives.map(([weight, arbitrary]) => ({ weight, arbitrary })));
}

/**
 * Plans of a shape, down to the empty one: a value of {@link fullPlans} is one of them, and shrinks as such. Nothing is mapped,
 * since a mapped value from a file cannot be shrunk.
 */
export function anyPlan(shape: PlanShape): fc.Arbitrary<Plan> {
  return plans(shape, { leastRounds: 0, leastTurns: 0 });
}

/** Plans of a shape that keep every client busy. */
function fullPlans(shape: PlanShape): fc.Arbitrary<Plan> {
  return plans(shape, { leastRounds: shape.rounds, leastTurns: shape.clients });
}

/** The plan number `index` of a seed; the same for the same shape. */
export function drawPlan(shape: PlanShape, seed: number, index: number): Plan {
  const [plan] = fc.sample(fullPlans(shape), { seed: (seed + index * 0x9e3779b1) | 0, numRuns: 1 });
  return plan ?? { channels: 1, agents: 1, rounds: [], faults: [] };
}

function plans(
  shape: PlanShape,
  { leastRounds, leastTurns }: { readonly leastRounds: number; readonly leastTurns: number },
): fc.Arbitrary<Plan> {
  const turns = fc.array(turnOf(shape), {
    minLength: leastTurns,
    maxLength: 2 * shape.clients,
    size: 'max',
  });
  return fc.record({
    channels: fc.integer({ min: 1, max: shape.channels }),
    agents: fc.integer({ min: 1, max: shape.agents }),
    rounds: fc.array(fc.record({ par: turns }), {
      minLength: leastRounds,
      maxLength: leastRounds === 0 ? mostRounds : leastRounds,
    }),
    // When the server restarts is for the run to say; what shrinks may have several.
    faults: fc.array(fc.record({ round: fc.nat(1_000), delay: fc.nat(10) }), {
      maxLength: leastRounds === 0 ? mostFaults : 0,
    }),
  });
}

function turnOf(shape: PlanShape): fc.Arbitrary<Turn> {
  return fc.record({
    client: fc.nat(shape.clients - 1),
    delay: choice([6, fc.constant(0)], [3, fc.nat(3)]),
    step: stepOf(shape),
  });
}

function stepOf(shape: PlanShape): fc.Arbitrary<Step> {
  const channel = fc.nat(shape.channels - 1);
  const parts = partsOf(shape);
  const send = { channel, text: textOf(shape), targets: targetsOf(shape), ...(parts && { parts }) };
  const from = fromOf();
  // A poll waits where nothing has come yet: at the end.
  const pollFrom = choice<From>([1, from], [2, fc.constant('end' as const)]);
  return choice<Step>(
    [
      40,
      fc.record({
        do: fc.constant('read' as const),
        stream: choice<number | 'feed'>([2, channel], [1, fc.constant('feed' as const)]),
        from,
        // Short pages cost little, so that more of them are read at once.
        limit: fc.constantFrom<Limit[]>(100, 7, 7, 1, 1, 'none'),
      }),
    ],
    [45, fc.record({ do: fc.constant('send' as const), ...send, key: keyOf() })],
    [10, fc.record({ do: fc.constant('poll' as const), channel, from: pollFrom, wait: fc.nat(2) })],
    [3, fc.record({ do: fc.constant('report' as const), channel })],
    [
      4,
      fc.record({
        do: fc.constant('drop' as const),
        ...send,
        cut: choice<'answer' | number>([1, fc.constant('answer' as const)], [1, fc.nat(2_000)]),
      }),
    ],
    ...(shape.hasIntruders === true ? [[3, trespassOf(channel)] as const] : []),
  );
}

function trespassOf(channel: fc.Arbitrary<number>): fc.Arbitrary<Step> {
  return fc.record({
    do: fc.constant('trespass' as const),
    what: fc.constantFrom(...trespasses),
    channel,
    who: fc.nat(1),
  });
}

/** Most messages carry nothing; `undefined` where none can. */
function partsOf({ parts = [] }: PlanShape): fc.Arbitrary<readonly Part[]> | undefined {
  if (parts.length === 0) return undefined;
  const part = fc.record({ part: fc.constantFrom(...parts), index: fc.nat(1_000) });
  return choice<readonly Part[]>([3, fc.constant([])], [1, fc.array(part, { maxLength: 3, size: 'max' })]);
}

function fromOf(): fc.Arbitrary<From> {
  return choice<From>(
    [3, fc.constantFrom(...cursorNames)],
    [3, fc.constant('own' as const)],
    [2, fc.constant('none' as const)],
    [2, fc.nat(5_000)],
  );
}

/** Where several clients of one agent begin together, the newest send of the agent is often still on its way. */
function keyOf(): fc.Arbitrary<KeyChoice> {
  // Older ones may lie before a restart.
  const back = choice([3, fc.nat(3)], [1, fc.nat(60)]);
  return choice<KeyChoice>(
    [20, fc.constant('fresh' as const)],
    [1, fc.constant('twice' as const)],
    [2, fc.record({ again: back })],
    [1, fc.record({ changed: back })],
  );
}

function textOf({ hasLargest }: PlanShape): fc.Arbitrary<Text> {
  const shares = [
    [300, 0],
    [45, 100],
    [45, 300],
    [10, 5_000],
    [2, 60_000],
    [hasLargest ? 1 : 0, largestContent],
  ] as const;
  const sizes = shares.flatMap(([share, bytes]) => Array.from({ length: share }, () => bytes));
  return fc.record({ kind: fc.constantFrom(...contentKinds), bytes: fc.constantFrom(...sizes) });
}

function targetsOf({ agents }: PlanShape): fc.Arbitrary<readonly Target[]> {
  const target = fc.record({ kind: fc.constantFrom(...targetKinds), agent: fc.nat(agents - 1) });
  return fc.array(target, { maxLength: 2, size: 'max' });
}
