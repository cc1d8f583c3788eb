import type { SentRequest } from '../../spec/calls/index.ts';
import { mayBeTooLong } from '../../spec/oracles/requests/sent-body.ts';
import { validate } from '../../spec/index.ts';
import type { PageOutline } from './page-outline.ts';

/** What is known of the body of a page that is not kept. */
interface LeftOutBody {
  readonly bytes: number;
  readonly outline: PageOutline;
  /** What is still known of the item that a text names; `undefined` where it names none. */
  readonly itemNamedIn?: (text: string) => string | undefined;
}

/** A complete answer, decompressed. */
export interface ReceivedResponse {
  readonly status: number;
  /** Lower-case names, every occurrence in order. */
  readonly headers: Readonly<Record<string, readonly string[]>>;
  readonly bytes: Uint8Array;
  /** The body as JSON with integers beyond 2^53 as bigint; `undefined` when it is not JSON. */
  readonly json: unknown;
  /** What is known of a body that was too large to keep: `bytes` are empty then, and where nobody needs it `json` too. */
  readonly leftOut?: LeftOutBody;
}

/** Why no complete answer came, in words. */
export const faultWords = {
  refused: 'no connection',
  /** Closed before the answer ended. */
  reset: 'connection reset',
  timeout: 'no answer in time',
  /** Shorter than announced, or compressed data that does not decompress. */
  truncated: 'answer cut short',
  /** Beyond our bound. */
  oversize: 'answer too large',
  protocol: 'no HTTP',
  /** A status of gateways and proxies without an ApiError: not the service's own words. */
  gateway: 'answered by a gateway',
  /** Never sent: the run has written what it may. */
  withheld: 'not sent',
} as const;

export type FaultKind = keyof typeof faultWords;

/** Faults that the way to a server makes by chance as well as the server. */
export const chanceFaults: readonly FaultKind[] = ['reset', 'truncated', 'protocol', 'gateway'];

export interface Fault {
  readonly kind: FaultKind;
  readonly message: string;
  /** How many times in a row the same request met this kind of fault. */
  readonly tries: number;
}

/** One request and what came of it. Exactly one of `response` and `fault` is set, but for `gateway`, which has both. */
export interface Exchange {
  /** Counts up within a run. */
  readonly id: number;
  /** Role that spoke, or `anonymous`. */
  readonly actor: string;
  readonly request: SentRequest;
  readonly response: ReceivedResponse | undefined;
  readonly fault: Fault | undefined;
  /** Monotonic milliseconds: before the first byte was sent, after the last one was read. */
  readonly startedMs: number;
  readonly endedMs: number;
}

/** What gateways say of a service, and of who asks: a proxy that wants a credential for itself (407), a network where one has to sign in (511). */
const ofGateways: readonly number[] = [407, 502, 503, 504, 511];
/** From here on statuses are no standard ones: they are those of content networks that did not reach the service. */
const leastOfNetworks = 520;

/** Whether what stands in front of the service answered in its place: in words that are not the contract's. */
export function isGatewayAnswer({ status, json }: ReceivedResponse): boolean {
  if (!ofGateways.includes(status) && status < leastOfNetworks) return false;
  return validate('api-error', json).length > 0;
}

/** Status of the answer, or `undefined` when none came. */
export function statusOf(exchange: Exchange): number | undefined {
  return exchange.response?.status;
}

/** First value of a header of the answer. */
export function headerOf(exchange: Exchange, name: string): string | undefined {
  return exchange.response?.headers[name.toLowerCase()]?.[0];
}

/** Whether a status points elsewhere: that is not followed. */
export function isRedirection(status: number | undefined): boolean {
  return status !== undefined && status >= 300 && status < 400;
}

/** True for an answer that is a page for people; JSON under a wrong media type is not one. */
export function isWebPage(exchange: Exchange): boolean {
  return (
    exchange.response?.json === undefined && /^text\/html/i.test(headerOf(exchange, 'content-type') ?? '')
  );
}

/** True for a complete 2xx answer. */
export function isAccepted({ response, fault }: Pick<Exchange, 'response' | 'fault'>): boolean {
  return fault === undefined && response !== undefined && response.status >= 200 && response.status < 300;
}

/** What a router answers, and a service, where a call is not there. */
export const notThere: readonly number[] = [404, 405, 410, 501];

/** True for a 4xx that says something of the request: a 429 says that there were too many. */
export function isRefusal(exchange: Exchange): boolean {
  const status = statusOf(exchange) ?? 0;
  return status >= 400 && status < 500 && status !== 429;
}

/** True for a request that was refused for what it says: another status may be about its length, its sender or the moment. */
export function isRefusedAsInvalid({ response }: Pick<Exchange, 'response'>): boolean {
  return response?.status === 400 || response?.status === 422;
}

/** Whether a refusal may be about the length of the body or of the query, whatever it says; a 401 is about the credential. */
export function isRefusedForLength({ request, response, fault }: Exchange): boolean {
  const status = fault === undefined ? response?.status : undefined;
  return status !== undefined && status >= 400 && status < 500 && status !== 401 && mayBeTooLong(request);
}

const unreachable = [
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
];

const kindByCode: ReadonlyMap<string, FaultKind> = new Map(
  Object.entries({
    refused: [...unreachable, 'UND_ERR_CONNECT_TIMEOUT'],
    reset: ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET', 'UND_ERR_DESTROYED'],
    timeout: ['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT'],
    truncated: ['UND_ERR_RES_CONTENT_LENGTH_MISMATCH'],
    oversize: ['UND_ERR_RES_EXCEEDED_MAX_SIZE', 'UND_ERR_HEADERS_OVERFLOW'],
  }).flatMap(([kind, codes]) => codes.map((code) => [code, kind as FaultKind])),
);

/** Names what went wrong on the way from the error that the HTTP client threw. */
export function faultKindOf(error: Error): FaultKind {
  if (error.name === 'TimeoutError' || error.name === 'AbortError') return 'timeout';
  const code = errorCodeOf(error);
  if (code.startsWith('HPE_')) return code === 'HPE_INVALID_EOF_STATE' ? 'truncated' : 'protocol';
  const known = kindByCode.get(code);
  if (known !== undefined) return known;
  if (isTlsCode(code)) return 'refused';
  return error.cause instanceof Error ? faultKindOf(error.cause) : 'protocol';
}

/** True for an error of the TLS handshake or of a certificate. */
function isTlsCode(code: string): boolean {
  return /^(?:ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|HOSTNAME_MISMATCH|EPROTO)/.test(code);
}

function errorCodeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/**
 * The largest number of exchanges of which each began after the one before had ended: what a slower network multiplies.
 * Tries of one request count once.
 */
export function longestChain(exchanges: readonly Pick<Exchange, 'startedMs' | 'endedMs'>[]): number {
  let length = 0;
  let lastEndMs = Number.NEGATIVE_INFINITY;
  // Of all that can come next the one that ends first leaves most room for others.
  for (const { startedMs, endedMs } of exchanges.toSorted((a, b) => a.endedMs - b.endedMs)) {
    if (startedMs < lastEndMs) continue;
    length += 1;
    lastEndMs = endedMs;
  }
  return length;
}
