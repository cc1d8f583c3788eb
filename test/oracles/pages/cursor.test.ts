import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  isEmptyAndStill,
  judgeEmptyPagesMoveOn,
  judgeNextNeverFallsBack,
  judgeNextNotBehindItems,
  judgeNextPassesTheCursor,
  judgeWatermarkCoversThePage,
  judgeWatermarkNeverFalls,
  stallsForEver,
} from '../../../oracles/pages/cursor.ts';
import { cuts, gappySequences, renumbered, renumberings, settleMs, walkOf } from '../clean-stream.ts';
import { item, pageOf } from '../page-of.ts';

describe('next_after and the items of its page', () => {
  it.each([
    [8, 1],
    [9, 0],
    [10, 0],
  ])('judges next_after %s on a page that ends at 9: %s problems', (next, problems) => {
    const judgement = judgeNextNotBehindItems([pageOf({ after: 5, items: [7, 9], next, more: true })]);
    expect(judgement.judged).toBe(1);
    expect(judgement.problems).toHaveLength(problems);
  });

  it('decides nothing by a page without items', () => {
    expect(judgeNextNotBehindItems([pageOf({ after: 5, next: 4 })]).judged).toBe(0);
  });

  it.each([
    ['announces nothing', { items: [7], more: false }],
    ['has an item at the cursor', { items: [5, 7], more: true }],
  ])('judges a cursor that does not move on a page that %s', (_what, facts) => {
    expect(judgeNextNotBehindItems([pageOf({ after: 5, next: 5, ...facts })]).problems).toHaveLength(1);
  });

  it('leaves a page that does not move at all to the rule about moving', () => {
    const stalled = pageOf({ after: 5, items: [7, 9], next: 5, more: true });
    expect(judgeNextNotBehindItems([stalled]).judged).toBe(0);
    expect(judgeNextPassesTheCursor([stalled]).problems).toEqual([
      { expected: 'next_after beyond 5', actual: 'next_after 5 with has_more true' },
    ]);
  });

  it.each([
    [4, 1],
    [5, 1],
    [6, 0],
  ])('judges next_after %s of a page read after 5 that announces more: %s problems', (next, problems) => {
    const judgement = judgeNextPassesTheCursor([pageOf({ after: 5, items: [7, 9], next, more: true })]);
    expect(judgement.judged).toBe(1);
    expect(judgement.problems).toHaveLength(problems);
  });

  it('judges no movement on a last page, an empty page, or one whose items lie at the cursor', () => {
    const pages = [
      pageOf({ after: 5, items: [7], next: 5, more: false }),
      pageOf({ after: 5, items: [], next: 5, more: true }),
      pageOf({ after: 5, items: [5], next: 5, more: true }),
    ];
    expect(judgeNextPassesTheCursor(pages).judged).toBe(0);
  });
});

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

describe('the cursor of a quiet stream', () => {
  /** Two pages read with 9 as cursor, the second one `pauseMs` after the first. */
  const pages = (next: readonly [number, number], pauseMs = settleMs + 1) => [
    pageOf({ after: 9, next: next[0], at: [0, 10] }),
    pageOf({ after: 9, next: next[1], at: [10 + pauseMs, 20 + pauseMs] }),
  ];

  it.each([
    [8, 1],
    [9, 0],
    [10, 0],
  ])('asked with 9 answers %s every time: %s problems', (next, problems) => {
    const judgement = judgeNextNeverFallsBack(pages([next, next]), settleMs);
    expect(judgement.judged).toBe(2);
    expect(judgement.problems).toHaveLength(problems);
  });

  it.each([[[7, 9]], [[9, 7]], [[7, 9, 7]]])('may fall back, on a replica that lags: %o', (nexts) => {
    const reads = nexts.map((next, index) =>
      pageOf({ after: 9, next, at: [1000 * index, 1000 * index + 10] }),
    );
    expect(judgeNextNeverFallsBack(reads, settleMs)).toEqual({ judged: 1, problems: [] });
  });

  it('falls back for good where the last fall is late, however early the others', () => {
    const reads = [0, 20, 2000].map((ms) => pageOf({ after: 9, next: 8, at: [ms, ms + 10] }));
    expect(judgeNextNeverFallsBack(reads, settleMs)).toMatchObject({ judged: 3, problems: [{}] });
  });

  it.each([
    [settleMs, 0],
    [settleMs + 1, 1],
  ])('falls back for good only after the settle time, here %s ms: %s problems', (pauseMs, problems) => {
    const judgement = judgeNextNeverFallsBack(pages([8, 8], pauseMs), settleMs);
    expect(judgement.judged === 0).toBe(problems === 0);
    expect(judgement.problems).toHaveLength(problems);
  });

  it('is not judged by pages with items', () => {
    const withItems = (page: ReturnType<typeof pageOf>) => ({ ...page, items: [item(11)] });
    expect(judgeNextNeverFallsBack(pages([7, 7]).map(withItems), settleMs).judged).toBe(0);
  });

  it('is not judged by pages that were asked without one', () => {
    const without = (page: ReturnType<typeof pageOf>) => ({ ...page, after: undefined });
    expect(judgeNextNeverFallsBack(pages([7, 7]).map(without), settleMs).judged).toBe(0);
  });
});

describe('watermarks', () => {
  it('cover nothing where a page shows none, or nothing to cover', () => {
    const page = pageOf({ after: 5, items: [7] });
    expect(judgeWatermarkCoversThePage([{ ...page, highWatermark: undefined }]).judged).toBe(0);
    expect(judgeWatermarkCoversThePage([{ ...page, items: [], nextAfter: undefined }]).judged).toBe(0);
  });

  it.each([
    [{ items: [7, 9], next: 9, watermark: 8 }, 1],
    [{ items: [7, 9], next: 9, watermark: 9 }, 0],
    [{ items: [7, 9], next: 10, watermark: 9 }, 1],
    [{ items: [7, 9], next: 9, watermark: 10 }, 0],
  ])('cover their page: %o has %s problems', (facts, problems) => {
    expect(judgeWatermarkCoversThePage([pageOf({ after: 5, ...facts })]).problems).toHaveLength(problems);
  });

  it.each([
    [settleMs - 1, 0, 0],
    [settleMs, 0, 0],
    [settleMs + 1, 1, 1],
  ])('do not fall between reads %s ms apart: judged %s, %s problems', (pauseMs, judged, problems) => {
    const judgement = judgeWatermarkNeverFalls(
      [
        pageOf({ after: 0, watermark: 9, at: [0, 10] }),
        pageOf({ after: 0, watermark: 8, at: [10 + pauseMs, 20 + pauseMs] }),
      ],
      settleMs,
    );
    expect(judgement.judged).toBe(judged);
    expect(judgement.problems).toHaveLength(problems);
  });

  it('may stay, or rise, however far apart', () => {
    const reads = [9, 9, 10].map((watermark, index) =>
      pageOf({ after: 0, watermark, at: [1000 * index, 1000 * index + 1] }),
    );
    expect(judgeWatermarkNeverFalls(reads, settleMs)).toEqual({ judged: 2, problems: [] });
  });

  it.each([
    ['below one that has not settled', [5, 9, 8], 1],
    ['at the one that settled, below one that has not', [5, 9, 5], 1],
    ['below both', [5, 9, 4], 2],
    ['at both', [5, 5, 5], 2],
  ])('decide nothing until the higher one has settled: %s', (_what, watermarks, judged) => {
    const reads = watermarks.map((watermark, index) =>
      pageOf({ after: 0, watermark, at: index === 0 ? [0, 1] : [1000 + 10 * index, 1001 + 10 * index] }),
    );
    expect(judgeWatermarkNeverFalls(reads, settleMs).judged).toBe(judged);
  });

  it('are not judged where a page shows none', () => {
    const shown = pageOf({ after: 0, watermark: 9, at: [0, 1] });
    const silent = { ...pageOf({ after: 0, at: [1000, 1001] }), highWatermark: undefined };
    expect(judgeWatermarkNeverFalls([shown, silent], settleMs).judged).toBe(0);
  });

  it('are held against the highest of all that settled before, in whatever order they are given', () => {
    const reads = [9, 4, 8].map((watermark, index) =>
      pageOf({ after: 0, watermark, at: [1000 * index, 1000 * index + 1] }),
    );
    expect(
      judgeWatermarkNeverFalls(reads.toReversed(), settleMs).problems.map(({ actual }) => actual),
    ).toEqual(['high_watermark 8', 'high_watermark 4']);
  });
});

describe('any walk of a stream with gaps', () => {
  it('is clean however it is cut, and keeps its verdict under other rising numbers', () => {
    fc.assert(
      fc.property(gappySequences, cuts, renumberings, (sequences, cut, map) => {
        const pages = walkOf(sequences, cut, 0);
        for (const read of [pages, renumbered(pages, map)]) {
          expect(judgeNextNotBehindItems(read).problems).toEqual([]);
          expect(judgeNextPassesTheCursor(read).problems).toEqual([]);
          expect(judgeEmptyPagesMoveOn(read).problems).toEqual([]);
          expect(judgeNextNeverFallsBack(read, 0).problems).toEqual([]);
          expect(judgeWatermarkCoversThePage(read).problems).toEqual([]);
          expect(judgeWatermarkNeverFalls(read, 0).problems).toEqual([]);
        }
      }),
    );
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

describe('what cannot be read of a page', () => {
  const page = pageOf({ after: 5, items: [7, 9], next: 9, more: true, watermark: 9 });
  const nothing = { judged: 0, problems: [] };

  it('is not judged', () => {
    expect(judgeNextNotBehindItems([{ ...page, nextAfter: undefined }])).toEqual(nothing);
    expect(judgeNextPassesTheCursor([{ ...page, nextAfter: undefined }])).toEqual(nothing);
    expect(judgeNextPassesTheCursor([{ ...page, after: undefined, nextAfter: 3n }])).toEqual(nothing);
    expect(judgeNextPassesTheCursor([{ ...page, items: [item(4), item(7)], nextAfter: 3n }])).toEqual(
      nothing,
    );
    expect(judgeWatermarkCoversThePage([{ ...page, highWatermark: undefined }])).toEqual(nothing);
    expect(judgeWatermarkCoversThePage([{ ...page, items: [], nextAfter: undefined }])).toEqual(nothing);
    expect(judgeNextNeverFallsBack([{ ...page, items: [], nextAfter: undefined }])).toEqual(nothing);
    expect(judgeNextNeverFallsBack([])).toEqual(nothing);
  });

  it('leaves the rest of it to be judged', () => {
    const nameless = { ...page, items: [{ sequence: undefined, id: 'm' }], nextAfter: 3n };
    expect(judgeNextNotBehindItems([nameless]).problems).toEqual([]);
  });
});

describe('what is said of a cursor', () => {
  it('names what it had to reach and what it is', () => {
    const unsorted = pageOf({ after: 5, items: [9, 7], next: 8 });
    expect(judgeNextNotBehindItems([unsorted]).problems).toEqual([
      { expected: "next_after of at least 9, the last item's sequence", actual: 'next_after 8' },
    ]);
    expect(judgeWatermarkCoversThePage([pageOf({ after: 5, items: [9], watermark: 8 })]).problems).toEqual([
      { expected: 'nothing above high_watermark 8', actual: '9 on its page' },
    ]);
    const fallen = [0, 10].map((ms) => pageOf({ after: 9, next: 8, at: [ms, ms + 1] }));
    expect(judgeNextNeverFallsBack(fallen).problems).toEqual([
      { expected: 'next_after of at least 9', actual: 'next_after 8' },
    ]);
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

  it('compares a watermark with the highest before it', () => {
    const marks = [5, 7, 6, 7].map((watermark, count) =>
      pageOf({ after: 0, watermark, at: [10 * count, 10 * count + 1] }),
    );
    expect(judgeWatermarkNeverFalls(marks, 0)).toEqual({
      judged: 3,
      problems: [{ expected: 'high_watermark of at least 7 as before', actual: 'high_watermark 6' }],
    });
  });
});
