import { isAccepted, type Exchange } from '../../harness/client/exchange.ts';
import type { CaseRequest } from '../cases/case-request.ts';
import type { CaseRunner, WholeOutcome } from '../setup/case-runner.ts';
import { comesAgain, isSameRoot, verdictOf, type CaseFailure } from '../judge/failure.ts';
import { isServerError } from '../../harness/verdict/trouble.ts';
import { controlOf, controlOfError } from '../cases/baseline-requests.ts';
import type { Access } from './access.ts';
import type { Drawn } from '../cases/injection-point.ts';

/** How often a failure showed again. */
export interface Repeats {
  readonly times: number;
  /** Tries that decided; fewer than asked for when there was trouble or the time was over. */
  readonly of: number;
}

/** A failure as a request showed it, with the answer. */
interface Shown {
  readonly kind: 'shows' | 'fails otherwise';
  readonly failure: CaseFailure;
  /** What shows it, the cause first. */
  readonly exchanges: readonly Exchange[];
}

/** The tries of one request. */
interface Repeated {
  readonly repeats: Repeats;
  /** The last that showed it; `undefined` when none did. */
  readonly last: Shown | undefined;
  /** The last in which the call went wrong in another way. */
  readonly otherwise: Shown | undefined;
  /** Whether a try came to what it should. */
  readonly hasPassed: boolean;
  /** Whether a try met a credential that opens nothing any more, or a baseline request that was refused as well. */
  readonly isUncontrolled: boolean;
}

/** Whether a failure showed in each try that decided. */
export function showsEveryTime({ times, of }: Repeats): boolean {
  return times > 0 && times === of;
}

/** What a failure is tried again with. */
export interface Trial {
  readonly runner: CaseRunner;
  readonly access: Pick<Access, 'isLost'>;
  /** True once nothing more is to be tried. */
  readonly isOver: () => boolean;
}

/** A failure after a retry. */
export interface Investigated {
  readonly request: CaseRequest;
  readonly label: string;
  /** The failure as the smallest request shows it. */
  readonly failure: CaseFailure;
  readonly repeats: Repeats;
  /** Requests smaller than the first that showed the failure, one after the other. */
  readonly shrinkSteps: number;
  /** What showed it; empty when it did not show again. */
  readonly exchanges: readonly Exchange[];
  /** A refusal of what is to be taken, and no try could tell whether anything at all was taken then. */
  readonly isUncontrolled: boolean;
}

/** A failure is tried again this often before it is reported. */
export const repeatTries = 3;
/** Of server errors that come and go a few may come in a row: one that came each time is tried so often in all. */
const errorTries = 12;
/** Candidates tried at one time, and in all, while a failure is shrunk. */
const sideBySide = { answer: 8, readBack: 24 } as const;
const mostCandidates = 600;
const mostShrinkMs = 20_000;

/** Looks at a failure again, makes it as small as it gets, and says how often the smallest repeats. */
export async function investigate(trial: Trial, found: Drawn, failure: CaseFailure): Promise<Investigated> {
  const tried = await investigateFewTimes(trial, found, failure);
  if (failure.isServerError !== true || !showsEveryTime(tried.repeats)) return tried;
  if (await staysAway(trial, tried.request, failure)) {
    const { times, of } = tried.repeats;
    return { ...tried, repeats: { times, of: of + 1 } };
  }
  return tried;
}

/** Whether a server error that came each time does not come once when its request is sent more often. */
async function staysAway(trial: Trial, request: CaseRequest, failure: CaseFailure): Promise<boolean> {
  for (let tries = repeatTries; tries < errorTries && !trial.isOver(); tries += 1) {
    const [seen] = await tryEach(trial, [request], failure);
    if (seen === 'passes' || (typeof seen === 'object' && seen.kind === 'fails otherwise')) return true;
  }
  return false;
}

async function investigateFewTimes(trial: Trial, found: Drawn, failure: CaseFailure): Promise<Investigated> {
  const first = await repeat(trial, found.request, failure);
  // Of server errors that come and go chance decides which smaller request shows one: it would be looked for long, and in vain.
  const isByChance = ({ repeats }: Repeated): boolean =>
    failure.isServerError === true && !showsEveryTime(repeats);
  if (first.last === undefined || isByChance(first)) return unshrunk(found, failure, first);
  const { drawn, steps } = await shrink(trial, found, failure);
  if (steps === 0) return unshrunk(found, failure, first);
  const again = await repeat(trial, drawn.request, failure);
  const { repeats, last } = again;
  // A smaller one that does not come again is worth less than the first.
  if (last === undefined || isByChance(again)) return unshrunk(found, failure, first);
  const { failure: smallest, exchanges } = last;
  return {
    request: drawn.request,
    label: drawn.label,
    failure: smallest,
    repeats,
    shrinkSteps: steps,
    exchanges,
    isUncontrolled: false,
  };
}

function unshrunk(
  { request, label }: Drawn,
  failure: CaseFailure,
  { repeats, last, ...tried }: Repeated,
): Investigated {
  const isUncontrolled = repeats.of === 0 && tried.isUncontrolled;
  return {
    request,
    label,
    // What it says is of the exchanges that are shown beside it: a key, an id or a time is another at each try.
    failure: last === undefined || failure.part === comesAgain ? failure : last.failure,
    repeats,
    shrinkSteps: 0,
    exchanges: last?.exchanges ?? [],
    isUncontrolled,
  };
}

/** Sends a request a few times and counts how often it fails by the same root. */
export async function repeat(
  trial: Trial,
  request: CaseRequest,
  failure: CaseFailure,
  most = repeatTries,
): Promise<Repeated> {
  const repeats = { times: 0, of: 0 };
  let [last, otherwise] = [undefined as Shown | undefined, undefined as Shown | undefined];
  let [hasPassed, isUncontrolled] = [false, false];
  for (let tries = 0; tries < most && !trial.isOver(); tries += 1) {
    // Each try is one of its own: side by side they might share a fate.
    const [seen = 'inconclusive'] = await tryEach(trial, [request], failure);
    if (seen === 'uncontrolled') isUncontrolled = true;
    if (seen === 'inconclusive' || seen === 'uncontrolled') continue;
    repeats.of += 1;
    if (seen === 'passes') hasPassed = true;
    else if (seen.kind === 'fails otherwise') otherwise = seen;
    else [last, repeats.times] = [seen, repeats.times + 1];
  }
  return { repeats, last, otherwise, hasPassed, isUncontrolled };
}

async function shrink(
  trial: Trial,
  found: Drawn,
  failure: CaseFailure,
): Promise<{ readonly drawn: Drawn; readonly steps: number }> {
  const deadlineMs = performance.now() + mostShrinkMs;
  let best = { drawn: found, steps: 0 };
  let left = mostCandidates;
  let candidates = best.drawn.shrinks()[Symbol.iterator]();
  while (left > 0 && !trial.isOver() && performance.now() < deadlineMs) {
    const chunk = take(candidates, Math.min(sideBySide[failure.seenIn], left));
    if (chunk.length === 0) break;
    left -= chunk.length;
    const requests = chunk.map(({ request }) => request);
    const seen = await tryEach(trial, requests, failure);
    const drawn = chunk[seen.findIndex((each) => typeof each === 'object' && each.kind === 'shows')];
    if (drawn === undefined) continue;
    best = { drawn, steps: best.steps + 1 };
    candidates = drawn.shrinks()[Symbol.iterator]();
  }
  return best;
}

function take<T>(iterator: Iterator<T>, count: number): T[] {
  const taken: T[] = [];
  while (taken.length < count) {
    const next = iterator.next();
    if (next.done === true) break;
    taken.push(next.value);
  }
  return taken;
}

type Tried = Shown | 'passes' | 'inconclusive' | 'uncontrolled';

/** What each of some requests shows of a failure: of one that is read back, in one chapter. */
function tryEach(
  trial: Trial,
  requests: readonly CaseRequest[],
  failure: CaseFailure,
): Promise<readonly Tried[]> {
  const { runner } = trial;
  const all = failure.seenIn === 'readBack' ? runner.runAllToEnd(requests) : undefined;
  return Promise.all(
    requests.map(async (request, at) => {
      const whole = all === undefined ? await runner.runForAnswer(request) : (await all)[at];
      return triedOf(trial, request, whole, failure);
    }),
  );
}

/**
 * What came of a request. A refusal counts only beside a good control request that is taken, and an error of the server beside one that
 * draws none: else it is uncontrolled.
 */
async function triedOf(
  { runner, access }: Trial,
  request: CaseRequest,
  whole: WholeOutcome | undefined,
  failure: CaseFailure,
): Promise<Tried> {
  if (whole === undefined) return 'inconclusive';
  const sight = sightOf(whole, failure);
  if (isAnsweredAsThen({ failure, request }, whole, sight.kind)) return 'inconclusive';
  if (!('failure' in sight)) return sight.kind;
  const { exchange: last, expected } = whole.outcome;
  const shown = { ...sight, exchanges: whole.shownBy.get(sight.failure) ?? [last] };
  // Of several steps another than the last may show it.
  const exchange = sight.failure.seenIn === 'answer' ? (shown.exchanges[0] ?? last) : last;
  if (sight.failure.isOutcome === true && (await access.isLost(exchange))) return 'uncontrolled';
  const isError = isServerError(exchange) || sight.failure.isServerError === true;
  // Of several steps it need not be the last that was refused.
  const isRefusal = expected === 'accept' || failure.part.endsWith(': refused');
  if (!(isRefusal || isError) || failure.seenIn === 'readBack') return shown;
  const control = isError
    ? controlOfError(request, failure)
    : (controlOf({ call: failure.call }) ?? controlOf(request));
  const taken = control === undefined ? undefined : await runner.run(control);
  if (taken === undefined || isAccepted(taken.exchange)) return shown;
  // When nothing is taken at all, that is what is wrong, whatever this request asked for.
  if (isServerError(taken.exchange) || isClosed(taken.exchange)) return 'uncontrolled';
  return !isRefusal || isWhole(failure) ? shown : 'uncontrolled';
}

/** Whoever sends has to pay or be let in first: the contract says neither when a quota is used up nor when a channel is closed. */
function isClosed({ request, response }: Exchange): boolean {
  return request.call === 'send' && (response?.status === 402 || response?.status === 403);
}

/** A failure of the baseline request itself has no plainer control request. */
function isWhole({ part }: CaseFailure): boolean {
  return part === 'taken: refused' || part === 'after=0: conflict' || part.startsWith('refused as 401');
}

/**
 * What a request says of a failure that it once showed: it shows it, it now fails in another way, it no longer fails, or
 * nothing can be said.
 */
export type Sight =
  | { readonly kind: 'shows' | 'fails otherwise'; readonly failure: CaseFailure }
  | { readonly kind: 'passes' | 'inconclusive' };

/** Looks for a failure in what came of a request. */
export function sightOf(whole: WholeOutcome, failure: CaseFailure): Sight {
  const shown = whole.failures.find((each) => isSameRoot(each, failure));
  if (shown !== undefined) return { kind: 'shows', failure: shown };
  const otherwise = whole.failures.find((each) => hidesOthers(each));
  // Where the request comes to no proper end, what it was kept for cannot show.
  if (otherwise !== undefined) return { kind: 'fails otherwise', failure: otherwise };
  const { exchange } = whole.outcome;
  // Whoever is let in has seen nothing of what a limit is answered with.
  if (failure.clause.startsWith('errors.retry-after')) return { kind: 'inconclusive' };
  const status = exchange.response?.status ?? 0;
  const isProper = (status >= 200 && status <= 299) || (status >= 400 && status <= 499);
  return { kind: whole.isDecided && isProper ? 'passes' : 'inconclusive' };
}

/** Whether a server answers one request as it did when that was wrong: then it is not the server that has changed. */
export function isAnsweredAsThen(
  {
    failure,
    request: { earlier, isApart },
  }: {
    readonly failure: CaseFailure;
    readonly request: { readonly earlier?: unknown; readonly isApart?: boolean };
  },
  whole: WholeOutcome | undefined,
  sight: Sight['kind'],
): boolean {
  const isOfOneAnswer = failure.seenIn === 'answer' && earlier === undefined && isApart !== true;
  if (sight !== 'passes' || failure.isOutcome !== true || !isOfOneAnswer) return false;
  return failure.actual === `answered ${whole?.outcome.verdict.answerKind}`;
}

/**
 * The call itself went wrong: taken where it had to be refused, refused where it had to be taken, or neither. An error of
 * the server is wrong however surely the request is to be taken.
 */
function hidesOthers({ clause, isOutcome, isServerError }: CaseFailure): boolean {
  return isServerError === true || (isOutcome === true && verdictOf(clause) === 'failed');
}
