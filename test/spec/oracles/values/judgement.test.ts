import { expect, it } from 'vitest';
import { allOf, inconclusive } from '../../../../spec/oracles/values/judgement.ts';

it('several judgements are one: what was compared in all, and what was wrong in any', () => {
  const [one, two] = [
    { expected: 'a', actual: 'b' },
    { expected: 'c', actual: 'd' },
  ];
  const judgements = [{ judged: 2, problems: [one] }, inconclusive, { judged: 3, problems: [two] }];
  expect(allOf(judgements)).toEqual({ judged: 5, problems: [one, two] });
  expect(allOf([])).toEqual(inconclusive);
});
