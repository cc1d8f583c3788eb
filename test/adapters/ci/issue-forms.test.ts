import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { reportCommand } from '../../../cli/report.ts';
import { packageFile } from '../../../spec/index.ts';

const folder = packageFile('.github/ISSUE_TEMPLATE');
const forms = readdirSync(folder).filter((file) => file !== 'config.yml');

interface Form {
  readonly body: readonly {
    readonly type: string;
    readonly id?: string;
    readonly attributes: { readonly description?: string };
    readonly validations?: { readonly required?: boolean };
  }[];
}

const text = { type: 'string', minLength: 1 };
const said = { label: text, description: text };

function element(type: string, attributes: object, required: readonly string[] = ['label']): object {
  return {
    if: { properties: { type: { const: type } } },
    // oxlint-disable-next-line unicorn/no-thenable -- A keyword of JSON Schema.
    then: {
      properties: {
        attributes: { type: 'object', properties: attributes, required, additionalProperties: false },
      },
    },
  };
}

/** What the platform takes for a form; another file it leaves out without a word. */
const schema = {
  type: 'object',
  required: ['name', 'description', 'body'],
  additionalProperties: false,
  properties: {
    name: text,
    description: text,
    title: { type: 'string' },
    labels: { type: 'array', items: text },
    assignees: { type: 'array', items: text },
    body: {
      type: 'array',
      contains: { properties: { type: { not: { const: 'markdown' } } } },
      items: {
        type: 'object',
        required: ['type', 'attributes'],
        additionalProperties: false,
        properties: {
          type: { enum: ['markdown', 'input', 'textarea', 'dropdown', 'checkboxes'] },
          id: { type: 'string', pattern: '^[A-Za-z0-9_-]+$' },
          attributes: { type: 'object' },
          validations: {
            type: 'object',
            properties: { required: { type: 'boolean' } },
            additionalProperties: false,
          },
        },
        allOf: [
          element('markdown', { value: text }, ['value']),
          element('input', { ...said, placeholder: text, value: text }),
          element('textarea', { ...said, placeholder: text, value: text, render: text }),
          element(
            'dropdown',
            {
              ...said,
              multiple: { type: 'boolean' },
              default: { type: 'integer' },
              options: { type: 'array', items: text, minItems: 1, uniqueItems: true },
            },
            ['label', 'options'],
          ),
        ],
      },
    },
  },
};
const isForm = new Ajv2020({ strictSchema: true, strictTypes: false, allErrors: true }).compile<Form>(schema);

function read(file: string): unknown {
  return parse(readFileSync(join(folder, file), 'utf8'));
}

describe('the issue forms', () => {
  it('are one for a false alarm and one for a missed fault', () => {
    expect(forms.toSorted()).toEqual(['false-alarm.yml', 'missed-fault.yml']);
  });

  it.each(forms)('are forms that the platform shows: %s', (file) => {
    const form = read(file);
    expect(isForm(form) ? [] : isForm.errors).toEqual([]);
    const ids = (form as Form).body.flatMap(({ id }) => id ?? []);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it.each([
    { name: 'a', description: 'b', body: [{ type: 'markdown', attributes: { value: 'c' } }] },
    { name: 'a', description: 'b', body: [{ type: 'dropdown', attributes: { label: 'c' } }] },
    { name: 'a', description: 'b', body: [{ type: 'input', attributes: { label: 'c', options: [] } }] },
    { name: 'a', body: [{ type: 'input', attributes: { label: 'c' } }] },
  ])('would not be shown like this: %j', (form) => {
    expect(isForm(form)).toBe(false);
  });

  it.each(forms)('ask for the words of the contract and for a bundle, and say how to make it: %s', (file) => {
    const { body } = read(file) as Form;
    const needed = body.filter(({ validations }) => validations?.required).map(({ id }) => id);
    expect(needed).toEqual(expect.arrayContaining(['words', 'bundle']));
    const description = body.find(({ id }) => id === 'bundle')?.attributes.description;
    const options = description?.match(/`conform report [^`]*`/)?.[0].match(/--[a-z]+/g) ?? [];
    expect(options).toContain('--bundle');
    expect(reportCommand().options.map(({ long }) => long)).toEqual(expect.arrayContaining(options));
  });
});
