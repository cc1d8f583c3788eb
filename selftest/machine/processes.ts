import { type ChildProcess, fork } from 'node:child_process';
import { withWorkers } from '../../harness/run/waves.ts';
import { packageFile } from '../../spec/index.ts';
import type { MutantRequest, Verdict } from './judge-mutant.ts';

/** What became of a mutant. */
export interface JudgedMutant extends Verdict {
  readonly id: string;
  readonly durationMs: number;
}

/** What a process says: a verdict, and then that it is ready for the next mutant. */
type Reply = 'ready' | { readonly verdict: Verdict };

/** How mutants are judged. */
interface JudgingOptions {
  readonly atOnce: number;
  /** Longest that one may take, in ms. */
  readonly deadlineMs: number;
  readonly onJudged: (judged: JudgedMutant) => void;
}

/** Judges mutants side by side, one after the other in each process. A process that a mutant takes with it, or never ends, is replaced. */
export async function judgeInProcesses(
  requests: readonly MutantRequest[],
  { atOnce, deadlineMs, onJudged }: JudgingOptions,
): Promise<void> {
  const idle: ChildProcess[] = [];
  await withWorkers(requests, atOnce, async (request) => {
    const startedMs = performance.now();
    // In a group of its own, so that what it starts ends with it.
    const child =
      idle.pop() ??
      fork(packageFile('dist/selftest/machine/judge-process.js'), { stdio: 'ignore', detached: true });
    const verdict = await verdictOf(child, request, deadlineMs);
    onJudged({ id: request.mutant.id, ...verdict, durationMs: Math.round(performance.now() - startedMs) });
    if (child.connected) idle.push(child);
  });
  for (const child of idle) child.disconnect();
}

/** Resolves once the process is ready for another mutant, or has ended. */
function verdictOf(child: ChildProcess, request: MutantRequest, deadlineMs: number): Promise<Verdict> {
  return new Promise((resolve) => {
    let verdict: Verdict = { outcome: 'hangs or dies', why: 'it took the process with it' };
    const deadline = setTimeout(() => {
      verdict = { outcome: 'hangs or dies', why: 'its time was over' };
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    }, deadlineMs);
    const end = (): void => {
      clearTimeout(deadline);
      child.removeAllListeners();
      resolve(verdict);
    };
    child.once('exit', end).on('message', (reply: Reply) => {
      if (reply === 'ready') return end();
      clearTimeout(deadline);
      verdict = reply.verdict;
    });
    child.send(request);
  });
}
