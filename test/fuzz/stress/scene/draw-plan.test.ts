import { describe, expect, it } from 'vitest';
import { anyPlan, drawPlan, largestContent } from '../../../../fuzz/stress/scene/draw-plan.ts';
import { partKinds, stepsOf, type Plan, type Step, trespasses } from '../../../../fuzz/stress/scene/plan.ts';
import fc from 'fast-check';

const shape = {
  clients: 8,
  agents: 3,
  channels: 2,
  rounds: 5,
  hasLargest: true,
  parts: partKinds,
  hasIntruders: true,
};

function stepsIn({ rounds }: Plan): readonly Step[] {
  return rounds.flatMap(({ par }) => par.map(({ step }) => step));
}

describe('drawPlan', () => {
  it('draws the same plan for the same seed and number, and another for another', () => {
    expect(drawPlan(shape, 5, 2)).toEqual(drawPlan(shape, 5, 2));
    expect(drawPlan(shape, 5, 3)).not.toEqual(drawPlan(shape, 5, 2));
    expect(drawPlan(shape, 6, 2)).not.toEqual(drawPlan(shape, 5, 2));
  });

  it('keeps every client busy in every round', () => {
    const { rounds } = drawPlan(shape, 1, 0);
    expect(rounds).toHaveLength(shape.rounds);
    for (const { par } of rounds) expect(par.length).toBeGreaterThanOrEqual(shape.clients);
  });

  it('draws every kind of step, cursor, key and size', () => {
    const steps = Array.from({ length: 60 }, (_, index) => drawPlan(shape, 7, index)).flatMap(stepsIn);
    const seen = new Set(
      steps.flatMap((step) => {
        if (step.do === 'send')
          return [
            step.do,
            typeof step.key === 'string' ? step.key : Object.keys(step.key)[0],
            step.text.bytes,
            ...(step.parts ?? []).map(({ part }) => part),
          ];
        if (step.do === 'read') return [step.do, step.stream, `limit ${step.limit}`, typeof step.from];
        if (step.do === 'report') return [step.do];
        if (step.do === 'trespass') return [step.do, `trespass ${step.what}`];
        return step.do === 'drop' ? [step.do, `cut ${typeof step.cut}`] : [step.do, `wait ${step.wait}`];
      }),
    );
    const expected = [
      'send',
      'read',
      'poll',
      'drop',
      'report',
      'fresh',
      'again',
      'twice',
      'changed',
      'feed',
      0,
      1,
      largestContent,
    ];
    const limits = ['limit 1', 'limit 7', 'limit 100', 'limit none'];
    const others = ['cut string', 'cut number', 'wait 0', 'wait 1', 'wait 2', 'string', 'number'];
    const asOthers = trespasses.map((what) => `trespass ${what}`);
    expect(
      [...expected, ...limits, ...others, ...asOthers, ...partKinds].filter((each) => !seen.has(each)),
    ).toEqual([]);
  });

  it('leaves the largest contents out where they may not be sent', () => {
    const plans = Array.from({ length: 60 }, (_, index) =>
      drawPlan({ ...shape, hasLargest: false }, 7, index),
    );
    const sizes = plans.flatMap(stepsIn).flatMap((step) => ('text' in step ? step.text.bytes : []));
    expect(Math.max(...sizes)).toBeLessThan(largestContent);
  });
});

it('anyPlan shrinks a plan from a file, or a part of one, to what is needed', () => {
  const kept = JSON.parse(JSON.stringify(drawPlan(shape, 3, 0))) as Plan;
  expect(stepsIn(kept).filter((step) => step.do === 'drop').length).toBeGreaterThan(0);
  const isFine = (plan: Plan): boolean => !stepsIn(plan).some((step) => step.do === 'drop');
  const { counterexample } = fc.check(fc.property(anyPlan(shape), isFine), {
    examples: [[{ ...kept, faults: [{ round: 3, delay: 2 }] }]],
    numRuns: 1,
  });
  const [least] = counterexample ?? [];
  expect(least === undefined ? 0 : stepsOf(least)).toBe(1);
  expect(least?.faults).toEqual([]);
  expect(least === undefined ? [] : stepsIn(least)).toEqual([
    {
      do: 'drop',
      channel: 0,
      text: { kind: 'plain', bytes: 0 },
      targets: [],
      parts: [],
      cut: expect.anything(),
    },
  ]);
});
