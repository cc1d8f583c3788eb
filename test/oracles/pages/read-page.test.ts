import { describe, expect, it } from 'vitest';
import { placed, reachOf } from '../../../oracles/pages/read-page.ts';
import { item, pageOf } from '../page-of.ts';

describe('a page', () => {
  it.each([
    ['its cursor', [2, 4], 7n, 7n],
    ['its last item', [2, 8], 7n, 8n],
    ['its highest item, in whatever order', [8, 3], undefined, 8n],
    ['nothing that is known', [], undefined, undefined],
  ])('reaches to %s', (_what, items, nextAfter, reach) => {
    expect(reachOf({ ...pageOf({ after: 0, items }), nextAfter })).toBe(reach);
  });

  it('has a place only for items with a sequence and an id', () => {
    const items = [item(1), { sequence: 2n, id: undefined }, { sequence: undefined, id: 'm3' }];
    expect(placed(items)).toEqual([{ sequence: 1n, id: 'm1' }]);
  });
});
