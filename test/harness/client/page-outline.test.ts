import { describe, expect, it } from 'vitest';
import { pageOutlineOf, outlineText, pathOfNamed, outlineRow } from '../../../harness/client/page-outline.ts';

const runId = 'cf-0123456789abcdef';
const range = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);

describe('a row of sequences', () => {
  it.each([
    ['those that rise by one together', range(1, 97), '1-97'],
    ['gaps', [1, 2, 4, 5, 6, 9], '1 2 4-6 9'],
    ['a fall, marked', [...range(1, 98), 100, 99], '1-98 ⟦100⟧ ⟦99⟧'],
    ['a number that comes twice', [3, 3, 4], '3 3 4'],
    ['numbers beyond 2^53', [2n ** 60n, 2n ** 60n + 1n, 2n ** 60n + 2n], `${2n ** 60n}-${2n ** 60n + 2n}`],
    ['an item without one', [1, undefined, 3], '1 ? 3'],
    ['nothing of none', [], ''],
  ])('shows %s', (_name, sequences, text) => {
    expect(outlineRow(sequences)).toBe(text);
  });

  it('leaves out what is far from a fall where it would be long', () => {
    const odd = range(0, 199).map((index) => 2 * index + 1);
    const row = outlineRow([...odd.slice(0, 100), 5_000, ...odd.slice(100)]);
    expect(row).toBe('1 3 5 … 195 197 199 ⟦5000⟧ ⟦201⟧ 203 205 207 … 395 397 399');
    expect(outlineRow(odd.toReversed()).length).toBeLessThan(200);
  });
});

describe('the outline of an answer', () => {
  const page = { next_after: 3, has_more: false, high_watermark: 9 };

  it('of a page are the sequences of its items and what it says of itself', () => {
    const messages = [1, 2, 3].map((sequence) => ({ id: `m${sequence}`, sequence }));
    expect(outlineText(pageOutlineOf({ messages, page }) ?? { list: '', sequences: [], page: 0 })).toBe(
      'messages: 3 items with the sequences 1 2 3\npage: {"next_after":3,"has_more":false,"high_watermark":9}'.replace(
        '1 2 3',
        '1-3',
      ),
    );
  });

  it('goes by the number of a mention, or of a message that is wrapped', () => {
    const mentions = [{ sequence: 7, message: { sequence: 1 } }];
    expect(pageOutlineOf({ mentions, page })?.sequences).toEqual([7]);
    expect(pageOutlineOf({ items: [{ message: { sequence: 1 } }] })?.sequences).toEqual([1]);
  });

  it('there is none of anything else', () => {
    for (const json of [
      undefined,
      null,
      [],
      'text',
      {},
      { message: { sequence: 1 } },
      { channels: [{ id: 'c' }] },
    ])
      expect(pageOutlineOf(json)).toBe(undefined);
    expect(pageOutlineOf({ mentions: [], page })?.sequences).toEqual([]);
  });
});

describe('the item that a finding names', () => {
  const id = '7d444840-9dc0-41d2-9b1a-2f1c7a3b8e10';
  const messages = [
    { id: 'x', sequence: 1, content: `${runId}-1. words` },
    { id, sequence: 2, content: `${runId}-12. words` },
  ];

  it('is found by its id, and by the marker that its content begins with', () => {
    expect(pathOfNamed({ messages }, `message ${id} as before`, runId)).toEqual(['messages', '1']);
    expect(pathOfNamed({ messages }, `the message ${runId}-1. is altered`, runId)).toEqual(['messages', '0']);
    expect(pathOfNamed({ messages }, `the message ${runId}-12. is altered`, runId)).toEqual([
      'messages',
      '1',
    ]);
    const mentions = [{ id, sequence: 4, message: { id, sequence: 1 } }];
    expect(pathOfNamed({ mentions }, id, runId)).toEqual(['mentions', '0']);
  });

  it('is none where it is not on the page, or where too little would name it', () => {
    expect(pathOfNamed({ messages }, `x and ${runId}-123.`, runId)).toBe(undefined);
    expect(pathOfNamed(undefined, id, runId)).toBe(undefined);
  });
});
