import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  isEmptyAndStill,
  judgeEmptyPagesMoveOn,
  judgeNextNotBehindItems,
  judgeNextPassesTheCursor,
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
          expect(judgeNextNotBehindItems(read).problems).toEqual([]);
          expect(judgeNextPassesTheCursor(read).problems).toEqual([]);
          expect(judgeEmptyPagesMoveOn(read).problems).toEqual([]);
        }
      }),
    );
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
