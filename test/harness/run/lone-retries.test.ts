import { expect, it } from 'vitest';
import { check } from '../../../harness/check/check.ts';
import type { Exchange } from '../../../harness/client/exchange.ts';
import type { JudgedCheck } from '../../../harness/run/judge-check.ts';
import { withoutBodies } from '../../../harness/run/lone-retries.ts';
import { Ledger } from '../../../harness/verdict/ledger.ts';
import { exchangeOf } from '../../fixtures/exchange.ts';

const clause = 'page.has-more-while-items-remain';

const listing = (id: number): Exchange =>
  exchangeOf(
    { call: 'mentions', path: '/v0/mentions' },
    { bytes: Buffer.from('{"a":1}'), json: { a: 1 } },
    { id, startedMs: id, endedMs: id + 1 },
  );

it('a check that waits to be run again keeps the bodies of its failures alone, and counts as before', () => {
  const [shown, other] = [listing(1), listing(2)];
  const ledger = new Ledger();
  ledger.exchanges.push(shown, other);
  const failure = { clause, expected: 'more', actual: 'less', exchanges: [shown] } as const;
  const judged: JudgedCheck = {
    check: check('page.lone', { title: 'x', clauses: [clause], needs: [] }, () => Promise.resolve()),
    clauses: [],
    failures: [{ failure, seen: { times: 1, of: 2 }, attempts: 2 }],
    attempts: [{ ledger, stop: undefined, observations: [], durationMs: 1, heldMs: 0 }],
    trouble: undefined,
    wantsQuiet: true,
  };
  const [first, second] = withoutBodies(judged).attempts[0]?.ledger.exchanges ?? [];
  expect(first).toBe(shown);
  expect(second).toMatchObject({ id: 2, startedMs: 2, response: { status: 200, json: undefined } });
  expect(second?.response?.bytes.byteLength).toBe(0);
});
