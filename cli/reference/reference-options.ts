import type { TroubleOptions } from '../shared/trouble-options.ts';
import type { FaultNames } from './faults.ts';

/** The forms that hooks have in a printed target file. */
export const hookForms = ['url', 'command', 'process'] as const;
export type HookForm = (typeof hookForms)[number];

/** Options of `conform reference`, as commander parses them. */
export interface ReferenceCommandOptions extends TroubleOptions, FaultNames {
  readonly port: number;
  readonly host: string;
  readonly data?: string;
  readonly keep?: number;
  readonly seedMessages?: number;
  readonly limit?: number;
  readonly hooks: HookForm;
  readonly seed?: number;
  /** In ms since 1970. */
  readonly clock?: number;
  readonly frozen?: boolean;
  readonly list?: boolean;
}
