import { closeSync, openSync, readSync, statSync } from 'node:fs';

/** Most files are smaller, whatever their limit. */
const readBytesAtOnce = 65_536;

/** What came of reading a small text file; `fault` is a clause about the file (`does not exist`). */
type FileText = { readonly text: string } | { readonly fault: string };

/** Every file that was read here: what this process must not write over. */
export const filesRead = new Set<string>();

/**
 * Reads a UTF-8 file of at most `limitBytes`, without a byte order mark. It never reads further than the limit, so
 * that an endless file or a wrong one of gigabytes is a fault like any other. Pipes can be read.
 */
export function readTextFile(path: string, limitBytes: number): FileText {
  let bytes: Buffer;
  try {
    bytes = readAtMost(path, limitBytes + 1);
  } catch (error) {
    return { fault: fileFault(error) };
  }
  if (bytes.length > limitBytes) return { fault: `is larger than ${limitBytes} bytes` };
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch {
    return { fault: 'is not UTF-8 text' };
  }
}

/**
 * What is wrong with a path that a thread is to read: whoever waits for a pipe hears no signal, and nobody can end a thread that
 * waits. `undefined` for files, and for what cannot be read anyway.
 */
export function notAFile(path: string): string | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats === undefined || stats.isFile() || stats.isDirectory()
    ? undefined
    : 'is a pipe or a device; write what it gives to a file first';
}

function readAtMost(path: string, limitBytes: number): Buffer {
  const file = openSync(path, 'r');
  filesRead.add(path);
  try {
    const chunks: Buffer[] = [];
    let length = 0;
    while (length < limitBytes) {
      const chunk = Buffer.allocUnsafe(Math.min(readBytesAtOnce, limitBytes - length));
      const count = readSync(file, chunk, 0, chunk.length, null);
      if (count === 0) break;
      chunks.push(chunk.subarray(0, count));
      length += count;
    }
    return Buffer.concat(chunks);
  } finally {
    closeSync(file);
  }
}

const fileFaults: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  ENOTDIR: 'does not exist',
  EISDIR: 'is a directory',
  EACCES: 'is not readable by this user',
  EPERM: 'is not readable by this user',
};

function fileFault(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
  return fileFaults[code] ?? `cannot be read (${code})`;
}
