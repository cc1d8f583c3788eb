import { describe, expect, it } from 'vitest';
import type { Exchange, FaultKind } from '../../../harness/client/exchange.ts';
import type { Attempt } from '../../../harness/run/attempt.ts';
import { check } from '../../../harness/check/check.ts';
import { judgeCheck } from '../../../harness/run/judge-check.ts';
import { Ledger } from '../../../harness/verdict/ledger.ts';
import type { Failure, Stop } from '../../../harness/verdict/outcome.ts';
import type { ClauseId } from '../../../spec/index.ts';

const must: ClauseId = 'mentions.ascending';
const inferred: ClauseId = 'send.conflict-status-409';
const subject = check('mentions.subject', { title: 't', clauses: [must, inferred], needs: [] }, () =>
  Promise.resolve(),
);

function faulty(kind: FaultKind, tries = 1): Exchange {
  return {
    id: 1,
    actor: 'author',
    request: { call: 'mentions', method: 'GET', path: '/', headers: {}, body: undefined },
    response: undefined,
    fault: { kind, message: 'm', tries },
    startedMs: 0,
    endedMs: 1,
  };
}

const failure = (clause: ClauseId): Failure => ({ clause, expected: 'e', actual: 'a', exchanges: [] });
const failedAt = (clause: ClauseId): Stop => ({ kind: 'failed', failure: failure(clause) });
const disturbedAt = (clause: ClauseId | undefined, kind: FaultKind, tries?: number): Stop => ({
  kind: 'disturbed',
  clause,
  exchange: faulty(kind, tries),
});

function attemptOf(
  stop: Stop | undefined,
  judged: Partial<Record<ClauseId, number>> = {},
  noted: readonly Failure[] = [],
): Attempt {
  const ledger = new Ledger();
  for (const [clause, count] of Object.entries(judged)) ledger.judge(clause as ClauseId, count);
  ledger.failures.push(...noted);
  return { ledger, stop, observations: [], durationMs: 1, heldMs: 0 };
}

/** Judges the subject over a script of attempts; an attempt beyond the script repeats its last. */
async function judge(
  ...script: readonly Attempt[]
): Promise<{ verdicts: string[]; seen: string[]; attempts: number }> {
  let count = 0;
  const judged = await judgeCheck(subject, () => {
    const next = script[Math.min(count, script.length - 1)];
    count += 1;
    return next === undefined ? Promise.reject(new Error('no script')) : Promise.resolve(next);
  });
  return {
    verdicts: judged.clauses.map(({ verdict }) => verdict),
    seen: judged.failures.map(({ failure: { clause }, seen }) => `${clause} ${seen.times}/${seen.of}`),
    attempts: count,
  };
}

describe('a check', () => {
  it('that judged its clauses and ran to its end passes them, once', async () => {
    expect(await judge(attemptOf(undefined, { [must]: 2, [inferred]: 1 }))).toEqual({
      verdicts: ['passed', 'passed'],
      seen: [],
      attempts: 1,
    });
  });

  it.each<[string, Stop, boolean]>([
    ['ran out of its time', { kind: 'timed-out', afterMs: 1 }, true],
    ['had no answer in time, again and again', disturbedAt(must, 'timeout', 3), true],
    ['saw a clause broken in complete answers', failedAt(must), false],
    ['could not arrange what it needs', { kind: 'unmet', reason: 'r', exchange: undefined }, false],
  ])('that %s: is it heard again, alone?', async (_, stop, wantsQuiet) => {
    const judged = await judgeCheck(subject, () => Promise.resolve(attemptOf(stop)));
    expect(judged.wantsQuiet).toBe(wantsQuiet);
  });

  it('that ran to its end twice without judging a clause leaves it inconclusive', async () => {
    const { verdicts, attempts } = await judge(attemptOf(undefined, { [must]: 1 }));
    expect(verdicts).toEqual(['passed', 'inconclusive']);
    expect(attempts).toBe(2);
  });

  it('that found nothing to judge once and something when tried again passes', async () => {
    const { verdicts, attempts } = await judge(
      attemptOf(undefined, { [must]: 1 }),
      attemptOf(undefined, { [must]: 1, [inferred]: 1 }),
    );
    expect(verdicts).toEqual(['passed', 'passed']);
    expect(attempts).toBe(2);
  });

  it('that failed twice fails, and repeats', async () => {
    expect(await judge(attemptOf(failedAt(must), { [must]: 1, [inferred]: 1 }))).toEqual({
      verdicts: ['failed', 'inconclusive'],
      seen: [`${must} 2/2`],
      attempts: 2,
    });
  });

  it('that failed once stays failed, and is intermittent', async () => {
    const run = await judge(
      attemptOf(failedAt(must), { [must]: 1 }),
      attemptOf(undefined, { [must]: 1, [inferred]: 1 }),
    );
    expect(run).toEqual({ verdicts: ['failed', 'passed'], seen: [`${must} 1/2`], attempts: 2 });
  });

  it('that noted a broken inferred clause warns, and passes the rest', async () => {
    const run = await judge(attemptOf(undefined, { [must]: 1, [inferred]: 1 }, [failure(inferred)]));
    expect(run).toEqual({ verdicts: ['passed', 'warned'], seen: [`${inferred} 2/2`], attempts: 2 });
  });

  it('that could not be arranged is inconclusive, and is not tried again', async () => {
    const run = await judge(attemptOf({ kind: 'unmet', reason: 'r', exchange: undefined }, { [must]: 3 }));
    expect(run).toEqual({ verdicts: ['inconclusive', 'inconclusive'], seen: [], attempts: 1 });
  });

  it('that was disturbed is tried again, and passes when it comes through', async () => {
    const run = await judge(
      attemptOf(disturbedAt(must, 'reset')),
      attemptOf(undefined, { [must]: 1, [inferred]: 1 }),
    );
    expect(run).toEqual({ verdicts: ['passed', 'passed'], seen: [], attempts: 2 });
  });

  it('that meets the same fault at the same clause three times fails', async () => {
    const run = await judge(attemptOf(disturbedAt(must, 'reset')));
    expect(run).toEqual({ verdicts: ['failed', 'inconclusive'], seen: [`${must} 3/3`], attempts: 3 });
  });

  it('whose client met the same fault three times in a row is tried once more', async () => {
    expect(await judge(attemptOf(disturbedAt(must, 'timeout', 3)))).toMatchObject({
      verdicts: ['failed', 'inconclusive'],
      attempts: 2,
    });
  });

  it.each<[string, readonly Attempt[]]>([
    [
      'different faults',
      [
        attemptOf(disturbedAt(must, 'reset')),
        attemptOf(disturbedAt(must, 'timeout')),
        attemptOf(disturbedAt(must, 'reset')),
      ],
    ],
    ['a connection that cannot be made', [attemptOf(disturbedAt(must, 'refused', 3))]],
    ['trouble while arranging', [attemptOf(disturbedAt(undefined, 'reset'))]],
    [
      'two faults, then something else',
      [
        attemptOf(disturbedAt(must, 'reset')),
        attemptOf(disturbedAt(must, 'reset')),
        attemptOf({ kind: 'unmet', reason: 'r', exchange: undefined }),
      ],
    ],
  ])('that met %s is inconclusive', async (_, script) => {
    expect((await judge(...script)).verdicts).toEqual(['inconclusive', 'inconclusive']);
  });
});
