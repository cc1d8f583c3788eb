import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isEmptyAndStill, judgeEmptyPagesMoveOn, stallsForEver } from '../../../oracles/pages/cursor.ts';
import { cuts, gappySequences, renumbered, renumberings, settleMs, walkOf } from '../clean-stream.ts';
import { item, pageOf } from '../page-of.ts';

describe('pages without items that announce more', () => {
  /** Read one after the other, `pauseMs` from the end of the first to the begin of the last. */
  const stalled = (times: number, pauseMs = settleMs + 1) =>
    Array.from({ length: times }, (_, index) => {
      const at = index === times - 1 ? 10 + pauseMs : 0;
      return pageOf({ after: 5, next: 5, more: true, at: [at, at + 10] });
    });

  it.each([
    [stallsForEver - 1, 0],
    [stallsForEver, 1],
    [stallsForEver + 1, 1],
  ])('may stand still, but not %s times: %s problems', (times, problems) => {
    const judgement = judgeEmptyPagesMoveOn(stalled(times), settleMs);
    expect(judgement.problems).toHaveLength(problems);
    expect(judgement.judged === 0).toBe(problems === 0);
  });

  it.each([
    [settleMs, 0],
    [settleMs + 1, 1],
  ])('may stand still for %s ms while replicas catch up: %s problems', (pauseMs, problems) => {
    expect(judgeEmptyPagesMoveOn(stalled(stallsForEver, pauseMs), settleMs).problems).toHaveLength(problems);
  });

  it('are counted again when the cursor has moved, which is what is judged', () => {
    const chain = [...stalled(4), pageOf({ after: 5, next: 6, more: true }), ...stalled(4)];
    expect(judgeEmptyPagesMoveOn(chain, settleMs)).toEqual({ judged: 1, problems: [] });
  });

  it('decide nothing by pages that announce nothing', () => {
    expect(judgeEmptyPagesMoveOn([pageOf({ after: 5, next: 5 })], settleMs).judged).toBe(0);
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

describe('any walk of a stream with gaps', () => {
  it('is clean however it is cut, and keeps its verdict under other rising numbers', () => {
    fc.assert(
      fc.property(gappySequences, cuts, renumberings, (sequences, cut, map) => {
        const pages = walkOf(sequences, cut, 0);
        for (const read of [pages, renumbered(pages, map)]) {
          expect(judgeEmptyPagesMoveOn(read).problems).toEqual([]);
        }
      }),
    );
  });
});

describe('what is said of a cursor', () => {
  it('names what it had to reach and what it is', () => {
    const still = Array.from({ length: stallsForEver }, (_, count) =>
      pageOf({ after: 5, next: 5, more: true, at: [10 * count, 10 * count + 1] }),
    );
    expect(judgeEmptyPagesMoveOn(still).problems).toEqual([
      {
        expected: 'pages without items to move on from 5 while has_more is true',
        actual: `next_after 5 ${stallsForEver} times in a row`,
      },
    ]);
  });
});
