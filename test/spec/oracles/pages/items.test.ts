import { describe, expect, it } from 'vitest';
import { judgeBehind, judgeHoldsAll, judgeReadAgain } from '../../../../spec/oracles/pages/items.ts';
import { isEmptyAndStill } from '../../../../spec/oracles/pages/read-page.ts';
import { item, pageOf } from '../page-of.ts';

const nameless = { sequence: 4n, id: undefined };

describe('holding all', () => {
  it('names what is missing', () => {
    expect(judgeHoldsAll([item(2)], [item(2), item(4)])).toEqual({
      judged: 2,
      problems: [{ expected: 'message m4 at sequence 4', actual: 'it is missing' }],
    });
  });

  it('is not judged by what has no id', () => {
    expect(judgeHoldsAll([item(2)], [nameless]).judged).toBe(0);
  });
});

describe('reading again', () => {
  it.each([
    [[2, 4], 2, 0],
    [[4], 2, 1],
    [[], 2, 2],
    [[4, 5], 1, 0],
  ])('brings 2 and 4 as %o: judged %s, %s problems', (again, judged, problems) => {
    const judgement = judgeReadAgain(
      [item(2), item(4)],
      again.map((each) => item(each)),
    );
    expect(judgement.judged).toBe(judged);
    expect(judgement.problems).toHaveLength(problems);
  });

  it('is judged by the highest sequence, in whatever order it came', () => {
    expect(
      judgeReadAgain(
        [item(6), item(2), item(4)],
        [2, 4, 5].map((each) => item(each)),
      ),
    ).toEqual({
      judged: 3,
      problems: [{ expected: 'message m6 at sequence 6 again', actual: 'it is gone' }],
    });
  });

  it('is not judged of what has no sequence once there is anything newer', () => {
    expect(judgeReadAgain([{ sequence: undefined, id: 'm9' }], [item(4)]).judged).toBe(0);
  });

  it('is not judged by what has no id', () => {
    expect(judgeReadAgain([item(2), nameless], [item(2), nameless])).toEqual({ judged: 1, problems: [] });
    expect(judgeReadAgain([nameless], [])).toEqual({ judged: 0, problems: [] });
  });
});

describe('messages that must lie behind one another', () => {
  const at = (sequence: bigint | undefined) => ({ sequence, id: `m${sequence}` });

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

  it('are named where they do not', () => {
    expect(judgeBehind([at(5n), at(4n)]).problems).toEqual([
      { expected: 'a sequence above 5, that of an earlier message', actual: '4' },
    ]);
  });
});

describe('a page that is empty and still', () => {
  const still = pageOf({ after: 5, next: 5, more: true });

  it.each([
    ['it', still, true],
    ['one with a smaller cursor', { ...still, nextAfter: 4n }, true],
    ['one that moves', { ...still, nextAfter: 6n }, false],
    ['one with an item', { ...still, items: [item(4)] }, false],
    ['one that announces nothing', { ...still, hasMore: false }, false],
    ['one without a next cursor', { ...still, nextAfter: undefined }, false],
    ['one without a cursor', { ...still, after: undefined }, false],
  ])('is told from others: %s', (_what, page, is) => {
    expect(isEmptyAndStill(page)).toBe(is);
  });
});
