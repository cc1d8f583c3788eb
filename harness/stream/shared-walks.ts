import type { Clock } from '../client/pacing/clock.ts';
import type { Walk } from './walk.ts';

/** Least time in ms between the beginnings of two walks of one reader through one stream. */
const leastBetweenWalksMs = 25;

interface Planned {
  /** The lowest that anybody who shares it asked for. */
  start: bigint;
  readonly walked: Promise<Walk | undefined>;
}

/** Who looks for what is new in a stream, and how. */
interface Look {
  /** Readings with one key are alike: the same stream, read with the same credential. */
  readonly key: string;
  readonly start: bigint;
  readonly clock: Pick<Clock, 'untimed'>;
  readonly sleep: (durationMs: number) => Promise<void>;
  readonly walk: (start: bigint) => Promise<Walk>;
}

/**
 * Walks to the end of a stream that several checks wait at: who asks before a walk begins shares it, from the lowest cursor
 * of them all. A walk that met trouble counts only for the check whose requests it was made of; the others take their own.
 */
export class SharedWalks {
  readonly #planned = new Map<string, Planned>();
  readonly #begunMs = new Map<string, number>();

  /** A walk that began after this call, from `start` or a lower cursor. */
  async walk(look: Look): Promise<Walk> {
    const planned = this.#planned.get(look.key);
    if (planned === undefined) return this.#lead(look);
    if (look.start < planned.start) planned.start = look.start;
    // Who walks has a clock of its own, which may stand still.
    const walked = await look.clock.untimed(() => planned.walked);
    return walked?.isComplete === true ? walked : look.walk(look.start);
  }

  #lead({ key, start, sleep, walk }: Look): Promise<Walk> {
    const waitMs =
      (this.#begunMs.get(key) ?? Number.NEGATIVE_INFINITY) + leastBetweenWalksMs - performance.now();
    if (waitMs <= 0) return this.#begin(key, () => walk(start));
    const walked = sleep(waitMs).then(() => {
      this.#planned.delete(key);
      return this.#begin(key, () => walk(planned.start));
    });
    // Whoever shares it needs to know no more than that nothing came of it.
    const planned: Planned = { start, walked: walked.catch(() => undefined) };
    this.#planned.set(key, planned);
    return walked;
  }

  #begin(key: string, walk: () => Promise<Walk>): Promise<Walk> {
    this.#begunMs.set(key, performance.now());
    return walk();
  }
}
