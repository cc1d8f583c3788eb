import type { Exchange } from '../../../harness/client/exchange.ts';
import { anomalyIn, wrongOf, runChapter, type Chapter } from '../run/chapter.ts';
import type { Anomaly } from '../../../history/anomalies/judge.ts';
import { anyPlan, type PlanShape } from '../scene/draw-plan.ts';
import type { Plan } from '../scene/plan.ts';
import { extents, sliceOf } from './slice.ts';
import type { Stage } from '../scene/stage.ts';
import { shapeFor, type StressResult } from '../run/run-stress.ts';
import fc from 'fast-check';

/** How often a plan is run to see how often it fails. */
const fewestRuns = 20;
const mostRuns = 60;
/** How often a part of what failed is run before a larger part is tried. */
const firstRuns = 6;
/** A failure that shows in a smaller share of its runs is not shrunk: each candidate would need too many. */
const leastShare = 0.02;
/** A candidate is run this many times as often as a failure takes on the average. */
const runsForEach = 3;

/** What shrinking works with. */
interface Shrinking {
  /** Runs a plan in a chapter of its own. */
  readonly run: (plan: Plan) => Promise<Chapter>;
  readonly shape: PlanShape;
  /** True once nobody waits for it any more. */
  readonly isAborted: () => boolean;
  /** Time left for simpler plans, in ms; how often the last one repeats is seen after that. */
  readonly leftMs: () => number;
}

/** The least that was found to show the same. */
export interface Shrunk {
  readonly plan: Plan;
  /** A chapter in which it showed, and what it showed; that of the run itself where it never showed again. */
  readonly chapter: Chapter;
  readonly anomaly: Anomaly;
  /** How often the plan showed it, of so many runs. */
  readonly repeats: { readonly times: number; readonly of: number };
}

/** Cuts a failure down: to the turns of its witness or as much more as it needs, then by trying simpler plans. */
export async function shrink(failed: Chapter, anomaly: Anomaly, shrinking: Shrinking): Promise<Shrunk> {
  return new Shrinker(anomaly, shrinking).shrink(failed);
}

class Shrinker {
  readonly #anomaly: Anomaly;
  readonly #shrinking: Shrinking;
  #last: { readonly chapter: Chapter; readonly anomaly: Anomaly } | undefined;

  constructor(anomaly: Anomaly, shrinking: Shrinking) {
    this.#anomaly = anomaly;
    this.#shrinking = shrinking;
  }

  async shrink(failed: Chapter): Promise<Shrunk> {
    const plan = await this.#repeatable(failed);
    const first = await this.#repeatsOf(plan, fewestRuns);
    const share = first.of === 0 ? 0 : first.times / first.of;
    const least = share >= leastShare ? await this.#simplest(plan, share) : plan;
    const repeats = least === plan ? first : await this.#repeatsOf(least, fewestRuns);
    const last = this.#last ?? { chapter: failed, anomaly: this.#anomaly };
    return { plan: least, repeats, ...last };
  }

  /** The smallest part of what failed that fails again. */
  async #repeatable(failed: Chapter): Promise<Plan> {
    const { witness } = this.#anomaly;
    const [smallest, ...larger] = extents.map((extent) => sliceOf(failed, witness, extent));
    for (const plan of [smallest, ...larger]) {
      if (plan !== undefined && (await this.#shows(plan, firstRuns))) return plan;
    }
    return larger.at(-1) ?? { channels: 1, agents: 1, rounds: [], faults: [] };
  }

  async #repeatsOf(plan: Plan, most: number): Promise<Shrunk['repeats']> {
    let [times, of] = [0, 0];
    while (of < most && !this.#shrinking.isAborted()) {
      of += 1;
      if (await this.#shows(plan, 1)) times += 1;
    }
    return { times, of };
  }

  /** The simplest plan that shows the same; one that shows something else does not count. */
  async #simplest(plan: Plan, share: number): Promise<Plan> {
    const runs = Math.min(mostRuns, Math.ceil(runsForEach / share));
    const { shape, leftMs, isAborted } = this.#shrinking;
    const isOver = (): boolean => isAborted() || leftMs() <= 0;
    const isFine = async (candidate: Plan): Promise<boolean> => !(await this.#shows(candidate, runs));
    const { counterexample } = await fc.check(
      fc.asyncProperty(anyPlan(shape), async (candidate) => isOver() || isFine(candidate)),
      { examples: [[plan]], numRuns: 1, interruptAfterTimeLimit: Math.max(leftMs(), 1) },
    );
    return counterexample?.[0] ?? plan;
  }

  async #shows(plan: Plan, runs: number): Promise<boolean> {
    const { run, isAborted } = this.#shrinking;
    for (let number = 0; number < runs && !isAborted(); number += 1) {
      const chapter = await run(plan);
      const anomaly = anomalyIn(chapter, wrongOf(this.#anomaly));
      if (anomaly === undefined) continue;
      this.#last = { chapter, anomaly };
      return true;
    }
    return false;
  }
}

/** Runs one plan in a chapter of its own; whoever judges single answers is told of each exchange. */
export function repeatPlan(
  stage: Stage,
  plan: Plan,
  clients: number,
  onExchange: (exchange: Exchange) => void = () => undefined,
): Promise<Chapter> {
  return runChapter(stage, { clients, plans: [plan], onExchange });
}

/** Cuts a failure of a run down, for so long at most; `undefined` where there was no chapter that failed. */
export async function shrinkFailure(
  { failed }: StressResult,
  anomaly: Anomaly,
  { stage, clients, mostMs }: { readonly stage: Stage; readonly clients: number; readonly mostMs: number },
): Promise<Shrunk | undefined> {
  if (failed === undefined) return undefined;
  const endMs = performance.now() + mostMs;
  const leftMs = (): number => endMs - performance.now();
  return shrink(failed, anomaly, {
    run: (plan) => repeatPlan(stage, plan, clients),
    shape: shapeFor(stage, clients),
    leftMs,
    isAborted: () => stage.signal.aborted,
  });
}
