import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { eventProblem, eventTypes } from '../../../harness/results/event-schema.ts';
import type { ResultEvent } from '../../../harness/results/generated/events.ts';
import { packageFile } from '../../../spec/index.ts';
import { fullEvents } from './sample-events.ts';

interface Node {
  readonly [keyword: string]: unknown;
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Node>>;
  readonly required?: readonly string[];
  readonly items?: Node;
}

const schema = JSON.parse(readFileSync(packageFile('harness/results/result-event.schema.json'), 'utf8')) as {
  readonly $defs: Readonly<Record<string, Node>>;
};

/** A place in an event: the schema there, and the path to it. */
interface Place {
  readonly path: readonly (string | number)[];
  readonly name: string;
  readonly isRequired: boolean;
}

const places = eventTypes.flatMap((type) =>
  placesOf(definition(type), []).map((place) => ({
    type,
    place,
    label: `${type} ${[...place.path, place.name].join('.')}`,
  })),
);

describe('the schema of the result stream', () => {
  it('defines the eight types of event and no other', () => {
    const typed: Record<ResultEvent['type'], true> = {
      header: true,
      preflight: true,
      check: true,
      progress: true,
      finding: true,
      observation: true,
      notice: true,
      footer: true,
    };
    expect([...eventTypes].toSorted()).toEqual(Object.keys(typed).toSorted());
    expect(Object.keys(fullEvents)).toEqual(eventTypes);
  });

  it.each(eventTypes)('accepts a %s event that has every field of its type', (type) => {
    expect(eventProblem(type, fullEvents[type])).toBeUndefined();
  });

  it.each(eventTypes)('is one schema that accepts a %s event as a whole too', (type) => {
    const validate = new Ajv2020({ strict: true }).compile(schema);
    expect(validate(fullEvents[type])).toBe(true);
    expect(validate({ ...fullEvents[type], type: 'verdict' })).toBe(false);
  });

  it.each(places)('knows no field that the types lack: $label', ({ type, place }) => {
    expect(ownerOf(fullEvents[type], place.path)).toHaveProperty([place.name]);
  });

  it.each(places.filter(({ place }) => place.isRequired))(
    'refuses an event without $label',
    ({ type, place }) => {
      const event = structuredClone(fullEvents[type]);
      Reflect.deleteProperty(ownerOf(event, place.path), place.name);
      expect(eventProblem(type, event)).toContain(`'${place.name}'`);
    },
  );

  it.each(places.filter(({ place }) => !place.isRequired))(
    'accepts an event without $label',
    ({ type, place }) => {
      const event = structuredClone(fullEvents[type]);
      Reflect.deleteProperty(ownerOf(event, place.path), place.name);
      expect(eventProblem(type, event)).toBeUndefined();
    },
  );

  it.each(places)('refuses a field beside $label that it does not know', ({ type, place }) => {
    const event = structuredClone(fullEvents[type]);
    Reflect.set(ownerOf(event, place.path), 'surplus', 1);
    expect(eventProblem(type, event)).toContain("'surplus'");
  });

  it.each([
    ['a count below zero', 'check', { requests: -1 }, '/requests'],
    ['a verdict that does not exist', 'check', { verdict: 'skipped' }, '/verdict must be one of passed'],
    ['a digest that is none', 'header', { registerDigest: 'sha256:ab' }, '/registerDigest'],
    ['a local time', 'header', { startedAt: '2026-03-01T09:30:00+01:00' }, '/startedAt'],
    ['a finding that passed', 'finding', { verdict: 'passed' }, '/verdict'],
  ] as const)('refuses %s', (_name, type, overrides, problem) => {
    expect(eventProblem(type, { ...fullEvents[type], ...overrides })).toContain(problem);
  });
});

function definition(name: string): Node {
  const found = schema.$defs[name];
  if (found === undefined) throw new Error(`the schema has no definition of ${name}`);
  return found;
}

function resolve(node: Node): Node {
  return node.$ref === undefined ? node : definition(node.$ref.replace('#/$defs/', ''));
}

/** Every declared property below a schema; but `type` is what chose the schema. */
function placesOf(unresolved: Node, path: readonly (string | number)[]): Place[] {
  const node = resolve(unresolved);
  if (node.items !== undefined) return placesOf(node.items, [...path, 0]);
  return Object.entries(node.properties ?? {}).flatMap(([name, property]) => [
    ...(name === 'type' ? [] : [{ path, name, isRequired: node.required?.includes(name) ?? false }]),
    ...placesOf(property, [...path, name]),
  ]);
}

function ownerOf(event: object, path: readonly (string | number)[]): object {
  let owner: object = event;
  for (const step of path) owner = Reflect.get(owner, step) as object;
  return owner;
}
