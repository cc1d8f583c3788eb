import { listChannels } from '../../spec/calls/index.ts';
import {
  tokenCutShort,
  tokenEditedAtTheEnd,
  tokenLike,
  tokenWithAPattern,
} from '../../generators/texts/tokens.ts';
import { check, requireMemory, type Check } from '../../harness/check/check.ts';
import type { Always, Context } from '../../harness/check/context.ts';
import type { FreshWorkspace } from '../../harness/check/fresh-workspace.ts';
import type { Actor } from '../../harness/client/actor.ts';
import { type Exchange, isAccepted, statusOf } from '../../harness/client/exchange.ts';
import { describeAnswer, given } from '../../harness/verdict/outcome.ts';
import type { ClauseId } from '../../spec/index.ts';
import { askAll, openForms, placedForms } from '../arrange/auth/asked-forms.ts';
import { isShutOut, requireLetIn } from '../arrange/auth/closed-call.ts';
import {
  nobody,
  ofRole,
  strangerWith,
  tokenOf,
  withAuthorization,
  type CredentialKind,
} from '../arrange/auth/credential-faults.ts';
import {
  agentCalls,
  boundCalls,
  channelCalls,
  channelsListCall,
  isRead,
  isReadOnly,
  needsOf,
} from '../arrange/auth/guarded-calls.ts';
import type { GuardedCall } from '../arrange/auth/guarded-calls.ts';

export const acceptedCredentialChecks: readonly Check[] = [
  ...agentCalls.map((call) => openingCheck(call, 'author', 'auth.bearer-accepted')),
  ...[...agentCalls, ...boundCalls].map((call) => openingCheck(call, 'api-key', 'auth.api-key-accepted')),
  // auth.bearer-accepted: A valid credential in the bearer scheme opens the call it is meant for.
  check(
    'auth.good-credential-works-after-wrong-ones',
    {
      title:
        'a valid credential still opens a call after wrong ones were tried, and one with an underscore in place of a letter does not',
      clauses: ['auth.bearer-accepted', 'auth.respelled-credential'],
      needs: needsOf(channelsListCall, 'author', 'channel'),
      needsMemory: true,
      isReadOnly: true,
      isUnwatched: true,
    },
    async (context) => {
      const { author, anonymous, expect } = context;
      const request = listChannels();
      requireLetIn(await author.request(request), 'author before');
      const token = tokenOf(author);
      await observeHeader(context, 'a credential with its scheme in lower case', `bearer ${token}`);
      await observeHeader(context, 'a credential with its scheme in upper case', `BEARER ${token}`);
      await observeHeader(context, 'a credential with two spaces before its token', `Bearer  ${token}`);
      await observeHeader(context, 'a credential with its token twice', `Bearer ${token} ${token}`);
      await observeHeader(context, 'a credential without a scheme', token, 'auth.bare-token');
      for (const made of [tokenLike, tokenLike, tokenEditedAtTheEnd, tokenCutShort])
        await strangerWith(made(token), context)?.request(request);
      const refused = await anonymous.request(request);
      given(!isAccepted(refused), 'a request without a credential was let in', refused);
      expect('auth.bearer-accepted', await author.request(request)).toBeAccepted();
      const unknown = await strangerWith(tokenLike(token), context)?.request(request);
      const answer = await strangerWith(tokenWithAPattern(token), context)?.request(request);
      // Where any token will do, this one is no pattern of another.
      if (unknown === undefined || isAccepted(unknown) || answer === undefined) return;
      const words = 'with a valid token that has an underscore in place of a letter';
      expect('auth.respelled-credential', answer, words).toHaveStatus(401);
    },
  ),
  // auth.added-agents-are-let-in: An agent that came to a workspace later, or that has no human or no machine, is
  //   let in as the others are.
  check(
    'auth.added-agents-are-let-in',
    {
      title:
        'agents that the operator added to a workspace, with and without a human or a machine, read it as its author does, and an API key that is to expire later is let in; those who lack one, and an API key, use no channel of another workspace',
      clauses: ['auth.added-agents-are-let-in', 'auth.api-key-accepted', 'auth.other-workspace-refused'],
      needs: ['provision-hook', 'author', 'channel'],
    },
    async (context) => {
      const { expect, provision } = context;
      const fresh = await provision({ isShared: true });
      const { agents, channel, lacking, sharing } = fresh;
      const added = [...lacking.values(), ...sharing.values(), ...agents.slice(0, 1), ...agents.slice(-1)];
      given(added.length > 0, 'hooks.provision added no agent');
      const calls: readonly ((agent: Actor) => Promise<Exchange>)[] = [
        (agent) => agent.mentions({ limit: 1 }),
        (agent) => agent.readChannel(channel.id, { after: 0, limit: 1 }),
      ];
      for (const [at, ask] of calls.entries()) {
        requireLetIn(await ask(fresh.actor('author')), 'author of the fresh workspace');
        const answers = await Promise.all(added.map(ask));
        // A channel may have members of its own: where none of those added reads it, that may be all that they lack.
        const isForMembers = at > 0 && !answers.some(isAccepted);
        for (const answer of answers) {
          if (!isAccepted(answer) && !isShutOut(answer)) continue;
          if (isForMembers && statusOf(answer) !== 401) continue;
          const problem = { expected: `${answer.actor} let in`, actual: describeAnswer(answer) };
          expect.holds('auth.added-agents-are-let-in', isAccepted(answer), problem, answer);
        }
      }
      const keyed = await fresh.secondApiKey?.mentions({ limit: 1 });
      if (keyed !== undefined && (isAccepted(keyed) || (await isKeyShutOut(fresh, keyed)))) {
        const expected = 'an API key with an expiry that is to come let in';
        const problem = { expected, actual: describeAnswer(keyed) };
        expect.holds('auth.api-key-accepted', isAccepted(keyed), problem, keyed);
      }
      // Where nobody, or no machine, stands behind who asks, what compares workspaces may find nothing that differs.
      await expectNoOtherChannel(context, [...lacking.values(), fresh.optional('api-key') ?? []].flat());
    },
  ),
];

/** Whether a key is not let in to what keys may do: that was chosen when it was made, and is told by another key of the workspace. */
async function isKeyShutOut(fresh: FreshWorkspace, keyed: Exchange): Promise<boolean> {
  if (statusOf(keyed) !== 403) return statusOf(keyed) === 401;
  const other = await fresh.optional('api-key')?.mentions({ limit: 1 });
  return other !== undefined && isAccepted(other);
}

/** Sees the calls about the target's channel, as far as they are open to its author, closed to agents of another workspace. */
async function expectNoOtherChannel(
  context: Context<'author' | 'channel'>,
  strangers: readonly Actor[],
): Promise<void> {
  const kinds = strangers.map((actor): CredentialKind => ({
    slug: 'of-another-workspace',
    words: `as ${actor.name}`,
    speaker: () => (request) => actor.request(request),
  }));
  const asked = channelCalls.map(async (call) => {
    const [form] = await openForms(context, { ...call, forms: [call.forms[0]] });
    const { control } = form;
    return control !== undefined && isAccepted(control) ? askAll(context, call, [form], kinds) : [];
  });
  for (const { exchange, kind } of (await Promise.all(asked)).flat())
    context.expect('auth.other-workspace-refused', exchange, kind.words).toBeRefused();
}

function openingCheck(call: GuardedCall, role: 'author' | 'api-key', clause: ClauseId): Check {
  const kind = role === 'author' ? 'agent-token' : 'api-key';
  const isBound = boundCalls.includes(call);
  // ids: auth.<kind>-opens-<call>
  // call: suites/arrange/auth/guarded-calls.ts
  // auth.bearer-accepted: A valid credential in the bearer scheme opens the call it is meant for.
  // auth.api-key-accepted: The agent surface accepts a workspace API key.
  return check(
    `auth.${kind}-opens-${call.slug}`,
    {
      title: `the ${call.slug} call accepts an ${kind.replace('-', ' ')}`,
      clauses: [clause],
      needs: needsOf(call, role, 'author', 'channel'),
      isReadOnly: isReadOnly(call),
    },
    async (context) => {
      // What is not open to the author either may be closed for another reason.
      const forms = await (role === 'author' ? placedForms : openForms)(context, call);
      // That a call is there which the contract does not show is known by its author alone.
      if (isBound) for (const { control } of forms) if (control) requireLetIn(control, 'author');
      const [stranger] = await askAll(context, call, forms.slice(0, 1), [nobody]);
      given(
        stranger !== undefined && !isAccepted(stranger.exchange),
        'a request without a credential was let in',
      );
      const opened = await askAll(context, call, forms, [ofRole(role, `with an ${kind}`)]);
      for (const { exchange, form, place } of opened) {
        const status = statusOf(exchange);
        // What a key may do, be it to wait, was chosen when it was made; but a 403 denies it the access that another read shows.
        const isContradicted =
          role === 'api-key' &&
          isRead(call) &&
          !form.slug.startsWith('wait') &&
          opened.some((each) => each.place.name === place.name && isAccepted(each.exchange));
        const isClosed = status === 401 || (status === 403 && isContradicted);
        const expected = `the credential opens the call ${form.words} (no ${isContradicted ? '401 or 403' : '401'})`;
        const problem = { expected, actual: describeAnswer(exchange) };
        if (isClosed || isAccepted(exchange)) context.expect.holds(clause, !isClosed, problem, exchange);
      }
      // What else may be wrong with the call is for the checks of that call.
      const [first] = opened;
      if (first !== undefined) requireLetIn(first.exchange, role);
      await (first?.draft === undefined ? requireMemory(context) : context.channel.arrival(first.draft));
    },
  );
}

async function observeHeader(
  context: Pick<Always, 'anonymous' | 'observe'>,
  name: string,
  header: string,
  clause: ClauseId = 'auth.scheme-letter-case',
): Promise<void> {
  const request = withAuthorization(listChannels(), header);
  const answer = await context.anonymous.request(request);
  context.observe(clause, name, describeAnswer(answer));
}
