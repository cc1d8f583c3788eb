import type { AgainCommands } from '../again.ts';
import type { RunSoFar } from '../run-so-far.ts';
import type { FormatName } from './names.ts';

/** What a report depends on beside the run. */
export type ReportSettings = AgainCommands;

/** A form in which results are written for some reader. */
export interface ReportFormat {
  /** As `--format` has it. */
  readonly name: FormatName;
  /** For `--help`: who reads it. */
  readonly reader: string;
  /** One report on all of the runs, in pieces to be written one after the other. */
  write(runs: readonly RunSoFar[], settings: ReportSettings): Iterable<string>;
}
