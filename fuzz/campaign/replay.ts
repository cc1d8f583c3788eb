import { addressOf } from '../../spec/calls/index.ts';
import { allowManyListeners } from '../../harness/client/allow-many-listeners.ts';
import { untilAborted } from '../../harness/client/until-aborted.ts';
import { preflight } from '../../harness/preflight/preflight.ts';
import type { KnownSecrets } from '../../harness/output/known-secrets.ts';
import type { Target } from '../../harness/config/target.ts';
import type { CaseRunner, WholeOutcome } from '../setup/case-runner.ts';
import { lackedBy, requestOf, showedEveryTime, whyUnshown, type FailureFile } from './failure-file.ts';
import { isAnsweredAsThen, repeatTries, sightOf, type Repeats, type Sight } from './investigate.ts';
import { openBench, silentMs } from '../setup/open-bench.ts';

/**
 * What became of a failure: it shows again; it no longer does though it showed every time; it does not show, of which that says nothing; or
 * nothing can be said.
 */
export type ReplayVerdict = 'still failing' | 'fixed' | 'not shown' | 'could not be run';

/** One step of a replay: what was to be seen, what was seen when the failure was kept, and what is seen now. */
interface ReplayStep {
  readonly what: string;
  readonly wanted: string;
  readonly before: string;
  readonly now: string;
  readonly differs: boolean;
}

export interface Replay {
  readonly verdict: ReplayVerdict;
  readonly times: number;
  readonly of: number;
  readonly steps: readonly ReplayStep[];
  /** Why it came to no end, where that is known. */
  readonly reason?: string;
  /** Why it is not fixed though it does not show. */
  readonly whyNotFixed?: string;
}

/** Tries of a failure of which nobody knows that it comes every time. */
const longestTries = 12;

/**
 * Opens a target and replays a failure there; the signal ends both. What was seen counts only where server, credentials and channel are
 * found there afterwards: where nobody is let in, a refusal says nothing of the failure.
 */
export async function replayAt(
  target: Target,
  file: FailureFile,
  {
    signal,
    env,
    secrets,
  }: { readonly signal: AbortSignal; readonly env: NodeJS.ProcessEnv; readonly secrets: KnownSecrets },
): Promise<Replay> {
  const ending = new AbortController();
  const both = allowManyListeners(AbortSignal.any([signal, ending.signal]));
  const onSilent = (): void => ending.abort();
  const work = async (): Promise<Replay> => {
    const options = { roundTripMs: 0, signal: both, env, secrets, isReplay: true, onSilent };
    const bench = await openBench(target, options);
    try {
      const whyUnread = file.failure.seenIn === 'readBack' ? bench.leftOut['reading back'] : undefined;
      const tried = whyUnread === undefined ? await replay(bench.runner, file) : notRun(whyUnread);
      const lacked = lackedBy(target, file);
      const whyNot =
        lacked === undefined
          ? whyUnshown(file.found, bench.provedOf())
          : `it was found with ${lacked}, which this target lacks`;
      const replayed = tried.verdict === 'still failing' || whyNot === undefined ? tried : notRun(whyNot);
      const { isOk, lines } = await preflight(target, both, env);
      const wrong = lines.find(({ severity }) => severity === 'error');
      return isOk ? replayed : notRun(wrong?.text ?? 'the target does not work');
    } finally {
      await bench.close();
    }
  };
  const replayed = await untilAborted(work(), both);
  if (replayed !== undefined && !ending.signal.aborted) return replayed;
  return notRun(`the server gave no answer for ${silentMs / 1_000} s`);
}

function notRun(reason: string): Replay {
  return { verdict: 'could not be run', times: 0, of: 0, steps: [], reason };
}

/** Sends the request of a failure a few times and holds it against what was seen when it was kept. */
export async function replay(runner: CaseRunner, file: FailureFile): Promise<Replay> {
  const request = requestOf(file);
  const steps: ReplayStep[] = [];
  let [times, of] = [0, 0];
  // Any other may have come and gone, and is looked for longer.
  const most = showedEveryTime(file) ? repeatTries : longestTries;
  for (let tries = 1; tries <= (times > 0 ? repeatTries : most); tries += 1) {
    const isReadBack = file.failure.seenIn === 'readBack';
    const whole = await (isReadBack ? runner.runToEnd(request) : runner.runForAnswer(request));
    const sight = whole === undefined ? undefined : sightOf(whole, file.failure);
    const isDecided = sight !== undefined && sight.kind !== 'inconclusive';
    if (isDecided && !isAnsweredAsThen(file, whole, sight.kind)) of += 1;
    if (sight?.kind === 'shows' || sight?.kind === 'fails otherwise') times += 1;
    const now = nowOf(file, whole, sight);
    const { expected: wanted, actual: before } = file.failure;
    steps.push({
      what: `${request.method} ${addressOf(request)}`,
      wanted,
      before,
      now,
      differs: now !== before,
    });
  }
  const verdict = verdictOf({ times, of }, file);
  return { verdict, times, of, steps, ...(verdict === 'not shown' && { whyNotFixed: whyNotFixed(file) }) };
}

function nowOf(file: FailureFile, whole: WholeOutcome | undefined, sight: Sight | undefined): string {
  if (whole === undefined || sight === undefined) return 'the target lacks what it needs';
  const { answerKind } = whole.outcome.verdict;
  switch (sight.kind) {
    case 'shows':
      return sight.failure.actual;
    case 'fails otherwise':
      return `${sight.failure.actual}; expected: ${sight.failure.expected} (${sight.failure.clause})`;
    case 'passes':
      return isAnsweredAsThen(file, whole, sight.kind)
        ? `answered ${answerKind} as then: the request, or what is expected of it, is another`
        : keptNow(file, answerKind);
    default:
      return answerKind === 'refused'
        ? 'no connection: is the server running?'
        : `answered ${answerKind}, which is inconclusive`;
  }
}

function keptNow({ failure }: FailureFile, answer: string): string {
  return failure.seenIn === 'answer'
    ? `answered ${answer}`
    : `answered ${answer}, and the read-back is right`;
}

function verdictOf({ times, of }: Repeats, file: FailureFile): ReplayVerdict {
  if (times > 0) return 'still failing';
  if (of === 0) return 'could not be run';
  return showedEveryTime(file) ? 'fixed' : 'not shown';
}

function whyNotFixed({ found: { times, of, again } }: FailureFile): string {
  if (times === 0) return 'as when it was kept: it takes the campaign that found it';
  const all = { times: times + (again?.times ?? 0), of: of + (again?.of ?? 0) };
  if (all.times < all.of)
    return `as at ${all.of - all.times} of ${all.of} tries of the campaign that found it: it may come again`;
  const unknown = 'nobody knows whether it shows every time: it may come again';
  return again === undefined
    ? `and its file does not say whether it showed at the end of its campaign: ${unknown}`
    : `and its campaign had no time to look at it again at its end: ${unknown}`;
}
