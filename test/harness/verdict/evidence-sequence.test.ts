import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../../harness/client/exchange.ts';
import { changesBefore, sequenceOf } from '../../../harness/verdict/evidence-sequence.ts';
import { Ledger } from '../../../harness/verdict/ledger.ts';
import type { Failure } from '../../../harness/verdict/outcome.ts';
import { exchangeOf } from '../../fixtures/exchange.ts';

/** A send, accepted unless told otherwise. */
function sendOf(id: number, key: string, marker: string, status = 201): Exchange {
  const body = `{"content":"${marker} a text"}`;
  return exchangeOf(
    { call: 'send', method: 'POST', headers: { 'idempotency-key': key }, body },
    { status },
    { id, startedMs: id, endedMs: id + 0.5 },
  );
}

function shownFor(exchange: Exchange, actual: string, others: readonly Exchange[]): readonly number[] {
  const failure: Failure = {
    clause: 'send.conflict-is-refused',
    expected: 'refused',
    actual,
    exchanges: [exchange],
  };
  const ledger = new Ledger();
  ledger.exchanges.push(...others, exchange);
  return sequenceOf(failure, [{ ledger, stop: { kind: 'failed', failure } }]).map(({ id }) => id);
}

describe('the sequence that decides', () => {
  it('begins with the send that had the key first, and leaves out those beside it', () => {
    const later = sendOf(3, 'k', 'cf-1-2.');
    expect(shownFor(later, 'status 201', [sendOf(1, 'other', 'cf-1-9.'), sendOf(2, 'k', 'cf-1-1.')])).toEqual(
      [2, 3],
    );
    expect(shownFor(later, 'status 201', [{ ...sendOf(2, 'k', 'cf-1-1.'), endedMs: 9 }])).toEqual([3]);
  });

  it('has the conflicts under its key, without which it may be one itself', () => {
    const sends = [sendOf(1, 'k', 'cf-1-1.'), sendOf(2, 'k', 'cf-1-2.', 409), sendOf(3, 'l', 'cf-1-3.', 409)];
    expect(shownFor(sendOf(4, 'k', 'cf-1-2.'), 'status 200', sends)).toEqual([1, 2, 4]);
  });

  it('has the send of a message that its words name, and none that was refused', () => {
    const read = sendOf(5, 'k', 'cf-1-5.');
    const sends = [sendOf(1, 'a', 'cf-1-1.'), sendOf(2, 'b', 'cf-1-2.', 400), sendOf(3, 'c', 'cf-1-3.')];
    expect(shownFor(read, 'cf-1-2. and cf-1-3. are there', sends)).toEqual([3, 5]);
  });
});

it('what the operator changed is told with the first request of the evidence after it, and not where none followed', () => {
  const [one, other] = [sendOf(1, 'a', 'cf-1-1.'), sendOf(5, 'b', 'cf-1-2.')];
  const failure: Failure = {
    clause: 'mentions.membership-rechecked',
    expected: 'refused',
    actual: 'status 201',
    exchanges: [one, other],
  };
  const ledger = new Ledger();
  ledger.changes.push({ text: 'access taken away', startedMs: 3 }, { text: 'a restart', startedMs: 9 });
  const attempts = [
    { ledger: new Ledger(), stop: undefined },
    { ledger, stop: { kind: 'failed', failure } },
  ] as const;
  expect(changesBefore(failure, attempts, [one, other])).toEqual([{ text: 'access taken away', before: 2 }]);
  expect(changesBefore(failure, attempts.slice(0, 1), [one, other])).toEqual([]);
});
