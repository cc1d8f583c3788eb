import type { Clock } from '../client/pacing/clock.ts';

/** What the run knows of each stream's cursors, so that no check reads what was there before it. */
export class StreamCursors {
  readonly #starts = new Map<string, Promise<bigint | undefined>>();
  readonly #latest = new Map<string, bigint>();
  readonly #tooLong = new Set<string>();

  /** The cursor given out before the run sent anything; found once per stream. A failure is kept only by `giveUp`. */
  start(
    key: string,
    clock: Pick<Clock, 'untimed'>,
    find: () => Promise<bigint | undefined>,
  ): Promise<bigint | undefined> {
    const known = this.#starts.get(key);
    // Who finds it has a clock of its own, which may stand still.
    if (known !== undefined) return clock.untimed(() => known);
    const found = find();
    this.#starts.set(key, found);
    found.catch(() => {
      if (!this.#tooLong.has(key)) this.#starts.delete(key);
    });
    return found;
  }

  /** The search that is going on takes so long that no other is worth it: if it fails, its failure is kept. */
  giveUp(key: string): void {
    this.#tooLong.add(key);
  }

  /** Notes a cursor that ended a complete walk. */
  advance(key: string, nextAfter: bigint): void {
    const known = this.#latest.get(key);
    if (known === undefined || nextAfter > known) this.#latest.set(key, nextAfter);
  }

  /** The highest cursor that ended a complete walk, if any. */
  latest(key: string): bigint | undefined {
    return this.#latest.get(key);
  }
}
