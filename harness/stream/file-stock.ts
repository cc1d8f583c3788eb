/** How a file came into the workspace: the target names it, its hook put it there, or the upload call that the suite tries. */
type FileWay = 'target' | 'hook' | 'call';

/** A file that was put into the workspace. */
export interface MadeFile {
  readonly id: string;
  readonly way: FileWay;
}

/** The ready files of a run, which checks share. */
export class FileStock {
  readonly #ids: string[];
  #way: FileWay | undefined;
  #quickestMs = Infinity;
  #last: Promise<unknown> = Promise.resolve();

  constructor(named: readonly string[]) {
    this.#ids = named.map((id) => id.toLowerCase());
    if (named.length > 0) this.#way = 'target';
  }

  /** How the last of them came; `undefined` before the first. */
  get way(): FileWay | undefined {
    return this.#way;
  }

  /** How many there are. */
  get count(): number {
    return this.#ids.length;
  }

  /**
   * What one file takes to make, in ms, as it went quickest: others may wait for a hook that has other work to do, or for a busy machine.
   * Infinity before the first.
   */
  get msPerFile(): number {
    return this.#quickestMs;
  }

  /** The first `count`; `make` makes as many as are missing. One asker after the other. */
  take(count: number, make: (missing: number) => Promise<readonly MadeFile[]>): Promise<readonly string[]> {
    const taken = this.#last.then(async () => {
      if (count > this.#ids.length) {
        const startedMs = performance.now();
        const made = await make(count - this.#ids.length);
        this.#quickestMs = Math.min(this.#quickestMs, (performance.now() - startedMs) / made.length);
        this.#way = made.at(-1)?.way ?? this.#way;
        this.#ids.push(...made.map(({ id }) => id));
      }
      return this.#ids.slice(0, count);
    });
    this.#last = taken.catch(() => undefined);
    return taken;
  }
}
