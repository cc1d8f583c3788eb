import * as fc from 'fast-check';
import type { Expectation, Label, Labelled } from './labelled.ts';

/** All that one input of the contract can be: what it may, what it may not, and what is left open. */
export interface InputSpace<Value> {
  readonly name: string;
  /** Every value that has a name: both sides of each limit, each form of being wrong. Labels are unique. */
  readonly boundaries: readonly Labelled<Value>[];
  /**
   * Values over the whole space, boundaries among them. Shrinks by value alone, so examples and corpora shrink as well;
   * what it shrinks to has the same expectation, breaks the same part of the same rule, and is named by its kind.
   */
  readonly arbitrary: fc.Arbitrary<Labelled<Value>>;
  /** What the space says of a value; `undefined` for one outside it, for instance because it breaks two rules. */
  readonly labelOf: (value: Value) => Label | undefined;
  /**
   * Simpler values, boldest first, of whatever kind: what larger inputs shrink this part of theirs by. The space itself shrinks to those of
   * one kind.
   */
  readonly simpler: (value: Value) => Iterable<Value>;
  /** Compared number by number: what has a lower rank is simpler, and nothing else is shrunk to, which is why shrinking ends. */
  readonly rank: (value: Value) => readonly number[];
}

/** A value with a name, as a table lists it. */
export interface NamedValue<Value> {
  /** Without the name of the space. */
  readonly slug: string;
  readonly expectation: Expectation;
  readonly value: Value;
}

/** A row of such a table. */
export function named<Value>(expectation: Expectation, slug: string, value: Value): NamedValue<Value> {
  return { slug, expectation, value };
}

/** A row of each value of a table that expects the same of all. */
export function namedAll<Value>(
  expectation: Expectation,
  values: Readonly<Record<string, Value>>,
): NamedValue<Value>[] {
  return Object.entries(values).map(([slug, value]) => named(expectation, slug, value));
}

interface SpaceDefinition<Value> extends Pick<InputSpace<Value>, 'name' | 'labelOf' | 'simpler' | 'rank'> {
  readonly boundaries: readonly NamedValue<Value>[];
  /** How often a draw is a boundary, in percent; 25 unless given. */
  readonly boundaryPercent?: number;
  /** Random values; those outside the space are drawn again. They need not shrink. */
  readonly values: fc.Arbitrary<Value>;
}

/** A space as its definition tells. @throws Error when a boundary lies outside it or is not what its table says */
export function inputSpace<Value>(definition: SpaceDefinition<Value>): InputSpace<Value> {
  const { name, labelOf, simpler, rank } = definition;
  const boundaries = definition.boundaries.map((named) => labelled(definition, named));
  return {
    name,
    boundaries,
    labelOf,
    simpler,
    rank,
    arbitrary: new SpaceArbitrary(definition, boundaries),
  };
}

/** Whether two labels expect the same for the same reason. */
export function isSameKind(one: Label | undefined, other: Label | undefined): boolean {
  return (
    one?.expectation === other?.expectation &&
    one?.label === other?.label &&
    one?.breach?.clause === other?.breach?.clause &&
    one?.breach?.rule === other?.breach?.rule
  );
}

function labelled<Value>(
  { name, labelOf }: SpaceDefinition<Value>,
  { slug, expectation, value }: NamedValue<Value>,
): Labelled<Value> {
  const found = labelOf(value);
  if (found?.expectation !== expectation)
    throw new Error(`${name}/${slug} is listed as ${expectation}, but is ${found?.expectation ?? 'outside'}`);
  return { ...found, label: `${name}/${slug}`, value };
}

const mostRedraws = 1000;

/** Keeps no context: a value is all that it needs to shrink. */
class SpaceArbitrary<Value> extends fc.Arbitrary<Labelled<Value>> {
  readonly #definition: SpaceDefinition<Value>;
  readonly #boundaries: readonly Labelled<Value>[];

  constructor(definition: SpaceDefinition<Value>, boundaries: readonly Labelled<Value>[]) {
    super();
    this.#definition = definition;
    this.#boundaries = boundaries;
  }

  override generate(random: fc.Random): fc.Value<Labelled<Value>> {
    const { boundaryPercent = 25 } = this.#definition;
    const isBoundary = random.nextInt(1, 100) <= boundaryPercent;
    return new fc.Value(isBoundary ? this.#drawBoundary(random) : this.#draw(random), undefined);
  }

  override canShrinkWithoutContext(value: unknown): value is Labelled<Value> {
    if (typeof value !== 'object' || value === null || !('value' in value)) return false;
    return this.#definition.labelOf(value.value as Value) !== undefined;
  }

  override shrink({ value }: Labelled<Value>): fc.Stream<fc.Value<Labelled<Value>>> {
    return fc.stream(this.#simpler(value)).map((each) => new fc.Value(each, undefined));
  }

  #drawBoundary(random: fc.Random): Labelled<Value> {
    const boundary = this.#boundaries[random.nextInt(0, this.#boundaries.length - 1)];
    return boundary ?? this.#draw(random);
  }

  #draw(random: fc.Random): Labelled<Value> {
    const { name, values, labelOf } = this.#definition;
    for (let redraws = 0; redraws < mostRedraws; redraws += 1) {
      // Without a bias: the whole space counts alike, its edges are the boundaries.
      const { value } = values.generate(random, undefined);
      const label = labelOf(value);
      if (label !== undefined) return { ...label, value };
    }
    throw new Error(`the values of ${name} lie outside it`);
  }

  *#simpler(value: Value): IterableIterator<Labelled<Value>> {
    const { labelOf, rank, simpler } = this.#definition;
    const kind = labelOf(value);
    const least = rank(value);
    for (const candidate of simpler(value)) {
      const label = labelOf(candidate);
      if (label === undefined || !isSameKind(kind, label)) continue;
      if (isLower(rank(candidate), least)) yield { ...label, value: candidate };
    }
  }
}

function isLower(one: readonly number[], other: readonly number[]): boolean {
  const index = one.findIndex((number, position) => number !== other[position]);
  return index !== -1 && (one[index] ?? 0) < (other[index] ?? 0);
}
