import { expect, it } from 'vitest';
import type { Exchange } from '../../../harness/client/exchange.ts';
import { judgeCheck, type JudgedCheck } from '../../../harness/run/judge-check.ts';
import { retryHeldChecks, withoutBodies } from '../../../harness/run/lone-retries.ts';
import { Ledger } from '../../../harness/verdict/ledger.ts';
import { checkOf } from '../../fixtures/check.ts';
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
    check: checkOf('page.lone'),
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

/** A check of a hook's work that meets a server error in each attempt, in the read that `queryOf` gives. */
async function retried(queryOf: (attempt: number) => string): Promise<JudgedCheck | undefined> {
  const closed = checkOf('auth.lone', { clauses: [clause], needs: ['revoke-hook'] });
  let attempts = 0;
  const tryOnce = (): ReturnType<Parameters<typeof judgeCheck>[1]> => {
    const query = queryOf((attempts += 1));
    const error = exchangeOf({ call: 'mentions', path: '/v0/mentions', query }, { status: 503 });
    const ledger = new Ledger();
    ledger.judge(clause);
    ledger.failures.push({ clause, expected: 'status 401', actual: 'status 503', exchanges: [error] });
    return Promise.resolve({ ledger, stop: undefined, observations: [], durationMs: 1, heldMs: 0 });
  };
  const [judged] = await retryHeldChecks([await judgeCheck(closed, tryOnce)], [], {
    tryOnce,
    good: new Map(),
    client: { exchange: () => Promise.resolve(listing(9)) },
    signal: new AbortController().signal,
    sleep: () => Promise.resolve(),
    renewed: (body) => body,
    note: () => undefined,
    faultShare: () => 0,
  });
  return judged;
}

it.each([
  ['one read, whatever its cursor', (attempt: number) => `after=${attempt}`, 'failed'],
  [
    'another read each time',
    (attempt: number) => ['after=0', 'limit=1', ''][attempt % 3] ?? '',
    'inconclusive',
  ],
])('a server error that the work of a hook meets in %s leaves it %s', async (_, queryOf, verdict) => {
  const judged = await retried(queryOf);
  expect(judged?.clauses.map((each) => each.verdict)).toEqual([verdict]);
});
