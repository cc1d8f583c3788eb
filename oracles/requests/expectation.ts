import { idIn, parameterOf, queryText } from '../../calls/index.ts';
import type { CallName, Query, SentRequest } from '../../calls/index.ts';
import { isUuid } from '../../spec/index.ts';
import type { ClauseId } from '../../spec/index.ts';
import { isWellFormed } from './contract-request.ts';
import { credentialAspect } from './expect-credential.ts';
import type { OwnerOf } from './expect-credential.ts';
import { channelReadQuery, mentionsQuery, requiredToMentions } from './expect-query.ts';
import { viewSend } from './expect-send.ts';
import type { SendFacts, Storing } from './expect-send.ts';
import { expectedOf, reject, accept, open } from './expected.ts';
import type { Aspect, Expected } from './expected.ts';

/** What a server asks of baseline requests though the contract does not: the oracle blames it and nothing else. */
export interface Demands {
  /** Parameters without which no listing of mentions is answered. */
  readonly mentions: Set<'after' | 'limit'>;
  /** By call, the clause that its baseline request shows to be broken. */
  readonly refused: Map<CallName, ClauseId>;
}

/** What the oracle must know of the target to judge a request by its bytes alone. */
export interface OracleFacts extends SendFacts {
  /** What the server was seen to ask for though the contract does not. */
  readonly demands: Demands;
  readonly ownerOf: OwnerOf;
  readonly workspaceId: string | undefined;
  readonly channelId: string | undefined;
}

/** How a request is to be answered, and what it leaves behind when it is taken. */
export interface ExpectedOutcome {
  readonly expected: Expected;
  /** What a send stores; `undefined` for anything else, and where the server may choose. */
  readonly storing: Storing | undefined;
}

/**
 * What the contract says of a request, computed from what goes over the wire and never from what its generator meant:
 * after shrinking, and for requests that no generator made, it holds as well.
 */
export function expectationOf(request: SentRequest, facts: OracleFacts): ExpectedOutcome {
  const expectation = expectationOfBytes(request, facts);
  if (!isWellFormed(request)) return { ...expectation, expected: { kind: 'open' } };
  const clause = facts.demands.refused.get(request.call);
  // Where not even the baseline request is taken, that is what is wrong with every other one.
  if (clause === undefined || expectation.expected.kind !== 'accept') return expectation;
  return { ...expectation, expected: { ...expectation.expected, clause, part: 'taken' } };
}

function expectationOfBytes(request: SentRequest, facts: OracleFacts): ExpectedOutcome {
  const { path, query } = request;
  const credential = credentialAspect(request.headers['authorization'], request.call, facts.ownerOf);
  switch (request.call) {
    case 'mentions':
      return withoutTrace(
        expectedOf([credential, ...mentionsQuery(query)], () =>
          requiredToMentions(query, facts.demands.mentions),
        ),
      );
    case 'channel-read':
      return withoutTrace(
        expectedOf(
          [
            credential,
            channelAspect(path, facts.channelId, 'channel-read.unknown-channel'),
            ...channelReadQuery(query),
          ],
          () => ({
            clause: requiredToChannelRead(query),
            part: 'taken',
            mayBe: parameterOf(query, 'after') === '0' ? [] : [409, 400],
          }),
        ),
      );
    case 'channels-list':
      return withoutTrace(
        expectedOf([credential, queryText(query) === '' ? accept : open], () => ({
          clause: 'channels-list.answers',
          part: 'taken',
        })),
      );
    case 'receipts-list':
      // The contract shows no more than the path, and who opens it.
      return withoutTrace(
        expectedOf([credential], () => ({
          clause: 'auth.bearer-accepted',
          part: 'taken',
          mayBe: [400, 403, 404, 405, 409, 410, 422],
        })),
      );
    case 'overview':
      return withoutTrace(
        expectedOf(
          [credential, queryText(query) === '' ? accept : open, addressAspect(path, facts.workspaceId)],
          () => ({
            clause: 'overview.success-is-2xx',
            part: 'taken',
          }),
        ),
      );
    case 'send': {
      const view = viewSend(request, facts);
      const channel = channelAspect(path, facts.channelId, 'send.unknown-channel');
      const expected = expectedOf([credential, channel, ...view.aspects], () => view.required);
      // Under another spelling it may be another channel that holds the message.
      return { expected, storing: channel.kind === 'accept' ? view.storing : undefined };
    }
    default:
      return withoutTrace({ kind: 'open' });
  }
}

/** A wait and a limit that the contract shows are what is special about a read that has one. */
function requiredToChannelRead(query: Query | undefined): ClauseId {
  if (parameterOf(query, 'wait') === '25') return 'channel-read.wait-25-accepted';
  // Behind the end of a channel it is not the limit that is special.
  const isWithin = ['0', undefined].includes(parameterOf(query, 'after'));
  return isWithin && parameterOf(query, 'limit') === '100'
    ? 'channel-read.limit-100-accepted'
    : 'channel-read.success-is-2xx';
}

function withoutTrace(expected: Expected): ExpectedOutcome {
  return { expected, storing: undefined };
}

/** A machine finds its workspace under its own id and under no other; a word may be another route, or another name of it. */
function addressAspect(path: string, workspaceId: string | undefined): Aspect {
  const text = idIn('overview', path);
  if (text === undefined) return open;
  const word = isNearly(text, workspaceId) ? reject('overview.exact-workspace-id', 'no UUID of it') : open;
  return idAspect(text, workspaceId, { uuid: reject('overview.exact-workspace-id', 'another UUID'), word });
}

/** The id with something more or less at its end; any other word may stand for the caller's own workspace. */
function isNearly(text: string, own = ''): boolean {
  return text === own.slice(0, -1) || (text.startsWith(own) && /^[0-9a-f-]+$/i.test(text));
}

/** A channel that is there; of others than the target's own only the made-up ones are sure not to be. */
function channelAspect(path: string, channelId: string | undefined, clause: ClauseId): Aspect {
  const text = idIn('channel-read', path);
  if (text === undefined) return open;
  return idAspect(text, channelId, { uuid: reject(clause, 'unknown channel'), word: open });
}

function idAspect(text: string, own: string | undefined, faults: { uuid: Aspect; word: Aspect }): Aspect {
  if (own === undefined) return open;
  if (text === own) return accept;
  // Another spelling of a UUID may be read as the same id.
  if (isUuid(text)) return text.toLowerCase() === own.toLowerCase() ? open : faults.uuid;
  return faults.word;
}
