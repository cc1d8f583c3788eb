import { exitCodes } from '../../harness/verdict/exit-code.ts';
import { out } from '../shared/output.ts';
import { inThread } from '../shared/time/in-thread.ts';
import { withinTime } from '../shared/time/time-limit.ts';
import { printJudged } from './judge-file.ts';
import type { JudgedFile, JudgeOptions } from './judge-file.ts';

/** Options of `conform judge`, as commander parses them. */
interface JudgeCommandOptions extends JudgeOptions {
  readonly budgetMs?: number;
}

/** Judges the history in a file within its time; resolves to the exit code. */
export async function judge(file: string, { budgetMs, ...options }: JudgeCommandOptions): Promise<number> {
  const thread = new URL('./judge-thread.js', import.meta.url);
  const limited = await withinTime('judge', budgetMs, (signal) =>
    inThread<JudgedFile>(thread, { file, options }, signal),
  );
  if (limited.end === 'done') return printJudged(limited.value);
  if (limited.end === 'interrupted') return exitCodes.interrupted;
  out.say(`${file} could not be judged: ${limited.limitMs / 1000} s were not enough (--budget-ms)\n`);
  return exitCodes.inconclusive;
}
