import { appendFileSync, closeSync, mkdirSync, openSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Clean } from './known-secrets.ts';

/** A file that is written piece by piece. */
export interface CleanFile {
  /** With the operating system when this returns. */
  readonly write: (text: Clean) => void;
  /** Closes the file; a second time it does nothing. */
  readonly end: () => void;
}

/**
 * Opens a file, with its folder; one that exists is replaced. With {@link writeCleanFile} the only way by which this program writes what a
 * server, or somebody's file, has a part in.
 * @throws the error of `node:fs` when it cannot be opened; a write throws it too
 */
export function openCleanFile(path: string): CleanFile {
  mkdirSync(dirname(path), { recursive: true });
  let file: number | undefined = openSync(path, 'w');
  return {
    write: (text) => {
      if (file === undefined) throw new Error(`${path} is closed`);
      writeFileSync(file, text);
    },
    end: () => {
      if (file !== undefined) closeSync(file);
      file = undefined;
    },
  };
}

/**
 * Writes a file as a whole, with its folder; one that exists is replaced.
 * @throws the error of `node:fs`
 */
export function writeCleanFile(path: string, text: Clean): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/**
 * Adds to a file that somebody else keeps, as platforms take what is to be shown.
 * @throws the error of `node:fs`
 */
export function appendToFile(path: string, text: Clean): void {
  appendFileSync(path, text);
}
