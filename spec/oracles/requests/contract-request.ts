import { addressOf, idIn, pairsOf, pathTemplates, queryText } from '../../calls/index.ts';
import type { KnownCall, SentRequest } from '../../calls/index.ts';
import { isUuid } from '../../index.ts';
import { remembered } from '../../groups.ts';

/** What stands between may stop at addresses longer than this: the least that is in use. */
const longestTarget = 2_000;
/** Headers of 4 KiB pass everywhere. */
const longestHeaders = 4_000;
/** The largest content that a send has to take, each byte escaped to six, and more around it than there is. */
const largestBody = 3_200_000;

/** Segments that nobody takes for an escape, another segment or none. */
const plainPath = /^(?:\/[A-Za-z0-9_~-]+)+$/;
/** What a query may hold by RFC 3986; some servers stop at anything else. */
const queryCharacters = /^(?:[A-Za-z0-9\-._~!$&'()*+,;=:@/?]|%[0-9A-Fa-f]{2})*$/;
const headerValue = /^[\t\x20-\x7e]*$/;

/** What was found of each request: the oracle asks, and whoever judges the form of its answer. */
const known = new WeakMap<SentRequest, boolean>();

/** Whether a request gets past an HTTP library, a router and a proxy to the service itself, whatever it asks there. */
export function isWellFormed(request: SentRequest): boolean {
  return remembered(known, request, () => isSurelyPassed(request));
}

function isSurelyPassed(request: SentRequest): boolean {
  const { path, query, headers, body } = request;
  if (addressOf(request).length > longestTarget) return false;
  if (body !== undefined && Buffer.byteLength(body) > largestBody) return false;
  return plainPath.test(path) && isPlainQuery(queryText(query)) && arePlainHeaders(Object.values(headers));
}

/** Whether every server reads a query, or a part of one. */
export function isPlainQuery(query: string): boolean {
  return queryCharacters.test(query) && pairsOf(query) !== undefined;
}

/** Whether the headers of a request with these values pass everywhere. */
export function arePlainHeaders(values: readonly string[]): boolean {
  const sizeBytes = values.reduce((sum, value) => sum + value.length, 0);
  return sizeBytes <= longestHeaders && values.every((value) => headerValue.test(value));
}

/**
 * Whether a request is one that the contract speaks of. Whatever else there is (an address that no router knows, a path or a
 * query that is no URL, headers and bodies that are too much for whatever stands before the service) may be answered
 * below every handler, in whatever form: it fails nobody.
 */
export function isOfTheContract(request: SentRequest): boolean {
  return (
    isWellFormed(request) &&
    calls.some(({ call, hasId }) => {
      const id = idIn(call, request.path);
      return id !== undefined && (!hasId || isUuid(id));
    })
  );
}

const calls = Object.entries(pathTemplates).map(([call, template]) => ({
  call: call as KnownCall,
  hasId: template.includes('{'),
}));
