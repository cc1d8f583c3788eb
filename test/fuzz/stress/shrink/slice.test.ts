import { describe, expect, it } from 'vitest';
import type { Operation } from '../../../../history/operation.ts';
import type { Place } from '../../../../fuzz/stress/clients/run-plan.ts';
import type { Plan, Step } from '../../../../fuzz/stress/scene/plan.ts';
import { sliceOf } from '../../../../fuzz/stress/shrink/slice.ts';
import { restart, send } from '../operations.ts';

function read(stream: number): Step {
  return { do: 'read', stream, from: 'zero', limit: 1 };
}

/** A plan of rounds of three turns each; the stream of a read says which turn it was. */
function planOf(channels: number, rounds: number): Plan {
  const par = [0, 1, 2].map((client) => ({ client, delay: 0, step: read(client + 10 * channels) }));
  return { channels, agents: 2, rounds: Array.from({ length: rounds }, () => ({ par })), faults: [] };
}

const [one, other] = [send(0, 1), send(2, 3)];
const placeOf = new Map<Operation, Place>([
  [one, { plan: 0, round: 1, turn: 2 }],
  [other, { plan: 1, round: 0, turn: 0 }],
]);
const plans = [planOf(3, 4), planOf(2, 2), planOf(5, 1)];

function clientsIn({ rounds }: Plan): readonly (readonly number[])[] {
  return rounds.map(({ par }) => par.map(({ client }) => client));
}

describe('sliceOf', () => {
  it('keeps the turns of the witness alone', () => {
    expect(clientsIn(sliceOf({ plans, placeOf }, [one, other], 'turns'))).toEqual([[2], [0]]);
  });

  it('keeps their whole rounds', () => {
    const slice = sliceOf({ plans, placeOf }, [one, other], 'rounds');
    expect(clientsIn(slice)).toEqual([
      [0, 1, 2],
      [0, 1, 2],
    ]);
  });

  it('keeps their whole plans, and no other', () => {
    expect(sliceOf({ plans, placeOf }, [one, other], 'plans').rounds).toHaveLength(6);
  });

  it('has each turn mean the channel that it meant, though the plans had different ones', () => {
    const slice = sliceOf({ plans, placeOf }, [one, other], 'turns');
    expect(slice.channels).toBe(3);
    const streams = slice.rounds.flatMap(({ par }) => par.map(({ step }) => 'stream' in step && step.stream));
    // 32 of three channels, and 20 of two.
    expect(streams).toEqual([32 % 3, 20 % 2]);
  });

  it('is empty for a witness that no plan brought about', () => {
    expect(sliceOf({ plans, placeOf }, [send(8, 9)], 'turns').rounds).toEqual([]);
  });

  it('restarts the server where a restart is part of the witness', () => {
    expect(sliceOf({ plans, placeOf }, [one, restart(4, 5), other], 'turns').faults).toEqual([
      { round: 1, delay: 0 },
    ]);
    const withFault = [{ ...planOf(3, 4), faults: [{ round: 6, delay: 1 }] }];
    expect(sliceOf({ plans: withFault, placeOf }, [one], 'plans').faults).toEqual([{ round: 2, delay: 1 }]);
  });
});
