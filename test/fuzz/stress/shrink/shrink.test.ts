import { describe, expect, it } from 'vitest';
import type { Chapter } from '../../../../fuzz/stress/run/chapter.ts';
import { Health } from '../../../../harness/watch/health.ts';
import type { Place } from '../../../../fuzz/stress/clients/run-plan.ts';
import { drawPlan } from '../../../../fuzz/stress/scene/draw-plan.ts';
import { stepsOf, type Plan, type Turn } from '../../../../fuzz/stress/scene/plan.ts';
import { shrink } from '../../../../fuzz/stress/shrink/shrink.ts';
import type { Anomaly } from '../../../../history/anomalies/judge.ts';
import type { Operation } from '../../../../history/operation.ts';
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
    judged: { anomalies, opportunities: new Map(), breaches: new Map(), untold: [] },
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

/** Shrinks what failed in those turns, each candidate of which comes to the anomalies that `shows` says. */
function shrunkBy(
  shows: (candidate: Plan, anomaly: Anomaly) => readonly Anomaly[],
  limits: Partial<Pick<Parameters<typeof shrink>[2], 'isAborted' | 'leftMs'>> = {},
) {
  const { chapter, anomaly } = failedIn(plan, turns);
  const run = async (candidate: Plan) => chapterOf(candidate, shows(candidate, anomaly));
  return shrink(chapter, anomaly, { run, shape, isAborted: () => false, leftMs: () => 60_000, ...limits });
}

function keepsTwoSends(candidate: Plan, anomaly: Anomaly): readonly Anomaly[] {
  return sendsIn(candidate).length >= 2 ? [anomaly] : [];
}

describe('shrink', () => {
  it('cuts a failure down to the simplest plan that shows the same', async () => {
    const ran: Plan[] = [];
    const shrunk = await shrunkBy((candidate, anomaly) => {
      ran.push(candidate);
      return keepsTwoSends(candidate, anomaly);
    });
    expect(stepsOf(shrunk.plan)).toBe(2);
    expect(shrunk.repeats).toEqual({ times: 20, of: 20 });
    expect(shrunk.anomaly.name).toBe('late-commit');
    // The first to be tried is the witness alone.
    expect(ran[0] === undefined ? 0 : stepsOf(ran[0])).toBe(2);
  });

  it('does not take another failure for the one that it looks for', async () => {
    const shrunk = await shrunkBy((candidate, anomaly) => [
      sendsIn(candidate).length >= 2 ? anomaly : anomalyOf('lost-write'),
    ]);
    expect(sendsIn(shrunk.plan)).toHaveLength(2);
    expect(shrunk.anomaly.name).toBe('late-commit');
  });

  it('takes as much of what failed as it needs to fail again', async () => {
    const needed = plan.rounds.flatMap(({ par }) => par).length - 3;
    const shrunk = await shrunkBy((candidate, anomaly) => (stepsOf(candidate) >= needed ? [anomaly] : []));
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
    let runs = 0;
    const shrunk = await shrunkBy((candidate, anomaly) => {
      runs += 1;
      return runs % 4 === 0 ? keepsTwoSends(candidate, anomaly) : [];
    });
    expect(stepsOf(shrunk.plan)).toBe(2);
    expect(shrunk.repeats).toEqual({ times: 5, of: 20 });
  });

  it('tries no simpler plan once its time is over, and still says how often the failure repeats', async () => {
    const shrunk = await shrunkBy((candidate, anomaly) => (stepsOf(candidate) > 0 ? [anomaly] : []), {
      leftMs: () => 0,
    });
    expect(stepsOf(shrunk.plan)).toBe(2);
    expect(shrunk.repeats).toEqual({ times: 20, of: 20 });
  });

  it('ends at once when nobody waits for it any more', async () => {
    let runs = 0;
    const shows = (_candidate: Plan, anomaly: Anomaly) => {
      runs += 1;
      return [anomaly];
    };
    const shrunk = await shrunkBy(shows, { isAborted: () => runs >= 1 });
    expect(runs).toBe(1);
    expect(shrunk.repeats).toEqual({ times: 0, of: 0 });
  });
});
