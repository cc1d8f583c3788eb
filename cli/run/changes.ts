import { basename } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { FileChanges } from './file-changes.ts';
import type { ServerPresence } from '../../harness/watch/server-presence.ts';

/** Between two looks at the server and the files, in ms: a server that restarts is away for longer, and editors write in several steps. */
const lookMs = 100;
/** How long a server may take to go down for a file that has changed, in ms, before it has shown that it takes longer. */
const reactionMs = 300;
const longestReactionMs = 30_000;

/** What made a watched run begin again. */
export type Change = { readonly files: readonly string[] } | 'gone';

interface ChangesParts {
  readonly files: FileChanges;
  /** What the run is doing at this moment. */
  readonly atWork: () => AtWork;
  readonly say: (line: string) => void;
  readonly signal: AbortSignal;
}

/** What others do to a server and its files, apart from what a run does to them. Every wait ends with the signal, by its reason. */
export class Changes {
  readonly #parts: ChangesParts;
  readonly #own: OwnWrites;
  #savedMs: number | undefined;
  #reactionMs = reactionMs;

  constructor(parts: ChangesParts) {
    this.#parts = parts;
    this.#own = new OwnWrites((file) =>
      parts.say(`${basename(file)} is written again and again while checks run: it is not watched any more`),
    );
  }

  /** A run came to its verdict. */
  verdict(): void {
    this.#own.reset();
  }

  /** Resolves once files were saved, and nothing more was for a moment, or once the server is gone and the run has not restarted it. */
  async next(server: ServerPresence): Promise<Change> {
    const saved = new Set<string>();
    for (;;) {
      await this.#pause();
      const files = this.#taken();
      for (const file of files) saved.add(file);
      for (const file of saved) if (this.#own.isOwn(file)) saved.delete(file);
      if (saved.size > 0 && files.length === 0) {
        this.#savedMs = performance.now();
        return { files: [...saved] };
      }
      if (!this.#parts.atWork().isRestarting && !(await this.#isUp(server))) return 'gone';
    }
  }

  /** Waits until the server is there; false where files were saved meanwhile, since another server may be meant then. */
  async untilUp(server: ServerPresence): Promise<boolean> {
    while (!(await server.isUp())) {
      if (this.#taken().length > 0) return false;
      await this.#pause();
    }
    return true;
  }

  /** Waits for a file to be saved. */
  async untilSaved(): Promise<void> {
    while (this.#taken().length === 0) await this.#pause();
    await this.#pause();
  }

  /** Gives a server that goes down for a saved file the time that it took for that before. */
  async reacted(server: ServerPresence): Promise<void> {
    const untilMs = (this.#savedMs ?? 0) + this.#reactionMs;
    if (this.#reactionMs > 2 * reactionMs) this.#parts.say('waiting for the server to restart');
    while (performance.now() < untilMs) {
      if (!(await this.#isUp(server))) return;
      await this.#pause();
    }
    this.#reactionMs = reactionMs;
  }

  #taken(): readonly string[] {
    return this.#own.saved(this.#parts.files.take(), this.#parts.atWork());
  }

  /** Notes how long after a saved file a server went away: it takes so long to build, perhaps. */
  async #isUp(server: ServerPresence): Promise<boolean> {
    const isUp = await server.isUp();
    if (isUp) return true;
    this.#own.reset();
    if (this.#savedMs === undefined) return false;
    const tookMs = performance.now() - this.#savedMs;
    this.#savedMs = undefined;
    if (tookMs < longestReactionMs) this.#reactionMs = Math.max(reactionMs, 2 * tookMs);
    return false;
  }

  async #pause(): Promise<void> {
    await pause(lookMs, undefined, { signal: this.#parts.signal });
  }
}

/** What a watched run is doing while files change. */
interface AtWork {
  /** Checks are under way. */
  readonly isRunning: boolean;
  /** Checks that restart the server are: it goes away and comes back, and so does what it writes at its start. */
  readonly isRestarting: boolean;
}

/** So many changes while checks run, and no verdict and no restart of the server between them, are nobody's saves. */
const mostSaves = 4;

/**
 * Tells files that somebody saves from those that a server or its hooks write because of the run: databases, logs, what a restart
 * builds. Else the run would start again for what it brought about itself, and never come to a verdict.
 */
export class OwnWrites {
  readonly #own = new Set<string>();
  readonly #whileRunning = new Map<string, number>();
  /** Changed while checks restarted the server, in the run before or in this one. */
  readonly #atRestart = new Set<string>();
  readonly #onFound: (file: string) => void;

  /** `onFound` is told of each file that is not watched any more. */
  constructor(onFound: (file: string) => void) {
    this.#onFound = onFound;
  }

  /** The files of these that somebody may have saved. */
  saved(files: readonly string[], { isRunning, isRestarting }: AtWork): readonly string[] {
    return files.filter((file) => {
      if (this.isOwn(file)) return false;
      if (isRestarting) return this.#isFirstAtRestart(file);
      if (isRunning) return this.#isRare(file);
      // Whatever changes while nothing is asked of the server has somebody who changes it.
      this.#atRestart.delete(file);
      return true;
    });
  }

  isOwn(file: string): boolean {
    return this.#own.has(file);
  }

  /** A run came to its verdict, or somebody restarted the server: what was counted meanwhile were saves. */
  reset(): void {
    this.#whileRunning.clear();
  }

  #isFirstAtRestart(file: string): boolean {
    const isFirst = !this.#atRestart.has(file);
    this.#atRestart.add(file);
    return isFirst;
  }

  #isRare(file: string): boolean {
    const count = (this.#whileRunning.get(file) ?? 0) + 1;
    this.#whileRunning.set(file, count);
    if (count < mostSaves) return true;
    this.#own.add(file);
    this.#onFound(file);
    return false;
  }
}
