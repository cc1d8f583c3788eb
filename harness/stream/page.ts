import { isRecord, type JsonRecord } from '../../spec/calls/index.ts';
import type { Exchange } from '../client/exchange.ts';
import { pageOutlineOf } from '../client/page-outline.ts';
import { integerParameter } from '../../spec/oracles/requests/expect-query.ts';
import type { ReadItem, ReadPage } from '../../spec/oracles/pages/read-page.ts';
import { likeliestList, messageIn } from './message-list.ts';

/** One item of a page: a message, or a mention around one. Fields are `undefined` where the server's are missing or malformed. */
export interface PageItem extends ReadItem {
  readonly content: string | undefined;
  readonly message: JsonRecord;
  /** The item itself, as it stands in the page. */
  readonly record: JsonRecord;
}

/** A page that was read, as far as it can be understood. */
export interface PageRead extends ReadPage {
  readonly exchange: Exchange;
  readonly items: readonly PageItem[];
}

/** The bytes of a longer body are not kept beside what they say. */
const longestWhole = 16_000;
const emptyBytes = new Uint8Array();

/** An integer as bigint, whichever way it was parsed; `undefined` for anything else. */
export function integerOf(value: unknown): bigint | undefined {
  if (typeof value === 'bigint') return value;
  return typeof value === 'number' && Number.isInteger(value) ? BigInt(value) : undefined;
}

/**
 * Understands an answer as a page. The items are taken from `itemsField` when given, else from `mentions` or
 * `messages`, else from the list that looks most like messages, wherever the answer holds it; schemas judge the shape
 * elsewhere. An item may be wrapped around its message.
 */
export function readPage(exchange: Exchange, itemsField?: string): PageRead {
  const body = isRecord(exchange.response?.json) ? exchange.response.json : {};
  const { call, query } = exchange.request;
  const limit = integerParameter(query, 'limit');
  return {
    exchange,
    after: integerParameter(query, 'after'),
    limit: limit === undefined ? undefined : Number(limit),
    ...readPageObject(exchange),
    items: itemsOf(body, itemsField).map((record) => toItem(record, call === 'mentions')),
  };
}

/** The workspace that the first message on a page names. */
export function workspaceOn({ items: [first] }: PageRead): string | undefined {
  const id = first?.message['workspace_id'];
  return typeof id === 'string' ? id : undefined;
}

/** What an answer says of itself as a page, whatever stands on it. */
export function readPageObject({
  response,
}: Pick<Exchange, 'response'>): Pick<PageRead, 'nextAfter' | 'hasMore' | 'highWatermark'> {
  const body = isRecord(response?.json) ? response.json : {};
  const page = isRecord(body['page']) ? body['page'] : {};
  return {
    nextAfter: integerOf(page['next_after']),
    hasMore: typeof page['has_more'] === 'boolean' ? page['has_more'] : undefined,
    highWatermark: integerOf(page['high_watermark']),
  };
}

/** The page without the bytes of a long body: whoever holds many pages holds of each what it was understood as. */
export function withoutBytes<Page extends PageRead>(page: Page): Page {
  const { exchange } = page;
  const { response } = exchange;
  const outline = pageOutlineOf(response?.json);
  if (response === undefined || response.bytes.byteLength <= longestWhole || outline === undefined)
    return page;
  const leftOut = { bytes: response.bytes.byteLength, outline };
  return { ...page, exchange: { ...exchange, response: { ...response, bytes: emptyBytes, leftOut } } };
}

function itemsOf(body: JsonRecord, itemsField: string | undefined): readonly JsonRecord[] {
  const named = [itemsField, 'mentions', 'messages']
    .map((name) => (name === undefined ? undefined : body[name]))
    .find((value) => Array.isArray(value) && (value.length === 0 || value.some(isRecord)));
  return Array.isArray(named) ? named.filter(isRecord) : likeliestList(body);
}

function toItem(record: JsonRecord, isFeed: boolean): PageItem {
  const message = messageIn(record);
  const content = message['content'];
  const id = message['id'];
  return {
    record,
    message,
    // A mention has a number of its own; a message that is merely wrapped has its own inside.
    sequence: integerOf(record['sequence'] ?? (isFeed ? undefined : message['sequence'])),
    id: typeof id === 'string' ? id : undefined,
    content: typeof content === 'string' ? content : undefined,
  };
}
