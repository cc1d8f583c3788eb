import { join } from 'node:path';
import { lostFiles } from '../../harness/output/clean-file.ts';
import type { FindingCase, FindingEvent, HeaderEvent } from '../../harness/results/generated/events.ts';
import type { RunSoFar } from '../run-so-far.ts';

/** Commands that show a finding again, as the reader can type them; the header says at which server, and how. */
export interface AgainCommands {
  /** Runs some checks again; without any, the same as before. */
  readonly rerunCommand: (checks: readonly string[], header: HeaderEvent | undefined) => string;
  /** Sends the request of a failure file again. */
  readonly replayCommand: (file: string, header: HeaderEvent | undefined) => string;
}

/** The command that shows a finding again: a campaign's by the request that it kept, any other by its checks; what takes more, by all. */
export function againCommand(
  finding: FindingEvent,
  { folder, header }: Pick<RunSoFar, 'folder' | 'header'>,
  { rerunCommand, replayCommand }: AgainCommands,
): string {
  return isReplayed(finding, folder)
    ? replayCommand(failureFile(finding.case, folder), header)
    : rerunCommand(checksAgain(finding), withHistory(finding, header));
}

/** What the whole history of a campaign shows takes one: in a file of its own, since the first may be kept. */
function withHistory(finding: FindingEvent, header: HeaderEvent | undefined): HeaderEvent | undefined {
  return header?.campaign === undefined || header.command === undefined || finding.case !== undefined
    ? header
    : { ...header, command: [...header.command, '--history', 'history-again.ndjson'] };
}

/**
 * The checks that show a finding of a run again; none where it takes all of them. What is seen in the answers to all checks, and not
 * in each that could show it, comes for sure only where there are as many answers, and a message of which nobody knows who sent it
 * only where all send.
 */
function checksAgain(finding: FindingEvent): readonly string[] {
  const { metIn, cause, seen, showsAlone = true } = finding;
  if (!showsAlone) return [];
  const isSure = seen.times === seen.of && cause !== undefined;
  return metIn === undefined || isSure ? checksToRepeat(finding) : [];
}

/** Whether the kept request shows it by itself, whenever it is sent: what shows only among other requests, or now and then, takes the campaign. */
export function isReplayed(
  finding: FindingEvent,
  folder: string | undefined,
): finding is FindingEvent & Required<Pick<FindingEvent, 'case'>> {
  const { case: shown, seen } = finding;
  return shown !== undefined && seen.times > 0 && seen.times === seen.of && isKept(shown, folder);
}

/** Whether the request of a finding stands where its campaign keeps it: a disk that is full costs the file. */
export function isKept(shown: Pick<FindingCase, 'file'>, folder: string | undefined): boolean {
  return !lostFiles.has(failureFile(shown, folder));
}

/** Where a campaign keeps the request of a finding: beside its stream. */
function failureFile({ file }: Pick<FindingCase, 'file'>, folder = ''): string {
  return join(folder, 'failures', file);
}

/**
 * The checks that show a finding again: the one that caused it, and the one that showed it where that is another, since
 * a message that one sends and another reads takes both.
 */
export function checksToRepeat({
  check,
  metIn = check,
  cause,
}: Pick<FindingEvent, 'check' | 'metIn' | 'cause'>): readonly string[] {
  return [...new Set([cause?.check ?? metIn, metIn])];
}
