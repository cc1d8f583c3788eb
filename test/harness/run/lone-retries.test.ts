import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../../harness/client/exchange.ts';
import { judgeCheck, type JudgedCheck } from '../../../harness/run/judge-check.ts';
import type { Attempt } from '../../../harness/run/attempt.ts';
import { retryHeldChecks, sureOf, withoutBodies } from '../../../harness/run/lone-retries.ts';
import { Ledger } from '../../../harness/verdict/ledger.ts';
import { checkOf } from '../../fixtures/check.ts';
import { exchangeOf, unansweredOf } from '../../fixtures/exchange.ts';
import { askingAgain } from '../../fixtures/asking-again.ts';

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
  return alone(await judgeCheck(closed, tryOnce), tryOnce);
}

/** What a check that waits comes to when it is run again alone. */
async function alone(
  held: JudgedCheck,
  tryOnce: () => Promise<Attempt>,
  signal = new AbortController().signal,
): Promise<JudgedCheck | undefined> {
  const [judged] = await retryHeldChecks([held], [], {
    ...askingAgain(() => listing(9)),
    tryOnce,
    good: new Map(),
    signal,
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

describe('what was seen broken before trouble kept the next attempt from its end', () => {
  const other = 'mentions.ascending';
  const lone = checkOf('page.lone', { clauses: [clause, other] });

  /** An attempt that sees `broken`, judges all clauses, or comes to no end. */
  function attemptOf(met: 'all is well' | 'broken' | 'too slow', exchanges = [listing(1)]): Attempt {
    const ledger = new Ledger();
    ledger.exchanges.push(...exchanges);
    const failure = { clause, expected: 'more', actual: 'less', exchanges: exchanges.slice(0, 1) } as const;
    if (met !== 'too slow') for (const each of lone.clauses) ledger.judge(each);
    const stop =
      met === 'broken'
        ? ({ kind: 'failed', failure } as const)
        : met === 'too slow'
          ? ({ kind: 'timed-out', afterMs: 1 } as const)
          : undefined;
    return { ledger, stop, observations: [], durationMs: 1, heldMs: 0 };
  }

  async function heldAfter(...attempts: readonly Attempt[]): Promise<JudgedCheck> {
    const left = [...attempts];
    const judged = await judgeCheck(lone, () => Promise.resolve(left.shift() ?? attemptOf('too slow')));
    expect(judged.wantsQuiet).toBe(true);
    return judged;
  }

  const verdictsOf = (judged: JudgedCheck | undefined): unknown =>
    judged?.clauses.map(({ verdict }) => verdict);

  it('stays broken, whatever it does alone, and is told with how often it was seen', async () => {
    const judged = await alone(await heldAfter(attemptOf('broken')), () =>
      Promise.resolve(attemptOf('all is well')),
    );
    expect(verdictsOf(judged)).toEqual(['failed', 'passed']);
    expect(judged?.failures).toMatchObject([{ failure: { clause }, seen: { times: 1, of: 2 } }]);
    expect(judged?.attempts).toHaveLength(3);
  });

  it('stays broken where no time is left', async () => {
    const held = await heldAfter(attemptOf('broken'));
    expect(
      verdictsOf(await alone(held, () => Promise.reject(new Error('tried')), AbortSignal.abort())),
    ).toEqual(['failed', 'inconclusive']);
    expect(verdictsOf(sureOf(held))).toEqual(['failed', 'inconclusive']);
  });

  it('comes to nothing where the attempt that saw it met trouble too', async () => {
    const slow = unansweredOf('timeout', {}, { id: 3 });
    const held = await heldAfter(attemptOf('broken', [listing(1), slow]));
    expect(verdictsOf(await alone(held, () => Promise.resolve(attemptOf('all is well'))))).toEqual([
      'passed',
      'passed',
    ]);
    expect(sureOf(held)).toBeUndefined();
  });
});
