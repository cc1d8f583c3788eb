import {
  constants,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  realpathSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import type { Stats } from 'node:fs';
import { dirname, join } from 'node:path';
import { filesRead } from '../../harness/config/bounded-file.ts';
import { InvalidTarget } from '../../harness/errors.ts';
import { standardOutputName } from '../../harness/output/clean-file.ts';

/** Paths by the options that name them. */
type Named = Readonly<Record<string, string | undefined>>;

/** What a command is going to write, and has read. */
export interface Outputs {
  readonly files?: Named;
  readonly folders?: Named;
  /** What it reads beside the files that came through `readTextFile`. */
  readonly inputs?: readonly string[];
}

/** Enough that a disk with room for it has room for a beginning. */
const probeBytes = Buffer.alloc(4_096, '\n');

/**
 * Tries whether every output can be written, before the first request. Folders that are missing are made, files are left
 * as they were.
 * @throws InvalidTarget when one cannot be written, is a file that this command reads, or is another option's too
 */
export function probeOutputs({ files = {}, folders = {}, inputs = [] }: Outputs): void {
  for (const [option, path] of [...givenPaths(files), ...givenPaths(folders)])
    refuseStandardOutput(option, path);
  for (const [option, path] of givenPaths(folders)) tried(option, path, () => probeFolder(path));
  // They stay until all were tried: the number of one that is gone could be that of the next.
  const made: string[] = [];
  try {
    const owners = new Map<string, string>();
    const read = new Set([...filesRead, ...inputs].map(identityOf));
    for (const [option, path] of givenPaths(files)) {
      const identity = tried(option, path, () => probeFile(path, made));
      const other = owners.get(identity);
      if (other !== undefined)
        throw new InvalidTarget(`${other} and ${option} name the same file, ${path}; give each its own`);
      if (read.has(identity))
        throw new InvalidTarget(`${option} ${path} is a file that this command reads; give another name`);
      owners.set(identity, option);
    }
  } finally {
    for (const path of made) rmSync(path, { force: true });
  }
}

/** Who writes `-` means standard output, which takes no folder and few files: there it would be one of that name. */
function refuseStandardOutput(option: string, path: string): void {
  if (path === standardOutputName)
    throw new InvalidTarget(
      `${option} ${path} does not go to standard output; name a file or folder, or write ./${path}`,
    );
}

function givenPaths(named: Named): readonly (readonly [option: string, path: string])[] {
  return Object.entries(named).flatMap(([option, path]) =>
    path === undefined ? [] : [[option, path] as const],
  );
}

function tried<T>(option: string, path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    throw new InvalidTarget(`${option} ${path} ${outputFaults[code] ?? `cannot be written (${code})`}`);
  }
}

const outputFaults: Readonly<Record<string, string>> = {
  EISDIR: 'is a folder; name a file',
  EEXIST: 'is a file; name a folder',
  ENOENT: 'is in a folder that does not exist',
  ENOTDIR: 'is in a folder that does not exist',
  EACCES: 'is not writable by this user',
  EPERM: 'is not writable by this user',
  EROFS: 'is on a disk that can only be read',
  ENOSPC: 'is on a full disk',
  EDQUOT: 'is on a full disk',
  ELOOP: 'is a link that leads nowhere',
  ENAMETOOLONG: 'has too long a name',
  ENXIO: 'is a pipe that nobody reads',
};

function probeFolder(path: string): void {
  mkdirSync(path, { recursive: true });
  writeProbe(join(path, `.conform-probe-${process.pid}`));
}

/** Tries a file; gives what it is told by, however its path is spelled. One that was not there is added to `made`. */
function probeFile(path: string, made: string[]): string {
  const before = existsSync(path) ? statSync(path) : undefined;
  if (before?.isFIFO() === true) {
    // Without a reader opening would wait for ever; it stays open, for closing it would end whoever reads.
    openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
    return identityOfFile(before);
  }
  const file = openSync(path, 'a');
  try {
    // Behind a link that leads nowhere something else was made than the link.
    if (before === undefined) made.push(realpathSync(path));
    if (before === undefined) writeSync(file, probeBytes);
    else if (before.isCharacterDevice()) writeSync(file, '\n');
    else probeBeside(path);
    return identityOf(path);
  } finally {
    closeSync(file);
  }
}

/** A file that is there will be replaced: whether there is room for that shows beside it, if there may be another one. */
function probeBeside(path: string): void {
  try {
    writeProbe(join(dirname(path), `.conform-probe-${process.pid}`));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOSPC' || code === 'EDQUOT') throw error;
  }
}

function writeProbe(path: string): void {
  try {
    const file = openSync(path, 'w');
    try {
      writeSync(file, probeBytes);
    } finally {
      closeSync(file);
    }
  } finally {
    rmSync(path, { force: true });
  }
}

function identityOf(path: string): string {
  return existsSync(path) ? identityOfFile(statSync(path)) : path;
}

function identityOfFile({ dev, ino }: Stats): string {
  return `${dev}:${ino}`;
}
