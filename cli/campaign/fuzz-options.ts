import type { Shard } from '../../fuzz/campaign/draw-cases.ts';
import type { TargetOptions } from '../shared/target-options.ts';

/** Options of `conform fuzz`, as commander parses them. */
export interface FuzzCommandOptions extends TargetOptions {
  readonly time?: number;
  readonly cases?: number;
  readonly seed?: number;
  readonly shard: Shard;
  readonly only: readonly string[];
  readonly concurrency: number;
  readonly rate?: number;
  readonly corpus?: string;
  readonly failOn: 'new' | 'any';
  readonly strict?: boolean;
  readonly baseline?: string;
  readonly writeBaseline?: string;
  readonly out?: string;
  readonly report: readonly string[];
  readonly history?: string;
}
