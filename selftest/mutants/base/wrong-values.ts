import { randomUUID } from 'node:crypto';
import type { SchemaNode } from '../../../spec/index.ts';
import type { Spoil } from './schema-places.ts';
import { type JsonObject, without } from './spoil-answer.ts';

/** Ways to break a schema rule: each by a slug that ends the id of a mutant, behind which and a colon stands what follows the name of the field or object in a sentence. */
type BadForms = Readonly<Record<string, Spoil>>;

/** Ways to break the rule `keyword` of a schema node, each of them breaking no more basic rule. */
export function wrongValuesOf(node: SchemaNode, keyword: string, key: string | undefined): BadForms {
  if (keyword === 'required')
    return { [`is-missing: lacks ${key}`]: (value) => without(value as JsonObject, key ?? '') };
  if (keyword !== 'type') return byKeyword[keyword]?.(node) ?? {};
  const nothing = { 'is-null: is null': () => null };
  return typesOf(node).includes('null')
    ? otherType(node)
    : { ...nothing, ...otherType(node), ...inexact(node) };
}

const byKeyword: Readonly<Record<string, (node: SchemaNode) => BadForms>> = {
  format: ({ format }) => (format === 'uuid' ? badUuids : constants(byFormat[format ?? ''])),
  pattern: ({ pattern }) => constants(byPattern[pattern ?? '']),
  minimum: ({ minimum = 0 }) => ({ [`is-below-its-minimum: is ${minimum - 1}`]: () => minimum - 1 }),
  minLength: () => ({ 'is-empty: is an empty text': () => '' }),
  maxLength: ({ maxLength = 0 }) => ({
    [`is-too-long: has ${maxLength + 1} characters`]: () => 'x'.repeat(maxLength + 1),
  }),
  enum: ({ enum: values = [] }) =>
    isOfOneProvider(values)
      ? surfaceBeyond(values)
      : {
          'is-unknown: is a word that is not in the list': () => 'something_else',
          'is-capitalised: is written in capitals': (value) => String(value).toUpperCase(),
        },
  const: () => ({ 'is-false: is false instead of absent': (value) => value ?? false }),
  not: () => ({ 'is-new: is New': () => 'New' }),
  maxItems: ({ maxItems = 0 }) => ({
    [`has-too-many: has ${maxItems + 1} elements`]: (value) => filled(value, maxItems + 1),
  }),
  uniqueItems: () => ({ 'has-a-repeat: has its first element twice': repeatedValue }),
  additionalProperties: () => ({
    'has-another-field: has an undeclared field': withField('state', 'active'),
    'has-another-null-field: has an undeclared field that is null': withField('undeclared', null),
  }),
};

/** Made of the value, since a list of ids must not repeat one. */
const badUuids: BadForms = {
  'is-no-uuid: is no UUID': (value) => `id-${String(value)}`,
  'is-a-short-uuid: is a UUID without its last digit': (value) => String(value).slice(0, -1),
};

/** Texts by the slugs of what is wrong with them. */
type Constants = Readonly<Record<string, string>>;

const byFormat: Readonly<Record<string, Constants>> = {
  email: { 'is-no-email': 'somebody', 'has-a-space': 'some body@example.test' },
  'iso-8601-date-time': {
    'is-no-time': 'yesterday',
    'is-a-number-of-seconds': '1700000000',
    'is-no-day': '2024-02-30T10:00:00Z',
  },
  'date-time': { 'has-no-offset': '2024-02-29T10:00:00' },
  'provider-d-timestamp': { 'is-no-day': '20230229_101112_abcdef', 'is-no-time': '20240229_250000_abcdef' },
};

const lowerCaseUuid = '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$';
const byPattern: Readonly<Record<string, Constants>> = {
  [lowerCaseUuid]: { 'is-an-upper-case-uuid': '3F2504E0-4F89-41D3-9A0C-0305E82C3301' },
  '^[A-Za-z0-9][A-Za-z0-9_-]{0,127}$': { 'begins-with-a-dash': '-session' },
  '^[0-9]{8}_[0-9]{6}_[0-9a-f]{6}(?:[0-9a-f]{2})?$': { 'has-seven-digits': '20240229_101112_abcdef0' },
  '^[a-f0-9]{64}$': { 'is-in-upper-case': 'AB'.repeat(32), 'has-63-digits': 'a'.repeat(63) },
};

function constants(texts: Constants = {}): BadForms {
  return Object.fromEntries(
    Object.entries(texts).map(([slug, text]) => {
      const shown = JSON.stringify(text.length > 40 ? `${text.slice(0, 8)}…` : text);
      return [`${slug}: is ${shown}`, () => text];
    }),
  );
}

function otherType(node: SchemaNode): BadForms {
  const types = typesOf(node);
  if (types.includes('object')) return { 'is-a-list: is a list': (value) => [value] };
  if (types.includes('array')) return { 'is-an-object: is an object': (value) => ({ items: value }) };
  if (types.includes('string')) return { 'is-a-number: is a number': () => 7 };
  return { 'is-a-text: is a text': (value) => String(value) };
}

function inexact(node: SchemaNode): BadForms {
  return typesOf(node).includes('integer')
    ? { 'is-a-fraction: is a fraction': (value) => Number(value) + 0.5 }
    : {};
}

const knownSurfaces = ['desktop', 'cli', 'cloud'];

/** The surfaces of one provider are a part of all surfaces. */
function isOfOneProvider(values: readonly unknown[]): boolean {
  return (
    values.length < knownSurfaces.length && values.every((value) => knownSurfaces.includes(String(value)))
  );
}

function surfaceBeyond(values: readonly unknown[]): BadForms {
  const other = knownSurfaces.find((surface) => !values.includes(surface)) ?? '';
  return { [`is-${other}: is ${other}`]: () => other };
}

function typesOf({ type }: SchemaNode): readonly string[] {
  return typeof type === 'string' ? [type] : (type ?? []);
}

/** A list of `count` elements: other ids where they are ids, else copies of the first; an empty list of objects stays so. */
function filled(value: unknown, count: number): unknown {
  const items = value as readonly unknown[];
  if (items.length > 0 && typeof items[0] !== 'string') return Array.from({ length: count }, () => items[0]);
  if (items.length === 0) return items;
  return [...items, ...Array.from({ length: count - items.length }, () => randomUUID())];
}

function repeatedValue(value: unknown): unknown {
  const items = value as readonly unknown[];
  return items.length > 1 ? [...items.slice(0, -1), items[0]] : [...items, ...items];
}

function withField(name: string, field: unknown): Spoil {
  return (value) => ({ ...(value as object), [name]: field });
}
