import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type InputSpace, isSameKind } from '../../generators/space/input-space.ts';
import type { Labelled } from '../../generators/space/labelled.ts';
import { clauseOf, packageFile } from '../../spec/index.ts';
import { everySpace } from './every-space.ts';

const draw = ({ arbitrary }: InputSpace<unknown>, numRuns: number, seed: number): Labelled<unknown>[] =>
  fc.sample(arbitrary, { numRuns, seed });

const candidatesOf = ({ arbitrary }: InputSpace<unknown>, labelled: Labelled<unknown>): Labelled<unknown>[] =>
  [...arbitrary.shrink(labelled, undefined).take(100)].map(({ value }) => value);

/** The names of kinds, against which boundaries have names of their own. */
const boundaryLabels = ({ boundaries }: InputSpace<unknown>): ReadonlySet<string> =>
  new Set(boundaries.map(({ label }) => label));

it('every space that a file exports is among those that are tested', async () => {
  const folder = packageFile('generators/spaces');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  );
  const modules = await Promise.all(files.map((file) => import(join(folder, file)) as Promise<object>));
  const exported = modules
    .flatMap((each): unknown[] => Object.values(each))
    .filter((each) => typeof each === 'object' && each !== null && 'arbitrary' in each);
  expect(exported.length).toBeGreaterThan(10);
  expect(new Set(everySpace)).toEqual(new Set(exported));
});

describe.each(everySpace)('the space $name', (space) => {
  it('draws the same values from the same seed, and others from another one', () => {
    expect(draw(space, 200, 7)).toEqual(draw(space, 200, 7));
    expect(draw(space, 200, 7)).not.toEqual(draw(space, 200, 8));
  });

  it('draws only values that are what their labels say', () => {
    const named = boundaryLabels(space);
    for (const { value, ...label } of draw(space, 1000, 11)) {
      const found = space.labelOf(value);
      expect(label).toEqual(named.has(label.label) ? { ...found, label: label.label } : found);
      expect(label.breach !== undefined).toBe(label.expectation === 'reject');
    }
    const clauses = space.boundaries.flatMap(({ breach }) => breach?.clause ?? []);
    expect(clauses.filter((id) => clauseOf(id).level === 'silent')).toEqual([]);
  });

  it('shrinks a value that comes from elsewhere as it shrinks its own', () => {
    for (const labelled of draw(space, 30, 13)) {
      const copy = structuredClone(labelled);
      expect(space.arbitrary.canShrinkWithoutContext(copy)).toBe(true);
      const first = (of: Labelled<unknown>) => [...space.arbitrary.shrink(of, undefined).take(10)];
      expect(first(copy)).toEqual(first(labelled));
    }
    expect(space.arbitrary.canShrinkWithoutContext('nothing of it')).toBe(false);
  });

  it('shrinks to what is simpler and of the same kind', () => {
    for (const labelled of draw(space, 60, 17)) {
      const kind = space.labelOf(labelled.value);
      const rank = space.rank(labelled.value);
      const strays = candidatesOf(space, labelled).filter(
        ({ value }) => !isSameKind(space.labelOf(value), kind) || !isLower(space.rank(value), rank),
      );
      expect(strays).toEqual([]);
    }
  });

  it('comes to the simplest of a kind in few steps', () => {
    for (const labelled of draw(space, 15, 19)) {
      let [now, steps] = [labelled, 0];
      for (let next = simplestOf(space, now); next; next = simplestOf(space, now)) {
        [now, steps] = [next, steps + 1];
        expect(steps).toBeLessThan(200);
      }
    }
  });
});

/** The boldest step. */
function simplestOf(space: InputSpace<unknown>, labelled: Labelled<unknown>): Labelled<unknown> | undefined {
  return space.arbitrary.shrink(labelled, undefined).getNthOrLast(0)?.value;
}

function isLower(one: readonly number[], other: readonly number[]): boolean {
  const index = one.findIndex((number, position) => number !== other[position]);
  return index !== -1 && (one[index] ?? 0) < (other[index] ?? Infinity);
}
