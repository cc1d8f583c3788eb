import { randomOfCase } from '../cases/case-random.ts';
import type { Drawn, InjectionPoint } from '../cases/injection-point.ts';

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

/** All boundaries, injection point by injection point in turn: what is short comes early whatever stands first in the list. */
export function boundariesOf(injectionPoints: readonly InjectionPoint[]): readonly BoundaryOf[] {
  const longest = Math.max(0, ...injectionPoints.map(({ boundaryCount }) => boundaryCount));
  return Array.from({ length: longest }, (_, index) =>
    injectionPoints
      .filter(({ boundaryCount }) => index < boundaryCount)
      .map((injectionPoint) => ({
        input: `${injectionPoint.family} ${injectionPoint.name}`,
        draw: () => injectionPoint.boundary(index),
      })),
  ).flat();
}

/** A body longer than this, in characters or bytes, is expensive to send, and so are several requests: of those drawn only one in so many is taken. */
const expensiveLength = 20_000;
const expensiveOneIn = 4;

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
  if (drawn === undefined || !isExpensive(drawn) || random.nextInt(1, expensiveOneIn) === 1) return drawn;
  // Where each case is several requests, it is a case of the next one instead.
  const hasSteps = drawn.request.earlier !== undefined;
  return (hasSteps ? injectionPoints[(at + 1) % injectionPoints.length] : injectionPoint)?.draw(random);
}

function isExpensive({ request: { body, earlier } }: Drawn): boolean {
  return earlier !== undefined || (body?.length ?? 0) > expensiveLength;
}
