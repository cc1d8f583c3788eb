import {
  idAt,
  idIn,
  isPageParameter,
  isRecord,
  pairsOf,
  plainId,
  queryText,
  write,
  type CallRequest,
  type SentRequest,
  jsonIn,
} from '../../spec/calls/index.ts';
import type { Report, Read, Send } from '../../history/operation.ts';
import type { Bindings } from '../config/target.ts';
import { idOf, filesOf, sessionOf, stringOf, targetsOf } from './seen-message.ts';
import { sequenceOf } from '../../history/sequence.ts';
import { cut } from '../output/printable.ts';
import {
  expectationOf,
  type ExpectedOutcome,
  type OracleFacts,
} from '../../spec/oracles/requests/expectation.ts';
import type { Intern } from '../../history/intern.ts';
import type { TextDigest } from '../../history/seen-message.ts';

/** How retrievals are reported, as a target says. */
type ReportBindings = Pick<Bindings, 'reportReceipt' | 'reportReceiptField'>;

/** The request by which an agent reports that it has retrieved messages of a channel. */
export function reportRequest(
  { reportReceipt, reportReceiptField }: ReportBindings,
  channelId: string,
  messageIds: readonly string[],
  key?: string,
): CallRequest {
  const path = reportReceipt.replaceAll('{channel_id}', channelId);
  return write('other', path, { [reportReceiptField]: messageIds }, key);
}

/** What a report of retrieved messages says; `undefined` for another request. */
export function reportPartsOf(
  { method, path, body }: SentRequest,
  { reportReceipt, reportReceiptField }: ReportBindings,
): Pick<Report, 'kind' | 'channel' | 'messages'> | undefined {
  const channel = idAt(reportReceipt, path);
  if (method !== 'POST' || typeof body !== 'string' || channel === undefined) return undefined;
  return { kind: 'report', channel: plainId(channel), messages: messagesIn(body, reportReceiptField) };
}

function messagesIn(body: string, field: string): readonly string[] {
  const value = jsonIn(body);
  const list = isRecord(value) ? value[field] : undefined;
  return Array.isArray(list) ? list.flatMap((each) => idOf(each) ?? []) : [];
}

/** What the oracle is asked with, or has said already. */
interface Asked {
  readonly facts: OracleFacts;
  readonly outcome?: ExpectedOutcome | undefined;
}

/** What was asked for; `undefined` for a request that asks for no page. `agent` is whose mentions they are. */
export function readPartsOf(
  request: SentRequest,
  { agent, facts, outcome }: Asked & { readonly agent: string },
): (Partial<Read> & Pick<Read, 'call'>) | undefined {
  const { call, method, path } = request;
  if (method !== 'GET' || (call !== 'channel-read' && call !== 'mentions')) return undefined;
  const id = idIn(call, path);
  if (id === undefined) return undefined;
  const { expected, asking } = outcome ?? expectationOf(request, facts);
  return {
    kind: 'read',
    call,
    stream: call === 'mentions' ? `feed ${agent}` : `channel ${plainId(id)}`,
    after: sequenceOf(asking?.after),
    limit: numberOf(asking?.limit),
    wait: numberOf(asking?.wait),
    query: asking === undefined ? keptQuery(queryText(request.query)) : undefined,
    expected: expected.kind,
    refusedFor: ruleBroken(expected),
    isBaseline: asking !== undefined,
  };
}

/** Characters of a name or a value, and pairs, that are kept of a query. */
const longestInQuery = 40;
const mostPairs = 8;

/** What may be kept of a query: values of the parameters of a page, names of others, and of anything else that it was there. */
function keptQuery(query: string): string | undefined {
  if (query === '') return undefined;
  const pairs = query.split('&', mostPairs + 1).map((pair) => {
    const [written = '', value] = pair.split(/=(.*)/s);
    const [name = ''] = pairsOf(pair)?.[0] ?? [];
    const isKept = isPageParameter(name);
    if (value === undefined) return isKept || pair === '' ? pair : '…';
    if (isKept) return `${written}=${cut(value, longestInQuery)}`;
    return `${/^[\w.-]+$/.test(name) ? cut(name, longestInQuery) : '…'}=…`;
  });
  return pairs.length > mostPairs ? `${pairs.slice(0, mostPairs).join('&')}&…` : pairs.join('&');
}

function numberOf(value: bigint | undefined): number | undefined {
  return value === undefined ? undefined : Number(value);
}

/** The parts of a send, read from its body; `undefined` for another request. */
export function sendPartsOf(
  request: SentRequest,
  { intern, facts, outcome }: Asked & { readonly intern: Intern },
): Omit<Send, keyof Omit<Report, 'kind' | 'channel' | 'messages'> | 'shown'> | undefined {
  const channel = request.method === 'POST' ? idIn('send', request.path) : undefined;
  if (channel === undefined) return undefined;
  const isSend = request.call === 'send';
  const { expected, draft } =
    (isSend ? outcome : undefined) ?? expectationOf(isSend ? request : { ...request, call: 'send' }, facts);
  const { bindings } = facts;
  const fields = draft?.fields;
  return {
    kind: 'send',
    channel: plainId(channel),
    key: request.headers['idempotency-key'],
    content: draft === undefined ? markedBody(request, intern) : intern.text(draft.content),
    contentType: stringOf(fields?.['content_type']),
    targets: targetsOf(fields?.[bindings.mentions]),
    files: filesOf(fields?.[bindings.attachments]),
    session: sessionOf(fields?.[bindings.sourceSession], facts.names),
    host: stringOf(fields?.[bindings.agentHost]),
    expected: expected.kind,
    refusedFor: ruleBroken(expected),
    stores: draft === undefined || expected.kind === 'reject' ? 'nothing' : draft.isPlain ? 'all' : 'content',
  };
}

function ruleBroken(expected: ExpectedOutcome['expected']): Send['refusedFor'] {
  return expected.kind === 'reject' ? expected.clause : undefined;
}

/** What nobody reads alike is known by the marker in it, wherever that stands. */
function markedBody({ body }: SentRequest, intern: Intern): TextDigest | undefined {
  return intern.marked(typeof body === 'string' ? body : Buffer.from(body ?? '').toString());
}
