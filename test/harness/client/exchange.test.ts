import { describe, expect, it } from 'vitest';
import { listMentions, sendMessage } from '../../../spec/calls/index.ts';
import { type Exchange, isRefusedForLength, longestChain } from '../../../harness/client/exchange.ts';
import { exchangeOf } from '../../fixtures/exchange.ts';
import { mayBeTooLong } from '../../../spec/oracles/requests/sent-body.ts';
import { maxContentBytes } from '../../../spec/index.ts';

const spelled = (count: number) => sendMessage('c', { content: '\u0001'.repeat(count) }, 'key');
const longest = spelled(maxContentBytes);

const answered = (request: typeof longest, status: number): Exchange => exchangeOf(request, { status });

describe('a body', () => {
  it('is sure to be taken when it is about as long as the longest content', () => {
    const plain = sendMessage('c', { content: 'x'.repeat(maxContentBytes) }, 'key');
    expect([plain, spelled(83_340), longest].map(({ body }) => mayBeTooLong({ body }))).toEqual([
      false,
      false,
      true,
    ]);
    expect(mayBeTooLong({ body: undefined })).toBe(false);
  });

  it('that is longer may be refused, but not for its credential, nor by an answer that is no refusal', () => {
    const statuses = [201, 301, 400, 401, 413, 422, 429, 499, 500, 503];
    expect(statuses.filter((status) => isRefusedForLength(answered(longest, status)))).toEqual([
      400, 413, 422, 429, 499,
    ]);
    expect(isRefusedForLength(answered(spelled(83_340), 413))).toBe(false);
  });
});

it('a query that is longer than any that is sure to be read may be refused', () => {
  const asked = (length: number) => listMentions('x'.repeat(length));
  expect(isRefusedForLength(answered(asked(2_048), 414))).toBe(false);
  expect(isRefusedForLength(answered(asked(2_049), 414))).toBe(true);
});

const at = (startedMs: number, endedMs: number) => ({ startedMs, endedMs });

it.each([
  ['nothing', [], 0],
  ['requests side by side', [at(0, 10), at(1, 9), at(2, 11)], 1],
  ['requests one after another', [at(0, 1), at(1, 2), at(2, 3)], 3],
  ['a wait beside others', [at(0, 100), at(0, 10), at(10, 20), at(20, 30)], 3],
  ['exchanges that were noted out of order', [at(20, 30), at(0, 10), at(10, 20)], 3],
  ['two that overlap by a moment', [at(0, 10), at(9.9, 20)], 1],
])('the longest chain of %s is right', (_, exchanges, length) => {
  expect(longestChain(exchanges)).toBe(length);
});
