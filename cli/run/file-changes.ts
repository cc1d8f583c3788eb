import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Folders and files that no one who mends a server writes: of tools, of editors, of databases at work. */
const strange =
  /^(?:\.git|\.hg|\.svn|node_modules|__pycache__|\.venv|4913)$|(?:~|\.sw[px]|\.tmp|\.part|\.pyc|\.pid|\.log|-wal|-shm|-journal)$/;
/** More files are not looked at: a tree of that size is no source folder. */
const mostWatchedFiles = 20_000;
/** Looking takes at most this share of the time. */
const share = 0.05;

/** What the files below some paths were, and which of them have changed; they are looked at, since events of a system get lost. */
export class FileChanges {
  readonly #paths: readonly string[];
  #seen: ReadonlyMap<string, string>;
  #nextMs = 0;

  constructor(paths: readonly string[]) {
    this.#paths = paths;
    this.#seen = this.#look();
  }

  /** The files that were written, made or deleted since this was asked the last time. */
  take(): readonly string[] {
    if (performance.now() < this.#nextMs) return [];
    const now = this.#look();
    const before = this.#seen;
    this.#seen = now;
    return [...new Set([...before.keys(), ...now.keys()])].filter(
      (file) => before.get(file) !== now.get(file),
    );
  }

  #look(): ReadonlyMap<string, string> {
    const startedMs = performance.now();
    const found = new Map<string, string>();
    for (const path of this.#paths) addTo(found, path);
    const endedMs = performance.now();
    this.#nextMs = endedMs + (endedMs - startedMs) / share;
    return found;
  }
}

function addTo(found: Map<string, string>, path: string): void {
  if (found.size >= mostWatchedFiles) return;
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats?.isDirectory() === true)
      for (const name of readdirSync(path)) {
        if (!strange.test(name)) addTo(found, join(path, name));
      }
    else if (stats?.isFile() === true) found.set(path, `${stats.mtimeMs} ${stats.size} ${stats.ino}`);
  } catch {
    // Gone meanwhile, or not for us: it is looked at again.
  }
}
