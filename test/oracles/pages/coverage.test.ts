import { describe, expect, it } from 'vitest';
import {
  judgeFromTheOldest,
  judgeHoldsAll,
  judgeMoreWhileItemsRemain,
  judgeReadAgain,
} from '../../../oracles/pages/coverage.ts';
import type { TimedPage } from '../../../oracles/pages/read-page.ts';
import { cuts, gappySequences, renumbered, renumberings, settleMs, walkOf } from '../clean-stream.ts';
import { item, pageOf } from '../page-of.ts';
import fc from 'fast-check';

const whole = [2, 4, 6, 8];

/** A read of everything that ends at `endMs`. */
const readBefore = (endMs: number): TimedPage => pageOf({ after: 0, items: whole, at: [endMs - 10, endMs] });
/** A read of everything that begins at `startMs`. */
const readAt = (startMs: number): TimedPage =>
  pageOf({ after: 0, items: whole, at: [startMs, startMs + 10] });

describe('more', () => {
  /** Ends at 6 at 1000–1010 ms. */
  const ends = (facts: Parameters<typeof pageOf>[0] = {}) =>
    pageOf({ after: 0, items: [2, 4, 6], more: false, at: [1000, 1010], ...facts });

  it('is denied wrongly when something known lies beyond, as its first sight, the page and its last sight show', () => {
    const reads = [readBefore(300), readBefore(500), ends(), readAt(1500), readAt(2000)];
    expect(judgeMoreWhileItemsRemain(reads, settleMs).problems).toEqual([
      {
        expected: 'has_more true, since message m8 at sequence 8 lies beyond 6',
        actual: 'has_more false',
        witness: [reads[0], reads[2], reads[4]],
      },
    ]);
  });

  it.each([
    [7, 1],
    [8, 0],
    [9, 0],
  ])('is about what lies beyond a next_after of %s: %s problems', (next, problems) => {
    expect(
      judgeMoreWhileItemsRemain([readBefore(500), ends({ next }), readAt(2000)], settleMs).problems,
    ).toHaveLength(problems);
  });

  it.each([
    [1000 - settleMs - 1, 1],
    [1000 - settleMs, 0],
  ])('gives a replica its time: known at %s ms, %s problems', (ms, problems) => {
    expect(judgeMoreWhileItemsRemain([readBefore(ms), ends(), readAt(2000)], settleMs).problems).toHaveLength(
      problems,
    );
  });

  it.each([
    [1010 + settleMs, 0],
    [1010 + settleMs + 1, 1],
  ])('needs what lies beyond to stay: seen at %s ms, %s problems', (ms, problems) => {
    expect(judgeMoreWhileItemsRemain([readBefore(500), ends(), readAt(ms)], settleMs).problems).toHaveLength(
      problems,
    );
  });

  it('is judged, and right, where it is announced', () => {
    const judgement = judgeMoreWhileItemsRemain(
      [readBefore(500), ends({ more: true }), readAt(2000)],
      settleMs,
    );
    expect(judgement).toEqual({ judged: 1, problems: [] });
  });

  it('is denied wrongly by an empty page in front of everything', () => {
    const empty = pageOf({ after: 0, at: [1000, 1010] });
    expect(judgeMoreWhileItemsRemain([readBefore(500), empty, readAt(2000)], settleMs).problems).toHaveLength(
      1,
    );
  });

  it('is rightly announced by what was known a moment ago, and need not stay', () => {
    const newer = pageOf({ after: 8, items: [9], at: [2000, 2010] });
    expect(judgeMoreWhileItemsRemain([readBefore(999), ends({ more: true }), newer], settleMs)).toEqual({
      judged: 1,
      problems: [],
    });
    expect(judgeMoreWhileItemsRemain([readBefore(1000), ends({ more: true })], settleMs).judged).toBe(0);
  });

  it('is not judged where a page says nothing of it', () => {
    const silent = { ...ends(), hasMore: undefined };
    expect(judgeMoreWhileItemsRemain([readBefore(500), silent, readAt(2000)], settleMs).judged).toBe(0);
  });

  it('may be announced although nothing follows', () => {
    expect(
      judgeMoreWhileItemsRemain([readBefore(500), ends({ items: whole, more: true }), readAt(2000)], settleMs)
        .problems,
    ).toEqual([]);
  });
});

describe('the oldest', () => {
  it.each([
    [[2, 4], 0],
    [[1, 2], 0],
    [[4, 6], 1],
    [[], 0],
  ])('begins a page from 0 that shows %o: %s problems', (items, problems) => {
    const page = pageOf({ after: 0, items, more: true, at: [1000, 1010] });
    expect(judgeFromTheOldest([readBefore(500), page, readAt(2000)], settleMs).problems).toHaveLength(
      problems,
    );
  });

  it.each([
    [[1, 2], 1],
    [[2, 4], 1],
    [[4, 6], 0],
    [[], 0],
  ])('is judged at once by a page that begins with it or before: %o counts %s', (items, judged) => {
    const page = pageOf({ after: 0, items, next: 8, at: [1000, 1010] });
    expect(judgeFromTheOldest([readBefore(500), page], settleMs)).toMatchObject({ judged, problems: [] });
  });

  it('is owed by pages from 0 alone', () => {
    const page = pageOf({ after: 4, items: [6, 8], at: [1000, 1010] });
    expect(judgeFromTheOldest([readBefore(500), page, readAt(2000)], settleMs).problems).toEqual([]);
  });

  it('is missed by an empty page that reaches beyond it', () => {
    const page = pageOf({ after: 0, next: 8, at: [1000, 1010] });
    expect(judgeFromTheOldest([readBefore(500), page, readAt(2000)], settleMs).problems).toMatchObject([
      {
        expected: 'the page from 0 to begin at message m2 at sequence 2 or before',
        actual: 'it begins at nothing',
      },
    ]);
  });
});

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

describe('any stream with gaps', () => {
  const rules = [judgeMoreWhileItemsRemain, judgeFromTheOldest];

  it('is clean however its walks are cut, while it grows, and keeps its verdict under other rising numbers', () => {
    fc.assert(
      fc.property(gappySequences, cuts, cuts, fc.nat(), renumberings, (sequences, one, other, grown, map) => {
        const early = sequences.slice(0, 1 + (grown % sequences.length));
        const reads = [
          ...walkOf(early, one, 0),
          ...walkOf(sequences, other, 1000),
          ...walkOf(sequences, one, 2000),
        ];
        for (const history of [reads, renumbered(reads, map)]) {
          for (const rule of rules) expect(rule(history, settleMs).problems).toEqual([]);
        }
      }),
    );
  });

  it('fails no less and no more when foreign reads come in between', () => {
    fc.assert(
      fc.property(gappySequences, cuts, fc.nat(3000), (sequences, cut, atMs) => {
        const reads = [
          ...walkOf(sequences, cut, 0),
          ...walkOf(sequences, cut, 1000),
          ...walkOf(sequences, cut, 2000),
        ];
        const foreign = walkOf(sequences, cut, atMs);
        for (const rule of rules) expect(rule([...foreign, ...reads], settleMs).problems).toEqual([]);
      }),
    );
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
