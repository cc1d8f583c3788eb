import { idIn, parameterOf, queryText } from '../../calls/index.ts';
import type { CallName, Query, SentRequest } from '../../calls/index.ts';
import { isUuid, type ClauseId } from '../../index.ts';
import { isWellFormed } from './contract-request.ts';
import { credentialAspect, tokenIn, type OwnerOf } from './expect-credential.ts';
import { channelReadQuery, mentionsQuery, pageAsked, requiredToMentions } from './expect-query.ts';
import type { PageAsked } from './expect-query.ts';
import { viewSend, type Draft, type SendFacts } from './expect-send.ts';
import { expectedOf, reject, accept, open, refusable, type Aspect, type Expected } from './expected.ts';
import { isLongQuery } from './sent-body.ts';

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
  /** Whether there is a channel of that id for a role; `undefined` where nothing is known of it. */
  readonly channelOf: (id: string, role: string | undefined) => 'there' | 'absent' | undefined;
}

/** How a request is to be answered, and what it leaves behind when it is taken. */
export interface ExpectedOutcome {
  readonly expected: Expected;
  /** The body of a send; `undefined` for anything else, and where servers may read it in different ways. */
  readonly draft: Draft | undefined;
  /** The page that a read asks for; `undefined` for anything else, and where the server may choose. */
  readonly asking: PageAsked | undefined;
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
  const { path, query, call, method } = request;
  const authorization = request.headers['authorization'];
  const credential = credentialAspect(authorization, call, facts.ownerOf);
  const channel = (clause: ClauseId): Aspect => channelAspect(request, facts, clause);
  // The contract knows no body of a read, and no other method of a call.
  const body = request.body === undefined && method === 'GET' ? accept : open;
  const line = isLongQuery(query) ? refusable : accept;
  if (call === 'other' || idIn(call, path) === undefined) return withoutTrace({ kind: 'open' });
  switch (call) {
    case 'mentions':
      return {
        ...withoutTrace(
          expectedOf([credential, body, line, ...mentionsQuery(query)], () =>
            requiredToMentions(query, facts.demands.mentions),
          ),
        ),
        asking: pageAsked(request),
      };
    case 'channel-read':
      return {
        ...withoutTrace(
          expectedOf(
            [credential, body, line, channel('channel-read.unknown-channel'), ...channelReadQuery(query)],
            () => ({
              clause: requiredToChannelRead(query),
              part: 'taken',
              // The queries that the contract shows begin somewhere, and have a limit; what is not retained may be gone.
              mayBe: isAsShown(query) ? [] : [400, 409, 410, 422],
            }),
          ),
        ),
        asking: pageAsked(request),
      };
    case 'channels-list':
      return withoutTrace(
        expectedOf([credential, body, queryText(query) === '' ? accept : open], () => ({
          clause: 'channels-list.answers',
          part: 'taken',
          // Which parameters it takes, and wants, is not shown.
          mayBe: [400, 422],
        })),
      );
    case 'receipts-list':
      // The contract shows no more than the path, and who opens it.
      return withoutTrace(
        expectedOf([credential, body], () => ({
          clause: 'receipts-list.answers',
          part: 'taken',
          // Where no receipts are kept there is no list of them.
          mayBe: [400, 403, 404, 405, 409, 410, 422, 501],
        })),
      );
    case 'overview':
      return withoutTrace(
        expectedOf(
          [credential, body, queryText(query) === '' ? accept : open, addressAspect(path, facts.workspaceId)],
          () => ({
            clause: 'overview.success-is-2xx',
            part: 'taken',
          }),
        ),
      );
    case 'send': {
      const view = viewSend(request, facts);
      const isPlain = queryText(query) === '' && method === 'POST';
      const aspects = [credential, channel('send.unknown-channel'), isPlain ? accept : open, ...view.aspects];
      return {
        ...withoutTrace(expectedOf(aspects, () => view.required)),
        draft: view.draft,
      };
    }
  }
}

function isAsShown(query: Query | undefined): boolean {
  return parameterOf(query, 'after') === '0' && parameterOf(query, 'limit') === '100';
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
  return { expected, draft: undefined, asking: undefined };
}

/** A machine finds its workspace under its own id and under no other; a word may be another route, or another name of it. */
function addressAspect(path: string, workspaceId: string | undefined): Aspect {
  const text = idIn('overview', path) ?? '';
  const word = isNearly(text, workspaceId) ? reject('overview.exact-workspace-id', 'no UUID of it') : open;
  return idAspect(text, workspaceId, { uuid: reject('overview.exact-workspace-id', 'another UUID'), word });
}

/** The id with something more or less at its end; any other word may stand for the caller's own workspace. */
function isNearly(text: string, own = ''): boolean {
  return text === own.slice(0, -1) || (text.startsWith(own) && /^[0-9a-f-]+$/i.test(text));
}

/** A channel that is there, or not; another spelling of an id may be read as the same. */
function channelAspect({ path, headers }: SentRequest, facts: OracleFacts, clause: ClauseId): Aspect {
  const id = idIn('channel-read', path) ?? '';
  const role = facts.ownerOf(tokenIn(headers['authorization']) ?? '');
  const known = facts.channelOf(id, role);
  if (known === undefined) return open;
  return known === 'there' ? accept : reject(clause, 'unknown channel');
}

function idAspect(text: string, own: string | undefined, faults: { uuid: Aspect; word: Aspect }): Aspect {
  if (own === undefined) return open;
  if (text === own) return accept;
  // Another spelling of a UUID may be read as the same id.
  if (isUuid(text)) return text.toLowerCase() === own.toLowerCase() ? open : faults.uuid;
  return faults.word;
}
