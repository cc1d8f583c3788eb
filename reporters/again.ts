import { join } from 'node:path';
import type { FindingEvent } from '../harness/results/events.ts';
import { checksToRepeat } from './checks-to-repeat.ts';
import type { RunSoFar } from './run-so-far.ts';

/** Commands that show a finding again, as the reader can type them. */
export interface AgainCommands {
  /** Runs some checks again. */
  readonly rerunCommand: (checks: readonly string[]) => string;
  /** Sends the request of a failure file again. */
  readonly replayCommand: (file: string) => string;
}

/** The command that shows a finding again: a campaign's by the request that it kept, any other by its checks. */
export function againCommand(
  finding: FindingEvent,
  { folder = '' }: Pick<RunSoFar, 'folder'>,
  { rerunCommand, replayCommand }: AgainCommands,
): string {
  return finding.case === undefined
    ? rerunCommand(checksToRepeat(finding))
    : replayCommand(failureFile(folder, finding.case));
}

/** Where a campaign keeps the request of a finding: beside its stream. */
export function failureFile(
  folder: string,
  { file }: Pick<NonNullable<FindingEvent['case']>, 'file'>,
): string {
  return join(folder, 'failures', file);
}
