import type { Exchange } from '../../harness/client/exchange.ts';
import { JsonFiles } from '../../harness/config/json-file.ts';
import { readTarget } from '../../harness/config/reading/read-target.ts';
import { InvalidTarget } from '../../harness/errors.ts';
import { HistoryRecorder } from '../../harness/record/history-recorder.ts';
import {
  defaultSettleMs,
  type RecordedAnswer,
  recordedByOthers,
  recordedExchange,
  tokenOf,
} from '../../harness/traffic/recorded-exchange.ts';
import type { History } from '../../history/operation.ts';

/** What traffic that somebody recorded comes to. */
export interface RecordedTraffic {
  readonly history: History;
  readonly baseUrl: string;
  /** Requests to the server that were left out, since nobody can say whose they are. */
  readonly withoutCredential: number;
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
 * The history of a HAR file, as a proxy or a browser writes it: of the requests to one server those with a credential.
 * @throws InvalidTarget naming what is wrong with the file, and what to do
 */
export function readHar(
  file: string,
  { baseUrl: given, settleMs = defaultSettleMs }: HarFacts,
): RecordedTraffic {
  files ??= new JsonFiles<Har>({ isNot: 'is no HAR file', mostBytes, schema });
  const { creator, entries } = files.read(file).log;
  if (creator?.name === 'conform')
    throw new InvalidTarget(
      `${file} holds excerpts of what a run has found; keep its history (--history), and judge that`,
    );
  const bases = new Set(entries.flatMap(({ request }) => partsOf(request.url)?.base ?? []));
  const baseUrl = given ?? [...bases][0];
  if (baseUrl === undefined) throw new InvalidTarget(`${file} holds no request of the contract's calls`);
  if (given === undefined && bases.size > 1)
    throw new InvalidTarget(
      `${file} holds requests to ${[...bases].join(' and ')}: say which with --base-url`,
    );
  const own = entries.filter(({ request }) => partsOf(request.url)?.base === baseUrl);
  const exchanges = own
    .map((entry, index) => exchangeOf(entry, index + 1))
    .toSorted((one, other) => one.endedMs - other.endedMs);
  const { target } = readTarget({ flags: { baseUrl }, env: {}, cwd: '/' });
  const recorder = new HistoryRecorder(
    { runId: recordedByOthers, settleMs, isDurable: false, isPartial: true },
    target,
  );
  let withoutCredential = 0;
  for (const exchange of exchanges) {
    const token = tokenOf(exchange);
    if (token === undefined) withoutCredential += 1;
    else recorder.add(recorder.agentOf(token, exchange.actor), exchange);
  }
  return { history: recorder.history, baseUrl, withoutCredential };
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
    answerOf(response, pairs(response.headers)),
    { id, startedMs: startedMs - roundedMs, endedMs: startedMs + Math.max(0, time) + roundedMs },
  );
}

function answerOf(
  { status, content: { text, encoding } }: Entry['response'],
  headers: readonly (readonly [string, string])[],
): RecordedAnswer {
  if (status === 0) return { fault: 'reset', message: 'no answer was recorded' };
  const bytes = text === undefined ? undefined : Buffer.from(text, encoding === 'base64' ? 'base64' : 'utf8');
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
