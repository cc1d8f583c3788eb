import type { HeaderEvent } from '../../harness/results/generated/events.ts';
import type { AgainCommands } from '../story/again.ts';
import type { RunSoFar } from '../run-so-far.ts';

/** A line of a file that is there, its path as that of a URI. */
export interface TargetPlace {
  readonly uri: string;
  /** 1-based. */
  readonly line: number;
}

/** What a report depends on beside the run. */
export interface ReportSettings extends AgainCommands {
  /** Where a target file names the server; absent, or `undefined`, where there is none to show. */
  readonly targetPlace?: (header: HeaderEvent | undefined) => TargetPlace | undefined;
}

/** A form in which results are written for some reader. */
export interface ReportFormat {
  /** As `--format` has it. */
  readonly name: FormatName;
  /** For `--help`: who reads it. */
  readonly reader: string;
  /** One report on all of the runs, in pieces to be written one after the other. */
  write(runs: readonly RunSoFar[], settings: ReportSettings): Iterable<string>;
}

/** The formats of reports, for whoever names them without loading them. */
export const formatNames = [
  'junit',
  'ctrf',
  'sarif',
  'codequality',
  'markdown',
  'github',
  'badge',
  'badge-json',
  'har',
  'html',
] as const;

export type FormatName = (typeof formatNames)[number];
