import { readFileSync } from 'node:fs';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { quickToMake } from '../../spec/ajv-options.ts';
import { packageFile } from '../../spec/index.ts';
import type { ResultEvent } from './generated/events.ts';

type EventType = ResultEvent['type'];

/** Every type that an event may have, in the order in which a stream first shows them. */
export const eventTypes: readonly EventType[] = [
  'header',
  'preflight',
  'check',
  'progress',
  'finding',
  'observation',
  'notice',
  'footer',
];

export function isEventType(value: unknown): value is EventType {
  return eventTypes.some((type) => type === value);
}

/**
 * What is wrong with `value` as an event of this type: the place as a JSON Pointer and the broken rule,
 * or `undefined` when it is valid.
 */
export function eventProblem(type: EventType, value: unknown): string | undefined {
  const validate = validatorOf(type);
  if (validate(value)) return undefined;
  const [first] = validate.errors ?? [];
  return first === undefined ? 'is not valid' : describe(first);
}

let ajv: Ajv2020 | undefined;

function validatorOf(type: EventType): ValidateFunction {
  ajv ??= new Ajv2020({ strict: true, ...quickToMake }).addSchema(readSchema());
  const validate = ajv.getSchema(`result-event.schema.json#/$defs/${type}`);
  if (validate === undefined) throw new Error(`the schema of the result stream does not define "${type}"`);
  return validate;
}

function readSchema(): object {
  return JSON.parse(readFileSync(packageFile('harness/results/result-event.schema.json'), 'utf8')) as object;
}

function describe(error: ErrorObject): string {
  const extra: unknown = error.params['additionalProperty'];
  const allowed: unknown = error.params['allowedValues'];
  const place = error.instancePath === '' ? '' : `${error.instancePath} `;
  if (typeof extra === 'string') return `${place}must not have a property '${extra}'`;
  if (Array.isArray(allowed)) return `${place}must be one of ${allowed.join(', ')}`;
  return `${place}${error.message ?? 'is not valid'}`;
}
