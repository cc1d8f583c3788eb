import type { Declaration } from './declared.ts';
import { dimensions, isPossible, type DimensionName, type Values } from './dimensions.ts';
import { remembered } from '../../spec/groups.ts';

/** Two values along what a rule declares; `code` is the same for the same values in the same order. */
interface Pair {
  /** As `limit 99, reader peer`. */
  readonly name: string;
  readonly code: number;
}

const numbers = numbersOfValues();
const numberCount = [...numbers.values()].reduce((sum, { size }) => sum + size, 0);
const known = new Map<string, readonly Pair[]>();

/** Every pair of values that a rule can be broken in. */
export function pairsOf(declaration: Declaration): readonly Pair[] {
  // Many rules declare the same.
  return remembered(known, JSON.stringify(declaration), () => listPairs(declaration));
}

function listPairs(declaration: Declaration): readonly Pair[] {
  return couplesOf(declaration).flatMap(([one, other]) =>
    valuesOf(one).flatMap((first) =>
      valuesOf(other)
        .filter((second) => isMeant({ [one]: first, [other]: second }, declaration))
        .map((second) => ({
          name: `${one} ${first}, ${other} ${second}`,
          code: codeOf(numberOf(one, first), numberOf(other, second)),
        })),
    ),
  );
}

/** Whether a situation holds a pair of values that a rule can be broken in. */
export function hasPair(values: Values, declaration: Declaration): boolean {
  return couplesOf(declaration).some(([one, other]) => {
    const [first, second] = [values[one], values[other]];
    if (first === undefined || second === undefined) return false;
    return isMeant({ [one]: first, [other]: second }, declaration);
  });
}

/** Which pairs of values arose, of those that one declaration speaks of. */
export class ArisenPairs {
  readonly #along: readonly DimensionName[];
  readonly #hasTargets: boolean;
  readonly #codes = new Set<number>();

  constructor({ along, targets }: Declaration) {
    this.#along = along;
    this.#hasTargets = targets !== undefined;
  }

  add(values: Values): void {
    const own = this.#along.map((name) => numberOf(name, values[name]));
    if (this.#hasTargets) {
      const target = numberOf('target', values.target);
      for (const each of own) this.#note(target, each);
      return;
    }
    for (const [index, one] of own.entries())
      for (let other = index + 1; other < own.length; other += 1) this.#note(one, own[other] ?? unknown);
  }

  has({ code }: Pair): boolean {
    return this.#codes.has(code);
  }

  #note(one: number, other: number): void {
    if (one !== unknown && other !== unknown) this.#codes.add(codeOf(one, other));
  }
}

/** Whether a pair of values is one that a rule can be broken in. */
function isMeant(pair: Values, { call, targets, without }: Declaration): boolean {
  return (
    (pair.target === undefined || without?.includes(pair.target) !== true) &&
    (pair.target === undefined || targets?.includes(pair.target) !== false) &&
    isPossible({ ...(call && { call }), ...pair })
  );
}

/** Any two dimensions; where a rule speaks of some targets alone, the target with each. */
function couplesOf({ targets, along }: Declaration): [DimensionName, DimensionName][] {
  return targets === undefined ? couples(along) : along.map((name) => ['target', name]);
}

function couples(along: readonly DimensionName[]): [DimensionName, DimensionName][] {
  return along.flatMap((one, index) =>
    along.slice(index + 1).map((other): [DimensionName, DimensionName] => [one, other]),
  );
}

function valuesOf(name: DimensionName): readonly string[] {
  return dimensions[name];
}

const unknown = -1;

function numberOf(name: DimensionName, value: string | undefined): number {
  return value === undefined ? unknown : (numbers.get(name)?.get(value) ?? unknown);
}

function codeOf(one: number, other: number): number {
  return one * numberCount + other;
}

function numbersOfValues(): ReadonlyMap<DimensionName, ReadonlyMap<string, number>> {
  let next = 0;
  const names = Object.keys(dimensions) as DimensionName[];
  return new Map(names.map((name) => [name, new Map(valuesOf(name).map((value) => [value, next++]))]));
}
