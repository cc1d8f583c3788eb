import { randomInt } from 'node:crypto';
import type { ResultEvent } from '../../harness/results/events.ts';
import { ndjsonReporter } from '../../reporters/ndjson.ts';
import { stressEvents } from '../../reporters/stress/stress-events.ts';
import { ownCommand } from '../shared/own-command.ts';
import { openReports } from '../shared/report-options.ts';
import type { Reports } from '../shared/reports.ts';
import { exitCodeOf, exitCodes } from '../../harness/verdict/exit-code.ts';
import { HistoryLines } from '../../history/ndjson.ts';
import type { History } from '../../history/operation.ts';
import { historyFile } from '../../reporters/history/history-file.ts';
import { exercisedLines } from '../../reporters/stress/exercised-lines.ts';
import { findingLines } from '../../reporters/stress/finding-lines.ts';
import { shownLine } from '../../harness/output/printable.ts';
import type { Chapter } from '../../stress/run/chapter.ts';
import { isFailed } from '../../stress/run/judged.ts';
import { shrinkFailure } from '../../stress/shrink/repeat.ts';
import type { Repeating } from '../../stress/shrink/repeat.ts';
import { restarterOf } from '../../stress/run/restarter.ts';
import { runStress } from '../../stress/run/run-stress.ts';
import type { StressResult } from '../../stress/run/run-stress.ts';
import { readKept } from '../../stress/shrink/kept-file.ts';
import type { Target } from '../../harness/config/target.ts';
import { probeOutputs } from '../shared/probe-outputs.ts';
import { withinTime } from '../shared/time/time-limit.ts';
import { keepFindings, keepShrunk } from './keep.ts';
import { replay } from './replay.ts';
import type { StressCommandOptions } from './stress-options.ts';
import { stressTarget } from './stress-target.ts';
import { out, secrets } from '../shared/output.ts';

/** What the run may take beside the time of its clients, in ms: last looks, judging and shrinking. */
const moreMs = 300_000;
/** How long simpler plans are tried once something failed, in ms. */
const shrinkMs = 25_000;

/** Runs concurrent clients as the options say; resolves to the exit code. */
export async function stress(options: StressCommandOptions): Promise<number> {
  const kept = options.replay === undefined ? undefined : readKept(options.replay);
  const reports = await openReports(options.report, { rerunCommand: () => `${ownCommand()} stress` });
  const { target, restart, close } = await stressTarget(options);
  try {
    probeOutputs({
      folders: { '--keep': options.keep },
      files: { '--history': options.history, '--out': options.out, ...reports?.outputs },
      inputs: [options.data ?? '', options.replay ?? ''],
    });
    const limited = await withinTime('stress', target.budgetMs ?? options.time + moreMs, async (signal) => {
      const restarter = restarterOf(target, { env: process.env, signal, secrets, own: restart });
      try {
        if (kept !== undefined) return await replay(target, kept, { options, restarter, signal, say });
        return await run(target, { options, restarter, signal, reports });
      } finally {
        await restarter.close();
      }
    });
    if (limited.end === 'done') return limited.value;
    if (limited.end === 'interrupted') return exitCodes.interrupted;
    say(`${limited.limitMs / 1000} s were not enough (--budget-ms)`);
    return exitCodes.inconclusive;
  } finally {
    await close();
  }
}

interface RunParts {
  readonly reports: Reports | undefined;
  readonly options: StressCommandOptions;
  readonly restarter: Repeating['restarter'];
  readonly signal: AbortSignal;
}

async function run(target: Target, { options, restarter, signal, reports }: RunParts): Promise<number> {
  const { clients, time: timeMs, restarts, history } = options;
  const seed = options.seed ?? randomInt(2 ** 31);
  say(`${clients} clients at ${target.baseUrl} for ${timeMs / 1000} s, seed ${seed}`);
  const result = await runStress(target, {
    seed,
    signal,
    restarter,
    clients,
    timeMs,
    restarts,
    env: process.env,
    onChapter: (chapter, number) => {
      say(chapterLine(chapter, number));
      if (history !== undefined) writeHistory(history, chapter.history);
    },
  });
  report(result, options);
  const exitCode = exitCodeFor(result, options);
  keepResults(
    stressEvents({ target, result, isStrict: options.strict === true, exitCode }),
    options,
    reports,
  );
  say(...keepFindings(options.keep, result));
  const shrunk = await shrinkFailure(result, { clients, restarter, mostMs: shrinkMs });
  if (shrunk !== undefined) say(...keepShrunk(options.keep, shrunk, { seed, clients }));
  return exitCode;
}

/** Writes the result stream and the reports that were asked for. */
function keepResults(
  events: readonly ResultEvent[],
  { out: path }: StressCommandOptions,
  reports: Reports | undefined,
): void {
  const file = path === undefined ? undefined : ndjsonReporter(path, secrets);
  for (const event of secrets.cleaned(events)) {
    file?.event(event);
    reports?.add(event);
  }
  reports?.write();
}

function report(
  { findings, exercised, trouble, opportunities, stage }: StressResult,
  options: StressCommandOptions,
): void {
  for (const finding of findings) say('', ...findingLines(finding));
  say('', ...exercisedLines(exercised, options.restarts));
  if (stage?.takesTargets === false)
    say('not put to the test: mentions, since naming targets has no effect (bindings.mentions)');
  const failed = findings.filter(isFailed).length;
  const warned = findings.length - failed;
  say(`${failed} failed, ${warned} warned; ${opportunities.size} clauses put to the test`);
  if (trouble !== undefined) say(`nothing can be concluded: ${trouble}`);
}

function exitCodeFor(
  { findings, exercised, trouble, opportunities }: StressResult,
  { strict }: StressCommandOptions,
): number {
  const failed = findings.filter(isFailed).length;
  const hasProved = trouble === undefined && exercised.reads > 0 && opportunities.size > 0;
  return exitCodeOf({ failed, warned: findings.length - failed, hasProved }, strict === true);
}

/** Writes a history over what the file held. */
function writeHistory(path: string, { facts, operations }: History): void {
  const [file, lines] = [historyFile(path), new HistoryLines()];
  file.write(secrets.clean(lines.header(facts)));
  for (const operation of operations) file.write(secrets.clean(lines.operation(operation)));
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
  for (const line of lines) out.write(shownLine(secrets.clean(line)));
}
