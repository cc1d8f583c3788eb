import * as fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { sendBodySpace } from '../../generators/spaces/body/send-body-space.ts';
import { bodyOf, emptyWorld, targetOf } from '../../generators/spaces/body/send-body.ts';
import { targetsSpace } from '../../generators/spaces/body/targets-space.ts';
import { sourceSessionSpace } from '../../generators/spaces/session/session-space.ts';
import type { JsonValue } from '../../generators/texts/json-values.ts';
import { exercised, rulesOf, validate, type SchemaName } from '../../spec/index.ts';
import { everySpace } from './every-space.ts';

const numRuns = 10_000;
/** Some kinds come up three times in ten thousand draws of a whole body. */
const manyRuns = 20_000;

describe.each(everySpace)('within 20,000 draws of the space $name', (space) => {
  const labels = space.boundaries.map(({ label }) => label);
  const kinds = space.boundaries.flatMap(({ value }) => space.labelOf(value)?.label ?? []);
  const drawn = new Set<string>();
  const undrawn = {
    labels: () => labels.filter((label) => !drawn.has(label)),
    kinds: () => kinds.filter((kind) => !drawn.has(kind) && !singleValues.has(kind)),
  };
  beforeAll(() => {
    // Those of fewer runs are the first of more, and mostly enough.
    for (const numRuns of [1_000, 5_000, manyRuns])
      if (undrawn.labels().length + undrawn.kinds().length > 0)
        for (const { label } of fc.sample(space.arbitrary, { numRuns, seed: 23 })) drawn.add(label);
  });

  it('every boundary comes up, by a name of its own', () => {
    expect(labels.filter((label, index) => labels.indexOf(label) !== index)).toEqual([]);
    expect(labels.filter((label) => !/^[a-z][a-z0-9-]*(?:\/[\w-]+)+$/.test(label))).toEqual([]);
    expect(undrawn.labels()).toEqual([]);
  });

  it('every kind that a boundary is of comes up by chance as well, unless it is one single value', () => {
    expect(new Set(undrawn.kinds())).toEqual(new Set());
  });

  it('what comes up by chance has no name of a boundary', () => {
    expect(kinds.filter((kind) => labels.includes(kind))).toEqual([]);
  });
});

/** Kinds that have but one value. */
const singleValues = new Set(['content/no-byte', 'send-body/content/no-byte']);

/** Rules of a schema that no value breaks, and branches of it that no value enters. */
function notReached(
  name: SchemaName,
  values: readonly JsonValue[],
): { unbroken: string[]; unentered: string[] } {
  const broken = new Set(values.flatMap((value) => validate(name, value).map(({ pointer }) => pointer)));
  const entered = new Set(values.flatMap((value) => [...exercised(name, value)]));
  const rules = rulesOf(name);
  return {
    unbroken: rules.filter((rule) => !broken.has(rule)),
    unentered: rules.filter((rule) => !entered.has(rule)),
  };
}

describe('every branch of a schema of a request is entered, and every rule of it broken', () => {
  const nothing = { unbroken: [], unentered: [] };

  it('by source sessions', () => {
    const values = fc.sample(sourceSessionSpace.arbitrary, { numRuns, seed: 31 }).map(({ value }) => value);
    expect(notReached('source-session', values)).toEqual(nothing);
  });

  it('by mention targets', () => {
    const values = fc
      .sample(targetsSpace.arbitrary, { numRuns, seed: 37 })
      .flatMap(({ value }) => value.slice(0, 2).map((target) => targetOf(target)));
    expect(notReached('mention-target', values)).toEqual(nothing);
  });

  it('by bodies of a send', () => {
    const values = fc
      .sample(sendBodySpace.arbitrary, { numRuns, seed: 41 })
      .filter(({ value }) => (value.content ?? []).every(({ count }) => count < 1000))
      .map(({ value }) => bodyOf(value, emptyWorld));
    expect(notReached('send-request', values)).toEqual(nothing);
    const sessions = values.flatMap((body) => memberOf(body, 'source_session'));
    expect(notReached('source-session', sessions)).toEqual(nothing);
  });
});

function memberOf(body: JsonValue, name: string): readonly JsonValue[] {
  if (typeof body !== 'object' || body === null || !Object.hasOwn(body, name)) return [];
  return [(body as Readonly<Record<string, JsonValue>>)[name] ?? null];
}
