import { describe, expect, it } from 'vitest';
import { judgeAscending, judgeDistinctSequences, judgeBehind } from '../../../oracles/pages/order.ts';
import { cuts, gappySequences, renumbered, renumberings, walkOf } from '../clean-stream.ts';
import { item } from '../page-of.ts';
import fc from 'fast-check';

const big = 2n ** 60n;

describe('ascending', () => {
  it.each([
    ['one below', big - 1n, 1],
    ['equal, which is no matter of order', big, 0],
    ['one above', big + 1n, 0],
  ])('finds %s its predecessor: %s problems', (_, second, problems) => {
    const judgement = judgeAscending([item(big), item(second)]);
    expect(judgement.judged).toBe(1);
    expect(judgement.problems).toHaveLength(problems);
  });

  it('decides nothing by a single item or by items without a usable sequence', () => {
    expect(judgeAscending([item(3), { sequence: undefined, id: 'x' }]).judged).toBe(0);
  });

  it('finds a swap anywhere in a page, by name', () => {
    expect(judgeAscending([item(1), item(4), item(3), item(9)]).problems).toEqual([
      { expected: 'a sequence above 4', actual: '3 right after it' },
    ]);
  });
});

describe('distinct sequences', () => {
  it.each([
    [big - 1n, 0],
    [big, 1],
    [big + 1n, 0],
  ])('compares 2^60 with %s beyond what a double can tell apart: %s problems', (second, problems) => {
    const judgement = judgeDistinctSequences([item(big, 'a'), item(second, 'b')]);
    expect(judgement.judged).toBe(2);
    expect(judgement.problems).toHaveLength(problems);
  });

  it('decides nothing by a single item', () => {
    expect(judgeDistinctSequences([item(1)]).judged).toBe(0);
  });
});

describe('any stream with gaps', () => {
  it('is clean however its walk is cut, and keeps its verdict under other rising numbers', () => {
    fc.assert(
      fc.property(gappySequences, cuts, renumberings, (sequences, cut, map) => {
        const pages = walkOf(sequences, cut, 0);
        for (const read of [pages, renumbered(pages, map)]) {
          const items = read.flatMap((page) => page.items);
          expect(items).toHaveLength(sequences.length);
          expect(judgeAscending(items).problems).toEqual([]);
          expect(judgeDistinctSequences(items).problems).toEqual([]);
        }
      }),
    );
  });

  it('shows a swap of any two neighbours, and an item repeated anywhere, under any rising numbers', () => {
    fc.assert(
      fc.property(gappySequences, fc.nat(), renumberings, (sequences, at, map) => {
        const items = sequences.map((sequence) => item(map(sequence)));
        const place = at % (items.length - 1);
        const swapped = items.toSpliced(place, 2, items[place + 1] ?? item(0), items[place] ?? item(0));
        expect(judgeAscending(swapped).problems).toHaveLength(1);
        const repeated = items.toSpliced(place, 0, items[place] ?? item(0));
        expect(judgeDistinctSequences(repeated).problems).toHaveLength(1);
      }),
    );
  });
});

describe('what is said of an order', () => {
  it('names what was wanted and what came', () => {
    expect(judgeDistinctSequences([item(2, 'a'), item(2, 'b')]).problems).toEqual([
      { expected: 'a sequence of its own for every item', actual: 'sequence 2 twice' },
    ]);
  });

  it('is nothing where nothing is judged', () => {
    expect(judgeDistinctSequences([item(2)])).toEqual({ judged: 0, problems: [] });
  });
});

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
