import type { CaseRunner } from './case-runner.ts';
import type { FailureFile } from './failure-file.ts';
import { requestOf } from './failure-file.ts';
import { rootOf } from './failure.ts';
import { repeatTries } from './investigate.ts';

/** What became of a failure: it shows again, it no longer does, or nothing can be said. */
export type ReplayVerdict = 'still failing' | 'fixed' | 'could not be run';

/** One step of a replay: what was to be seen, what was seen when the failure was kept, and what is seen now. */
export interface ReplayStep {
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
}

/** Sends the request of a failure a few times and holds it against what was seen when it was kept. */
export async function replay(runner: CaseRunner, file: FailureFile): Promise<Replay> {
  const request = requestOf(file);
  const root = rootOf(file.failure);
  const steps: ReplayStep[] = [];
  let [times, of] = [0, 0];
  for (let tries = 1; tries <= repeatTries; tries += 1) {
    // Each try is one of its own.
    // oxlint-disable-next-line no-await-in-loop
    const whole = await runner.runToEnd(request);
    const answer = whole?.outcome.verdict.answerKind;
    const shown = whole?.failures.find((each) => rootOf(each) === root);
    const isDecided = shown !== undefined || whole?.isDecided === true;
    if (isDecided) of += 1;
    if (shown !== undefined) times += 1;
    const inWords =
      shown?.actual ?? (answer === undefined ? 'the target lacks what it needs' : `answered ${answer}`);
    const now = isDecided && shown === undefined ? keptNow(file, answer ?? '') : inWords;
    steps.push({
      what: `${request.method} ${request.path}`,
      wanted: file.failure.expected,
      before: file.failure.actual,
      now,
      differs: now !== file.failure.actual,
    });
  }
  return { verdict: verdictOf(times, of), times, of, steps };
}

function keptNow({ failure }: FailureFile, answer: string): string {
  return failure.seenIn === 'answer'
    ? `answered ${answer}`
    : `answered ${answer}, and as it should be afterwards`;
}

function verdictOf(times: number, of: number): ReplayVerdict {
  if (times > 0) return 'still failing';
  return of > 0 ? 'fixed' : 'could not be run';
}
