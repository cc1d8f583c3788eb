import type { FooterEvent, ResultEvent } from '../../harness/results/generated/events.ts';
import { shownJson } from '../../harness/output/printable.ts';
import { exitCodes } from '../../harness/verdict/exit-code.ts';
import { commandLine } from '../shared/command-line.ts';
import { out } from '../shared/output.ts';
import type { ResultOptions } from '../shared/report-options.ts';
import { printerOf, Results } from '../shared/results.ts';
import { inThread } from '../shared/time/in-thread.ts';
import { withinTime } from '../shared/time/time-limit.ts';
import type { HarFacts } from './read-har.ts';

/** Options of `conform judge`, as commander parses them. */
export interface JudgeCommandOptions extends ResultOptions, HarFacts {
  /** The findings alone, as lines of JSON. */
  readonly json?: boolean;
  readonly budgetMs?: number;
}

/** Judges what files have recorded within its time; resolves to the exit code. */
export async function judge(
  files: readonly string[],
  { budgetMs, ...options }: JudgeCommandOptions,
): Promise<number> {
  const results = await Results.open(options, options.json === true ? printJson : printed(options));
  results.probe({ inputs: files });
  const thread = new URL('./judge-thread.js', import.meta.url);
  // A thread has arguments of its own.
  const command = commandLine('judge', {});
  const limited = await withinTime('judge', budgetMs, (signal) =>
    inThread<readonly ResultEvent[]>(thread, { files, options, command }, signal),
  );
  if (limited.end === 'interrupted') return exitCodes.interrupted;
  if (limited.end === 'out-of-time') {
    out.say(
      `${files.join(', ')} could not be judged: ${limited.limitMs / 1000} s were not enough (--budget-ms)\n`,
    );
    return exitCodes.inconclusive;
  }
  for (const event of limited.value) results.add(event);
  const footer = limited.value.at(-1) as FooterEvent;
  results.keep(footer, { isWhole: true });
  results.end();
  return footer.exitCode;
}

function printed(options: JudgeCommandOptions): (event: ResultEvent) => void {
  return printerOf({ ...options, verbose: true }, { isLive: false }).onEvent;
}

function printJson(event: ResultEvent): void {
  if (event.type === 'finding') out.write(shownJson(event));
}
