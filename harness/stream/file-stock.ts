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
  readonly #made = { count: 0, lastedMs: 0 };
  #last: Promise<unknown> = Promise.resolve();

  constructor(named: readonly string[]) {
    this.#ids = named.map((id) => id.toLowerCase());
    if (named.length > 0) this.#way = 'target';
  }

  /** How the last of them came; `undefined` before the first. */
  get way(): FileWay | undefined {
    return this.#way;
  }

  /** What one file that was made took, in ms: the mean; Infinity before the first. */
  get msPerFile(): number {
    const { count, lastedMs } = this.#made;
    return count === 0 ? Infinity : lastedMs / count;
  }

  /** The first `count`; `make` makes as many as are missing. One asker after the other. */
  take(count: number, make: (missing: number) => Promise<readonly MadeFile[]>): Promise<readonly string[]> {
    const taken = this.#last.then(async () => {
      if (count > this.#ids.length) {
        const startedMs = performance.now();
        const made = await make(count - this.#ids.length);
        this.#made.count += made.length;
        this.#made.lastedMs += performance.now() - startedMs;
        this.#way = made.at(-1)?.way ?? this.#way;
        this.#ids.push(...made.map(({ id }) => id));
      }
      return this.#ids.slice(0, count);
    });
    this.#last = taken.catch(() => undefined);
    return taken;
  }
}
