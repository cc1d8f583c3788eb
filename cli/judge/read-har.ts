import type { PassedExchange } from '../../harness/front/recorded.ts';
import type { Exchange } from '../../harness/client/exchange.ts';
import { JsonFiles, listSchema, objectSchema } from '../../harness/config/json-file.ts';
import { readTarget } from '../../harness/config/reading/read-target.ts';
import { InvalidTarget } from '../../harness/errors.ts';
import { HistoryRecorder } from '../../harness/record/history-recorder.ts';
import {
  defaultSettleMs,
  isOfSuite,
  recordedByOthers,
  tokenOf,
} from '../../harness/traffic/recorded-exchange.ts';
import { suite } from '../../history/clients/traffic.ts';
import type { History } from '../../history/operation.ts';
import { JudgedWire } from '../../harness/traffic/judged-wire.ts';
import { batchOf, Digests, exchangesOf } from '../../harness/traffic/exchange-batch.ts';
import { isOfSeveralClocks, onOneClock } from './common-clock.ts';

/** What traffic that somebody recorded comes to. */
export interface RecordedTraffic {
  readonly histories: readonly History[];
  /** What the form of the answers comes to. */
  readonly wire: JudgedWire;
  readonly baseUrl: string;
  /** Requests to the server that were left out, since nobody can say whose they are. */
  readonly withoutCredential: number;
  /** Calls of which the recorder has left a body out, or which nobody here can read: they are not judged. */
  readonly unread: number;
  /** True where the clocks of several files could not be told, so that each is judged by itself. */
  readonly isApart: boolean;
  /** Files whose times are of more than one clock, of which nothing is judged that hangs on what came first. */
  readonly torn: readonly string[];
}

/** Of a HAR file, what is read. */
interface Har {
  readonly log: {
    readonly creator?: { readonly name?: string };
    readonly entries: readonly Entry[];
  };
}

interface Entry {
  readonly startedDateTime: string;
  readonly time: number;
  /** Where a browser took the answer from, if not from the server. */
  readonly _fromCache?: unknown;
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly headers: readonly Header[];
    readonly postData?: { readonly text?: string };
  };
  readonly response: {
    readonly status: number;
    readonly headers: readonly Header[];
    readonly content: { readonly size?: number; readonly text?: string; readonly encoding?: string };
  };
}

interface Header {
  readonly name: string;
  readonly value: string;
}

/** What a HAR file does not say. */
export interface HarFacts {
  /** The server, where the file has requests to several. */
  readonly baseUrl?: string | undefined;
  /** How long an accepted write may take to become visible, in ms. */
  readonly settleMs?: number | undefined;
}

/** Times are kept to the millisecond: what may have overlapped is taken to have done so. */
const roundedMs = 1;
const mostBytes = 256 * 1024 * 1024;

/**
 * The history of HAR files, as proxies or browsers write them: of the requests to one server those with a credential. Files of several
 * recorders are one history where their clocks can be told from the answers, and one each where they cannot.
 * @throws InvalidTarget naming what is wrong with a file, and what to do
 */
export function readHar(
  paths: readonly string[],
  { baseUrl: given, settleMs = defaultSettleMs }: HarFacts,
): RecordedTraffic {
  const asked = paths.map((path) => entriesOf(path).flatMap((entry) => askedIn(entry) ?? []));
  const bases = new Set(asked.flat().map(({ base }) => base));
  const [first] = bases;
  const baseUrl = given === undefined ? first : baseOf(given);
  const named = paths.join(', ');
  if (first === undefined || baseUrl === undefined)
    throw new InvalidTarget(`${named} holds no request of the contract's calls`);
  const held = `${named} holds requests to ${[...bases].join(' and ')}`;
  if (!bases.has(baseUrl)) throw new InvalidTarget(`${held}, and none to ${baseUrl} (--base-url)`);
  if (given === undefined && bases.size > 1) throw new InvalidTarget(`${held}: say which with --base-url`);
  let id = 0;
  let unread = 0;
  const answered: Exchange[] = [];
  const exchanges = asked.map((each) =>
    each
      .filter(({ base, entry }) => base === baseUrl && entry._fromCache === undefined)
      .map(({ entry, address }) => {
        const exchange = exchangeOf(entry, address, (id += 1));
        if (isWholeAnswer(entry, exchange)) answered.push(exchange);
        if (isUnread(entry, exchange)) unread += 1;
        return exchange;
      }),
  );
  const torn = exchanges.map(isOfSeveralClocks);
  const together = exchanges.length > 1 ? onOneClock(exchanges) : undefined;
  const parts = together === undefined ? exchanges.filter((_, at) => torn[at] !== true) : [together];
  const { target } = readTarget({ flags: { baseUrl }, env: {}, cwd: '/' });
  const wire = new JudgedWire(target.names);
  for (const each of answered.toSorted(byEnd)) wire.add(each);
  const facts = { runId: recordedByOthers, settleMs, isDurable: false, isPartial: true };
  return {
    baseUrl,
    wire,
    histories: parts.map((part) => historyOf(part, new HistoryRecorder(facts, target))),
    withoutCredential: exchanges.flat().filter((each) => tokenOf(each) === undefined).length,
    unread,
    isApart: exchanges.length > 1 && together === undefined,
    torn: paths.filter((_, at) => torn[at]),
  };
}

function historyOf(exchanges: readonly Exchange[], recorder: HistoryRecorder): History {
  const ofSuites = new Set(exchanges.filter(isOfSuite).map(tokenOf));
  for (const exchange of exchanges.toSorted(byEnd)) {
    const token = tokenOf(exchange);
    if (token === undefined) continue;
    const agent = recorder.agentOf(token, `agent ${token}`);
    recorder.add(ofSuites.has(token) ? suite : agent, exchange);
  }
  return recorder.history;
}

function byEnd(one: Exchange, other: Exchange): number {
  return one.endedMs - other.endedMs;
}

function entriesOf(path: string): readonly Entry[] {
  files ??= new JsonFiles<Har>({ isNot: 'is no HAR file', mostBytes, schema });
  const { creator, entries } = files.read(path).log;
  if (creator?.name === 'conform')
    throw new InvalidTarget(
      `${path} holds excerpts of what a run has found; keep its history (--history), and judge that`,
    );
  const odd = entries.findIndex(({ startedDateTime }) => Number.isNaN(Date.parse(startedDateTime)));
  if (odd >= 0)
    throw new InvalidTarget(`${path} is no HAR file: \`log.entries.${odd}.startedDateTime\` is no time`);
  return entries;
}

/** What was asked of a server. */
interface AskedEntry {
  readonly entry: Entry;
  readonly base: string;
  readonly address: string;
}

/** Where an entry asked a server, and what; `undefined` for an address of no call of the contract. */
function askedIn(entry: Entry): AskedEntry | undefined {
  const [, base = '', address] =
    /^((?:https?|HTTPS?):\/\/[^/?#]+(?:\/[^?#]*?)?)(\/v0\/[^#]*|\/v1\/human\/[^#]*)/.exec(
      entry.request.url,
    ) ?? [];
  return address === undefined ? undefined : { entry, base: baseOf(base), address };
}

/** A base address in one spelling: names in small letters, and without the usual port. */
function baseOf(url: string): string {
  const base = url.replace(/\/+$/, '');
  if (!URL.canParse(base)) return base;
  const { origin, pathname } = new URL(base);
  return `${origin}${pathname.replace(/\/+$/, '')}`;
}

/** As of a proxy that judges: what is a credential is known by its digest from here on. */
function exchangeOf(
  { startedDateTime, time, request, response }: Entry,
  address: string,
  id: number,
): Exchange {
  const startedMs = Date.parse(startedDateTime);
  const { method, url, headers, postData } = request;
  const isAnswered = isWhole(request) && response.status !== 0;
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
    // Of a request that was not recorded as a whole nobody knows what it asked.
    end: isAnswered ? 'answered' : 'cut by server',
    startedMs: startedMs - roundedMs,
    endedMs: startedMs + Math.max(0, time) + roundedMs,
  };
  const [exchange] = exchangesOf(batchOf([passed], digests), '', id);
  if (exchange === undefined) throw new TypeError(`${url} is no call of the contract`);
  return exchange;
}

const digests = new Digests();

function rawOf(headers: readonly Header[]): readonly string[] {
  return headers.flatMap(({ name, value }) => [name, value]);
}

function valueOf(wanted: string, given: readonly Header[]): string | undefined {
  return given.find(({ name }) => name.toLowerCase() === wanted)?.value;
}

/** Recorders leave long bodies out, or cut them. */
function isWhole({ method, headers, postData }: Entry['request']): boolean {
  const length = valueOf('content-length', headers);
  const { text } = postData ?? {};
  if (text === undefined) return method !== 'POST';
  return length === undefined || Number(length) === Buffer.byteLength(text);
}

/** Whether all of an answer was recorded, as it came: recorders leave headers and long bodies out, or cut them, and have caches of their own. */
function isWholeAnswer(
  { response: { headers, content } }: Entry,
  { request: { method }, response }: Exchange,
): boolean {
  if (response === undefined || response.status === 304 || headers.length === 0) return false;
  const { byteLength } = response.bytes;
  if (byteLength === 0) return method === 'GET' && content.size === 0;
  return response.json !== undefined || content.size === byteLength;
}

/** Whether a body is shorter than the recorder, or the answer where it was not packed, says that it is. */
function isCut({ headers, content: { size = 0, text = '', encoding } }: Entry['response']): boolean {
  const bytes = Buffer.byteLength(text, encoding === 'base64' ? 'base64' : 'utf8');
  const isPacked = valueOf('content-encoding', headers) !== undefined;
  const announced = isPacked ? 0 : Number(valueOf('content-length', headers) ?? 0);
  return text !== '' && bytes < Math.max(size, announced);
}

/** Whether there was a body that was not recorded, or is in no form that anybody reads here. */
function isUnread({ response: { status } }: Entry, { request, fault }: Exchange): boolean {
  return fault?.kind === 'truncated' && request.call !== 'other' && status !== 204 && status !== 304;
}

function bodyOf(
  method: string,
  { status, content: { text, encoding } }: Entry['response'],
): readonly Buffer[] | undefined {
  // Of a write that was accepted, a recorder may have left out the answer that says little.
  const given = text ?? (method !== 'GET' && status < 400 ? '' : undefined);
  return given === undefined ? undefined : [Buffer.from(given, encoding === 'base64' ? 'base64' : 'utf8')];
}

let files: JsonFiles<Har> | undefined;

const text = { type: 'string' };
const headers = listSchema(objectSchema({ name: text, value: text }));
const time = { type: 'string', pattern: String.raw`^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}` };
const entry = objectSchema({
  startedDateTime: time,
  time: { type: 'number' },
  request: objectSchema({ method: text, url: text, headers }, { postData: objectSchema({}, { text }) }),
  response: objectSchema({
    status: { type: 'integer' },
    headers,
    content: objectSchema({}, { size: { type: 'number' }, text, encoding: text }),
  }),
});
/** What is read; the rest is for viewers. */
const schema = objectSchema({
  log: objectSchema({ entries: listSchema(entry) }, { creator: objectSchema({}, { name: text }) }),
});
