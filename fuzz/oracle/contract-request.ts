import type { SentRequest } from '../../harness/client/exchange.ts';
import { isUuid } from '../../spec/index.ts';
import { pairsOf } from './expect-query.ts';

/** What stands between may stop at addresses longer than this: the least that is in use. */
const longestTarget = 2_000;
/** Headers of 4 KiB pass everywhere. */
const longestHeaders = 4_000;
/** The largest content that a send has to take, each byte escaped to six, and more around it than there is. */
const largestBody = 3_200_000;

/** The paths of the contract; every identifier in them is a UUID. */
const addresses =
  /^\/v0\/(?:mentions|channels(?:\/([^/]+)\/(?:messages|receipts))?)$|^\/v1\/human\/workspaces\/([^/]+)$/;
/** Segments that nobody takes for an escape, another segment or none. */
const plainPath = /^(?:\/[A-Za-z0-9_~-]+)+$/;
/** What a query may hold by RFC 3986; some servers stop at anything else. */
const queryCharacters = /^(?:[A-Za-z0-9\-._~!$&'()*+,;=:@/?]|%[0-9A-Fa-f]{2})*$/;
const headerValue = /^[\t\x20-\x7e]*$/;

/** Whether a request gets past an HTTP library, a router and a proxy to the service itself, whatever it asks there. */
export function isWellFormed({ path, headers, body }: SentRequest): boolean {
  if (path.length > longestTarget) return false;
  if (body !== undefined && Buffer.byteLength(body) > largestBody) return false;
  const { address, query } = partsOf(path);
  if (!plainPath.test(address) || !queryCharacters.test(query) || pairsOf(query) === undefined) return false;
  const values = Object.values(headers);
  const sizeBytes = values.reduce((sum, value) => sum + value.length, 0);
  return sizeBytes <= longestHeaders && values.every((value) => headerValue.test(value));
}

/**
 * Whether a request is one that the contract speaks of. Whatever else there is (an address that no router knows, a path or a
 * query that is no URL, headers and bodies that are too much for whatever stands before the service) may be answered
 * below every handler, in whatever form: it convicts nobody.
 */
export function isOfTheContract(request: SentRequest): boolean {
  if (!isWellFormed(request)) return false;
  const [whole, ...ids] = addresses.exec(partsOf(request.path).address) ?? [];
  return whole !== undefined && ids.every((id) => id === undefined || isUuid(id));
}

function partsOf(path: string): { readonly address: string; readonly query: string } {
  const at = path.indexOf('?');
  return at < 0 ? { address: path, query: '' } : { address: path.slice(0, at), query: path.slice(at + 1) };
}
