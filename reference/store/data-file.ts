import { chmodSync, closeSync, openSync, readSync, statSync } from 'node:fs';

/** A data file cannot be used; the message is for whoever named it. */
export class DataFileFault extends Error {}

/** What a file of SQLite begins with. */
const beginning = 'SQLite format 3\0';
/** Read and written by its owner alone; SQLite gives the files that it puts beside it the same mode. */
const ownersOnly = 0o600;

/**
 * Makes a data file that is not there, and takes one that is there away from everybody but its owner.
 * @throws DataFileFault when it cannot be written, or is something else: that is left as it was
 */
export function prepareDataFile(file: string): void {
  try {
    const descriptor = openSync(file, 'a+', ownersOnly);
    try {
      requireDatabase(file, descriptor);
    } finally {
      closeSync(descriptor);
    }
    if ((statSync(file).mode & 0o777) !== ownersOnly) chmodSync(file, ownersOnly);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (error instanceof DataFileFault) throw error;
    throw new DataFileFault(`the data file ${file} ${dataFileFaults[code] ?? `cannot be used (${code})`}`);
  }
}

const dataFileFaults: Readonly<Record<string, string>> = {
  ENOENT: 'is in a folder that does not exist',
  ENOTDIR: 'is in a folder that does not exist',
  EISDIR: 'is a folder',
  EACCES: 'is not writable by this user',
  EPERM: 'belongs to another user',
};

function requireDatabase(file: string, descriptor: number): void {
  const first = Buffer.alloc(beginning.length);
  const count = statSync(file).isFile() ? readSync(descriptor, first, 0, first.length, 0) : -1;
  if (count !== 0 && first.toString('latin1') !== beginning)
    throw new DataFileFault(`the data file ${file} is something else, and was not changed: use a new file`);
}
