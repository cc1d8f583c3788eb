import { describe, expect, it } from 'vitest';
import type { Read } from '../../../../history/operation.ts';
import { Cursors } from '../../../../fuzz/stress/scene/cursors.ts';
import { read } from '../operations.ts';

function page(nextAfter: number | bigint | undefined, outcome: Read['outcome'] = 'accepted'): Read {
  return read(0, 1, { nextAfter, outcome });
}

describe('Cursors', () => {
  it('knows the start, the end and every issued cursor of a stream', () => {
    const cursors = new Cursors(new Map([['c', 10]]));
    for (const next of [12, 15, 13]) cursors.note('client 1', 'c', page(next), 'end');
    expect(cursors.cursorFor('client 1', 'c', 'own')).toBe(10);
    expect(cursors.cursorFor('client 2', 'c', 'end')).toBe(15);
    expect(cursors.cursorFor('client 2', 'c', 'zero')).toBe(0);
    expect(cursors.cursorFor('client 2', 'c', 'none')).toBeUndefined();
    expect([0, 1, 2, 3, 4].map((index) => cursors.cursorFor('client 2', 'c', index))).toEqual([
      10, 12, 15, 13, 10,
    ]);
  });

  it('goes on where a client stopped that follows its own cursor, and only there', () => {
    const cursors = new Cursors(new Map([['c', 10]]));
    cursors.note('client 1', 'c', page(12), 'own');
    cursors.note('client 1', 'c', page(20), 0);
    cursors.note('client 1', 'c', page(30, 'indeterminate'), 'own');
    expect(cursors.cursorFor('client 1', 'c', 'own')).toBe(12);
    expect(cursors.cursorFor('client 2', 'c', 'own')).toBe(10);
    expect(cursors.cursorFor('client 1', 'd', 'own')).toBe(0);
    expect(cursors.cursorFor('client 1', 'd', 7)).toBe(0);
  });

  it('takes note of sequences beyond 2^53 as they are', () => {
    const cursors = new Cursors(new Map([['c', 2n ** 60n]]));
    cursors.note('client 1', 'c', page(2n ** 60n + 1n), 'own');
    expect(cursors.cursorFor('client 1', 'c', 'own')).toBe(2n ** 60n + 1n);
  });
});
