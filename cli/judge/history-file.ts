import { InvalidTarget } from '../../harness/errors.ts';
import { type CleanFile, openCleanFile } from '../../harness/output/clean-file.ts';
import type { Clean } from '../../harness/output/known-secrets.ts';
import { HistoryLines } from '../../history/ndjson.ts';
import type { History } from '../../history/operation.ts';
import { secrets } from '../shared/output.ts';

/** Characters gathered before they are written. */
const chunk = 64_000;

const noLines = '' as Clean;

/** A file that a history is written to, line by line, while it goes on. */
export interface HistoryFile {
  readonly write: (lines: Clean) => void;
  /** Writes what is left and closes the file; a second time it does nothing. */
  readonly end: () => void;
}

/**
 * Opens the file, with its folder; one that exists is replaced.
 * @throws InvalidTarget when it cannot be written
 */
export function historyFile(path: string): HistoryFile {
  const file = opened(path);
  let [pending, isOpen] = [noLines, true];
  const flush = (): void => {
    if (pending !== '' && isOpen) file.write(pending);
    pending = noLines;
  };
  return {
    write: (lines) => {
      // Whole lines, each clean, are clean together.
      pending = `${pending}${lines}` as Clean;
      if (pending.length > chunk) flush();
    },
    end: () => {
      flush();
      isOpen = false;
      file.end();
    },
  };
}

function opened(path: string): CleanFile {
  try {
    return openCleanFile(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new InvalidTarget(`the history ${path} cannot be written (${code ?? String(error)})`);
  }
}

/** Writes a history over what the file held. */
export function writeHistory(path: string, { facts, operations }: History): void {
  const [file, lines] = [historyFile(path), new HistoryLines()];
  file.write(secrets.clean(lines.header(facts)));
  for (const operation of operations) file.write(secrets.clean(lines.operation(operation)));
  file.end();
}
