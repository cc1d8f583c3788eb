import { randomInt } from 'node:crypto';
import { queryText } from '../../spec/calls/index.ts';
import type { Exchange } from '../client/exchange.ts';
import { withoutBody } from '../record/kept-exchanges.ts';
import { restsOnFault, restsOnServerError, restsOnTimeout, type Attempt } from './attempt.ts';
import type { Check } from '../check/check.ts';
import { faultComesEveryTime, type FaultProofParts, isNeverAnswered } from './fault-proof.ts';
import { brokenIn, judgeCheck, type JudgedCheck, repeatedFailures, withFailures } from './judge-check.ts';
import { comesEveryTime, type ProvenError } from '../judging/repeated-errors.ts';
import { type Failure, hasTrouble, verdictWhenBroken } from '../verdict/outcome.ts';
import { type GoodCredentials, isServerError } from '../verdict/trouble.ts';

/** Checks are retried for so long, in ms; what is left keeps its verdict, or none where others lost theirs. */
const longestLoneMs = 20_000;

interface RetryParts extends FaultProofParts {
  readonly tryOnce: (check: Check) => Promise<Attempt>;
  readonly good: GoodCredentials;
}

/**
 * Runs checks that met server errors or were too slow again, each alone when nothing else is going on: an error that comes
 * only when much is going on, or only now and then, is not the fault of the clause that the check is about. Those that
 * failed come first. What was seen broken without any trouble stands, whatever comes of it alone.
 */
async function retryEachAlone(
  held: readonly JudgedCheck[],
  parts: RetryParts,
): Promise<readonly JudgedCheck[]> {
  const startedMs = performance.now();
  const retried: JudgedCheck[] = [];
  let hasLetGo = false;
  for (const judged of held.toSorted((one, other) => other.failures.length - one.failures.length)) {
    const isOver = parts.signal.aborted || performance.now() - startedMs > longestLoneMs;
    if (isOver) retried.push(notRetried(judged, retried, hasLetGo));
    else {
      const alone = withoutBodies(await retryAlone(judged, parts));
      if (judged.failures.length > 0 && alone.failures.length === 0) hasLetGo = true;
      retried.push(withSure(alone, judged));
    }
  }
  return retried;
}

/** Checks that met server errors, run again alone; what only waited for a call that always fails is not worth it. */
export async function retryHeldChecks(
  held: readonly JudgedCheck[],
  provenErrors: readonly ProvenError[],
  parts: RetryParts,
): Promise<readonly JudgedCheck[]> {
  const calls = new Set<string | undefined>(provenErrors.map(({ call }) => call));
  const isExplained = ({ failures, trouble }: JudgedCheck): boolean => {
    const met =
      failures.length === 0
        ? [trouble?.exchange]
        : failures.map(({ failure }) => failure.exchanges.find(isServerError));
    return met.every((exchange) => calls.has(exchange?.request.call ?? 'none'));
  };
  const retried = await retryEachAlone(
    held.filter((judged) => !isExplained(judged)),
    parts,
  );
  return [...held.filter(isExplained), ...retried];
}

async function retryAlone(held: JudgedCheck, parts: RetryParts): Promise<JudgedCheck> {
  const { check } = held;
  const judged = await judgeCheck(check, () => parts.tryOnce(check), parts.good);
  // What a hook arranged may be over, so that the request alone says nothing: the whole check is run once more.
  if (check.needs.some((need) => need.endsWith('-hook'))) return retryAsAWhole(judged, parts);
  for (const { failure, seen } of judged.failures) {
    const before = held.failures.find((each) => each.failure.clause === failure.clause)?.seen.times ?? 0;
    if (!(await comesOfServer(failure, before + seen.times, parts))) return withoutVerdicts(judged);
  }
  return judged;
}

/** Whether what a failure rests on comes every time; `times` have been seen before. */
async function comesOfServer(failure: Failure, times: number, parts: RetryParts): Promise<boolean> {
  const error = failure.exchanges.find(isServerError);
  if (error !== undefined) return comesEveryTime(error, parts);
  const faulty = failure.exchanges.find(({ fault }) => fault !== undefined);
  return faulty === undefined || faultComesEveryTime(faulty, times, parts);
}

/** How often a check is run as a whole to see whether the error that it met is its own. */
const wholeRuns = 3;

/**
 * A failure by trouble stands only when the whole check shows it alone several times over, each time at every attempt and in one
 * request, wherever it comes among all requests: some servers fail one in so many.
 */
async function retryAsAWhole(judged: JudgedCheck, parts: RetryParts): Promise<JudgedCheck> {
  const troubled = judged.failures.filter(({ failure }) => restsOnTrouble(failure));
  if (troubled.length === 0) return judged;
  for (let run = 1; run <= wholeRuns; run += 1) {
    await shiftOthers(judged, parts);
    const again = await judgeCheck(judged.check, () => parts.tryOnce(judged.check), parts.good);
    const isSame = troubled.every(({ failure }) =>
      again.failures.some(
        (other) => other.failure.clause === failure.clause && shapeOf(other.failure) === shapeOf(failure),
      ),
    );
    if (!isSame) return withoutVerdicts(judged);
  }
  const late = troubled.flatMap(({ failure }) => failure.exchanges).find(isLate);
  return late === undefined || (await isNeverAnswered(late, parts)) ? judged : withoutVerdicts(judged);
}

function isLate({ fault }: Exchange): boolean {
  return fault?.kind === 'timeout';
}

/** Reads once more what a failure rests on, a random number of times: whatever comes of it, the next request has another number. */
async function shiftOthers({ failures }: JudgedCheck, { client, signal }: RetryParts): Promise<void> {
  const met = failures.flatMap(({ failure }) => failure.exchanges).find(isServerError);
  if (met === undefined || met.request.method !== 'GET') return;
  for (let left = randomInt(mostShifts); left > 0 && !signal.aborted; left -= 1)
    await client.exchange(met.actor, met.request, { signal });
}

const mostShifts = 12;

/** What is asked for in the request that a failure by trouble rests on, whoever asks and whatever the ids and cursors are. */
function shapeOf({ exchanges }: Failure): string | undefined {
  const request = exchanges.find((each) => isServerError(each) || each.fault !== undefined)?.request;
  return (
    request && `${request.method} ${request.call} ${queryText(request.query).replaceAll(/[0-9]+/g, '0')}`
  );
}

function restsOnTrouble(failure: Failure): boolean {
  return restsOnServerError(failure) || restsOnFault(failure);
}

/**
 * What was not retried stands, unless others that were came to another verdict alone. A failure by a fault stands only
 * beside one that was retried.
 */
function notRetried(judged: JudgedCheck, retried: readonly JudgedCheck[], hasLetGo: boolean): JudgedCheck {
  const isDoubtful =
    hasLetGo || retried.some(({ failures, wantsQuiet }) => failures.length === 0 && !wantsQuiet);
  const restsOnAFault = ({ failures }: JudgedCheck): boolean =>
    failures.some(({ failure }) => restsOnFault(failure));
  // Whether an answer is late or never comes only those tell that were waited for longer.
  const isLikeIt = (other: JudgedCheck): boolean =>
    restsOnAFault(other) && (isSlow(other) || !isSlow(judged));
  const isAlone = restsOnAFault(judged) && !retried.some(isLikeIt);
  if (!isDoubtful && !isAlone) return judged;
  return withoutVerdicts(judged, 'it met trouble, and no time was left to try it again alone');
}

/** What failures come to that rest on trouble, or may: nothing. */
function withoutVerdicts(judged: JudgedCheck, why?: string): JudgedCheck {
  const isError = judged.failures.some(({ failure }) => restsOnServerError(failure));
  const met = isError
    ? 'it met an intermittent server error'
    : isSlow(judged)
      ? 'an answer did not come in time, and how soon one comes is stated nowhere: --timeout 0 waits as long as it takes'
      : 'it met trouble on the way that does not come every time';
  return withFailures(judged, sureFailures(judged), {
    reason: why ?? met,
    trouble: isError ? 'server-error' : 'no-answer',
  });
}

function isSlow({ failures }: JudgedCheck): boolean {
  return failures.some(({ failure }) => restsOnTimeout(failure));
}

/** What an attempt saw broken that met no trouble at all. */
function sureFailures({ failures, attempts }: JudgedCheck): JudgedCheck['failures'] {
  const untroubled = attempts.filter(({ ledger }) => !ledger.exchanges.some(hasTrouble));
  const seen = new Set(untroubled.flatMap(brokenIn));
  return failures.filter(({ failure }) => seen.has(failure) && !restsOnTrouble(failure));
}

/** What stands of a check that waits to be retried, though nothing more comes of it; `undefined` where nothing does. */
export function sureOf(held: JudgedCheck): JudgedCheck | undefined {
  const sure = withoutVerdicts(held, 'it met trouble, and the run ended before it was tried again alone');
  return sure.failures.length === 0 ? undefined : sure;
}

/** A check as it went alone, with what was surely seen broken before. */
function withSure(alone: JudgedCheck, held: JudgedCheck): JudgedCheck {
  const sure = sureFailures(held);
  if (sure.length === 0) return alone;
  const attempts = [...held.attempts, ...alone.attempts];
  const all = repeatedFailures(attempts);
  const isSure = (clause: string): boolean => sure.some(({ failure }) => failure.clause === clause);
  const failures = [
    ...sure.map((each) => ({ ...each, ...all.find(({ failure }) => failure === each.failure) })),
    ...alone.failures.filter(({ failure }) => !isSure(failure.clause)),
  ];
  const clauses = alone.clauses.map((each) => {
    const { clause, level, judged } = each;
    return isSure(clause) ? { clause, level, judged, verdict: verdictWhenBroken(level) } : each;
  });
  return { ...alone, attempts, failures, clauses };
}

/**
 * Lets go of the bodies of a check that waits to be retried, but for those that its failures rest on: under trouble there
 * may be hundreds of such checks, and all that they have read would leave no room for further answers.
 */
export function withoutBodies(judged: JudgedCheck): JudgedCheck {
  const shown = new Set<Exchange>(judged.failures.flatMap(({ failure }) => failure.exchanges));
  for (const { ledger } of judged.attempts)
    for (const [index, exchange] of ledger.exchanges.entries())
      if (exchange.response !== undefined && !shown.has(exchange))
        ledger.exchanges[index] = { ...exchange, response: withoutBody(exchange.response) };
  return judged;
}
