import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { atExit } from './at-exit.ts';
import { InvalidTarget } from './errors.ts';

/** A folder of this process alone. */
interface TemporaryFolder {
  readonly path: string;
  /** Removes it with all that is in it; the end of the process does so too. */
  readonly remove: () => void;
}

/**
 * Makes a folder whose name begins as given, where the system has such folders.
 * @throws InvalidTarget where none can be made there
 */
export function temporaryFolder(prefix: string): TemporaryFolder {
  const path = made(prefix);
  const tidy = (): void => rmSync(path, { recursive: true, force: true, maxRetries: 3 });
  const letGo = atExit(tidy);
  return {
    path,
    remove: () => {
      tidy();
      letGo();
    },
  };
}

function made(prefix: string): string {
  try {
    return mkdtempSync(join(tmpdir(), prefix));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new InvalidTarget(`no temporary folder can be made (TMPDIR): ${why}`);
  }
}
