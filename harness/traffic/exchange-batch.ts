import { createHash } from 'node:crypto';
import { isPageParameter, pageParameterNames, pairsOf, partsOfAddress } from '../../spec/calls/index.ts';
import type { PassedExchange } from '../front/recorded.ts';
import { arePlainHeaders, isPlainQuery } from '../../spec/oracles/requests/contract-request.ts';
import type { Exchange } from '../client/exchange.ts';
import { isSuite } from '../results/suite-version.ts';
import {
  headerPairs,
  isPlaceholder,
  KnownParts,
  recordedExchange,
  type RecordedAnswer,
} from './recorded-exchange.ts';
import { remembered } from '../../spec/groups.ts';

/** Where a body stands among the bytes of a batch; `undefined` for one that was not kept. */
type Place = readonly [start: number, end: number] | undefined;

/** An exchange on its way to the process that judges. */
interface Posted extends Pick<PassedExchange, 'method' | 'url' | 'end' | 'startedMs' | 'endedMs'> {
  readonly headers: readonly (readonly [string, string])[];
  readonly body?: Place;
  readonly answer?:
    | {
        readonly status: number;
        readonly headers: readonly (readonly [string, string])[];
        readonly body?: Place;
      }
    | undefined;
}

/** Exchanges in the order in which they ended, with all their bodies in one piece. */
export interface Batch {
  readonly count: number;
  /** The rest of them as JSON, which goes from process to process in half the time that objects take. */
  readonly exchanges: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Headers of a request for a part of an answer, or for none where nothing changed. */
export const conditionHeaders = [
  'range',
  'if-none-match',
  'if-modified-since',
  'if-match',
  'if-unmodified-since',
  'if-range',
] as const;
/** Of a request what the contract speaks of, and whether it is one of this suite; the rest may be anybody's secret. */
const keptOfRequest = new Set<string>([
  'accept',
  'authorization',
  'content-type',
  'content-encoding',
  'content-length',
  'transfer-encoding',
  'idempotency-key',
  'user-agent',
  ...conditionHeaders,
]);
const leftOutOfAnswer = new Set(['set-cookie', 'set-cookie2']);

/** Bytes that an exchange takes, about. */
export function sizeOf({ url, rawHeaders, body, answer }: PassedExchange): number {
  return [rawHeaders, body, answer?.rawHeaders, answer?.body].reduce(
    (sum, parts) => sum + lengthOf(parts),
    url.length,
  );
}

/** Exchanges as they are handed over: what a credential is stays behind. */
export function batchOf(exchanges: readonly PassedExchange[], digests: Digests): Batch {
  const size = exchanges.reduce((sum, { body, answer }) => sum + lengthOf(body) + lengthOf(answer?.body), 0);
  const bytes = new Uint8Array(size);
  let at = 0;
  const placed = (chunks: readonly Buffer[] | undefined): Place => {
    if (chunks === undefined) return undefined;
    const start = at;
    for (const chunk of chunks) {
      bytes.set(chunk, at);
      at += chunk.length;
    }
    return [start, at];
  };
  const posted = exchanges.map(
    ({ method, url, rawHeaders, body, answer, end, startedMs, endedMs }): Posted => ({
      method,
      url: withoutValues(url),
      end,
      startedMs,
      endedMs,
      headers: headersToPost(rawHeaders, answer, digests),
      body: placed(body),
      answer: answer && {
        status: answer.status,
        headers: headerPairs(answer.rawHeaders, (name, value) =>
          leftOutOfAnswer.has(name) ? undefined : value,
        ),
        body: placed(answer.body),
      },
    }),
  );
  return { count: posted.length, exchanges: JSON.stringify(posted), bytes };
}

/** Of the headers of a request what may leave, and something for those that stay behind where they may be why it was refused before it came to the service. */
function headersToPost(
  rawHeaders: readonly string[],
  answer: PassedExchange['answer'],
  digests: Digests,
): Posted['headers'] {
  const posted = headerPairs(rawHeaders, (name, value) => {
    if (name === 'authorization') return digests.ofHeader(value);
    return keptOfRequest.has(name) && (name !== 'user-agent' || isSuite(value)) ? value : undefined;
  });
  const mayBeRefused = (answer?.status ?? 0) >= 400;
  return mayBeRefused && !arePlainHeaders(headerPairs(rawHeaders).map(([, value]) => value))
    ? [...posted, ['others', '…']]
    : posted;
}

const ofPagesAlone = new RegExp(`^(?:(?:${[...pageParameterNames].join('|')})=[^&]*(?:&(?=.)|$))+$`, 's');

/** An address with digests in place of what only its client may know: values of no parameter that the contract names. */
function withoutValues(url: string): string {
  const { path, query } = partsOfAddress(url);
  // Nearly all queries are of that kind.
  if (query === '' || ofPagesAlone.test(query)) return url;
  const shown = query.split('&').map((pair) => {
    const [name] = pairsOf(pair)?.[0] ?? [];
    if (name !== undefined && isPageParameter(name)) return pair;
    return pair.replace(/(?<==).+/s, insteadOfValue);
  });
  return `${path}?${shown.join('&')}`;
}

/** As long as the value, and with an escape that means nothing where it holds what no query may: either may be refused before it comes to the service. */
function insteadOfValue(value: string): string {
  return `${digestOf(value).padEnd(value.length, '.')}${isPlainQuery(value) ? '' : '%'}`;
}

/** An address without what stands before the paths of the contract; `undefined` for one that does not begin so. */
export function addressBehind(prefix: string, url: string): string | undefined {
  return url.startsWith(`${prefix}/`) ? url.slice(prefix.length) : undefined;
}

/**
 * What was handed over of what `prefix` stands before, as exchanges, one after the other: unpacked they may be large. Batches of one traffic share
 * what is known.
 */
export function* exchangesOf(
  { exchanges, bytes }: Batch,
  prefix: string,
  firstId: number,
  known = new KnownParts(),
): Generator<Exchange> {
  const at = (place: Place): Uint8Array | undefined => place && bytes.subarray(...place);
  for (const [index, posted] of (JSON.parse(exchanges) as readonly Posted[]).entries()) {
    const { method, url, headers, body, answer, end, startedMs, endedMs } = posted;
    const address = addressBehind(prefix, url);
    if (address === undefined) continue;
    yield recordedExchange(
      { method, address, headers, body: at(body) },
      answerOf(answer && { ...answer, bytes: at(answer.body) }, end, body === undefined && method === 'POST'),
      { id: firstId + index, startedMs, endedMs },
      known,
    );
  }
}

/** What passed, as an exchange with all that it held. */
export function exchangeOf(
  { method, url, rawHeaders, body, answer, end, startedMs, endedMs }: PassedExchange,
  id: number,
): Exchange {
  const bytes = answer?.body && Buffer.concat(answer.body);
  return recordedExchange(
    { method, address: url, headers: headerPairs(rawHeaders), body: body && Buffer.concat(body) },
    answerOf(
      answer && { status: answer.status, headers: headerPairs(answer.rawHeaders), bytes },
      end,
      body === undefined && method === 'POST',
    ),
    { id, startedMs, endedMs },
  );
}

function answerOf(
  answer: Extract<RecordedAnswer, { status: number }> | undefined,
  end: PassedExchange['end'],
  isUnknown: boolean,
): RecordedAnswer {
  if (end === 'refused') return { fault: 'refused', message: end };
  if (isUnknown) return { fault: 'truncated', message: 'its request was not kept as a whole' };
  if (end !== 'answered' || answer === undefined) return { fault: 'reset', message: end };
  if (answer.bytes === undefined) return { fault: 'truncated', message: 'its body was not kept' };
  return answer;
}

/** Knows credentials by their digests. */
export class Digests {
  readonly #known = new Map<string, string>();

  /** An `Authorization` with the digest of the credential in its place. */
  ofHeader(value: string): string {
    return remembered(this.#known, value, () => {
      if (this.#known.size >= mostKnown) this.#known.clear();
      const [, scheme = '', token = value] = /^(bearer) +(\S+)$/i.exec(value) ?? [];
      const digest = digestOf(token);
      // What is no bearer token stays none, as does what stands in place of one.
      return scheme === '' || isPlaceholder(token) ? `(${digest})` : `Bearer ${digest}`;
    });
  }
}

/** By this a credential is known. */
export function digestOf(token: string): string {
  return createHash('sha256').update(token).digest('hex').slice(0, digits);
}

const mostKnown = 10_000;
/** Of the digest of a credential: enough to tell all that one service has given out. */
const digits = 16;

function lengthOf(parts: readonly { readonly length: number }[] | undefined): number {
  return parts?.reduce((sum, { length }) => sum + length, 0) ?? 0;
}
