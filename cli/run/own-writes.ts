/** What a watched run is doing while files change. */
export interface AtWork {
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
