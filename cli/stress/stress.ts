import { randomInt } from 'node:crypto';
import type { ResultEvent } from '../../harness/results/generated/events.ts';
import { ndjsonReporter } from '../../reporters/ndjson.ts';
import { countOf } from '../../reporters/quantities.ts';
import { stressEvents } from '../../reporters/stress/stress-events.ts';
import { commandLine } from '../shared/command-line.ts';
import { openReports } from '../shared/report-options.ts';
import type { Reports } from '../shared/reports.ts';
import { exitCodeOf, exitCodes } from '../../harness/verdict/exit-code.ts';
import { HistoryLines } from '../../history/ndjson.ts';
import type { History } from '../../history/operation.ts';
import { historyFile } from '../../reporters/history/history-file.ts';
import { exercisedLines } from '../../reporters/stress/exercised-lines.ts';
import { findingLines } from '../../reporters/stress/finding-lines.ts';
import { StressScreen } from '../../reporters/stress/stress-screen.ts';
import { verdictReporter } from '../../reporters/verdict-reporter.ts';
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
import { demandServer } from '../shared/target-options.ts';
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
  if (options.replay !== undefined && options.data === undefined) demandServer('--replay', options);
  const kept = options.replay === undefined ? undefined : readKept(options.replay);
  const reports = await openReports(options.report);
  const { target, restart, close } = await stressTarget(options);
  const screen = new StressScreen(out);
  const isQuiet = options.quiet === true;
  const conclude = (line: string): void => screen.say(secrets.clean(line));
  const say = (...lines: readonly string[]): void => {
    if (!isQuiet) lines.forEach(conclude);
  };
  try {
    probeOutputs({
      folders: { '--keep': options.keep },
      files: { '--history': options.history, '--out': options.out, ...reports?.outputs },
      inputs: [options.data ?? '', options.replay ?? ''],
    });
    const work = async (signal: AbortSignal): Promise<number> => {
      const restarter = restarterOf(target, { env: process.env, signal, secrets, own: restart });
      try {
        const common = { options, restarter, signal, say };
        if (kept !== undefined) return await replay(target, kept, { ...common, conclude });
        return await run(target, { ...common, reports, screen });
      } finally {
        await restarter.close();
      }
    };
    const isSilent = isQuiet || (out.isTTY && kept === undefined);
    const limited = await withinTime('stress', target.budgetMs ?? options.time + moreMs, work, { isSilent });
    screen.stop();
    if (limited.end === 'done') return limited.value;
    if (limited.end === 'interrupted') return exitCodes.interrupted;
    conclude(`${limited.limitMs / 1000} s were not enough (--budget-ms)`);
    return exitCodes.inconclusive;
  } finally {
    screen.stop();
    await close();
  }
}

interface RunParts {
  readonly reports: Reports | undefined;
  readonly options: StressCommandOptions;
  readonly restarter: Repeating['restarter'];
  readonly signal: AbortSignal;
  readonly screen: StressScreen;
  readonly say: (...lines: readonly string[]) => void;
}

async function run(target: Target, parts: RunParts): Promise<number> {
  const { options, restarter, signal, reports, say } = parts;
  const { clients, time: timeMs, restarts, history } = options;
  const seed = options.seed ?? randomInt(2 ** 31);
  const command = [...commandLine('stress', options), '--seed', `${seed}`];
  const begin = (what: string, mostMs: number): void => {
    if (options.quiet !== true) parts.screen.begin(what, mostMs);
  };
  say(`${clients} clients at ${target.baseUrl} for ${timeMs / 1000} s, seed ${seed}`);
  begin(countOf(clients, 'client'), timeMs);
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
  say(...reportLines(result, options));
  const exitCode = exitCodeFor(result, options);
  const events = secrets.cleaned(
    stressEvents({ target, result, isStrict: options.strict === true, exitCode, command }),
  );
  keepResults(events, options, reports);
  if (options.quiet === true) events.forEach(verdictReporter(out));
  say(...keepFindings(options.keep, result));
  if (result.failed !== undefined) begin('the least that shows it', shrinkMs);
  const shrunk = await shrinkFailure(result, { clients, restarter, mostMs: shrinkMs });
  if (shrunk !== undefined) say(...keepShrunk(options.keep, shrunk, { seed, clients, command }));
  return exitCode;
}

/** Writes the result stream and the reports that were asked for. */
function keepResults(
  events: readonly ResultEvent[],
  { out: path }: StressCommandOptions,
  reports: Reports | undefined,
): void {
  const file = path === undefined ? undefined : ndjsonReporter(path, secrets);
  for (const event of events) {
    file?.event(event);
    reports?.add(event);
  }
  reports?.write();
}

function reportLines(
  { findings, exercised, trouble, opportunities, stage }: StressResult,
  options: StressCommandOptions,
): readonly string[] {
  const failed = findings.filter(isFailed).length;
  const warned = findings.length - failed;
  return [
    ...findings.flatMap((finding) => ['', ...findingLines(finding)]),
    '',
    ...exercisedLines(exercised, options.restarts),
    ...(stage?.takesTargets === false
      ? ['not put to the test: mentions, since naming targets has no effect (bindings.mentions)']
      : []),
    `${failed} failed, ${warned} warned; ${opportunities.size} clauses put to the test`,
    ...(trouble === undefined ? [] : [`nothing can be concluded: ${trouble}`]),
  ];
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
