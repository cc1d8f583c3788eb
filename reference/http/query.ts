import { Refusal } from '../model/refusal.ts';
import type { Rules } from '../rules/rules.ts';
import type { Route } from '../model/routes.ts';

/** Query parameters in order, decoded. */
export type DecodedPairs = readonly (readonly [name: string, value: string])[];

/**
 * Decodes a query string, without its question mark.
 * @throws Refusal when a percent sign does not start the code of a UTF-8 byte.
 */
export function parseQuery(query: string): DecodedPairs {
  return query
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => {
      const equals = pair.indexOf('=');
      return equals < 0
        ? [decodeText(pair), '']
        : [decodeText(pair.slice(0, equals)), decodeText(pair.slice(equals + 1))];
    });
}

/** @throws Refusal when the call does not take one of the parameters, or takes it only once. */
export function checkQuery(rules: Rules, route: Route, pairs: DecodedPairs): void {
  const seen = new Set<string>();
  for (const [name] of pairs) {
    if (!rules.acceptsParameter(route.name, name, route.parameters.includes(name))) {
      throw new Refusal('invalid', 'the call has no such query parameter', { details: { parameter: name } });
    }
    if (seen.has(name) && !rules.acceptsRepeatedParameter(route.name, name)) {
      throw new Refusal('invalid', 'a query parameter is given more than once', {
        details: { parameter: name },
      });
    }
    seen.add(name);
  }
}

function decodeText(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch (cause) {
    throw new Refusal('invalid', 'the query string is not percent-encoded UTF-8', {
      details: { cause: String(cause) },
    });
  }
}
