import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { examplesOf } from '../../spec/examples.ts';
import { exercised, rulesOf } from '../../spec/exercised.ts';
import { packageFile } from '../../spec/package-file.ts';
import { schemaNames } from '../../spec/schemas.ts';
import { validate } from '../../spec/validators.ts';

describe.each(schemaNames)('the examples of %s', (name) => {
  const { valid, invalid } = examplesOf(name);

  it.each(valid)('valid: $name', ({ instance }) => {
    expect(validate(name, instance)).toEqual([]);
  });

  it.each(invalid)('invalid: $name', ({ breaks, instance }) => {
    expect(validate(name, instance).map((problem) => problem.pointer)).toEqual([breaks]);
  });

  it('break every rule that the schema states', () => {
    const broken = new Set(invalid.map((example) => example.breaks));
    expect(rulesOf(name).filter((rule) => !broken.has(rule))).toEqual([]);
  });

  it('put the rule that they break to the test', () => {
    for (const { breaks, instance } of invalid) expect(exercised(name, instance)).toContain(breaks);
  });

  it('put every rule to the test without breaking it', () => {
    const found = new Set(valid.flatMap((example) => [...exercised(name, example.instance)]));
    expect(rulesOf(name).filter((rule) => !found.has(rule))).toEqual([]);
  });

  it('have names of their own', () => {
    for (const group of [valid, invalid]) {
      const names = group.map((example) => example.name);
      expect(new Set(names).size).toBe(names.length);
    }
  });
});

it('each schema has one file of examples, and there is no other', () => {
  const files = readdirSync(packageFile('spec/examples')).toSorted();
  expect(files).toEqual(schemaNames.map((name) => `${name}.json`).toSorted());
});

it('each schema has one file, and there is no other', () => {
  const files = readdirSync(packageFile('spec/schemas')).toSorted();
  expect(files).toEqual(schemaNames.map((name) => `${name}.schema.json`).toSorted());
});
