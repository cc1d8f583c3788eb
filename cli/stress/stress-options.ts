import type { ResultOptions } from '../shared/report-options.ts';
import type { TargetOptions } from '../shared/target-options.ts';
import type { TroubleOptions } from '../shared/trouble-options.ts';

/** Options of `conform stress`, as commander parses them. */
export interface StressCommandOptions extends TargetOptions, TroubleOptions, ResultOptions {
  readonly clients: number;
  readonly time: number;
  readonly seed?: number;
  readonly restarts: number;
  readonly data?: string;
  readonly keep: string;
  readonly history?: string;
  readonly replay?: string;
  /** Given only with `replay`. */
  readonly times?: number;
}
