import type { TargetOptions } from '../shared/target-options.ts';
import type { TroubleOptions } from '../shared/trouble-options.ts';

/** Options of `conform stress`, as commander parses them. */
export interface StressCommandOptions extends TargetOptions, TroubleOptions {
  readonly clients: number;
  readonly time: number;
  readonly seed?: number;
  readonly restarts: number;
  readonly data?: string;
  readonly keep: string;
  /** File of the result stream. */
  readonly out?: string;
  readonly report: readonly string[];
  readonly history?: string;
  readonly replay?: string;
  readonly times: number;
  readonly strict?: boolean;
}
