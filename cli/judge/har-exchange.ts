import { isRecord, jsonIn } from '../../spec/calls/index.ts';
import type { Exchange } from '../../harness/client/exchange.ts';
import type { PassedExchange } from '../../harness/front/recorded.ts';
import { batchOf, Digests, exchangesOf } from '../../harness/traffic/exchange-batch.ts';
import type { HarEntry, HarHeader } from './har-file.ts';

/** Times are kept to the millisecond: what may have overlapped is taken to have done so. */
const roundedMs = 1;

/** What an entry asked, and what came of it, as of a proxy that judges: what is a credential is known by its digest from here on. */
export function exchangeOf(
  { startedDateTime, time, request, response }: HarEntry,
  address: string,
  id: number,
): Exchange {
  const startedMs = Date.parse(startedDateTime);
  const { method, url, headers, postData } = request;
  const passed: PassedExchange = {
    method,
    url: address,
    rawHeaders: rawOf(headers),
    body: isWhole(request) ? [Buffer.from(postData?.text ?? '')] : undefined,
    answer: {
      status: response.status,
      rawHeaders: rawOf(response.headers),
      body: isCut(response) ? undefined : bodyOf(method, response),
    },
    end: endOf(request, response),
    startedMs: startedMs - roundedMs,
    endedMs: startedMs + Math.max(0, time) + roundedMs,
  };
  const [exchange] = exchangesOf(batchOf([passed], digests), '', id);
  if (exchange === undefined) throw new TypeError(`${url} is no call of the contract`);
  return exchange;
}

const digests = new Digests();

function rawOf(headers: readonly HarHeader[]): readonly string[] {
  return headers.flatMap(({ name, value }) => [name, value]);
}

/** What browsers and proxies say where no connection came about: nothing was asked then. */
const unconnected =
  /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|E(?:HOST|NET)UNREACH|ERR_(?:CONNECTION_REFUSED|NAME_NOT_RESOLVED|ADDRESS_UNREACHABLE|INTERNET_DISCONNECTED|BLOCKED_BY|CERT_)|NS_ERROR_(?:CONNECTION_REFUSED|UNKNOWN_HOST|OFFLINE)|connection refused|connect call failed|could not connect/i;

/** Of a request that was not recorded as a whole nobody knows what it asked. */
function endOf(request: HarEntry['request'], response: HarEntry['response']): PassedExchange['end'] {
  const { status, _error: error, _failureText: failure } = response;
  if (status > 0) return isWhole(request) ? 'answered' : 'cut by server';
  const isRefused = [error, failure].some((each) => typeof each === 'string' && unconnected.test(each));
  return isRefused ? 'refused' : 'cut by server';
}

/** Whether a cache may have answered in place of the server, with what was true at an earlier time. */
export function isOfCache({ _fromCache: from, _fetchType: type, cache }: HarEntry): boolean {
  const isNamed = from !== undefined && from !== null && from !== false;
  const isFetched = typeof type === 'string' && /cache|worker/i.test(type);
  return isNamed || isFetched || (isRecord(cache) && isRecord(cache['beforeRequest']));
}

function valueOf(wanted: string, given: readonly HarHeader[]): string | undefined {
  return given.find(({ name }) => name.toLowerCase() === wanted)?.value;
}

/** Recorders leave long bodies out, or cut them. */
function isWhole({ method, headers, postData }: HarEntry['request']): boolean {
  const length = valueOf('content-length', headers);
  const text = postData?.text ?? undefined;
  if (text === undefined) return method !== 'POST';
  return length === undefined || Number(length) === Buffer.byteLength(text);
}

/** The headers of an answer that a page of another origin sees whatever the server says: a recorder on the page has no others. */
const shownToPages = new Set([
  'cache-control',
  'content-language',
  'content-length',
  'content-type',
  'expires',
  'last-modified',
  'pragma',
]);

/** Whether all of an answer was recorded, as it came: recorders leave headers and long bodies out, or cut them, and have caches of their own. */
export function isWholeAnswer(
  { response: { headers, content } }: HarEntry,
  { request: { method }, response }: Exchange,
): boolean {
  if (response === undefined || response.status === 304) return false;
  if (headers.every(({ name }) => shownToPages.has(name.toLowerCase()))) return false;
  const { byteLength } = response.bytes;
  if (byteLength === 0) return method === 'GET' && content.size === 0;
  return response.json !== undefined || content.size === byteLength;
}

/** Whether a body is shorter than the recorder, or the answer where it was not packed, says that it is. Some give its packed length. */
function isCut({ headers, content }: HarEntry['response']): boolean {
  const { size = 0 } = content;
  const bytes = bytesOf(content);
  const isPacked = valueOf('content-encoding', headers) !== undefined;
  const announced = isPacked ? 0 : Number(valueOf('content-length', headers) ?? 0);
  // Of JSON that is cut nothing is left that is JSON.
  return (
    bytes.length > 0 && bytes.length < Math.max(size, announced) && jsonIn(bytes.toString()) === undefined
  );
}

/** Whether there was a body that was not recorded, or is in no form that anybody reads here. */
export function isUnread({ response: { status } }: HarEntry, { request, fault }: Exchange): boolean {
  return fault?.kind === 'truncated' && request.call !== 'other' && status !== 204 && status !== 304;
}

function bodyOf(method: string, { status, content }: HarEntry['response']): readonly Buffer[] | undefined {
  // Of a write that was accepted, a recorder may have left out the answer that says little.
  const isLeftOut = (content.text ?? undefined) === undefined;
  return isLeftOut && (method === 'GET' || status >= 400) ? undefined : [bytesOf(content)];
}

function bytesOf({ text, encoding }: HarEntry['response']['content']): Buffer {
  return Buffer.from(text ?? '', encoding === 'base64' ? 'base64' : 'utf8');
}
