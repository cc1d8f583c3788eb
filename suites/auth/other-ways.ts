import { randomUUID } from 'node:crypto';
import {
  isRecord,
  listChannels,
  listMentions,
  readChannel,
  sendMessage,
  showOverview,
} from '../../spec/calls/index.ts';
import type { CallRequest } from '../../spec/calls/index.ts';
import { check, type Check } from '../../harness/check/check.ts';
import type { Always, Context } from '../../harness/check/context.ts';
import type { Actor, RequestDraft } from '../../harness/client/actor.ts';
import { headerOf, isAccepted, isRefusal, statusOf, type Exchange } from '../../harness/client/exchange.ts';
import { describeAnswer, given, hasTrouble, unmet } from '../../harness/verdict/outcome.ts';
import { isTrouble } from '../../harness/verdict/trouble.ts';
import type { ClauseId } from '../../spec/index.ts';
import { shiftedToken } from '../../generators/texts/tokens.ts';
import { strangerWith, tokenOf } from '../arrange/auth/credential-faults.ts';
import { conditionsOf } from '../arrange/auth/kept-answers.ts';
import { arranged } from '../arrange/or-else.ts';

/** A read, and who is shown it. */
interface Opened {
  readonly request: CallRequest;
  readonly holder: Actor;
  /** Of the answer. */
  readonly fields: string;
  /** What a client that keeps the answer asks with later, whether it still holds; none where the answer has nothing to ask with. */
  readonly conditions?: Readonly<Record<string, string>> | undefined;
}

/** Spellings of a path that are the same address by the rules of URIs. */
const equivalents: readonly ((path: string) => string)[] = [
  (path) => path.replace('/v', '/%76'),
  (path) =>
    path.replace(/([a-z])([a-z]+)$/, (_all, first: string, rest: string) => `${escaped(first)}${rest}`),
  (path) => path.replace(/^\/(v[01])\//, '/$1/./'),
];

/** Other addresses, which some routers take for the same. */
const lookAlikes: readonly ((path: string) => string)[] = [
  (path) => `/${path}`,
  (path) => `${path}/`,
  (path) => path.toUpperCase(),
  // Who lets in may look at all of a path, and who serves it at what stands before a parameter.
  (path) => `${path};v=1`,
  (path) => path.replace(/^\/(v[01])\//, '/$1;v=1/'),
];

/** Where clients of other services put their tokens. */
const places: Readonly<Record<string, (request: CallRequest, token: string) => RequestDraft>> = {
  'the query parameter access_token': inQuery('access_token'),
  'the query parameter token': inQuery('token'),
  'the query parameter api_key': inQuery('api_key'),
  'the query parameter apikey': inQuery('apikey'),
  'the query parameter key': inQuery('key'),
  'the query parameter auth': inQuery('auth'),
  'the query parameter authorization': inQuery('authorization', 'Bearer '),
  'the query parameter jwt': inQuery('jwt'),
  'the header X-API-Key': inHeader('x-api-key'),
  'the header X-Auth-Token': inHeader('x-auth-token'),
  'the header X-Access-Token': inHeader('x-access-token'),
  'the header Proxy-Authorization': inHeader('proxy-authorization', 'Bearer '),
  'the header X-Authorization': inHeader('x-authorization', 'Bearer '),
  'a cookie': (request, token) =>
    withCookie(
      request,
      ['access_token', 'token', 'session', 'api_key'].map((name) => `${name}=${token}`).join('; '),
    ),
};

/** What opens a call in a way that the contract does not show. */
export const otherWayChecks: readonly Check[] = [
  // auth.missing-credential: Outside discovery, a call without a credential is answered with 401.
  check(
    'auth.other-spellings-of-a-path-need-a-credential',
    {
      title:
        'a call is answered with 401 without a credential in every spelling of its path, and for what a client has kept of it, and opened at no address like it that opens it with one',
      clauses: ['auth.missing-credential', 'auth.www-authenticate'],
      needs: ['author', 'channel'],
      isReadOnly: true,
      needsMemory: true,
    },
    async (context) => {
      const { anonymous, expect } = context;
      const plain = await openedBy(context);
      const nobodyAsks = (opened: readonly Opened[]): Promise<Exchange[]> =>
        Promise.all(opened.map(({ request }) => anonymous.request(request)));
      const [equal, alike] = await Promise.all([respelt(plain, equivalents), respelt(plain, lookAlikes)]);
      // Who looks first whether an answer still holds tells that to everybody.
      const kept = plain.flatMap((read) =>
        read.conditions === undefined
          ? []
          : [{ ...read, request: { ...read.request, headers: read.conditions } }],
      );
      const [refusals, ofEqual, ofAlike] = [
        await nobodyAsks([...plain, ...kept]),
        await nobodyAsks(equal),
        await nobodyAsks(alike),
      ];
      for (const refused of [...refusals, ...ofEqual, ...ofAlike]) {
        const words = `without a credential for ${refused.request.path}`;
        // No words are about other addresses, but that they open nothing.
        if (ofAlike.includes(refused)) expectClosed(context, 'auth.missing-credential', refused, words);
        else {
          // Who takes spellings for the same only from those who are known may not know them of others.
          const statuses = ofEqual.includes(refused) ? [401, 404] : [401];
          expect('auth.missing-credential', refused, words).toHaveStatus(...statuses);
        }
        if (statusOf(refused) !== 401) continue;
        const header = headerOf(refused, 'www-authenticate');
        const problem = { expected: `a www-authenticate header with the 401 ${words}`, actual: 'none' };
        expect.holds('auth.www-authenticate', header !== undefined, problem, refused);
      }
    },
  ),
  // auth.nothing-there-needs-a-credential: Without a credential a call about a channel or workspace that does not
  //   exist is answered with 401, too.
  check(
    'auth.nothing-there-needs-a-credential',
    {
      title:
        'whether a channel or a workspace exists is told nobody who brings no credential, or an unknown one',
      clauses: ['auth.nothing-there-needs-a-credential'],
      needs: ['author', 'channel'],
      needsMemory: true,
    },
    async (context) => {
      const { author, channel, draft, expect, identities } = context;
      const control = await author.readChannel(channel.id, { after: 0, limit: 1 });
      given(isAccepted(control), 'the channel is not open to the author', control);
      const body = { content: draft().text };
      const calls = [
        { of: (id: string) => readChannel(id, 'after=0&limit=1'), existing: channel.id },
        { of: (id: string) => sendMessage(id, body, randomUUID()), existing: channel.id },
        { of: showOverview, existing: await arranged(() => identities.workspaceId()) },
      ];
      for (const { of, existing } of calls) {
        if (existing === undefined) continue;
        for (const asking of strangers(context)) {
          const there = await asking.request(of(existing));
          // Who gets something else at what exists breaks the clause about all calls.
          if (statusOf(there) !== 401) continue;
          const nothing = await asking.request(of(randomUUID()));
          const words = `for ${nothing.request.path}, where nothing is`;
          expect('auth.nothing-there-needs-a-credential', nothing, words).toHaveStatus(401);
        }
      }
    },
  ),
  // auth.wrong-parameters-need-a-credential: Without a credential a read with a parameter that it refuses is
  //   answered with 401, too.
  check(
    'auth.wrong-parameters-need-a-credential',
    {
      title: 'whether a parameter is right is told nobody who brings no credential, or an unknown one',
      clauses: ['auth.wrong-parameters-need-a-credential'],
      needs: ['author', 'channel'],
      needsMemory: true,
      isReadOnly: true,
    },
    async (context) => {
      const { author, channel, expect } = context;
      const calls = [
        { ask: listMentions, right: 'limit=1', wrong: 'limit=0' },
        { ask: listMentions, right: 'after=0', wrong: 'after=x' },
        { ask: (query: string) => readChannel(channel.id, query), right: 'after=0', wrong: 'after=x' },
      ];
      for (const { ask, right, wrong } of calls) {
        const refused = await author.request(ask(wrong));
        for (const asking of isRefusal(refused) ? strangers(context) : []) {
          // Who gets something else at what is right breaks the clause about all calls.
          if (statusOf(await asking.request(ask(right))) !== 401) continue;
          const answer = await asking.request(ask(wrong));
          const words = `with ${wrong}, which is refused with a credential`;
          expect('auth.wrong-parameters-need-a-credential', answer, words).toHaveStatus(401);
        }
      }
    },
  ),
  // auth.other-methods-need-a-credential: What a call refuses without a credential is not served without one by
  //   HEAD or another method either.
  check(
    'auth.other-methods-need-a-credential',
    {
      title: 'HEAD and PUT on the path of a read are not served without a credential, or with an unknown one',
      clauses: ['auth.other-methods-need-a-credential'],
      needs: ['author', 'channel'],
      needsMemory: true,
    },
    async (context) => {
      const { anonymous, expect } = context;
      for (const { request } of await openedBy(context)) {
        const control = await anonymous.request(request);
        given(!isAccepted(control), 'a request without a credential was let in', control);
        const answers = await Promise.all([
          ...strangers(context).map((each) => each.request({ ...request, call: 'other', method: 'HEAD' })),
          anonymous.request({ ...request, call: 'other', method: 'PUT' }),
        ]);
        for (const answer of answers.filter((each) => !hasTrouble(each))) {
          const { method, path } = answer.request;
          const problem = { expected: `${method} ${path} refused`, actual: describeAnswer(answer) };
          expect.holds('auth.other-methods-need-a-credential', !isAccepted(answer), problem, control, answer);
        }
      }
    },
  ),
  // auth.credential-elsewhere-opens-nothing: A valid token that stands in the query, a cookie or another header than
  //   `Authorization` opens no call.
  check(
    'auth.credential-elsewhere-opens-nothing',
    {
      title:
        'a valid token or API key in the query, in a cookie or in another header opens no call, nor do cookies that came with an answer',
      clauses: ['auth.credential-elsewhere-opens-nothing'],
      needs: ['provision-hook'],
      needsMemory: true,
    },
    async (context) => {
      const { anonymous, provision } = context;
      // What stands in a query is written to logs: the token is one of a workspace that is made for it.
      const fresh = await provision({ isShared: true });
      const request = readChannel(fresh.channel.id, 'after=0&limit=1');
      const control = await fresh.actor('author').request(request);
      if (!isAccepted(control)) unmet('a good credential does not open the call', control);
      const without = await anonymous.request(request);
      given(!isAccepted(without), 'a request without a credential was let in', without);
      const clause = 'auth.credential-elsewhere-opens-nothing';
      // A service may keep the header `X-API-Key` for its keys alone.
      const roles = (['author', 'api-key'] as const).filter((role) => fresh.optional(role) !== undefined);
      const cookie = cookiesOf(control);
      const ways = [
        ...roles.flatMap((role) =>
          Object.entries(places).map(([where, placed]) => ({
            where: `with ${role === 'author' ? 'its token' : 'an API key'} in ${where}`,
            request: placed(request, fresh.token(role)),
          })),
        ),
        ...(cookie === ''
          ? []
          : [{ where: 'with the cookies of an answer', request: withCookie(request, cookie) }]),
      ];
      const answers = await Promise.all(ways.map((each) => anonymous.request(each.request)));
      for (const [index, answer] of answers.entries())
        expectClosed(context, clause, answer, ways[index]?.where ?? '');
    },
  ),
];

/** Judges that a request opened nothing, in whatever way it was refused or sent elsewhere; of one without an answer nothing is said. */
function expectClosed(
  { expect }: Pick<Always, 'expect'>,
  clause: ClauseId,
  answer: Exchange,
  asked: string,
): void {
  if (isTrouble(answer)) return;
  const problem = { expected: `not accepted ${asked}`, actual: describeAnswer(answer) };
  expect.holds(clause, !isAccepted(answer), problem, answer);
}

/** Nobody, and somebody with a token that nobody was given. */
function strangers(context: Context<'author'>): readonly Actor[] {
  const unknown = strangerWith(shiftedToken(tokenOf(context.author), 7), context);
  return [context.anonymous, ...(unknown === undefined ? [] : [unknown])];
}

/** The reads of the contract that their holders are shown. */
async function openedBy(context: Context<'author' | 'channel'>): Promise<readonly Opened[]> {
  const { author, channel, identities, optional } = context;
  const machine = optional('machine');
  const reads = [
    { request: listMentions('limit=1'), holder: author },
    { request: listChannels(), holder: author },
    { request: readChannel(channel.id, 'after=0&limit=1'), holder: author },
    ...(machine === undefined
      ? []
      : [{ request: showOverview(await identities.workspaceId()), holder: machine }]),
  ];
  const answers = await Promise.all(reads.map(({ request, holder }) => holder.request(request)));
  const opened = reads.flatMap((read, index) => {
    const answer = answers[index];
    return answer !== undefined && isAccepted(answer)
      ? [{ ...read, fields: fieldsIn(answer), conditions: conditionsOf(answer) }]
      : [];
  });
  return opened.length > 0 ? opened : unmet('no call is open to whom it is for', answers[0]);
}

/** The spellings of the paths of reads under which their holders are shown the same fields. */
async function respelt(
  reads: readonly Opened[],
  spellings: readonly ((path: string) => string)[],
): Promise<readonly Opened[]> {
  // What a server says of addresses that only this suite asks for has no form.
  const spelt = reads.flatMap((read) =>
    spellings
      .map((respell): CallRequest => ({ ...read.request, call: 'other', path: respell(read.request.path) }))
      .filter(({ path }) => path !== read.request.path)
      .map((request): Opened => ({ ...read, request })),
  );
  const answers = await Promise.all(spelt.map(({ holder, request }) => holder.request(request)));
  return spelt.filter(({ fields }, index) => {
    const answer = answers[index];
    return answer !== undefined && isAccepted(answer) && fieldsIn(answer) === fields;
  });
}

/** The cookies that an answer sets, as a browser brings them back; empty where it sets none. */
function cookiesOf({ response }: Exchange): string {
  const set = response?.headers['set-cookie'] ?? [];
  return set.map((each) => each.replace(/;.*$/s, '')).join('; ');
}

function fieldsIn({ response }: Exchange): string {
  const body = response?.json;
  return isRecord(body) ? Object.keys(body).toSorted().join(' ') : `no object but ${typeof body}`;
}

function inQuery(name: string, before = ''): (request: CallRequest, token: string) => RequestDraft {
  return (request, token) => ({
    ...request,
    query: `after=0&limit=1&${name}=${encodeURIComponent(`${before}${token}`)}`,
  });
}

function inHeader(name: string, before = ''): (request: CallRequest, token: string) => RequestDraft {
  return (request, token) => ({ ...request, headers: { ...request.headers, [name]: `${before}${token}` } });
}

function withCookie(request: CallRequest, cookie: string): RequestDraft {
  return { ...request, headers: { ...request.headers, cookie } };
}

function escaped(letter: string): string {
  return `%${letter.charCodeAt(0).toString(16)}`;
}
