import { randomUUID } from 'node:crypto';
import type { SchemaNode } from '../../../spec/index.ts';
import type { Spoil } from './schema-places.ts';

/** One way to break a schema rule. */
interface BadForm {
  /** Slug that ends the mutant's id. */
  readonly slug: string;
  /** Ends a sentence that begins with the name of the field or object. */
  readonly what: string;
  readonly spoil: Spoil;
}

/** Ways to break the rule `keyword` of a schema node, each of them breaking no more basic rule. */
export function wrongValuesOf(
  node: SchemaNode,
  keyword: string,
  key: string | undefined,
): readonly BadForm[] {
  if (keyword === 'required') return [missing(key ?? '')];
  if (keyword === 'type')
    return typesOf(node).includes('null') ? [otherType(node)] : [nothing, otherType(node), ...inexact(node)];
  return (byKeyword[keyword] ?? (() => []))(node);
}

const byKeyword: Readonly<Record<string, (node: SchemaNode) => readonly BadForm[]>> = {
  format: ({ format }) => (format === 'uuid' ? badUuids : (byFormat[format ?? ''] ?? []).map(constant)),
  pattern: ({ pattern }) => (byPattern[pattern ?? ''] ?? []).map(constant),
  minimum: ({ minimum = 0 }) => [
    { slug: 'is-below-its-minimum', what: `is ${minimum - 1}`, spoil: () => minimum - 1 },
  ],
  minLength: () => [{ slug: 'is-empty', what: 'is an empty text', spoil: () => '' }],
  maxLength: ({ maxLength = 0 }) => [
    { slug: 'is-too-long', what: `has ${maxLength + 1} characters`, spoil: () => 'x'.repeat(maxLength + 1) },
  ],
  enum: ({ enum: values = [] }) =>
    isOfOneProvider(values)
      ? [surfaceBeyond(values)]
      : [
          { slug: 'is-unknown', what: 'is a word that is not in the list', spoil: () => 'something_else' },
          {
            slug: 'is-capitalised',
            what: 'is written in capitals',
            spoil: (value) => String(value).toUpperCase(),
          },
        ],
  const: () => [{ slug: 'is-false', what: 'is false instead of absent', spoil: (value) => value ?? false }],
  not: () => [{ slug: 'is-new', what: 'is New', spoil: () => 'New' }],
  maxItems: ({ maxItems = 0 }) => [
    {
      slug: 'has-too-many',
      what: `has ${maxItems + 1} elements`,
      spoil: (value) => filled(value, maxItems + 1),
    },
  ],
  uniqueItems: () => [{ slug: 'has-a-repeat', what: 'has its first element twice', spoil: repeatedValue }],
  additionalProperties: () => [
    { slug: 'has-another-field', what: 'has an undeclared field', spoil: withField('state', 'active') },
    {
      slug: 'has-another-null-field',
      what: 'has an undeclared field that is null',
      spoil: withField('undeclared', null),
    },
  ],
};

/** Made of the value, since a list of ids must not repeat one. */
const badUuids: readonly BadForm[] = [
  { slug: 'is-no-uuid', what: 'is no UUID', spoil: (value) => `id-${String(value)}` },
  {
    slug: 'is-a-short-uuid',
    what: 'is a UUID without its last digit',
    spoil: (value) => String(value).slice(0, -1),
  },
];

type Constant = readonly [slug: string, value: string];

const byFormat: Readonly<Record<string, readonly Constant[]>> = {
  email: [
    ['is-no-email', 'somebody'],
    ['has-a-space', 'some body@example.test'],
  ],
  'iso-8601-date-time': [
    ['is-no-time', 'yesterday'],
    ['is-a-number-of-seconds', '1700000000'],
    ['is-no-day', '2024-02-30T10:00:00Z'],
  ],
  'date-time': [['has-no-offset', '2024-02-29T10:00:00']],
  'provider-d-timestamp': [
    ['is-no-day', '20230229_101112_abcdef'],
    ['is-no-time', '20240229_250000_abcdef'],
  ],
};

const lowerCaseUuid = '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$';
const byPattern: Readonly<Record<string, readonly Constant[]>> = {
  [lowerCaseUuid]: [['is-an-upper-case-uuid', '3F2504E0-4F89-41D3-9A0C-0305E82C3301']],
  '^[A-Za-z0-9][A-Za-z0-9_-]{0,127}$': [['begins-with-a-dash', '-session']],
  '^[0-9]{8}_[0-9]{6}_[0-9a-f]{6}(?:[0-9a-f]{2})?$': [['has-seven-digits', '20240229_101112_abcdef0']],
  '^[a-f0-9]{64}$': [
    ['is-in-upper-case', 'AB'.repeat(32)],
    ['has-63-digits', 'a'.repeat(63)],
  ],
};

function constant([slug, value]: Constant): BadForm {
  return {
    slug,
    what: `is ${JSON.stringify(value.length > 40 ? `${value.slice(0, 8)}…` : value)}`,
    spoil: () => value,
  };
}

const nothing: BadForm = { slug: 'is-null', what: 'is null', spoil: () => null };

function missing(key: string): BadForm {
  return {
    slug: 'is-missing',
    what: `lacks ${key}`,
    spoil: (value) => {
      const { [key]: _left, ...rest } = value as Record<string, unknown>;
      return rest;
    },
  };
}

function otherType(node: SchemaNode): BadForm {
  const types = typesOf(node);
  if (types.includes('object')) return { slug: 'is-a-list', what: 'is a list', spoil: (value) => [value] };
  if (types.includes('array'))
    return { slug: 'is-an-object', what: 'is an object', spoil: (value) => ({ items: value }) };
  if (types.includes('string')) return { slug: 'is-a-number', what: 'is a number', spoil: () => 7 };
  return { slug: 'is-a-text', what: 'is a text', spoil: (value) => String(value) };
}

function inexact(node: SchemaNode): readonly BadForm[] {
  if (!typesOf(node).includes('integer')) return [];
  return [{ slug: 'is-a-fraction', what: 'is a fraction', spoil: (value) => Number(value) + 0.5 }];
}

const knownSurfaces = ['desktop', 'cli', 'cloud'];

/** The surfaces of one provider are a part of all surfaces. */
function isOfOneProvider(values: readonly unknown[]): boolean {
  return (
    values.length < knownSurfaces.length && values.every((value) => knownSurfaces.includes(String(value)))
  );
}

function surfaceBeyond(values: readonly unknown[]): BadForm {
  const other = knownSurfaces.find((surface) => !values.includes(surface)) ?? '';
  return { slug: `is-${other}`, what: `is ${other}`, spoil: () => other };
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
