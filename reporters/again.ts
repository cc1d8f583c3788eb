import { join } from 'node:path';
import type { FindingEvent, HeaderEvent } from '../harness/results/events.ts';
import { checksToRepeat } from './checks-to-repeat.ts';
import type { RunSoFar } from './run-so-far.ts';

/** Commands that show a finding again, as the reader can type them; the header says at which server, and how. */
export interface AgainCommands {
  /** Runs some checks again. */
  readonly rerunCommand: (checks: readonly string[], header: HeaderEvent | undefined) => string;
  /** Sends the request of a failure file again. */
  readonly replayCommand: (file: string, header: HeaderEvent | undefined) => string;
}

/** The command that shows a finding again: a campaign's by the request that it kept, or by the whole campaign, any other by its checks. */
export function againCommand(
  finding: FindingEvent,
  { folder = '', header }: Pick<RunSoFar, 'folder' | 'header'>,
  { rerunCommand, replayCommand }: AgainCommands,
): string {
  return isReplayed(finding)
    ? replayCommand(failureFile(folder, finding.case), header)
    : rerunCommand(checksToRepeat(finding), header);
}

/** Whether the kept request shows it by itself: what showed only among other requests takes the campaign. */
export function isReplayed(
  finding: FindingEvent,
): finding is FindingEvent & Required<Pick<FindingEvent, 'case'>> {
  return finding.case !== undefined && finding.seen.times > 0;
}

/** Where a campaign keeps the request of a finding: beside its stream. */
export function failureFile(
  folder: string,
  { file }: Pick<NonNullable<FindingEvent['case']>, 'file'>,
): string {
  return join(folder, 'failures', file);
}
