import { isRecord, pairsOf, parameterOf, parseExact, pathOf, queryText } from '../../calls/index.ts';
import type { Query } from '../../calls/index.ts';
import { validate } from '../../spec/index.ts';
import type { Exchange } from '../client/exchange.ts';
import type { Target } from '../config/target.ts';
import { goodRoleOf } from '../verdict/trouble.ts';
import type { GoodCredentials } from '../verdict/trouble.ts';

/** A longer body is not looked into. */
const maxBodyCharacters = 100_000;

/** Where baseline requests go, and as whom. */
export interface BaselineFacts {
  readonly target: Pick<Target, 'channelId' | 'secondChannelId' | 'workspaceId'>;
  readonly good: GoodCredentials;
}

/** Calls of which the contract says enough for a request to be plainly valid. */
export type BaselineCall = 'mentions' | 'overview' | 'send' | 'channel-read';

/** Values of `limit` that the contract allows for mentions, and the one that it uses for a channel, whose bounds are open. */
const mentionsLimit = /^(?:[1-9][0-9]?|100)$/;
const channelLimit = /^100$/;
/** Cursors up to 2^53 − 1, the largest that every language reads. */
const plainCursor = /^(?:0|[1-9][0-9]{0,14})$/;

/**
 * The call of a request that the contract plainly allows: a good credential on its own surface, a channel that the target
 * names for that agent, and no parameter or field of which the contract leaves anything open; `undefined` for every other.
 */
export function baselineCallOf(
  exchange: Exchange,
  { target, good }: BaselineFacts,
): BaselineCall | undefined {
  const role = goodRoleOf(exchange, good);
  const { call, path, method, query } = exchange.request;
  if (role === undefined) return undefined;
  switch (call) {
    case 'mentions':
      return method === 'GET' && path === pathOf('mentions') && hasPlainQuery(query, mentionsLimit)
        ? call
        : undefined;
    case 'overview':
      return isOwnWorkspace(path, target) && queryText(query) === '' ? call : undefined;
    case 'channel-read':
      return isOwnChannel(path, role, target) &&
        hasPlainQuery(query, channelLimit) &&
        parameterOf(query, 'after') !== undefined
        ? call
        : undefined;
    case 'send':
      return role === 'author' && isOwnChannel(path, role, target) && isPlainSend(exchange)
        ? call
        : undefined;
    default:
      return undefined;
  }
}

function hasPlainQuery(query: Query | undefined, limits: RegExp): boolean {
  const pairs = pairsOf(query);
  const forms = new Map([
    ['after', plainCursor],
    ['limit', limits],
  ]);
  const areOnce = new Set(pairs?.map(([name]) => name)).size === pairs?.length;
  return areOnce && pairs.every(([name, value]) => forms.get(name)?.test(value) === true);
}

function isOwnWorkspace(path: string, { workspaceId }: BaselineFacts['target']): boolean {
  return workspaceId !== undefined && path === pathOf('overview', workspaceId);
}

/** The author writes to both channels; other agents may have joined only one of them. */
function isOwnChannel(path: string, role: string, target: BaselineFacts['target']): boolean {
  const channels = role === 'author' ? [target.channelId, target.secondChannelId] : [];
  return channels.some((id) => id !== undefined && path === pathOf('channel-read', id));
}

/** Content alone, in JSON, under a key; what else a send may carry is not shown. */
function isPlainSend({ request: { method, headers, body } }: Exchange): boolean {
  const isDeclared =
    headers['content-type'] === 'application/json' && headers['idempotency-key'] !== undefined;
  if (method !== 'POST' || !isDeclared || typeof body !== 'string') return false;
  if (body.length > maxBodyCharacters) return false;
  const value = parsed(body);
  const isBare = isRecord(value) && Object.keys(value).every((key) => key === 'content');
  return isBare && validate('send-request', value).length === 0;
}

function parsed(text: string): unknown {
  try {
    return parseExact(text);
  } catch {
    return undefined;
  }
}
