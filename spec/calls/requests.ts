import { stringifyExact } from './exact-json.ts';
import { type CallName, pathOf } from './paths.ts';
import { type Query, type QueryDraft, queryOf } from './query.ts';

/** A request of a call as data: everything but who sends it. */
export interface CallRequest {
  readonly call: CallName;
  readonly method: 'GET' | 'POST';
  /** From the base URL on, without the query. */
  readonly path: string;
  readonly query?: Query;
  /** Those of the call itself; lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** As for {@link SentRequest}. */
  readonly hasFreshKey?: boolean;
}

/** What left the client. */
export interface SentRequest {
  readonly call: CallName;
  readonly method: string;
  /** From the base URL on, without the query. */
  readonly path: string;
  readonly query?: Query | undefined;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | undefined;
  /** True where its idempotency key was made for it, and any other fresh one would do. */
  readonly hasFreshKey?: boolean;
}

/** A body as data, or as it goes over the wire where that is what is tried. */
export type BodyDraft = Readonly<Record<string, unknown>> | string | Uint8Array;

/** One page of the mentions of whoever asks. */
export function listMentions(query: QueryDraft = ''): CallRequest {
  return read('mentions', pathOf('mentions'), query);
}

/** One page of a channel. */
export function readChannel(channelId: string, query: QueryDraft = ''): CallRequest {
  return read('channel-read', pathOf('channel-read', channelId), query);
}

/** The list of channels. */
export function listChannels(): CallRequest {
  return read('channels-list', pathOf('channels-list'));
}

/** The list of a channel's retrieval receipts. */
export function listReceipts(channelId: string, query: QueryDraft = ''): CallRequest {
  return read('receipts-list', pathOf('receipts-list', channelId), query);
}

/** The overview of a workspace, which wants a machine token. */
export function showOverview(workspaceId: string): CallRequest {
  return read('overview', pathOf('overview', workspaceId));
}

/** A message that is appended to a channel, under an idempotency key. */
export function sendMessage(channelId: string, body: BodyDraft, key: string): CallRequest {
  return write('send', pathOf('send', channelId), body, key);
}

/** A body that is posted somewhere, as JSON. */
export function write(call: CallName, path: string, body: BodyDraft, key?: string): CallRequest {
  return {
    call,
    method: 'POST',
    path,
    headers: { ...(key === undefined ? {} : { 'idempotency-key': key }), 'content-type': 'application/json' },
    body: typeof body === 'string' || body instanceof Uint8Array ? body : stringifyExact(body),
  };
}

function read(call: CallName, path: string, query: QueryDraft = ''): CallRequest {
  return { call, method: 'GET', path, query: queryOf(query), headers: {} };
}
