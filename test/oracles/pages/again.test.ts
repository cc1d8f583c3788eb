import { describe, expect, it } from 'vitest';
import { judgeReadAgain, judgeRecent } from '../../../oracles/pages/again.ts';
import { item, pageOf } from '../page-of.ts';

const whole = [2, 4, 6, 8];
const readBefore = (endMs: number) => pageOf({ after: 0, items: whole, at: [endMs - 10, endMs] });
const readAt = (startMs: number) => pageOf({ after: 0, items: whole, at: [startMs, startMs + 10] });

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

describe('recency', () => {
  /** Complete up to 6 at 1000–1010 ms. */
  const complete = (more = false) => pageOf({ after: 0, items: [2, 4, 6], more, at: [1000, 1010] });

  it.each([
    [999, 1],
    [1000, 0],
  ])('misses what was read before, up to %s ms: %s problems', (ms, problems) => {
    expect(judgeRecent([readBefore(ms), complete(), readAt(2000)]).problems).toHaveLength(problems);
  });

  it('says what was to be reached and where the read ends', () => {
    expect(judgeRecent([readBefore(999), complete(), readAt(2000)]).problems).toMatchObject([
      {
        expected: expect.stringMatching(
          /^the complete read after 0 to reach .*8.*, which was readable before$/,
        ),
        actual: 'it ends at 6',
      },
    ]);
  });

  it('does not miss what never came back, nor what a page announces', () => {
    expect(judgeRecent([readBefore(500), complete()]).problems).toEqual([]);
    expect(judgeRecent([readBefore(500), complete(true), readAt(2000)]).problems).toEqual([]);
  });

  it('is judged by what was read before and is still there', () => {
    expect(judgeRecent([readBefore(500), readAt(1000)])).toEqual({ judged: 4, problems: [] });
    expect(judgeRecent([readAt(1000)]).judged).toBe(0);
  });
});
