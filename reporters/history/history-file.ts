import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { InvalidTarget } from '../../harness/errors.ts';

/** Characters gathered before they are written. */
const chunk = 64_000;

/** A file that a history is written to, line by line, while it goes on. */
export interface HistoryFile {
  readonly write: (lines: string) => void;
  /** Writes what is left and closes the file; a second time it does nothing. */
  readonly end: () => void;
}

/**
 * Opens the file, with its folder; one that exists is replaced.
 * @throws InvalidTarget when it cannot be written
 */
export function historyFile(path: string): HistoryFile {
  let file: number | undefined = opened(path);
  let pending = '';
  const flush = (): void => {
    if (pending !== '' && file !== undefined) writeSync(file, pending);
    pending = '';
  };
  return {
    write: (lines) => {
      pending += lines;
      if (pending.length > chunk) flush();
    },
    end: () => {
      flush();
      if (file !== undefined) closeSync(file);
      file = undefined;
    },
  };
}

function opened(path: string): number {
  try {
    mkdirSync(dirname(path), { recursive: true });
    return openSync(path, 'w');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new InvalidTarget(`the history ${path} cannot be written (${code ?? String(error)})`);
  }
}
