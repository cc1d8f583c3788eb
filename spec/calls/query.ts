import type { CallName } from './paths.ts';

/** Parameters in the order in which they go over the wire; a name may stand there twice. */
export type QueryPairs = readonly (readonly [name: string, value: string])[];

/** A query as data: its parameters, or a text that goes over the wire as it is, for one whose spelling is what is tried. */
export type Query = QueryPairs | string;

/** A query as it is written down: by name, where `undefined` leaves a parameter out, or in any other way. */
export type QueryDraft = Query | Readonly<Record<string, string | number | bigint | undefined>>;

/** The query that a draft stands for. */
export function queryOf(draft: QueryDraft): Query {
  if (typeof draft === 'string' || isPairs(draft)) return draft;
  return Object.entries(draft).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as const],
  );
}

/** The query as it goes over the wire, without its question mark. */
export function queryText(query: Query = ''): string {
  if (typeof query === 'string') return query;
  return new URLSearchParams(query.map(([name, value]): [string, string] => [name, value])).toString();
}

/** The parameters of a query, decoded; `undefined` when it is a text that is not percent-encoded UTF-8. */
export function pairsOf(query: Query = ''): QueryPairs | undefined {
  if (typeof query !== 'string') return query;
  try {
    return query
      .split('&')
      .filter((pair) => pair !== '')
      .map((pair) => {
        const equals = pair.indexOf('=');
        const at = equals < 0 ? pair.length : equals;
        return [decodedText(pair.slice(0, at)), decodedText(pair.slice(at + 1))] as const;
      });
  } catch {
    return undefined;
  }
}

/** The value of a parameter that stands in the query once. */
export function parameterOf(query: Query | undefined, name: string): string | undefined {
  const [only, ...others] = pairsOf(query)?.filter(([each]) => each === name) ?? [];
  return others.length > 0 ? undefined : only?.[1];
}

/** A path with its query behind it. */
export function addressOf({
  path,
  query,
}: {
  readonly path: string;
  readonly query?: Query | undefined;
}): string {
  const text = queryText(query);
  return text === '' ? path : `${path}?${text}`;
}

/** The path and the query of an address. */
export function partsOfAddress(address: string): { readonly path: string; readonly query: string } {
  const at = address.indexOf('?');
  return at < 0 ? { path: address, query: '' } : { path: address.slice(0, at), query: address.slice(at + 1) };
}

function isPairs(draft: QueryDraft): draft is QueryPairs {
  return Array.isArray(draft);
}

function decodedText(text: string): string {
  // Most texts are what they are: to look costs less than to decode.
  return /[%+]/.test(text) ? decodeURIComponent(text.replaceAll('+', ' ')) : text;
}

/**
 * The parameters by which a page of messages is asked for, by call. A read with another one is of no page that judges know, nor is
 * the value of another one kept.
 */
export const pageParameters = {
  mentions: ['after', 'limit'],
  'channel-read': ['after', 'limit', 'wait'],
} as const;

export type PageParameter = (typeof pageParameters)[keyof typeof pageParameters][number];

const ofEach = new Map<CallName, ReadonlySet<string>>(
  Object.entries(pageParameters).map(([call, names]) => [
    call as keyof typeof pageParameters,
    new Set(names),
  ]),
);

/** The names of all of them, each once. */
export const pageParameterNames: ReadonlySet<string> = new Set(Object.values(pageParameters).flat());

/** Whether a call, or any where none is given, has a parameter by which a page is asked for. */
export function isPageParameter(name: string, call?: CallName): name is PageParameter {
  return call === undefined ? pageParameterNames.has(name) : ofEach.get(call)?.has(name) === true;
}
