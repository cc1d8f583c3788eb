import { createHash, randomBytes, randomUUID } from 'node:crypto';

/** Where a service takes its times, ids and tokens from, and what it waits by. */
export interface Sources {
  /** Milliseconds since 1970 by the clock of the service. */
  readonly now: () => number;
  readonly id: () => string;
  /** The part of a token that nobody can guess, unless it comes from a seed. */
  readonly secret: () => string;
  /** Milliseconds that have passed; unlike {@link now} never set back, nor made to stand. */
  readonly elapsedMs: () => number;
  /** Runs something after so many ms, unless what it returns is called before; no process lives on for it. */
  readonly after: (ms: number, run: () => void) => () => void;
}

const secretBytes = 24;

/** The clock and the timers of the machine, and ids and tokens that never come again. */
export const trueSources: Sources = Object.freeze({
  now: () => Date.now(),
  id: () => randomUUID(),
  secret: () => randomBytes(secretBytes).toString('base64url'),
  elapsedMs: () => performance.now(),
  after: (ms: number, run: () => void) => {
    const timer = setTimeout(run, ms).unref();
    return () => clearTimeout(timer);
  },
});

/** Ids and tokens in the order in which they are asked for: the same ones for the same seed. */
export function sourcesOfSeed(seed: number): Pick<Sources, 'id' | 'secret'> {
  let count = 0;
  const bytes = (): Buffer => {
    count += 1;
    return createHash('sha256').update(`${seed} ${count}`).digest();
  };
  return { id: () => asId(bytes()), secret: () => bytes().subarray(0, secretBytes).toString('base64url') };
}

/** A clock that starts at a time now, and stands there or goes on. */
export function clockFrom(startMs: number, isStanding: boolean): Sources['now'] {
  if (isStanding) return () => startMs;
  const began = performance.now();
  return () => startMs + Math.floor(performance.now() - began);
}

/** Version and variant are those of random ids. */
function asId(bytes: Buffer): string {
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytes
    .toString('hex')
    .slice(0, 32)
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
