import { describe, expect, it } from 'vitest';
import type { Chapter } from '../../../stress/run/chapter.ts';
import { Health } from '../../../harness/watch/health.ts';
import type { Place } from '../../../stress/clients/run-plan.ts';
import { drawPlan } from '../../../stress/scene/draw-plan.ts';
import { stepsOf, type Plan, type Turn } from '../../../stress/scene/plan.ts';
import { shrink } from '../../../stress/shrink/shrink.ts';
import type { Anomaly } from '../../../history/anomalies/judge.ts';
import type { Operation } from '../../../history/operation.ts';
import { send } from '../operations.ts';

const shape = { clients: 4, agents: 2, channels: 2, rounds: 4, hasLargest: false };

function anomalyOf(name: 'late-commit' | 'lost-write', witness: readonly Operation[] = []): Anomaly {
  return {
    name,
    clause: 'channel-read.ascending',
    expected: 'this',
    actual: 'that',
    witness,
    root: name,
    dependsOn: [],
    breaks: [],
  };
}

function chapterOf(
  plan: Plan,
  anomalies: readonly Anomaly[],
  placeOf = new Map<Operation, Place>(),
): Chapter {
  return {
    history: { facts: { runId: 'cs-1', settleMs: 10, isDurable: false }, operations: [...placeOf.keys()] },
    judged: { anomalies, opportunities: new Map(), breaches: new Map() },
    plans: [plan],
    placeOf,
    health: new Health(),
    trouble: undefined,
  };
}

/** A chapter that failed in two turns of a plan. */
function failedIn(plan: Plan, turns: readonly Turn[]): { chapter: Chapter; anomaly: Anomaly } {
  const placeOf = new Map<Operation, Place>();
  for (const [round, { par }] of plan.rounds.entries()) {
    for (const turn of turns.filter((each) => par.includes(each)))
      placeOf.set(send(round, round + 1), { plan: 0, round, turn: par.indexOf(turn) });
  }
  const anomaly = anomalyOf('late-commit', [...placeOf.keys()]);
  return { chapter: chapterOf(plan, [anomaly], placeOf), anomaly };
}

function sendsIn({ rounds }: Plan): readonly Turn[] {
  return rounds.flatMap(({ par }) => par.filter(({ step }) => step.do === 'send'));
}

const plan = drawPlan(shape, 4, 0);
const turns = sendsIn(plan).slice(0, 2);

describe('shrink', () => {
  it('cuts a failure down to the simplest plan that shows the same', async () => {
    const { chapter, anomaly } = failedIn(plan, turns);
    const ran: Plan[] = [];
    const shrunk = await shrink(chapter, anomaly, {
      run: async (candidate) => {
        ran.push(candidate);
        return chapterOf(candidate, sendsIn(candidate).length >= 2 ? [anomaly] : []);
      },
      shape,
      isAborted: () => false,
      leftMs: () => 60_000,
    });
    expect(stepsOf(shrunk.plan)).toBe(2);
    expect(shrunk.repeats).toEqual({ times: 20, of: 20 });
    expect(shrunk.anomaly.name).toBe('late-commit');
    // The first to be tried is the witness alone.
    expect(ran[0] === undefined ? 0 : stepsOf(ran[0])).toBe(2);
  });

  it('does not take another failure for the one that it looks for', async () => {
    const { chapter, anomaly } = failedIn(plan, turns);
    const shrunk = await shrink(chapter, anomaly, {
      run: async (candidate) =>
        chapterOf(candidate, [sendsIn(candidate).length >= 2 ? anomaly : anomalyOf('lost-write')]),
      shape,
      isAborted: () => false,
      leftMs: () => 60_000,
    });
    expect(sendsIn(shrunk.plan)).toHaveLength(2);
    expect(shrunk.anomaly.name).toBe('late-commit');
  });

  it('takes as much of what failed as it needs to fail again', async () => {
    const { chapter, anomaly } = failedIn(plan, turns);
    const needed = plan.rounds.flatMap(({ par }) => par).length - 3;
    const shrunk = await shrink(chapter, anomaly, {
      run: async (candidate) => chapterOf(candidate, stepsOf(candidate) >= needed ? [anomaly] : []),
      shape,
      isAborted: () => false,
      leftMs: () => 60_000,
    });
    expect(stepsOf(shrunk.plan)).toBe(needed);
  });

  it('says that a failure never repeated, and keeps all of its plans', async () => {
    const { chapter, anomaly } = failedIn(plan, turns);
    const shrunk = await shrink(chapter, anomaly, {
      run: async (candidate) => chapterOf(candidate, []),
      shape,
      isAborted: () => false,
      leftMs: () => 60_000,
    });
    expect(shrunk.repeats).toEqual({ times: 0, of: 20 });
    expect(stepsOf(shrunk.plan)).toBe(stepsOf(plan));
    expect(shrunk.chapter).toBe(chapter);
  });

  it('runs what fails only now and then often enough to shrink it', async () => {
    const { chapter, anomaly } = failedIn(plan, turns);
    let runs = 0;
    const shrunk = await shrink(chapter, anomaly, {
      run: async (candidate) => {
        runs += 1;
        return chapterOf(candidate, sendsIn(candidate).length >= 2 && runs % 4 === 0 ? [anomaly] : []);
      },
      shape,
      isAborted: () => false,
      leftMs: () => 60_000,
    });
    expect(stepsOf(shrunk.plan)).toBe(2);
    expect(shrunk.repeats).toEqual({ times: 5, of: 20 });
  });

  it('tries no simpler plan once its time is over, and still says how often the failure repeats', async () => {
    const { chapter, anomaly } = failedIn(plan, turns);
    const shrunk = await shrink(chapter, anomaly, {
      run: async (candidate) => chapterOf(candidate, stepsOf(candidate) > 0 ? [anomaly] : []),
      shape,
      isAborted: () => false,
      leftMs: () => 0,
    });
    expect(stepsOf(shrunk.plan)).toBe(2);
    expect(shrunk.repeats).toEqual({ times: 20, of: 20 });
  });

  it('ends at once when nobody waits for it any more', async () => {
    const { chapter, anomaly } = failedIn(plan, turns);
    let runs = 0;
    const shrunk = await shrink(chapter, anomaly, {
      run: async (candidate) => {
        runs += 1;
        return chapterOf(candidate, [anomaly]);
      },
      shape,
      isAborted: () => runs >= 1,
      leftMs: () => 60_000,
    });
    expect(runs).toBe(1);
    expect(shrunk.repeats).toEqual({ times: 0, of: 0 });
  });
});
