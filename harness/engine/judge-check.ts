import { clauseOf } from '../../spec/index.ts';
import type { ClauseId } from '../../spec/index.ts';
import type { FaultKind } from '../client/exchange.ts';
import type { ClauseVerdict } from '../results/events.ts';
import type { Attempt } from './attempt.ts';
import type { Check } from './check.ts';
import { describeFault, describeStop } from './outcome.ts';
import type { Failure, Stop } from './outcome.ts';

/** A clause that a check saw broken, and how often it was when tried again on fresh data. */
export interface RepeatedFailure {
  readonly failure: Failure;
  readonly seen: { readonly times: number; readonly of: number };
}

/** A check after all its attempts. */
export interface JudgedCheck {
  readonly check: Check;
  readonly clauses: readonly ClauseVerdict[];
  readonly failures: readonly RepeatedFailure[];
  readonly attempts: readonly Attempt[];
}

const maxAttempts = 3;
/** Faults that are the server's own when they come every time: it was reached and did not answer properly. */
const convictingFaults: readonly FaultKind[] = ['reset', 'timeout', 'truncated', 'protocol', 'gateway'];

/**
 * Runs a check until its verdict stands: once when it passes; twice when a clause was seen broken, to say whether that
 * repeats; up to three times when something disturbed it. The same fault each time is the server's.
 */
export async function judgeCheck(check: Check, tryOnce: () => Promise<Attempt>): Promise<JudgedCheck> {
  const attempts = [await tryOnce()];
  while (attempts.length < maxAttempts && wantsAnother(attempts)) {
    // Each attempt decides whether there is a next one.
    // oxlint-disable-next-line no-await-in-loop
    attempts.push(await tryOnce());
  }
  const failures = failuresOf(attempts);
  return { check, attempts, failures, clauses: verdictsOf(check, attempts, failures) };
}

function wantsAnother(attempts: readonly Attempt[]): boolean {
  const last = attempts.at(-1);
  if (last === undefined) return false;
  if (last.stop?.kind === 'disturbed') return (last.stop.exchange.fault?.tries ?? 1) < maxAttempts;
  const wasBroken = attempts.some((each) => brokenIn(each).length > 0);
  const completed = attempts.filter(({ stop }) => stop?.kind !== 'disturbed').length;
  return wasBroken && completed < 2;
}

/** What an attempt saw broken: noted failures of inferred clauses, and the one that stopped it. */
function brokenIn({ ledger, stop }: Attempt): Failure[] {
  return stop?.kind === 'failed' ? [...ledger.failures, stop.failure] : [...ledger.failures];
}

function failuresOf(attempts: readonly Attempt[]): RepeatedFailure[] {
  const undisturbed = attempts.filter(({ stop }) => stop?.kind !== 'disturbed');
  const first = new Map<ClauseId, Failure>();
  for (const failure of attempts.flatMap(brokenIn)) {
    if (!first.has(failure.clause)) first.set(failure.clause, failure);
  }
  const repeated = [...first.values()].map((failure) => ({
    failure,
    seen: {
      times: undisturbed.filter((each) => brokenIn(each).some(({ clause }) => clause === failure.clause))
        .length,
      of: undisturbed.length,
    },
  }));
  const persistent = persistentFault(attempts);
  return persistent === undefined ? repeated : [...repeated, persistent];
}

/** The same fault at the same clause in every attempt, or three times in a row within one. */
function persistentFault(attempts: readonly Attempt[]): RepeatedFailure | undefined {
  const stops = attempts.map(({ stop }) => stop);
  const [first] = stops;
  if (first?.kind !== 'disturbed' || first.clause === undefined) return undefined;
  const { exchange, clause } = first;
  const kind = exchange.fault?.kind;
  if (kind === undefined || !convictingFaults.includes(kind)) return undefined;
  const isSame = (stop: Stop | undefined): stop is Extract<Stop, { kind: 'disturbed' }> =>
    stop?.kind === 'disturbed' && stop.clause === clause && stop.exchange.fault?.kind === kind;
  const same = stops.filter(isSame);
  const times = same.reduce((sum, stop) => sum + (stop.exchange.fault?.tries ?? 1), 0);
  if (same.length < stops.length || times < maxAttempts) return undefined;
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
): readonly ClauseVerdict[] {
  const completed = attempts.find(({ stop }) => stop === undefined);
  const last = attempts.at(-1);
  return check.clauses.map((clause) => {
    const { level } = clauseOf(clause);
    const judged = attempts.reduce((sum, { ledger }) => sum + ledger.judgedOf(clause), 0);
    if (failures.some(({ failure }) => failure.clause === clause)) {
      return { clause, level, judged, verdict: level === 'must' ? 'failed' : 'warned' };
    }
    // What an attempt judged before it was stopped has not seen its twin: only a check that ran to its end passes.
    const proven = completed?.ledger.judgedOf(clause) ?? 0;
    if (proven > 0) return { clause, level, judged: proven, verdict: 'passed' };
    return { clause, level, judged, verdict: 'inconclusive', reason: whyInconclusive(last) };
  });
}

function whyInconclusive(last: Attempt | undefined): string {
  if (last?.stop === undefined) return 'nothing was judged';
  if (last.stop.kind === 'failed') return `the check stopped at ${last.stop.failure.clause}`;
  return describeStop(last.stop);
}
