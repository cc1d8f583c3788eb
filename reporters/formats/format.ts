import type { RunSoFar } from '../run-so-far.ts';

/** What a report depends on beside the run. */
export interface ReportSettings {
  /** The command that runs some checks again, as the reader can type it. */
  readonly rerunCommand: (checks: readonly string[]) => string;
}

/** A form in which results are written for some reader. */
export interface ReportFormat {
  /** As `--format` has it. */
  readonly name: string;
  /** For `--help`: who reads it. */
  readonly reader: string;
  /** The report in pieces, to be written one after the other. */
  write(run: RunSoFar, settings: ReportSettings): Iterable<string>;
}
