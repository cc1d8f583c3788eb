import { existsSync, lstatSync, readdirSync, realpathSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { InvalidTarget } from '../../harness/errors.ts';
import { readFailure } from './failure-file.ts';

/**
 * Removes from a folder the failure files of earlier campaigns: all but those at `written`. Nothing else is touched, and nothing at all
 * where the folder is the corpus itself. Why one is still there, where it cannot be removed.
 */
export function removeEarlierFailures(
  folder: string,
  { written, corpus }: { readonly written: ReadonlySet<string>; readonly corpus?: string | undefined },
): string | undefined {
  // Of what is there in its place the campaign has said that nothing could be written.
  if (!existsSync(folder) || !statSync(folder).isDirectory() || isSameFolder(folder, corpus))
    return undefined;
  try {
    for (const name of readdirSync(folder)) {
      const path = join(folder, name);
      if (!written.has(path) && isFailureFile(path)) rmSync(path);
    }
    return undefined;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    return `failures of earlier are still in ${folder} (${code})`;
  }
}

function isSameFolder(folder: string, other: string | undefined): boolean {
  return other !== undefined && existsSync(other) && realpathSync(other) === realpathSync(folder);
}

function isFailureFile(path: string): boolean {
  if (!path.endsWith('.json') || !lstatSync(path).isFile()) return false;
  try {
    readFailure(path);
    return true;
  } catch (error) {
    if (error instanceof InvalidTarget) return false;
    throw error;
  }
}
