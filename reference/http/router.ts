import { Refusal } from '../model/refusal.ts';
import { routes, type Route } from '../model/routes.ts';

/** A route and what its path parameters are in a request. */
interface Match {
  readonly route: Route;
  readonly parameters: Readonly<Record<string, string>>;
}

/** A request target cut at its first question mark; of an absolute target only the path is left. */
export function splitTarget(target: string): { path: string; query: string } {
  const relative = target.replace(/^https?:\/\/[^/?#]*/i, '');
  const question = relative.indexOf('?');
  return question < 0
    ? { path: relative, query: '' }
    : { path: relative.slice(0, question), query: relative.slice(question + 1) };
}

/**
 * Finds the call for a method and a path.
 * @throws Refusal (404) for an unknown path, (405) for a method that the path does not have.
 */
export function matchRoute(method: string, path: string): Match {
  const segments = path.startsWith('/') ? path.slice(1).split('/') : [];
  const matches = routes.flatMap((route) => {
    const parameters = parametersOf(route, segments);
    return parameters ? [{ route, parameters }] : [];
  });
  const match = matches.find(({ route }) => route.method === method);
  if (match) return match;
  if (matches.length === 0) throw new Refusal('not-found', 'there is nothing at this path');
  const allow = matches.map(({ route }) => route.method);
  throw new Refusal('wrong-method', `this path takes ${allow.join(' and ')}`, { allow });
}

function parametersOf(route: Route, segments: readonly string[]): Record<string, string> | undefined {
  if (route.segments.length !== segments.length) return undefined;
  const parameters: Record<string, string> = {};
  for (const [index, expected] of route.segments.entries()) {
    const found = segments[index] ?? '';
    if (expected.startsWith(':')) parameters[expected.slice(1)] = decodeSegment(found);
    else if (expected !== found) return undefined;
  }
  return parameters;
}

/** A segment that cannot be decoded stays as it is: as an id it will be found malformed. */
function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
