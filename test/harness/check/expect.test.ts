import { describe, expect, it } from 'vitest';
import { createExpect } from '../../../harness/check/expect.ts';
import { Ledger } from '../../../harness/verdict/ledger.ts';
import { CheckStopped } from '../../../harness/verdict/outcome.ts';
import { maxContentBytes } from '../../../spec/index.ts';
import { sendMessage } from '../../../spec/calls/index.ts';
import { exchangeOf } from '../../fixtures/exchange.ts';

const clause = 'message.attachments.captured';

/** What is wrong with a value beside the one that is expected; `undefined` when nothing is. */
function problemOf(actual: unknown, expected: unknown): readonly [string, string] | undefined {
  try {
    createExpect(new Ledger(), 'message.some-check', [clause]).equal(clause, 'file ids', actual, expected);
    return undefined;
  } catch (error) {
    if (!(error instanceof CheckStopped) || error.stop.kind !== 'failed') throw error;
    return [error.stop.failure.expected, error.stop.failure.actual];
  }
}

const ids = Array.from(
  { length: 20 },
  (_, index) => `${String(index).padStart(8, '0')}-aaaa-4aaa-8aaa-aaaaaaaaaaaa`,
);

describe('equality of values', () => {
  it('holds for the same ones, however long', () => {
    expect(problemOf([...ids], ids)).toBe(undefined);
  });

  it('does not hold where they differ after hundreds of characters, and are of one length', () => {
    const replaced = [...ids.slice(0, -1), 'ffffffff-aaaa-4aaa-8aaa-aaaaaaaaaaaa'];
    expect(problemOf(replaced, ids)).toEqual([
      `file ids with "${ids[19]}", 20 in all`,
      `20 in all, without "${ids[19]}", with "${replaced[19]}" beside`,
    ]);
  });

  it('shows short values whole', () => {
    expect(problemOf(['a'], ['a', 'b'])).toEqual(['file ids ["a","b"]', '["a"]']);
  });
});

describe('a send that is refused, and whose content is within its limit', () => {
  const refused = exchangeOf(sendMessage('c', { content: '\u0001'.repeat(maxContentBytes) }, 'key'), {
    status: 413,
  });
  const expectation = () => createExpect(new Ledger(), 'message.some-check', [clause])(clause, refused);

  it('may be refused for the length of its body, but by a clause that gives it room', () => {
    expectation().toBeAccepted();
    expect(() => expectation().toBeAcceptedAtAnyLength()).toThrow(CheckStopped);
  });
});
