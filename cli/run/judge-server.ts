import { runChecks } from '../../harness/run/run-checks.ts';
import type { ResultEvent } from '../../harness/results/events.ts';
import { exitCodes } from '../../harness/verdict/exit-code.ts';
import { historyFile } from '../../reporters/history/history-file.ts';
import { ndjsonReporter } from '../../reporters/ndjson.ts';
import { countOf } from '../../reporters/quantities.ts';
import { terminalReporter } from '../../reporters/run/terminal-reporter.ts';
import { declaredCells } from '../../suites/arrange/auth/access-matrix.ts';
import { listenForInterruption } from '../shared/time/interruption.ts';
import { KeptFiles } from '../shared/kept-files.ts';
import type { KeptFileFlags } from '../shared/kept-files.ts';
import type { StartedTarget } from '../shared/open-target.ts';
import { sayWithoutLiveLine } from '../shared/time/meanwhile.ts';
import { probeOutputs } from '../shared/probe-outputs.ts';
import { rerunCommand } from '../shared/rerun-command.ts';
import { openReports } from '../shared/report-options.ts';
import { scoringOf } from '../shared/scoring-options.ts';
import type { ScoringFlags } from '../shared/scoring-options.ts';
import type { TargetOptions } from '../shared/target-options.ts';
import { out, secrets } from '../shared/output.ts';
import { endSoon } from '../shared/time/time-limit.ts';
import { selectedChecks } from './selection.ts';
import type { SelectionOptions } from './selection.ts';
import { Trace } from './trace.ts';

/** Options of `conform run`, as commander parses them. */
export interface RunCommandOptions extends TargetOptions, ScoringFlags, KeptFileFlags, SelectionOptions {
  readonly strict?: boolean;
  readonly timeout?: number;
  readonly concurrency?: number;
  readonly out?: string;
  readonly report: readonly string[];
  readonly trace: readonly string[];
  /** True without a path: the server alone is watched. */
  readonly watch?: true | readonly string[];
  readonly history?: string;
  readonly verbose?: boolean;
}

/**
 * Runs the checks that the options select against a target that is being opened, and reports; returns the exit code.
 * @throws InvalidTarget on options that name nothing, or a target that cannot be read
 */
export async function judgeServer(
  options: RunCommandOptions,
  opening: Pick<StartedTarget, 'target'>,
): Promise<number> {
  const selected = selectedChecks(options);
  if (selected === undefined) {
    out.say(`nothing failed in ${String(options.failed)}: nothing to run again (exit 3)\n`);
    return exitCodes.inconclusive;
  }
  const { checks, selection } = selected;
  const trace = new Trace(options.trace);
  const scoring = scoringOf(options, process.cwd());
  const files = new KeptFiles(options, process.cwd());
  const reports = await openReports(options.report, { rerunCommand: rerun });
  const target = await opening.target();
  probeOutputs({
    files: { '--out': options.out, '--history': options.history, ...files.outputs, ...reports?.outputs },
    inputs: options.failed === undefined ? [] : [options.failed],
  });
  const history = options.history === undefined ? undefined : historyFile(options.history);
  const interruption = listenForInterruption();
  const listeners = [
    ...listenersOf(options),
    (event: ResultEvent): void => files.add(event),
    (event: ResultEvent): void => reports?.add(event),
  ];
  let ended = 0;
  listeners.push((event) => void (ended += event.type === 'check' ? 1 : 0));
  const meanwhile = sayWithoutLiveLine('run', () => `${countOf(ended, 'check')} of ${checks.length} ended`);
  try {
    const footer = await runChecks(checks, target, {
      onEvent: (event) => listeners.forEach((listen) => listen(event)),
      onExchange: (check, _exchange, evidence) => trace.add(check, evidence),
      signal: interruption.signal,
      env: process.env,
      secrets,
      // Only what is kept shows it, and counting takes a moment.
      ...(options.out === undefined && reports === undefined ? {} : { situations: declaredCells() }),
      ...(history === undefined ? {} : { onHistoryLines: history.write }),
      profile: { strict: options.strict === true, selection },
      ...scoring,
      ...(files.snapshot === undefined ? {} : { snapshot: files.snapshot }),
      ...(options.timeout === undefined ? {} : { checkTimeoutMs: options.timeout }),
      ...(options.concurrency === undefined ? {} : { concurrency: options.concurrency }),
    });
    const isWhole = selection.length === 0 && !target.limits.isReadOnly;
    for (const line of files.write(footer, { isWhole })) out.say(`${line}\n`);
    // Whatever is still under way is nobody's concern any more.
    endSoon(footer.exitCode);
    return footer.exitCode;
  } finally {
    meanwhile.stop();
    trace.print();
    reports?.write();
    interruption.release();
    history?.end();
  }
}

/** The command that runs some checks of this run again. */
function rerun(checks: readonly string[]): string {
  return rerunCommand(process.argv.slice(2), checks, secrets);
}

function listenersOf(
  options: Pick<RunCommandOptions, 'strict' | 'verbose' | 'out'>,
): readonly ((event: ResultEvent) => void)[] {
  const terminal = terminalReporter(out, {
    color: out.hasColor,
    live: out.isTTY,
    rerunCommand: rerun,
    strict: options.strict === true,
    verbose: options.verbose === true,
  });
  const listeners = [(event: ResultEvent): void => terminal.event(event)];
  if (options.out !== undefined) {
    const file = ndjsonReporter(options.out, secrets);
    listeners.push((event) => file.event(event));
  }
  return listeners;
}
