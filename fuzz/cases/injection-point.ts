import { constantFrom, type Arbitrary, type Random } from 'fast-check';
import type { Phase } from '../../harness/results/generated/events.ts';
import type { CaseRequest } from './case-request.ts';
import type { FamilyName } from './family.ts';

/** One request that was drawn, and simpler ones that may show the same. */
export interface Drawn {
  readonly family: FamilyName;
  /** Names the value for people: `content/500001-bytes: reject`. What is expected is computed, never read from it. */
  readonly label: string;
  readonly request: CaseRequest;
  /** Simpler requests of the same injection point, the simplest first. */
  readonly shrinks: () => Iterable<Drawn>;
}

/** Which case of a campaign something was of. */
export interface CaseTrace {
  /** Its number; below 0 for baseline requests. */
  readonly index: number;
  readonly phase: Phase;
  /** When its request was sent, in ms since the beginning. */
  readonly startedMs: number;
  /** Draws it again: to keep them all would take too much room. */
  readonly drawn: () => Drawn | undefined;
}

/** A place of a baseline request into which the values of one input space go: everything else stays good. */
export interface InjectionPoint {
  readonly family: FamilyName;
  readonly name: string;
  /** How many values stand for the edges of the space. */
  readonly boundaryCount: number;
  readonly boundary: (index: number) => Drawn;
  readonly draw: (random: Random) => Drawn;
}

/** A value with what its generator says of it. */
interface LabelledValue<Value> {
  readonly label: string;
  readonly value: Value;
}

/** The values that go into an injection point. */
interface InjectionPointSpace<Value> {
  readonly boundaries: readonly LabelledValue<Value>[];
  readonly arbitrary: Arbitrary<LabelledValue<Value>>;
  /** Simpler values than a boundary that the arbitrary cannot make simpler; default none. */
  readonly shorter?: (value: Value) => readonly LabelledValue<Value>[];
}

/** How strongly small values are preferred, as fast-check counts it: one in this many. */
const biasFactor = 4;

/**
 * An injection point that puts each value of a space into a request, in one of several ways. The first way is the simplest: requests
 * shrink to it. Boundaries are tried in the ways that `waysOfBoundary` names, by default in the first and the second.
 */
export function injectionPoint<Value, Way>(
  family: FamilyName,
  name: string,
  { boundaries, arbitrary, shorter = () => [] }: InjectionPointSpace<Value>,
  ways: readonly Way[],
  requestOf: (value: Value, way: Way) => CaseRequest,
  waysOfBoundary: (value: Value) => readonly number[] = () => (ways.length > 1 ? [0, 1] : [0]),
): InjectionPoint {
  const drawn = (labelled: LabelledValue<Value>, way: number, context: unknown): Drawn => ({
    family,
    label: labelled.label,
    request: requestOf(labelled.value, ways[way] as Way),
    *shrinks() {
      const { value } = labelled;
      for (let plainer = 0; plainer < way; plainer += 1) yield drawn(labelled, plainer, context);
      if (context === undefined && !arbitrary.canShrinkWithoutContext(labelled)) {
        for (const next of shorter(value)) yield drawn(next, way, undefined);
        return;
      }
      for (const next of arbitrary.shrink(labelled, context)) yield drawn(next.value_, way, next.context);
    },
  });
  const edges = boundaries.flatMap((labelled) =>
    waysOfBoundary(labelled.value).map((way) => ({ labelled, way })),
  );
  return {
    family,
    name,
    boundaryCount: edges.length,
    boundary: (index) => {
      const edge = edges[index];
      if (edge === undefined) throw new RangeError(`${name} has no boundary ${index}`);
      return drawn(edge.labelled, edge.way, undefined);
    },
    draw: (random) => {
      const value = arbitrary.generate(random, biasFactor);
      return drawn(value.value_, random.nextInt(0, ways.length - 1), value.context);
    },
  };
}

/** A space of nothing but the values of a list. */
export function listed<Value>(values: readonly LabelledValue<Value>[]): InjectionPointSpace<Value> {
  return { boundaries: values, arbitrary: constantFrom(...values) };
}
