import {
  appendFileSync,
  closeSync,
  ftruncateSync,
  lstatSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import type { Clean } from './known-secrets.ts';

/**
 * The files that could not be written, or not to their end, and what is to be said of each, with the code of the system's error: a
 * disk that fills up costs the file and nothing else. Whoever wrote them says so in the end.
 */
export const lostFiles = new Map<string, string>();

/** A file that is written piece by piece. */
export interface CleanFile {
  /** With the operating system when this returns, unless the file is lost: then it ends with what was written before. */
  readonly write: (text: Clean) => void;
  /** Closes the file; a second time it does nothing. */
  readonly end: () => void;
}

/**
 * Opens a file, with its folder; one that exists is replaced. With {@link writeCleanFile} the only way by which this program writes what a
 * server, or somebody's file, has a part in.
 * @throws the error of `node:fs` when it cannot be opened; what goes wrong afterwards is noted as lost
 */
export function openCleanFile(path: string): CleanFile {
  mkdirSync(dirname(path), { recursive: true });
  let file: number | undefined = openSync(path, 'w');
  let isLost = false;
  let bytes = 0;
  return {
    write: (text) => {
      const descriptor = file;
      if (descriptor === undefined) throw new Error(`${path} is closed`);
      if (isLost) return;
      isLost = !orLost(path, () => writeFileSync(descriptor, text));
      // Of a text for which there was no room a part may stand there.
      if (isLost) orLost(path, () => ftruncateSync(descriptor, bytes));
      else bytes += Buffer.byteLength(text);
    },
    end: () => {
      const descriptor = file;
      file = undefined;
      if (descriptor !== undefined) orLost(path, () => closeSync(descriptor));
    },
  };
}

/** The file name that stands for standard output. */
export const standardOutputName = '-';

/** Standard output as a file that is written piece by piece. */
export const standardOutput: CleanFile = {
  write: (text) => void process.stdout.write(text),
  end: () => {},
};

/**
 * Writes a file as a whole, with its folder; one that exists is replaced. False where it was lost: then one that existed is as it
 * was, and no half of a new one stands there.
 */
export function writeCleanFile(path: string, text: Clean): boolean {
  const write = (): void => {
    mkdirSync(dirname(path), { recursive: true });
    const is = lstatSync(path, { throwIfNoEntry: false });
    // A pipe, a device or a link is nothing to put a file in the place of.
    if (is === undefined || is.isFile()) replace(path, text, is?.mode);
    else writeFileSync(path, text);
  };
  return orLost(path, write, 'was not written');
}

function replace(path: string, text: Clean, mode: number | undefined): void {
  const part = `${path}.part`;
  try {
    writeFileSync(part, text, { mode });
    renameSync(part, path);
  } catch (error) {
    rmSync(part, { force: true });
    // Where the folder takes no other file, as with a single file mounted into a container, there is only the file itself.
    if (!takesNoOther.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
    writeFileSync(path, text);
  }
}

const takesNoOther: ReadonlySet<string> = new Set(['EACCES', 'EBUSY', 'EPERM', 'EROFS', 'EXDEV']);

/** Writes to a file; false where it is lost by that, and then noted with what became of it. */
export function orLost(path: string, write: () => void, lost = 'is not complete'): boolean {
  try {
    write();
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    lostFiles.set(path, lostFiles.get(path) ?? `${lost} (${code})`);
    return false;
  }
}

/** Adds to a file that somebody else keeps, as platforms take what is to be shown. */
export function appendToFile(path: string, text: Clean): void {
  orLost(path, () => appendFileSync(path, text));
}
