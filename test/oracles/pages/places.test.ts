import { describe, expect, it } from 'vitest';
import { judgeBehind } from '../../../oracles/pages/places.ts';

const at = (sequence: bigint | undefined, id = `m${sequence}`) => ({ sequence, id });

describe('messages that must lie behind one another', () => {
  it.each([
    ['one below', [at(5n), at(4n)], 1, 1],
    ['at the same place', [at(5n), at(5n)], 1, 1],
    ['one above', [at(5n), at(6n)], 1, 0],
    ['far above, beyond 2^53', [at(5n), at(2n ** 60n)], 1, 0],
    ['the second pair wrong', [at(5n), at(6n), at(6n)], 2, 1],
    ['one alone', [at(5n)], 0, 0],
    ['one without a place', [at(5n), at(undefined)], 0, 0],
    ['the first without a place', [at(undefined), at(5n)], 0, 0],
  ])('are compared pair by pair: %s', (_name, items, judged, problems) => {
    const judgement = judgeBehind(items);
    expect(judgement.judged).toBe(judged);
    expect(judgement.problems).toHaveLength(problems);
  });
});

describe('what is said of places', () => {
  it('names both of them', () => {
    expect(judgeBehind([at(5n), at(4n)]).problems).toEqual([
      { expected: 'a sequence above 5, that of an earlier message', actual: '4' },
    ]);
  });
});
