import { describe, expect, it } from 'vitest';
import type { FaultKind } from '../../../harness/client/exchange.ts';
import type { Attempt } from '../../../harness/run/attempt.ts';
import { judgeCheck } from '../../../harness/run/judge-check.ts';
import { Ledger } from '../../../harness/verdict/ledger.ts';
import type { Failure, Stop } from '../../../harness/verdict/outcome.ts';
import type { ClauseId } from '../../../spec/index.ts';
import { checkOf } from '../../fixtures/check.ts';
import { unansweredOf } from '../../fixtures/exchange.ts';

const must: ClauseId = 'mentions.ascending';
const inferred: ClauseId = 'send.conflict-status-409';
const subject = checkOf('mentions.subject', { clauses: [must, inferred] });

const failure = (clause: ClauseId): Failure => ({ clause, expected: 'e', actual: 'a', exchanges: [] });
const failedAt = (clause: ClauseId): Stop => ({ kind: 'failed', failure: failure(clause) });
const disturbedAt = (clause: ClauseId | undefined, kind: FaultKind, tries = 1): Stop => ({
  kind: 'disturbed',
  clause,
  exchange: unansweredOf(kind, {}, { tries }),
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

const both = { [must]: 1, [inferred]: 1 };
const whole = attemptOf(undefined, both);
const unmet: Stop = { kind: 'unmet', reason: 'r', exchange: undefined };

/** What is told of a check after some attempts: the verdicts of its two clauses, what was seen, and how often it was tried. */
const courses: Readonly<Record<string, readonly [string, readonly string[], number, ...Attempt[]]>> = {
  'judged its clauses and ran to its end passes them, once': ['passed passed', [], 1, whole],
  'ran to its end twice without judging a clause leaves it inconclusive': [
    'passed inconclusive',
    [],
    2,
    attemptOf(undefined, { [must]: 1 }),
  ],
  'found nothing to judge once and something when tried again passes': [
    'passed passed',
    [],
    2,
    attemptOf(undefined, { [must]: 1 }),
    whole,
  ],
  'failed twice fails, and repeats': [
    'failed inconclusive',
    [`${must} 2/2`],
    2,
    attemptOf(failedAt(must), both),
  ],
  'failed once stays failed, and is intermittent': [
    'failed passed',
    [`${must} 1/2`],
    2,
    attemptOf(failedAt(must), { [must]: 1 }),
    whole,
  ],
  'noted a broken inferred clause warns, and passes the rest': [
    'passed warned',
    [`${inferred} 2/2`],
    2,
    attemptOf(undefined, both, [failure(inferred)]),
  ],
  'could not be arranged is inconclusive, and is not tried again': [
    'inconclusive inconclusive',
    [],
    1,
    attemptOf(unmet, { [must]: 3 }),
  ],
  'was disturbed is tried again, and passes when it comes through': [
    'passed passed',
    [],
    2,
    attemptOf(disturbedAt(must, 'reset')),
    whole,
  ],
  'meets the same fault at the same clause three times fails': [
    'failed inconclusive',
    [`${must} 3/3`],
    3,
    attemptOf(disturbedAt(must, 'reset')),
  ],
  'has a client that met the same fault three times in a row is tried once more': [
    'failed inconclusive',
    [`${must} 6/6`],
    2,
    attemptOf(disturbedAt(must, 'timeout', 3)),
  ],
  'met different faults is inconclusive': [
    'inconclusive inconclusive',
    [],
    3,
    attemptOf(disturbedAt(must, 'reset')),
    attemptOf(disturbedAt(must, 'timeout')),
    attemptOf(disturbedAt(must, 'reset')),
  ],
  'met a connection that cannot be made is inconclusive': [
    'inconclusive inconclusive',
    [],
    3,
    attemptOf(disturbedAt(must, 'refused', 3)),
  ],
  'met trouble while arranging is inconclusive': [
    'inconclusive inconclusive',
    [],
    3,
    attemptOf(disturbedAt(undefined, 'reset')),
  ],
  'met two faults, then something else is inconclusive': [
    'inconclusive inconclusive',
    [],
    3,
    attemptOf(disturbedAt(must, 'reset')),
    attemptOf(disturbedAt(must, 'reset')),
    attemptOf(unmet),
  ],
};

describe('a check', () => {
  it.each(Object.entries(courses))('that %s', async (_, [verdicts, seen, attempts, ...script]) => {
    expect(await judge(...script)).toEqual({ verdicts: verdicts.split(' '), seen, attempts });
  });

  it.each<[string, Stop, boolean]>([
    ['ran out of its time', { kind: 'timed-out', afterMs: 1 }, true],
    ['had no answer in time, again and again', disturbedAt(must, 'timeout', 3), true],
    ['saw a clause broken in complete answers', failedAt(must), false],
    ['could not arrange what it needs', unmet, false],
  ])('that %s: is it heard again, alone?', async (_, stop, wantsQuiet) => {
    const judged = await judgeCheck(subject, () => Promise.resolve(attemptOf(stop)));
    expect(judged.wantsQuiet).toBe(wantsQuiet);
  });
});
