import { isDeepStrictEqual } from 'node:util';
import {
  addressOf,
  listChannels,
  listMentions,
  listReceipts,
  readChannel,
  sendMessage,
  showOverview,
} from '../../spec/calls/index.ts';
import type { BodyDraft, CallName, CallRequest } from '../../spec/calls/index.ts';
import type { RoleName } from '../../harness/config/roles.ts';
import { markerPlace, type CaseRequest } from './case-request.ts';

/** A request with the credential of a role. */
export function spokenBy(role: RoleName, request: CallRequest): CaseRequest {
  const usual = { accept: 'application/json', authorization: `Bearer {token:${role}}` };
  return { ...request, headers: { ...usual, ...request.headers } };
}

/** A send of a body, as data or as it goes over the wire. */
export function sendOf(body: BodyDraft, channelId = '{channel}'): CaseRequest {
  return spokenBy('author', sendMessage(channelId, body, '{key}'));
}

/** A listing of mentions with a query as it goes over the wire. */
export function mentionsOf(query: string): CaseRequest {
  return spokenBy('author', listMentions(query));
}

/** A channel read with a query as it goes over the wire. */
export function channelReadOf(query: string, channelId = '{channel}'): CaseRequest {
  return spokenBy('author', readChannel(channelId, query));
}

/** The baseline request of each call: each is to be accepted, and cases deviate from one of them in one thing. */
export const goodRequests = {
  send: sendOf({ content: markerPlace }),
  'channel-read': channelReadOf('after=0&limit=100'),
  mentions: mentionsOf('limit=1'),
  'channels-list': spokenBy('author', listChannels()),
  'receipts-list': spokenBy('author', listReceipts('{channel}')),
  overview: spokenBy('machine', showOverview('{workspace}')),
} as const satisfies Readonly<Partial<Record<CallName, CaseRequest>>>;

/** The baseline request of the same call; `undefined` for a call that has none. */
export function controlOf({ call }: Pick<CaseRequest, 'call'>): CaseRequest | undefined {
  return call in goodRequests ? goodRequests[call as keyof typeof goodRequests] : undefined;
}

/**
 * What tells that a server serves requests at all while a request draws an error of it: the baseline request of the call that draws it,
 * which of several steps need not be the last. Where the baseline request of a list is that request itself, the one of another call.
 */
export function controlOfError(
  request: CaseRequest,
  { call }: Pick<CaseRequest, 'call'>,
): CaseRequest | undefined {
  const isList = call === 'channels-list' || call === 'receipts-list';
  if (isList && isBaselineRequest(request)) return goodRequests.mentions;
  return controlOf({ call }) ?? controlOf(request);
}

/** What came of the baseline request of a call, in a word or two: `POST /v0/channels/{channel}/messages: 507 disk_full`. */
export function namedBaseline(call: keyof typeof goodRequests, outcome: string): string {
  return `${goodRequests[call].method} ${addressOf(goodRequests[call])}: ${outcome}`;
}

/** Whether a request is the baseline request of its call, also when it was read from a file. */
export function isBaselineRequest(request: CaseRequest): boolean {
  return isDeepStrictEqual(asKept(controlOf(request)), asKept(request));
}

/** With its address in one piece, and without fields that are undefined: as a file keeps it. */
function asKept(request: CaseRequest | undefined): unknown {
  const kept = request && { ...request, query: undefined, path: addressOf(request) };
  return kept && JSON.parse(JSON.stringify(kept));
}
