import { describe, expect, it } from 'vitest';
import { judgeStored, type StoredItem } from '../../../../spec/oracles/messages/idempotency.ts';

const item = (id: string | undefined, sequence: bigint | undefined, content = 'mark text'): StoredItem => ({
  id,
  sequence,
  content,
});
const once = { atLeast: 1, atMost: 1 };
const twiceOrMore = { atLeast: 2, atMost: Number.POSITIVE_INFINITY };

describe('messages with one mark', () => {
  it.each([
    ['one', [item('a', 1n)], 0],
    ['two', [item('a', 1n), item('b', 2n)], 1],
    ['one among others', [item('a', 1n), item('b', 2n, 'other')], 0],
    ['one read twice', [item('a', 1n), item('a', 1n)], 0],
    ['one listed at two places, which is another rule', [item('a', 1n), item('a', 2n)], 0],
    ['two without ids', [item(undefined, 1n), item(undefined, 2n)], 0],
  ])('are counted against exactly one: %s', (_name, items, problems) => {
    expect(judgeStored(items, 'mark', once)).toMatchObject({ judged: 1 });
    expect(judgeStored(items, 'mark', once).problems).toHaveLength(problems);
  });

  it.each([
    ['one', [item('a', 1n)], 1],
    ['one read twice', [item('a', 1n), item('a', 1n)], 1],
    ['two', [item('a', 1n), item('b', 2n)], 0],
    ['three', [item('a', 1n), item('b', 2n), item('c', 3n)], 0],
    ['two that share an id, which is another rule', [item('a', 1n), item('a', 2n)], 0],
  ])('are counted against two or more: %s', (_name, items, problems) => {
    expect(judgeStored(items, 'mark', twiceOrMore).problems).toHaveLength(problems);
  });

  it('are not counted where there is none', () => {
    expect(judgeStored([item('a', 1n, 'other')], 'mark', once)).toEqual({ judged: 0, problems: [] });
  });

  it('say how many were wanted and how many came', () => {
    expect(judgeStored([item('a', 1n)], 'mark', twiceOrMore).problems).toEqual([
      { expected: 'at least 2 with the marker mark', actual: '1' },
    ]);
  });
});

describe('what is said of messages of one mark', () => {
  const three = [item('a', 1n), item('b', 2n), item('c', 3n)];

  it.each([
    [once, 'exactly 1'],
    [{ atLeast: 1, atMost: 2 }, '1 to 2'],
  ])('names the bounds %o', (bounds, words) => {
    expect(judgeStored(three, 'mark', bounds).problems).toEqual([
      { expected: `${words} with the marker mark`, actual: '3' },
    ]);
  });

  it('counts those with it, whatever has no content', () => {
    const empty: StoredItem = { id: 'x', sequence: 9n, content: undefined };
    expect(judgeStored([empty, ...three], 'mark', { atLeast: 3, atMost: 3 }).problems).toEqual([]);
  });
});
