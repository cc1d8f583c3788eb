import type { Exchange } from '../../harness/client/exchange.ts';
import { JsonFiles } from '../../harness/config/json-file.ts';
import { readTarget } from '../../harness/config/reading/read-target.ts';
import { InvalidTarget } from '../../harness/errors.ts';
import { HistoryRecorder } from '../../harness/record/history-recorder.ts';
import {
  defaultSettleMs,
  isOfSuite,
  type RecordedAnswer,
  recordedByOthers,
  recordedExchange,
  tokenOf,
} from '../../harness/traffic/recorded-exchange.ts';
import { suite } from '../../clients/traffic.ts';
import type { History } from '../../history/operation.ts';
import { digestOf } from '../../harness/traffic/posted.ts';
import { onOneClock } from './common-clock.ts';

/** What traffic that somebody recorded comes to. */
export interface RecordedTraffic {
  readonly histories: readonly History[];
  readonly baseUrl: string;
  /** Requests to the server that were left out, since nobody can say whose they are. */
  readonly withoutCredential: number;
  /** True where the clocks of several files could not be told, so that each is judged by itself. */
  readonly isApart: boolean;
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
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly headers: readonly Header[];
    readonly postData?: { readonly text?: string };
  };
  readonly response: {
    readonly status: number;
    readonly headers: readonly Header[];
    readonly content: { readonly text?: string; readonly encoding?: string };
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
  const entries = paths.map(entriesOf);
  const bases = new Set(entries.flat().flatMap(({ request }) => partsOf(request.url)?.base ?? []));
  const baseUrl = given ?? [...bases][0];
  const named = paths.join(', ');
  if (baseUrl === undefined) throw new InvalidTarget(`${named} holds no request of the contract's calls`);
  if (given === undefined && bases.size > 1)
    throw new InvalidTarget(
      `${named} holds requests to ${[...bases].join(' and ')}: say which with --base-url`,
    );
  let id = 0;
  const exchanges = entries.map((each) =>
    each
      .filter(({ request }) => partsOf(request.url)?.base === baseUrl)
      .map((entry) => exchangeOf(entry, (id += 1))),
  );
  const together = exchanges.length > 1 ? onOneClock(exchanges) : exchanges.flat();
  const parts = together === undefined ? exchanges : [together];
  const { target } = readTarget({ flags: { baseUrl }, env: {}, cwd: '/' });
  const facts = { runId: recordedByOthers, settleMs, isDurable: false, isPartial: true };
  return {
    baseUrl,
    histories: parts.map((part) => historyOf(part, new HistoryRecorder(facts, target))),
    withoutCredential: exchanges.flat().filter((each) => tokenOf(each) === undefined).length,
    isApart: together === undefined,
  };
}

function historyOf(exchanges: readonly Exchange[], recorder: HistoryRecorder): History {
  const ofSuites = new Set(exchanges.filter(isOfSuite).map(tokenOf));
  for (const exchange of exchanges.toSorted((one, other) => one.endedMs - other.endedMs)) {
    const token = tokenOf(exchange);
    if (token === undefined) continue;
    const agent = recorder.agentOf(token, `agent ${digestOf(token)}`);
    recorder.add(ofSuites.has(token) ? suite : agent, exchange);
  }
  return recorder.history;
}

function entriesOf(path: string): readonly Entry[] {
  files ??= new JsonFiles<Har>({ isNot: 'is no HAR file', mostBytes, schema });
  const { creator, entries } = files.read(path).log;
  if (creator?.name === 'conform')
    throw new InvalidTarget(
      `${path} holds excerpts of what a run has found; keep its history (--history), and judge that`,
    );
  return entries;
}

/** Where a server is, and what was asked there; `undefined` for an address of no call of the contract. */
function partsOf(url: string): { readonly base: string; readonly address: string } | undefined {
  const [, base = '', address] =
    /^(https?:\/\/[^/?#]+(?:\/[^?#]*?)?)(\/v0\/[^#]*|\/v1\/human\/[^#]*)/.exec(url) ?? [];
  return address === undefined ? undefined : { base, address };
}

function exchangeOf({ startedDateTime, time, request, response }: Entry, id: number): Exchange {
  const startedMs = Date.parse(startedDateTime);
  const { method, url, postData } = request;
  const pairs = (headers: readonly Header[]) => headers.map(({ name, value }) => [name, value] as const);
  return recordedExchange(
    { method, address: partsOf(url)?.address ?? '', headers: pairs(request.headers), body: postData?.text },
    isWhole(request)
      ? answerOf(method, response, pairs(response.headers))
      : { fault: 'reset', message: 'its request was not recorded as a whole' },
    { id, startedMs: startedMs - roundedMs, endedMs: startedMs + Math.max(0, time) + roundedMs },
  );
}

/** Recorders leave long bodies out, or cut them. */
function isWhole({ method, headers, postData }: Entry['request']): boolean {
  const length = headers.find(({ name }) => /^content-length$/i.test(name))?.value;
  const { text } = postData ?? {};
  if (text === undefined) return method !== 'POST';
  return length === undefined || Number(length) === Buffer.byteLength(text);
}

function answerOf(
  method: string,
  { status, content: { text, encoding } }: Entry['response'],
  headers: readonly (readonly [string, string])[],
): RecordedAnswer {
  if (status === 0) return { fault: 'reset', message: 'no answer was recorded' };
  // Of a write that was accepted, a recorder may have left out the answer that says little.
  const given = text ?? (method !== 'GET' && status < 400 ? '' : undefined);
  const bytes =
    given === undefined ? undefined : Buffer.from(given, encoding === 'base64' ? 'base64' : 'utf8');
  return { status, headers, bytes };
}

let files: JsonFiles<Har> | undefined;

/** An object with these fields, and perhaps others. */
function object(required: Readonly<Record<string, unknown>>, optional: object = {}): object {
  return { type: 'object', required: Object.keys(required), properties: { ...required, ...optional } };
}

function listOf(items: object): object {
  return { type: 'array', items };
}

const text = { type: 'string' };
const headers = listOf(object({ name: text, value: text }));
const time = { type: 'string', pattern: String.raw`^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}` };
const entry = object({
  startedDateTime: time,
  time: { type: 'number' },
  request: object({ method: text, url: text, headers }, { postData: object({}, { text }) }),
  response: object({ status: { type: 'integer' }, headers, content: object({}, { text, encoding: text }) }),
});
/** What is read; the rest is for viewers. */
const schema = object({ log: object({ entries: listOf(entry) }, { creator: object({}, { name: text }) }) });
