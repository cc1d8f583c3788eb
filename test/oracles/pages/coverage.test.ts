import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { judgeFromTheOldest, judgeHoldsAll } from '../../../oracles/pages/coverage.ts';
import type { TimedPage } from '../../../oracles/pages/read-page.ts';
import { cuts, gappySequences, renumbered, renumberings, settleMs, walkOf } from '../clean-stream.ts';
import { item, pageOf } from '../page-of.ts';

const whole = [2, 4, 6, 8];

/** A read of everything that ends at `endMs`. */
const readBefore = (endMs: number): TimedPage => pageOf({ after: 0, items: whole, at: [endMs - 10, endMs] });
/** A read of everything that begins at `startMs`. */
const readAt = (startMs: number): TimedPage =>
  pageOf({ after: 0, items: whole, at: [startMs, startMs + 10] });

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
          expect(judgeFromTheOldest(history, settleMs).problems).toEqual([]);
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
        expect(judgeFromTheOldest([...foreign, ...reads], settleMs).problems).toEqual([]);
      }),
    );
  });
});
