import type { CallName } from '../../harness/client/exchange.ts';
import type { RoleName } from '../../harness/config/roles.ts';
import { markPlace } from './case-request.ts';
import type { CaseRequest } from './case-request.ts';

/** Headers of a send that are known to be good, the key fresh each time. */
export const sendHeaders = {
  accept: 'application/json',
  authorization: '{token:author}',
  'content-type': 'application/json',
  'idempotency-key': '{key}',
} as const;

/** A send of a body, as it goes over the wire. */
export function sendOf(
  body: string | Uint8Array,
  headers: Readonly<Record<string, string>> = {},
): CaseRequest {
  return {
    call: 'send',
    method: 'POST',
    path: '/v0/channels/{channel}/messages',
    headers: { ...sendHeaders, authorization: 'Bearer {token:author}', ...headers },
    body,
  };
}

/** A read with a query and the credential of a role. */
export function readOf(call: CallName, path: string, role: RoleName, query = ''): CaseRequest {
  return {
    call,
    method: 'GET',
    path: query === '' ? path : `${path}?${query}`,
    headers: { accept: 'application/json', authorization: `Bearer {token:${role}}` },
  };
}

/** The plainest request of each call: each is to be accepted, and cases deviate from one of them in one thing. */
export const goodRequests = {
  send: sendOf(JSON.stringify({ content: markPlace })),
  'channel-read': readOf('channel-read', '/v0/channels/{channel}/messages', 'author', 'after=0&limit=100'),
  mentions: readOf('mentions', '/v0/mentions', 'author', 'limit=1'),
  'channels-list': readOf('channels-list', '/v0/channels', 'author'),
  'receipts-list': readOf('receipts-list', '/v0/channels/{channel}/receipts', 'author'),
  overview: readOf('overview', '/v1/human/workspaces/{workspace}', 'machine'),
} as const satisfies Readonly<Partial<Record<CallName, CaseRequest>>>;

/** The plainest request of the same call; `undefined` for a call that has none. */
export function goodTwinOf({ call }: CaseRequest): CaseRequest | undefined {
  return call in goodRequests ? goodRequests[call as keyof typeof goodRequests] : undefined;
}
