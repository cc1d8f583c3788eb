import { randomInt } from 'node:crypto';
import { exitCodeOf, exitCodes } from '../../harness/verdict/exit-code.ts';
import { HistoryLines } from '../../history/ndjson.ts';
import type { History } from '../../history/operation.ts';
import { historyFile } from '../../reporters/history/history-file.ts';
import { exercisedLines } from '../../reporters/stress/exercised-lines.ts';
import { findingLines } from '../../reporters/stress/finding-lines.ts';
import { printable } from '../../reporters/printable.ts';
import type { Chapter } from '../../stress/chapter.ts';
import { isFailed } from '../../stress/judged.ts';
import { runStress } from '../../stress/run-stress.ts';
import type { StressResult } from '../../stress/run-stress.ts';
import { withinTime } from '../shared/time-limit.ts';
import type { StressCommandOptions } from './stress-options.ts';
import { stressTarget } from './stress-target.ts';

/** What the run may take beside the time of its clients, in ms: last looks, judging and shrinking. */
const moreMs = 300_000;

/** Runs concurrent clients as the options say; resolves to the exit code. */
export async function stress(options: StressCommandOptions): Promise<number> {
  const seed = options.seed ?? randomInt(2 ** 31);
  const { target, restart, close } = await stressTarget(options);
  try {
    say(`${options.clients} clients at ${target.baseUrl} for ${options.time / 1000} s, seed ${seed}`);
    const limited = await withinTime(target.budgetMs ?? options.time + moreMs, (signal) =>
      runStress(target, {
        seed,
        signal,
        restart,
        clients: options.clients,
        timeMs: options.time,
        restarts: options.restarts,
        env: process.env,
        onChapter: (chapter, number) => {
          say(chapterLine(chapter, number));
          if (options.history !== undefined) writeHistory(options.history, chapter.history);
        },
      }),
    );
    if (limited.end === 'done') return report(limited.value, options);
    if (limited.end === 'interrupted') return exitCodes.interrupted;
    say(`${limited.limitMs / 1000} s were not enough (--budget-ms)`);
    return exitCodes.inconclusive;
  } finally {
    await close();
  }
}

function report(result: StressResult, options: StressCommandOptions): number {
  const { findings, exercised, trouble, opportunities } = result;
  for (const finding of findings) say('', ...findingLines(finding));
  say('', ...exercisedLines(exercised, options.restarts));
  const failed = findings.filter(isFailed).length;
  const warned = findings.length - failed;
  say(`${failed} failed, ${warned} warned; ${opportunities.size} clauses put to the test`);
  if (trouble !== undefined) say(`nothing can be concluded: ${trouble}`);
  const hasProved = trouble === undefined && exercised.reads > 0 && opportunities.size > 0;
  return exitCodeOf({ failed, warned, hasProved }, options.strict === true);
}

/** Writes a history over what the file held. */
function writeHistory(path: string, { facts, operations }: History): void {
  const [file, lines] = [historyFile(path), new HistoryLines()];
  file.write(lines.header(facts));
  for (const operation of operations) file.write(lines.operation(operation));
  file.end();
}

function chapterLine({ history, plans, judgement }: Chapter, number: number): string {
  const { operations } = history;
  const [first, last] = [operations[0], operations.at(-1)];
  const seconds = ((last?.endedMs ?? 0) - (first?.startedMs ?? 0)) / 1000;
  const found = judgement.findings.length === 0 ? 'nothing found' : `${judgement.findings.length} found`;
  return `chapter ${number}: ${plans.length} plans, ${operations.length} operations in ${seconds.toFixed(1)} s, ${found}`;
}

function say(...lines: readonly string[]): void {
  for (const line of lines) process.stdout.write(`${printable(line)}\n`);
}
