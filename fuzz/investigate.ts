import type { CaseRequest } from './case-request.ts';
import type { CaseRunner, WholeOutcome } from './case-runner.ts';
import { rootOf } from './failure.ts';
import type { Failure } from './failure.ts';
import { goodTwinOf } from './good-requests.ts';
import type { Drawn } from './slot.ts';

/** How often a failure showed again. */
export interface Repeats {
  readonly times: number;
  /** Tries that decided; fewer than asked for when there was trouble or the time was over. */
  readonly of: number;
}

/** A failure after a second look. */
export interface Investigated {
  readonly request: CaseRequest;
  readonly label: string;
  /** The failure as the smallest request shows it. */
  readonly failure: Failure;
  readonly repeats: Repeats;
  /** Requests smaller than the first that showed the failure, one after the other. */
  readonly shrinkSteps: number;
}

/** A failure is tried again this often before it is reported. */
export const repeatTries = 3;
/** Candidates tried at one time, and in all, while a failure is shrunk. */
const sideBySide = 8;
const mostCandidates = 600;
const mostShrinkMs = 20_000;

/** Looks at a failure again, makes it as small as it gets, and says how often the smallest repeats. */
export async function investigate(
  runner: CaseRunner,
  found: Drawn,
  failure: Failure,
  isOver: () => boolean,
): Promise<Investigated> {
  const first = await repeat(runner, found.request, failure, isOver);
  if (first.times === 0) return { ...unshrunk(found, failure), repeats: first };
  const { drawn, failure: last, steps } = await shrink(runner, found, failure, isOver);
  if (steps === 0) return { ...unshrunk(found, failure), repeats: first };
  const repeats = await repeat(runner, drawn.request, failure, isOver);
  // A smaller one that does not come again is worth less than the first.
  if (repeats.times === 0) return { ...unshrunk(found, failure), repeats: first };
  return { request: drawn.request, label: drawn.label, failure: last, repeats, shrinkSteps: steps };
}

function unshrunk(found: Drawn, failure: Failure): Omit<Investigated, 'repeats'> {
  return { request: found.request, label: found.label, failure, shrinkSteps: 0 };
}

/** Sends a request a few times and counts how often it fails by the same root. */
export async function repeat(
  runner: CaseRunner,
  request: CaseRequest,
  failure: Failure,
  isOver: () => boolean = () => false,
): Promise<Repeats> {
  const counted = { times: 0, of: 0 };
  for (let tries = 0; tries < repeatTries && !isOver(); tries += 1) {
    // Each try is one of its own: side by side they might share a fate.
    // oxlint-disable-next-line no-await-in-loop
    const seen = await tryOnce(runner, request, failure);
    if (seen === 'trouble') continue;
    counted.of += 1;
    if (seen !== 'passes') counted.times += 1;
  }
  return counted;
}

async function shrink(
  runner: CaseRunner,
  found: Drawn,
  failure: Failure,
  isOver: () => boolean,
): Promise<{ readonly drawn: Drawn; readonly failure: Failure; readonly steps: number }> {
  const deadlineMs = performance.now() + mostShrinkMs;
  let best = { drawn: found, failure, steps: 0 };
  let left = mostCandidates;
  let candidates = best.drawn.shrinks()[Symbol.iterator]();
  while (left > 0 && !isOver() && performance.now() < deadlineMs) {
    const chunk = take(candidates, Math.min(sideBySide, left));
    if (chunk.length === 0) break;
    left -= chunk.length;
    // The next candidates depend on these.
    // oxlint-disable-next-line no-await-in-loop
    const seen = await Promise.all(chunk.map(({ request }) => tryOnce(runner, request, failure)));
    const index = seen.findIndex((each) => typeof each === 'object');
    const [drawn, shown] = [chunk[index], seen[index]];
    if (drawn === undefined || typeof shown !== 'object') continue;
    best = { drawn, failure: shown, steps: best.steps + 1 };
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

/** The failure of the same root that a request shows, if it does. A refusal counts only beside a good twin that is taken. */
async function tryOnce(
  runner: CaseRunner,
  request: CaseRequest,
  failure: Failure,
): Promise<Failure | 'passes' | 'trouble'> {
  const whole = await (failure.seenIn === 'aftermath' ? runner.runToEnd(request) : runOnce(runner, request));
  if (whole === undefined) return 'trouble';
  const root = rootOf(failure);
  const shown = whole.failures.find((each) => rootOf(each) === root);
  if (shown === undefined) return whole.isDecided ? 'passes' : 'trouble';
  if (whole.outcome.expected !== 'accept' || failure.seenIn === 'aftermath') return shown;
  const twin = goodTwinOf(request);
  const taken = twin === undefined ? undefined : await runOnce(runner, twin);
  const status = taken?.outcome.exchange.response?.status ?? 0;
  // When nothing is taken at all, that is what is wrong, whatever this request asked for.
  return taken === undefined || (status >= 200 && status <= 299) || isWhole(failure) ? shown : 'trouble';
}

/** A failure of the plain request itself has no plainer twin. */
function isWhole({ part }: Failure): boolean {
  return part === 'taken: refused' || part === 'after=0: conflict' || part.startsWith('refused as 401');
}

async function runOnce(runner: CaseRunner, request: CaseRequest): Promise<WholeOutcome | undefined> {
  const outcome = await runner.run(request, () => undefined);
  return outcome === undefined
    ? undefined
    : { outcome, failures: outcome.verdict.failures, isDecided: outcome.verdict.kind === 'judged' };
}
