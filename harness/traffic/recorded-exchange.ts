import { isUtf8 } from 'node:buffer';
import {
  beyondBound,
  callOf,
  formOf,
  type JsonForm,
  maxJsonDepth,
  pairsOf,
  partsOfAddress,
  type SentRequest,
} from '../../spec/calls/index.ts';
import { unpackedAtOnce } from '../client/content-encodings.ts';
import { type Exchange, type FaultKind, isGatewayAnswer, type ReceivedResponse } from '../client/exchange.ts';
import { KnownBodies } from '../client/known-bodies.ts';
import { isSuite } from '../results/suite-version.ts';
import { push, remembered } from '../../spec/groups.ts';

/** The run that made what others recorded; no content carries such a marker. */
export const recordedByOthers = 'recorded-by-others';

/** How long a write may take to become visible where nobody has measured it, in ms: longer than any replica is expected to lag. */
export const defaultSettleMs = 5_000;

/** A header, as it was written. */
type Header = readonly [name: string, value: string];

/** A request as it was recorded. */
interface RecordedRequest {
  readonly method: string;
  /** Path and query, without what stands before the paths of the contract. */
  readonly address: string;
  readonly headers: readonly Header[];
  readonly body: string | Uint8Array | undefined;
}

/** An answer as it was recorded: whole, or what became of it. */
export type RecordedAnswer =
  | { readonly status: number; readonly headers: readonly Header[]; readonly bytes: Uint8Array | undefined }
  | { readonly fault: FaultKind; readonly message: string };

type RecordedTimes = Pick<Exchange, 'id' | 'startedMs' | 'endedMs'>;

/** What was recorded, as an exchange of an agent that nobody knows; what is in `known` as it was is the same object. */
export function recordedExchange(
  request: RecordedRequest,
  answer: RecordedAnswer,
  { id, startedMs, endedMs }: RecordedTimes,
  known = new KnownParts(),
): Exchange {
  const { response, fault } = known.answer(answer);
  return { id, actor: 'agent', request: known.request(request), response, fault, startedMs, endedMs };
}

type Answered = Pick<Exchange, 'response' | 'fault'>;

/** A longer body is not expected to come again, in bytes. */
const mostRemembered = 2_000;
/** Requests, answers or names that are remembered at once, none by more characters than these. */
const mostKnown = 500;
const longestName = 4_000;

/** Requests and answers that came before: the polls of an idle channel are read once. */
export class KnownParts {
  readonly #requests = new Map<string, SentRequest>();
  readonly #answers = new Map<string, Answered>();

  request(request: RecordedRequest): SentRequest {
    const { method, address, headers, body = '' } = request;
    if (body.length > 0) return requestOf(request);
    return ofName(this.#requests, `${method} ${address}\n${headers.join('\n')}`, () => requestOf(request));
  }

  answer(answer: RecordedAnswer): Answered {
    if ('fault' in answer || answer.bytes === undefined || answer.bytes.length > mostRemembered)
      return answerOf(answer);
    const { status, headers, bytes } = answer;
    const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
    return ofName(this.#answers, `${status} ${headers.join('\n')}\n\n${body}`, () =>
      answerOf({ status, headers, bytes: bytes.slice() }),
    );
  }
}

function ofName<Part>(parts: Map<string, Part>, name: string, read: () => Part): Part {
  if (name.length > longestName) return read();
  return remembered(parts, name, () => {
    if (parts.size >= mostKnown) parts.clear();
    return read();
  });
}

/** What tells one agent from another; `undefined` where a recorder has left it out, or put something in its place. */
export function tokenOf({ request }: Exchange): string | undefined {
  const [, token] = /^Bearer ([A-Za-z0-9._~+/-]+=*)$/.exec(request.headers['authorization'] ?? '') ?? [];
  return token === undefined || isPlaceholder(token) ? undefined : token;
}

/** Whether a recorder, or whoever hands its file on, has put this in place of a credential. */
export function isPlaceholder(token: string): boolean {
  const isSaid = /redacted|removed|hidden|filtered|masked|scrubbed|sanitized|omitted/i.test(token);
  const isWord = /^(?:[x\W_]+|(.)\1{3,}|token|secret|credentials?)$/i.test(token);
  return isSaid || isWord || /^[<{[(%$]|\*\*|\.{3}|…/.test(token);
}

/** Whether a run of this suite has made a request. */
export function isOfSuite({ request }: Exchange): boolean {
  return isSuite(request.headers['user-agent'] ?? '');
}

function requestOf({ method, address, headers, body }: RecordedRequest): SentRequest {
  const { path, query } = partsOfAddress(address);
  const single = Object.entries(headersOf(headers)).map(([name, values]) => {
    const value = values.join(', ');
    // Every way to write the scheme is one credential.
    return [name, name === 'authorization' ? value.replace(/^bearer +/i, 'Bearer ') : value];
  });
  return {
    call: callOf(method, path),
    method,
    path,
    query: pairsOf(query) ?? query,
    headers: Object.fromEntries(single) as Readonly<Record<string, string>>,
    body: typeof body === 'string' ? body : textOrBytes(body),
  };
}

/** Bytes that are no UTF-8 stay bytes. */
function textOrBytes(bytes: Uint8Array | undefined): string | Uint8Array | undefined {
  if (bytes === undefined || bytes.length === 0) return undefined;
  return isUtf8(bytes) ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString() : bytes;
}

function answerOf(answer: RecordedAnswer): Answered {
  const faulty = (kind: FaultKind, message: string) => ({ kind, message, tries: 1 });
  if ('fault' in answer) return { response: undefined, fault: faulty(answer.fault, answer.message) };
  const { status } = answer;
  const headers = headersOf(answer.headers);
  const whole = answer.bytes && decoded(answer.bytes, headers['content-encoding']?.join(','));
  if (whole === undefined)
    return { response: undefined, fault: faulty('truncated', 'its body was not recorded') };
  const { json, isBeyond } = bodyIn(whole);
  if (isBeyond !== undefined)
    return { response: undefined, fault: faulty('oversize', beyondBound[isBeyond]) };
  const response: ReceivedResponse = { status, headers, bytes: whole, json };
  const isGateway = isGatewayAnswer(response);
  return { response, fault: isGateway ? faulty('gateway', `${status} without an ApiError`) : undefined };
}

/** Bytes that a body may have when it is unpacked. */
const mostUnpacked = 32_000_000;

/** `undefined` for what nobody here can read. Some recorders unpack a body and leave its header. */
function decoded(bytes: Uint8Array, encoding: string | undefined): Uint8Array | undefined {
  try {
    return unpackedAtOnce(bytes, encoding, mostUnpacked);
  } catch {
    return bodyIn(bytes).json === undefined ? undefined : bytes;
  }
}

/** What a run would read in these bytes. Nothing of them is kept: they stand in the memory of a whole batch. */
function bodyIn(bytes: Uint8Array): { readonly json: unknown; readonly isBeyond?: JsonForm['isBeyond'] } {
  const form = formOf(bytes, maxJsonDepth);
  const { isBeyond } = form;
  return isBeyond === undefined
    ? { json: new KnownBodies().read(bytes, form).json }
    : { json: undefined, isBeyond };
}

/**
 * Header lines as they were received, names and values in turn, as pairs. `shown` says which value stands in a pair, by the name in lower case;
 * one without a value is left out.
 */
export function headerPairs(
  raw: readonly string[],
  shown: (name: string, value: string) => string | undefined = (_, value) => value,
): [string, string][] {
  const pairs: [string, string][] = [];
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = raw[at] ?? '';
    const value = shown(lowerCase(name), raw[at + 1] ?? '');
    if (value !== undefined) pairs.push([name, value]);
  }
  return pairs;
}

/** Values by the names in lower case. */
export function headersOf(headers: readonly Header[]): Readonly<Record<string, readonly string[]>> {
  const all = new Map<string, string[]>();
  for (const [name, value] of headers) push(all, lowerCase(name), value);
  // Names may be any text, those that every object has among them.
  return Object.fromEntries(all);
}

/** Names in lower case, by how they are written: nearly all headers have one of a few. */
const lowered = new Map<string, string>();

function lowerCase(name: string): string {
  return ofName(lowered, name, () => name.toLowerCase());
}
