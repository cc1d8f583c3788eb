import { isUuid } from '../../spec/index.ts';
import type { Actor } from '../../harness/client/actor.ts';
import { check } from '../../harness/check/check.ts';
import type { Check } from '../../harness/check/check.ts';
import type { Context } from '../../harness/check/context.ts';
import { isAccepted } from '../../harness/client/exchange.ts';
import { isRecord } from '../../harness/stream/page.ts';
import type { PageItem } from '../../harness/stream/page.ts';
import { given, unmet } from '../../harness/verdict/outcome.ts';
import { namesOf } from '../arrange/message/author-names.ts';
import { readOn, requireAccepted, requireRefused } from '../arrange/send/accepted-sends.ts';
import { agentHostOf, requireHostBinding, sendFrom } from '../arrange/send/proof.ts';

/** Who sends, and who can confirm which agent that is: another agent, whose mention the sender receives. */
const speakers = [
  { speaker: 'author', witness: 'reader' },
  { speaker: 'reader', witness: 'author' },
  { speaker: 'peer', witness: 'author' },
] as const;

/** The id in the agent's header may be what is wrong: it is right when a message that mentions it reaches the agent. */
async function confirmAgentId(
  { bindings, channel, draft, feedOf }: Context<'channel'>,
  agent: Actor,
  witness: Actor,
  id: string,
): Promise<void> {
  const feed = await feedOf(agent, witness);
  const mention = draft();
  requireAccepted(
    await witness.send(channel.id, mention.text, {
      fields: { [bindings.mentions]: [{ kind: 'agent', id }] },
    }),
  );
  await feed.arrival(mention);
}

const shortestHost = 'h';
const longestHost = 'h'.repeat(80);
/** Nothing at its ends that a server may take for noise; a server need not take letters beyond ASCII. */
const mixedHost = 'Example Host \u00e9\u6f22 (1.0)';

function authorIdOf({ message }: PageItem): string | undefined {
  const id = isRecord(message['author']) ? message['author']['id'] : undefined;
  return typeof id === 'string' && isUuid(id) ? id.toLowerCase() : undefined;
}

/** Who a message is from. */
export const messageAuthorChecks: readonly Check[] = [
  ...speakers.map(({ speaker, witness }) =>
    // ids: message.author-is-the-agent-that-sent-it-as-author,
    //   message.author-is-the-agent-that-sent-it-as-reader, message.author-is-the-agent-that-sent-it-as-peer
    // author.is-the-agent: The identity at the top of an author is the agent that sent the message.
    check(
      `message.author-is-the-agent-that-sent-it-as-${speaker}`,
      {
        title: `the author of what the ${speaker} sends is the ${speaker}'s own agent`,
        clauses: ['author.is-the-agent'],
        needs: ['author', 'channel', speaker, witness],
      },
      async (context) => {
        const { channel, draft, expect, identities } = context;
        const agentId = (await identities.agentId(context[speaker])).toLowerCase();
        const own = draft();
        const sent = await context[speaker].send(channel.id, own.text);
        requireAccepted(sent);
        const shown = authorIdOf(await channel.arrival(own));
        given(shown !== undefined, 'the author of a message shows no usable id', sent);
        if (shown !== agentId) await confirmAgentId(context, context[speaker], context[witness], agentId);
        expect.equal('author.is-the-agent', 'author.id', shown, agentId, sent);
      },
    ),
  ),
  // author.agent-host.captured-at-write: The host reported with a send is the one its message shows, then and
  //   later.
  check(
    'message.author-shows-the-host-it-was-sent-from',
    {
      title:
        'a reported host of 1, of 80 and of many kinds of characters is shown with its message, then and later',
      clauses: ['author.agent-host.captured-at-write'],
      needs: ['author', 'channel', 'agent-host-binding'],
    },
    async (context) => {
      const { author, bindings, channel, draft, expect, settleMs, sleep } = context;
      const from = await channel.since();
      const sends = [sendFrom(context, shortestHost), sendFrom(context, longestHost)] as const;
      const [short, long] = await Promise.all(sends);
      const mixed = draft();
      const fromMixed = await author.send(channel.id, mixed.text, {
        fields: { [bindings.agentHost]: mixedHost },
      });
      requireHostBinding({ ...short, host: shortestHost }, { ...long, host: longestHost });
      const judge = (item: PageItem, host: string): void =>
        expect.equal('author.agent-host.captured-at-write', 'agent_host', agentHostOf(item), host, long.sent);
      judge(short.item, shortestHost);
      judge(long.item, longestHost);
      if (isAccepted(fromMixed)) judge(await channel.arrival(mixed), mixedHost);

      await sleep(settleMs);
      const { items } = await readOn(channel, from);
      const later = items.find(({ content }) => content === long.item.content);
      judge(later ?? unmet('the channel no longer shows the message'), longestHost);
    },
  ),
  // author.agent-host.out-of-range-refused: A send that reports a host of 0 or of 81 characters is refused.
  check(
    'message.host-of-0-or-81-characters-is-refused',
    {
      title: 'a send that reports a host of 0 or of 81 characters is refused, one of 80 is not',
      clauses: ['author.agent-host.out-of-range-refused'],
      needs: ['author', 'channel', 'agent-host-binding'],
    },
    async (context) => {
      const { author, bindings, channel, draft, expect } = context;
      requireHostBinding({ ...(await sendFrom(context, longestHost)), host: longestHost });
      const send = (host: string) =>
        author.send(channel.id, draft().text, { fields: { [bindings.agentHost]: host } });
      const [none, tooLong] = await Promise.all([send(''), send(`${longestHost}h`)]);
      expect('author.agent-host.out-of-range-refused', none).toBeRefused();
      expect('author.agent-host.out-of-range-refused', tooLong).toBeRefused();
    },
  ),
  // author.agent-host.display-only: The reported host changes neither who the author is nor what is allowed.
  check(
    'message.host-grants-nothing',
    {
      title: 'whatever host is reported, the author stays the same and the host grants no access',
      clauses: ['author.agent-host.display-only'],
      needs: ['author', 'reader', 'channel', 'agent-host-binding'],
    },
    async (context) => {
      const { anonymous, author, bindings, channel, draft, expect, identities, reader } = context;
      const bare = draft();
      requireRefused(await anonymous.send(channel.id, draft().text));
      requireAccepted(await author.send(channel.id, bare.text));
      const host = await identities.agentId(reader);
      const before = await channel.arrival(bare);
      const { item, sent } = await sendFrom(context, host);
      requireHostBinding({ item, host });
      const bareAgain = draft();
      requireAccepted(await author.send(channel.id, bareAgain.text));
      const [was, is] = [namesOf(before), namesOf(await channel.arrival(bareAgain))];
      // Whoever is renamed meanwhile is not renamed by the host.
      given(JSON.stringify(was) === JSON.stringify(is), 'an author does not read the same twice');
      expect.equal('author.agent-host.display-only', 'author', namesOf(item), is, sent);
      const hosted = await anonymous.send(channel.id, draft().text, {
        fields: { [bindings.agentHost]: host },
      });
      expect('author.agent-host.display-only', hosted).toBeRefused();
    },
  ),
];
