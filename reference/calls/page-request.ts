import type { Call } from '../http/call.ts';
import type { PageRequest } from '../model/page-facts.ts';
import { Refusal } from '../model/refusal.ts';

/**
 * The cursor and the limit of a request.
 * @throws Refusal when a rule does not take one of them.
 */
export function pageRequestOf({ service: { rules }, route: { name }, query }: Call): PageRequest {
  const afterText = query['after'];
  const limitText = query['limit'];
  if (afterText === undefined && rules.requiresAfter(name)) throw invalidParameter('after', 'is needed');
  const after = afterText === undefined ? undefined : rules.readAfter(afterText, name);
  if (afterText !== undefined && after === undefined) throw invalidParameter('after', 'is not a cursor');

  const [min, max] = [rules.minLimit(name), rules.maxLimit(name)];
  const limit =
    limitText === undefined ? rules.defaultLimit(name) : rules.readLimit(limitText, min, max, name);
  if (limit === undefined) throw invalidParameter('limit', `is not an integer from ${min} to ${max}`);
  return { after, limit };
}

/** A refusal of one query parameter. */
export function invalidParameter(parameter: string, what: string): Refusal {
  return new Refusal('invalid', `${parameter} ${what}`, { details: { parameter } });
}
