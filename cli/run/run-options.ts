import type { ResultEvent } from '../../harness/results/generated/events.ts';
import type { RunOptions } from '../../harness/run/run-checks.ts';
import { terminalReporter } from '../../reporters/run/terminal-reporter.ts';
import { verdictReporter } from '../../reporters/verdict-reporter.ts';
import type { KeptFileFlags } from '../shared/kept-files.ts';
import { out, secrets } from '../shared/output.ts';
import { againCommands } from '../shared/again-commands.ts';
import { commandLine } from '../shared/command-line.ts';
import { scoringOf } from '../shared/scoring-options.ts';
import type { ScoringFlags } from '../shared/scoring-options.ts';
import type { TargetOptions } from '../shared/target-options.ts';
import type { Selected, SelectionOptions } from './selection.ts';

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

/** What prints a run, and hears of it. */
export type RunPrinter = Required<Pick<RunOptions, 'onEvent' | 'onUnderWay'>> & {
  /** Leaves a run that nobody is to hear of: what it still rewrites goes. */
  readonly leave: () => void;
};

/** What prints a run as the options ask for it. */
export function printerOf(options: RunCommandOptions): RunPrinter {
  const { strict, verbose, quiet } = options;
  if (quiet === true) return { onEvent: verdictReporter(out), onUnderWay: () => {}, leave: () => {} };
  const terminal = terminalReporter(out, {
    color: out.hasColor,
    live: out.isTTY,
    rerunCommand: againCommands.rerunCommand,
    strict: strict === true,
    verbose: verbose === true,
  });
  return {
    onEvent: (event: ResultEvent): void => terminal.event(event),
    onUnderWay: (check, isUnderWay) => terminal.underWay(check, isUnderWay),
    leave: () => terminal.leave(),
  };
}

/** How a run goes about its checks as the options ask for it, whoever hears of it. */
export function runOptionsOf(
  options: RunCommandOptions,
  { selection, asked }: Pick<Selected, 'selection' | 'asked'>,
): Omit<RunOptions, 'onEvent'> {
  const { strict, timeout, concurrency } = options;
  return {
    env: process.env,
    secrets,
    profile: { strict: strict === true, selection },
    command: commandLine('run', options),
    ...(asked === undefined ? {} : { asked }),
    ...scoringOf(options, process.cwd()),
    ...(timeout === undefined ? {} : { checkTimeoutMs: timeout }),
    ...(concurrency === undefined ? {} : { concurrency }),
  };
}
