import type { TroubleOptions } from '../shared/trouble-options.ts';

/** Options of `conform chaos`, as commander parses them. */
export interface ChaosCommandOptions extends TroubleOptions {
  readonly target?: string;
  readonly port: number;
  readonly host: string;
  readonly seed: number;
}
