import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { eventProblem, eventTypes } from '../../../harness/results/event-schema.ts';
import type { ResultEvent } from '../../../harness/results/generated/events.ts';
import { packageFile } from '../../../spec/index.ts';
import { brokenLimit, finding, header, runs } from '../../reporters/events.ts';

interface Node {
  readonly [keyword: string]: unknown;
  readonly properties?: Readonly<Record<string, Node>>;
  readonly required?: readonly string[];
}

const textOf = (name: string): string => readFileSync(packageFile(`harness/results/${name}`), 'utf8');
const schema = JSON.parse(textOf('result-event.schema.json')) as Node;

/** Every object with named fields in a schema. */
function objectsIn(node: Node): readonly Node[] {
  const inner = Object.values(node).filter((value) => typeof value === 'object' && value !== null);
  return [
    ...(node.properties === undefined ? [] : [node]),
    ...inner.flatMap((each) => objectsIn(each as Node)),
  ];
}

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
  });

  it('is one schema that takes an event as a whole too', () => {
    const validate = new Ajv2020({ strict: true }).compile(schema);
    expect(validate(header())).toBe(true);
    expect(validate({ ...header(), type: 'verdict' })).toBe(false);
  });

  it('has no object that takes a field which it does not name', () => {
    const objects = objectsIn(schema);
    expect(objects.length).toBeGreaterThan(40);
    expect(objects.filter((each) => each['additionalProperties'] !== false)).toEqual([]);
  });

  it('has the fields of the types, needed or not as they are', () => {
    const fields = objectsIn(schema).flatMap(({ properties = {}, required = [] }) =>
      Object.keys(properties).map((name) => (required.includes(name) ? name : `${name}?`)),
    );
    const typed = [...textOf('generated/events.ts').matchAll(/^ +readonly (\w+\??):/gm)];
    expect(new Set(typed.map(([, name]) => name))).toEqual(new Set(fields));
  });

  it('takes the events of every run', () => {
    const events = Object.values<readonly ResultEvent[]>(runs).flat();
    expect(events.flatMap((event) => eventProblem(event.type, event) ?? [])).toEqual([]);
  });

  it.each([
    ['a field that it lacks', brokenLimit, { title: undefined }, "'title'"],
    ['a field that it does not know', brokenLimit, { surplus: 1 }, "'surplus'"],
    ['a count below zero', brokenLimit, { requests: -1 }, '/requests'],
    ['a verdict that does not exist', brokenLimit, { verdict: 'skipped' }, '/verdict must be one of passed'],
    ['a digest that is none', header(), { registerDigest: 'sha256:ab' }, '/registerDigest'],
    ['a local time', header(), { startedAt: '2026-03-01T09:30:00+01:00' }, '/startedAt'],
    ['a finding that passed', finding(), { verdict: 'passed' }, '/verdict'],
  ])('refuses an event for %s', (_name, event, overrides, problem) => {
    expect(eventProblem(event.type, { ...event, ...overrides })).toContain(problem);
  });
});
