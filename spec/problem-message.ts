import type { ErrorObject } from 'ajv/dist/2020.js';

/** Longest value or key, in UTF-16 units of its JSON text, that a message quotes; others are described. */
const longestQuote = 60;

/** Says in a few words what is wrong with the value that a (verbose) validation error is about. */
export function describeProblem(error: ErrorObject): string {
  const describe = descriptions[error.keyword];
  return describe === undefined ? `${quoteValue(error.data)} breaks "${error.keyword}"` : describe(error);
}

const descriptions: Readonly<Record<string, (error: ErrorObject) => string>> = {
  type: ({ schema, data }) => `should be ${anyOf(schema)}, is ${typeName(data)}`,
  required: ({ params }) => `lacks ${quoteValue(params['missingProperty'])}`,
  additionalProperties: ({ params }) =>
    `has the undeclared field ${quoteValue(params['additionalProperty'])}`,
  enum: ({ schema, data }) => `${quoteValue(data)} is none of ${(schema as string[]).join(', ')}`,
  const: ({ schema, data }) => `${quoteValue(data)} is not ${JSON.stringify(schema)}`,
  format: ({ schema, data }) => `${quoteValue(data)} is not a valid ${String(schema)}`,
  pattern: ({ schema, data }) => `${quoteValue(data)} does not match ${String(schema)}`,
  not: ({ data }) => `${quoteValue(data)} is not allowed here`,
  minimum: ({ schema, data }) => `${quoteValue(data)} is below ${String(schema)}`,
  minLength: ({ schema, data }) => `${quoteValue(data)} is shorter than ${String(schema)} characters`,
  maxLength: ({ schema, data }) => `${quoteValue(data)} is longer than ${String(schema)} characters`,
  maxItems: ({ schema, data }) => `has ${(data as unknown[]).length} items, more than ${String(schema)}`,
  uniqueItems: ({ params }) => `items ${String(params['j'])} and ${String(params['i'])} are equal`,
};

function anyOf(types: unknown): string {
  return Array.isArray(types) ? types.join(' or ') : String(types);
}

function typeName(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
}

function quoteValue(value: unknown): string {
  if (typeof value === 'string' && value.length > longestQuote)
    return `a string of ${value.length} characters`;
  const text = JSON.stringify(value);
  return text.length > longestQuote ? `a long ${typeName(value)}` : text;
}
