import { describe, expect, it } from 'vitest';
import { isEmptyAndStill, reachOf } from '../../../oracles/pages/read-page.ts';
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
