import { clauseOf, type ClauseId } from '../../spec/index.ts';
import { labelsOf, type Check } from '../check/check.ts';
import { chanceFaults, type Exchange, type FaultKind } from '../client/exchange.ts';
import type { ClauseVerdict, TroubleKind, CheckEvent } from '../results/generated/events.ts';
import { describeFault, describeStop, verdictWhenBroken } from '../verdict/outcome.ts';
import type { Failure, Stop } from '../verdict/outcome.ts';
import { describeTrouble, isServerError, type GoodCredentials } from '../verdict/trouble.ts';
import { restsOnServerError, restsOnTimeout, troubleIn } from './attempt.ts';
import type { AttemptTrouble, Attempt } from './attempt.ts';
import { isEnabled, whatEnables } from '../config/capabilities.ts';
import type { Target } from '../config/target.ts';

/** A clause that a check saw broken, and how often it was when tried again on fresh data. */
interface RepeatedFailure {
  readonly failure: Failure;
  /** Attempts that came to an end, those too that did not come to judge it. */
  readonly attempts: number;
  readonly seen: { readonly times: number; readonly of: number };
}

/** A check after all its attempts. */
export interface JudgedCheck {
  readonly check: Check;
  readonly clauses: readonly ClauseVerdict[];
  readonly failures: readonly RepeatedFailure[];
  readonly attempts: readonly Attempt[];
  /** What kept it from its end, where that was trouble and not something that the target lacks. */
  readonly trouble: AttemptTrouble | undefined;
  /** It met server errors, faults or its time limit, which may have come from what else went on: it is run again, alone. */
  readonly wantsQuiet: boolean;
}

const maxAttempts = 3;
/** Faults that are the server's own when they come every time: it was reached and did not answer properly. */
const failingFaults: readonly FaultKind[] = [...chanceFaults, 'timeout'];
/** Trouble that may come from what else went on, there or here: a check that met it is run again alone. */
const comesFromCrowds: readonly TroubleKind[] = ['server-error', 'no-answer', 'too-slow'];

/**
 * Runs a check until its verdict stands: once when it passes; twice when a clause was seen broken, to say whether that
 * repeats, or when nothing was there to be judged; up to three times when something disturbed it. The same fault each
 * time is the server's.
 */
export async function judgeCheck(
  check: Check,
  tryOnce: () => Promise<Attempt>,
  good: GoodCredentials = new Map(),
): Promise<JudgedCheck> {
  const attempts = [await tryOnce()];
  while (attempts.length < maxAttempts && wantsAnother(attempts, check)) {
    attempts.push(await tryOnce());
  }
  const all = repeatedFailures(attempts);
  const failures = all.filter((each) => !isPassingServerError(each));
  const trouble = troubleOfAll(attempts, all, good);
  const clauses = verdictsOf(check, attempts, failures, trouble);
  const wantsQuiet =
    (trouble !== undefined && comesFromCrowds.includes(trouble.kind)) ||
    failures.some(({ failure }) => restsOnServerError(failure) || restsOnTimeout(failure));
  return { check, attempts, failures, clauses, trouble, wantsQuiet };
}

/** A check of whose failures only some stand; what the others broke is inconclusive. */
export function withFailures(
  judged: JudgedCheck,
  failures: JudgedCheck['failures'],
  why: { readonly reason: string; readonly trouble: TroubleKind },
): JudgedCheck {
  const isOpen = ({ clause, verdict }: ClauseVerdict): boolean =>
    (verdict === 'failed' || verdict === 'warned') &&
    !failures.some(({ failure }) => failure.clause === clause);
  const clauses = judged.clauses.map((each) =>
    isOpen(each) ? { ...each, verdict: 'inconclusive' as const, ...why } : each,
  );
  return { ...judged, failures, clauses };
}

/** True once every clause of a check has passed, or one is broken and nothing says that a quieter time would show another thing. */
export function isDecided({ clauses, failures, wantsQuiet }: JudgedCheck): boolean {
  if (wantsQuiet) return false;
  return failures.length > 0 || clauses.every(({ verdict }) => verdict === 'passed');
}

/** A server error that did not come again: trouble, and no failure. */
function isPassingServerError({ failure, seen, attempts }: RepeatedFailure): boolean {
  return restsOnServerError(failure) && seen.times < attempts;
}

function troubleOfAll(
  attempts: readonly Attempt[],
  failures: readonly RepeatedFailure[],
  good: GoodCredentials,
): AttemptTrouble | undefined {
  const passing = failures.find(isPassingServerError)?.failure.exchanges.find(isServerError);
  if (passing !== undefined)
    return {
      kind: 'server-error',
      text: describeTrouble(passing),
      exchange: passing,
    };
  const last = attempts.at(-1);
  return last === undefined ? undefined : troubleIn(last, good);
}

function wantsAnother(attempts: readonly Attempt[], { clauses }: Check): boolean {
  const last = attempts.at(-1);
  if (last === undefined) return false;
  // What was waited for three times in a row has one more chance, after a time in which the server may come back.
  if (last.stop?.kind === 'disturbed') return attempts.length < 2 || !hasWaitedLong(last.stop.exchange);
  if (last.stop?.kind === 'unmet' && last.stop.exchange?.fault !== undefined)
    return !hasWaitedLong(last.stop.exchange);
  const wasBroken = attempts.some((each) => brokenIn(each).length > 0);
  const completed = attempts.filter(({ stop }) => stop?.kind !== 'disturbed').length;
  if (wasBroken) return completed < 2;
  // What it wanted to judge may have come too late, once.
  const hasJudgedAll = clauses.every((clause) => last.ledger.judgedOf(clause) > 0);
  return last.stop === undefined && !hasJudgedAll && completed < 2;
}

function hasWaitedLong({ fault }: Exchange): boolean {
  return fault?.kind === 'timeout' && fault.tries >= maxAttempts;
}

/** What an attempt saw broken: noted failures of inferred clauses, and the one that stopped it. */
export function brokenIn({ ledger, stop }: Attempt): Failure[] {
  return stop?.kind === 'failed' ? [...ledger.failures, stop.failure] : [...ledger.failures];
}

/** What attempts saw broken, each clause once, with how often they did. */
export function repeatedFailures(attempts: readonly Attempt[]): RepeatedFailure[] {
  const undisturbed = attempts.filter(({ stop }) => stop?.kind !== 'disturbed');
  const first = new Map<ClauseId, Failure>();
  for (const failure of attempts.flatMap(brokenIn)) {
    if (!first.has(failure.clause)) first.set(failure.clause, failure);
  }
  const repeated = [...first.values()].map((failure) => {
    const isBrokenIn = (each: Attempt): boolean =>
      brokenIn(each).some(({ clause }) => clause === failure.clause);
    // An attempt that did not come to judge it says nothing of whether it is there every time.
    const isKeptIn = ({ stop, ledger }: Attempt): boolean =>
      stop === undefined && ledger.judgedOf(failure.clause) > 0;
    const times = undisturbed.filter(isBrokenIn).length;
    const kept = undisturbed.filter((each) => !isBrokenIn(each) && isKeptIn(each)).length;
    return {
      failure,
      seen: { times, of: times + kept },
      attempts: undisturbed.length,
    };
  });
  const persistent = persistentFault(attempts);
  return persistent === undefined ? repeated : [...repeated, { ...persistent, attempts: persistent.seen.of }];
}

/** The same fault at the same clause in every attempt, three times and in two attempts at least. */
function persistentFault(attempts: readonly Attempt[]): Omit<RepeatedFailure, 'attempts'> | undefined {
  const stops = attempts.map(({ stop }) => stop);
  const [first] = stops;
  if (first?.kind !== 'disturbed' || first.clause === undefined) return undefined;
  const { exchange, clause } = first;
  const kind = exchange.fault?.kind;
  if (kind === undefined || !failingFaults.includes(kind)) return undefined;
  const isSame = (stop: Stop | undefined): stop is Extract<Stop, { kind: 'disturbed' }> =>
    stop?.kind === 'disturbed' && stop.clause === clause && stop.exchange.fault?.kind === kind;
  const same = stops.filter(isSame);
  const times = same.reduce((sum, stop) => sum + (stop.exchange.fault?.tries ?? 1), 0);
  if (same.length < stops.length || same.length < 2 || times < maxAttempts) return undefined;
  return {
    failure: {
      clause,
      expected: 'a complete answer',
      actual: describeFault(exchange),
      exchanges: [exchange],
    },
    seen: { times, of: times },
  };
}

function verdictsOf(
  check: Check,
  attempts: readonly Attempt[],
  failures: readonly RepeatedFailure[],
  trouble: AttemptTrouble | undefined,
): readonly ClauseVerdict[] {
  const completed = attempts.filter(({ stop }) => stop === undefined);
  const last = attempts.at(-1);
  return check.clauses.map((clause) => {
    const { level } = clauseOf(clause);
    const judged = attempts.reduce((sum, { ledger }) => sum + ledger.judgedOf(clause), 0);
    if (failures.some(({ failure }) => failure.clause === clause)) {
      return { clause, level, judged, verdict: verdictWhenBroken(level) };
    }
    // What an attempt judged before it was stopped has not seen its control request: only a check that ran to its end passes.
    const proven = Math.max(0, ...completed.map(({ ledger }) => ledger.judgedOf(clause)));
    if (proven > 0) return { clause, level, judged: proven, verdict: 'passed' };
    return {
      clause,
      level,
      judged,
      verdict: 'inconclusive',
      reason: whyLastInconclusive(last),
      ...(trouble === undefined ? {} : { trouble: trouble.kind }),
    };
  });
}

function whyLastInconclusive(last: Attempt | undefined): string {
  if (last?.stop === undefined) return 'it ran to its end, and no answer put the clause to the test';
  if (last.stop.kind === 'failed') return `the check stopped at ${last.stop.failure.clause}`;
  return describeStop(last.stop);
}

/** Why a check cannot run, in words and with the remedy. */
interface Missing {
  readonly reason: string;
  readonly enable: string;
}

/** What keeps a check from running at a target; `undefined` when it can. */
export function missingFor(check: Check, target: Target): Missing | undefined {
  const need = check.needs.find((name) => !isEnabled(target, name));
  if (need !== undefined) return { reason: `the target has no ${need}`, enable: whatEnables(need) };
  if (!target.limits.isReadOnly || check.isReadOnly) return undefined;
  return { reason: 'the run is read-only', enable: 'run without --read-only' };
}

/** The event of a check that cannot run. */
export function skippedCheck(check: Check, { reason, enable }: Missing): CheckEvent {
  return {
    type: 'check',
    ...labelsOf(check),
    verdict: 'inconclusive',
    clauses: check.clauses.map((clause) => ({
      clause,
      level: clauseOf(clause).level,
      verdict: 'inconclusive',
      judged: 0,
      reason,
      enable,
    })),
    requests: 0,
    judged: 0,
    attempts: 0,
    durationMs: 0,
  };
}
