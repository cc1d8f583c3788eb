import type { RunOptions } from '../../harness/run/run-checks.ts';
import { secrets } from '../shared/output.ts';
import type { ResultOptions } from '../shared/report-options.ts';
import { commandLine } from '../shared/command-line.ts';
import { type ScoringFlags, scoringOf } from '../shared/scoring-options.ts';
import type { TargetOptions } from '../shared/target-options.ts';
import { type GateFlags, withSeed } from './gate-options.ts';
import type { Selected, SelectionOptions } from './selection.ts';

/** Options of `conform run`, as commander parses them. */
export interface RunCommandOptions
  extends TargetOptions, ResultOptions, ScoringFlags, SelectionOptions, GateFlags {
  readonly timeout?: number;
  readonly concurrency?: number;
  readonly trace: readonly string[];
  /** True without a path: the server alone is watched. */
  readonly watch?: true | readonly string[];
  readonly history?: string;
  readonly verbose?: boolean;
}

/** How a run goes about its checks as the options ask for it, whoever hears of it. */
export function runOptionsOf(
  options: RunCommandOptions,
  { selection, asked }: Pick<Selected, 'selection' | 'asked'>,
): Omit<RunOptions, 'onEvent'> {
  const { strict, timeout, concurrency, bail, maxP95, order } = options;
  return {
    env: process.env,
    secrets,
    profile: { strict: strict === true, selection },
    command: withSeed(commandLine('run', options), order),
    ...(asked === undefined ? {} : { asked }),
    ...scoringOf(options, process.cwd()),
    ...(maxP95.length === 0 ? {} : { latencyLimits: maxP95 }),
    ...(bail === undefined ? {} : { bail: bail === true ? 1 : bail }),
    ...(order === undefined ? {} : { order }),
    ...(timeout === undefined ? {} : { checkTimeoutMs: timeout }),
    ...(concurrency === undefined ? {} : { concurrency }),
  };
}
