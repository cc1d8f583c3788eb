import { pathTemplates } from '../../spec/calls/index.ts';
import { needNames } from '../../harness/config/capabilities.ts';
import { listSchema, objectSchema } from '../../harness/config/json-file.ts';
import { clauses } from '../../spec/index.ts';
import { operatorActs } from '../cases/case-request.ts';

/** A failure file with half a megabyte of escapes, and bytes as base64, has less. */
export const mostBytes = 32 * 1024 * 1024;

const text = { type: 'string', maxLength: 100_000 };
const count = { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER };
/** How often it showed, of so many tries. */
const tries = { times: count, of: count };

const calls = Object.keys(pathTemplates);

/** What a header may carry; a place for a credential only where credentials belong. */
const headerValue = String.raw`^(?!.*\{(?:token|look-alike):)[\t\x20-\x7e\x80-\xff]*$`;
const headers = {
  type: 'object',
  properties: {
    authorization: { type: 'string', maxLength: 20_000, pattern: String.raw`^[\t\x20-\x7e\x80-\xff]*$` },
    accept: { $ref: '#/$defs/header' },
    'content-type': { $ref: '#/$defs/header' },
    'content-encoding': { $ref: '#/$defs/header' },
    'idempotency-key': { $ref: '#/$defs/header' },
  },
  additionalProperties: false,
};
const body = {
  anyOf: [
    objectSchema({
      runs: {
        type: 'array',
        maxItems: 200_000,
        items: {
          type: 'array',
          prefixItems: [
            { type: 'string', maxLength: 8_000_000 },
            { ...count, maximum: 8_000_000 },
          ],
          items: false,
          minItems: 2,
        },
      },
    }),
    objectSchema({ base64: { type: 'string', maxLength: 16_000_000, pattern: '^[A-Za-z0-9+/]*={0,2}$' } }),
  ],
};

/** More steps than a case has. */
const mostSteps = 20;
const request = {
  required: {
    call: { enum: [...calls, 'other'] },
    method: { enum: ['GET', 'POST'] },
    path: { type: 'string', maxLength: 40_000 },
    headers,
  },
  // What has an act is the operator's.
  more: { body, isBeside: { type: 'boolean' }, act: false },
};

const operatorStep = objectSchema({
  act: { enum: operatorActs },
  of: { type: 'string', pattern: '^(?:agent|user|machine|token|file):[a-z-]{1,20}$' },
});

/** What is read back, and what is sent; the rest is for people. */
export const failureSchema = {
  $defs: { header: { type: 'string', maxLength: 20_000, pattern: headerValue } },
  ...objectSchema({
    format: { const: 'conform-failure/1' },
    root: text,
    verdict: { enum: ['failed', 'warned'] },
    failure: objectSchema(
      {
        clause: { enum: clauses.map(({ id }) => id) },
        part: text,
        call: { enum: calls },
        seenIn: { enum: ['answer', 'readBack'] },
        expected: text,
        actual: text,
      },
      {
        isOutcome: { type: 'boolean' },
        isServerError: { type: 'boolean' },
      },
    ),
    label: text,
    found: objectSchema(tries, {
      again: objectSchema(tries),
      had: listSchema({ enum: needNames }, needNames.length),
    }),
    request: objectSchema(request.required, {
      ...request.more,
      earlier: listSchema({ anyOf: [objectSchema(request.required, request.more), operatorStep] }, mostSteps),
      isApart: { type: 'boolean' },
    }),
  }),
};
