import { expect, it } from 'vitest';
import { RankTree } from '../../../history/world/rank-tree.ts';

it.each([0, 1, 2, 3, 7, 8, 9, 33])('a rank tree of %d numbers finds what a search finds', (size) => {
  const values = Float64Array.from({ length: size }, (_, index) => (index * 7919) % 31);
  const tree = new RankTree(values);
  for (let rank = 1; rank < size; rank += 5) {
    tree.remove(rank);
    values[rank] = Number.NEGATIVE_INFINITY;
  }
  for (let from = -1; from <= size; from += 1) {
    for (let bound = -1; bound <= 32; bound += 1) {
      const expected = values.findIndex((value, rank) => rank >= from && value > bound);
      expect(tree.nextAbove(from, bound)).toBe(expected === -1 ? size : expected);
    }
  }
});
