import type { Drawn, InjectionPoint } from '../cases/injection-point.ts';
import { Random } from 'fast-check';
import { hashOf, mixed } from '../../harness/hash.ts';

/** Which part of a campaign a machine takes: the cases whose number is `index` modulo `count`; 0-based. */
export interface Shard {
  readonly index: number;
  readonly count: number;
}

/** The numbers of a shard's cases from `from` to before `to`, as long as there is time. */
export function* numbersOf(
  { index, count }: Shard,
  { from, to }: { readonly from: number; readonly to: number },
  isTimeUp: () => boolean,
): Generator<number> {
  const first = from + ((((index - from) % count) + count) % count);
  for (let number = first; number < to && !isTimeUp(); number += count) yield number;
}

/** A boundary value of an input, as `mentions limit`. */
export interface BoundaryOf {
  readonly input: string;
  readonly draw: () => Drawn;
}

/**
 * All boundaries, injection point by injection point in turn: what is short comes early whatever stands first in the list, and sequences,
 * which are expensive, in between.
 */
export function boundariesOf(injectionPoints: readonly InjectionPoint[]): readonly BoundaryOf[] {
  const longest = Math.max(0, ...injectionPoints.map(({ boundaryCount }) => boundaryCount));
  return Array.from({ length: longest }, (_, round) =>
    injectionPoints.flatMap(({ family, name, boundaryCount, boundary }): readonly BoundaryOf[] => {
      const every = family === 'sequence' ? Math.floor(longest / boundaryCount) : 1;
      const index = round / every;
      if (!Number.isInteger(index) || index >= boundaryCount) return [];
      return [{ input: `${family} ${name}`, draw: () => boundary(index) }];
    }),
  ).flat();
}

/**
 * A body longer than this, in characters or bytes, is expensive to send, and so are several requests, and far more so a workspace: of
 * those drawn only one in so many is taken.
 */
const expensiveLength = 20_000;
const expensiveOneIn = 4;
const apartOneIn = 64;

/** Case `index` of a campaign: any injection point, any value of it. */
export function drawCase(
  injectionPoints: readonly InjectionPoint[],
  seed: number,
  index: number,
): Drawn | undefined {
  const random = randomOfCase(seed, index);
  const at = random.nextInt(0, Math.max(0, injectionPoints.length - 1));
  const injectionPoint = injectionPoints[at];
  const drawn = injectionPoint?.draw(random);
  if (drawn === undefined || random.nextInt(1, oneInOf(drawn)) === 1) return drawn;
  if (drawn.request.earlier === undefined) return injectionPoint?.draw(random);
  // Where each case is several requests, it is one of the next injection point with single requests instead.
  for (const other of [...injectionPoints.slice(at + 1), ...injectionPoints.slice(0, at)]) {
    const instead = other.draw(random);
    if (instead.request.earlier === undefined) return instead;
  }
  return drawn;
}

function oneInOf({ request: { body, earlier, isApart } }: Drawn): number {
  if (isApart === true) return apartOneIn;
  return earlier !== undefined || (body?.length ?? 0) > expensiveLength ? expensiveOneIn : 1;
}

/**
 * The randomness of one case of a campaign: whoever draws case `index` under `seed` draws the same, in any order and on
 * any shard.
 */
function randomOfCase(seed: number, index: number): Random {
  const generator = new Sfc32(mixed(seed), index | 0, hashOf(seed, index) | 0, 1);
  // Its inventor lets it run before its first numbers are used.
  for (let rounds = 0; rounds < 12; rounds += 1) generator.next();
  return new Random(generator);
}

/** Chris Doty-Humphrey's small fast counter generator, in the form that fast-check takes. */
class Sfc32 {
  #a: number;
  #b: number;
  #c: number;
  #counter: number;

  constructor(a: number, b: number, c: number, counter: number) {
    this.#a = a;
    this.#b = b;
    this.#c = c;
    this.#counter = counter;
  }

  clone(): Sfc32 {
    return new Sfc32(this.#a, this.#b, this.#c, this.#counter);
  }

  next(): number {
    const sum = (((this.#a + this.#b) | 0) + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = ((this.#c << 21) | (this.#c >>> 11)) + sum;
    this.#c |= 0;
    return sum | 0;
  }

  getState(): readonly number[] {
    return [this.#a, this.#b, this.#c, this.#counter];
  }
}
