import type { ErrorObject } from 'ajv/dist/2020.js';
import { definitionsIn } from '../../spec/own-schemas.ts';
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

const validatorOf = definitionsIn('harness/results/result-event.schema.json', { strict: true });

function describe(error: ErrorObject): string {
  const extra: unknown = error.params['additionalProperty'];
  const allowed: unknown = error.params['allowedValues'];
  const place = error.instancePath === '' ? '' : `${error.instancePath} `;
  if (typeof extra === 'string') return `${place}must not have a property '${extra}'`;
  if (Array.isArray(allowed)) return `${place}must be one of ${allowed.join(', ')}`;
  return `${place}${error.message ?? 'is not valid'}`;
}
