import { describe, expect, it } from 'vitest';
import { judgeHoldsAll, judgeReadAgain } from '../../../oracles/pages/coverage.ts';
import { item } from '../page-of.ts';

describe('holding all', () => {
  it('names what is missing', () => {
    expect(judgeHoldsAll([item(2)], [item(2), item(4)])).toEqual({
      judged: 2,
      problems: [{ expected: 'message m4 at sequence 4', actual: 'it is missing' }],
    });
  });

  it('is not judged by what has no id', () => {
    expect(judgeHoldsAll([item(2)], [{ sequence: 4n, id: undefined }]).judged).toBe(0);
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
});

describe('what is gone when reading again', () => {
  it('is judged by the highest sequence, in whatever order it came', () => {
    expect(judgeReadAgain([item(4), item(2)], [item(2), item(3)])).toEqual({
      judged: 2,
      problems: [{ expected: 'message m4 at sequence 4 again', actual: 'it is gone' }],
    });
  });

  it('is nothing that has no id', () => {
    const nameless = { sequence: 4n, id: undefined };
    expect(judgeReadAgain([item(2), nameless], [item(2), nameless])).toEqual({ judged: 1, problems: [] });
    expect(judgeReadAgain([nameless], [])).toEqual({ judged: 0, problems: [] });
  });
});
