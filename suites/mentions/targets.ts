import { isRecord } from '../../calls/index.ts';
import { check } from '../../harness/check/check.ts';
import type { Check } from '../../harness/check/check.ts';
import { given, unmet } from '../../harness/verdict/outcome.ts';
import type { Draft } from '../../harness/stream/stream-view.ts';
import { isSameId } from '../../oracles/answers/overview.ts';
import { seekListed } from '../arrange/mentions/listed.ts';
import { mention, mentionNeeds, requireTarget } from '../arrange/mentions/mentioning.ts';
import { agentTarget } from '../arrange/send/proof.ts';
import type { Mentioning } from '../arrange/mentions/mentioning.ts';
import { quietMentions } from '../arrange/mentions/series.ts';
import { sharedPrincipal } from '../arrange/mentions/shared-principals.ts';

/** Which messages are listed for whom. */
export const mentionTargetChecks: readonly Check[] = [
  // mentions.matches-agent-target: A retained message of somebody else that names the calling agent is
  //   listed.
  check(
    'mentions.naming-the-agent-is-listed',
    {
      title: 'a message of somebody else that names the agent is listed',
      clauses: ['mentions.matches-agent-target'],
      needs: mentionNeeds,
      // A feed that forgets what somebody has read would hide from this check what another one reads.
      isExclusive: true,
    },
    async (context) => {
      const { author, reader, channel, expect, feedOf, identities } = context;
      const feed = await feedOf(reader, author);
      const from = await feed.since();
      const target = await agentTarget(context, reader);
      const { agentId } = await identities.provenance(reader);
      given(isSameId(agentId, target.id), 'the header and the messages of the reader do not name one agent');
      const naming = { from: author, channelId: channel.id };
      const alone = await mention(context, { ...naming, targets: [target] });
      // Behind another target, in a message that is no short one.
      const others = {
        ...naming,
        targets: [await agentTarget(context, author), target],
        text: 'x'.repeat(12_000),
      };
      const second = await mention(context, others);
      const sought = await channel.arrivals([alone, second]);
      for (const item of sought) requireTarget(item, target);
      const { found, isWhole, exchanges } = await seekListed(context, feed, from, sought);
      const absent = [alone, second]
        .filter((_, index) => found[index] === undefined)
        .map(({ marker }) => marker);
      given(absent.length === 0 || isWhole, 'the feed could not be read to its end', exchanges[0]);
      const shared = absent.length > 0 ? await sharedPrincipal(identities, author, reader) : undefined;
      if (shared !== undefined)
        unmet(`the reader shares its ${shared} with the author, so that the author may count as itself`);
      const problem = {
        expected: 'the feed lists both messages that name the agent',
        actual: `${absent.join(' and ')} is absent`,
      };
      expect.holds('mentions.matches-agent-target', absent.length === 0, problem, ...exchanges);
    },
  ),
  // mentions.only-explicit: A name that merely occurs in the text of a message does not make a mention.
  check(
    'mentions.names-in-the-text-are-not-listed',
    {
      title: 'a message that names the agent in its text alone is not listed',
      clauses: ['mentions.only-explicit'],
      needs: mentionNeeds,
    },
    async (context) => {
      const { author, reader, channel, expect, feedOf, identities, observe } = context;
      const feed = await feedOf(reader, author);
      const agentId = await identities.agentId(reader);
      const name = await displayNameOf(context);
      const text = `@${agentId} <@${agentId}> @${name} ${name}: a word @all`;
      const inText = await mention(context, { from: author, channelId: channel.id, targets: [], text });
      const broadcast = await mention(context, { from: author, channelId: channel.id, targets: [] });
      await channel.arrivals([inText, broadcast]);
      const reached = await feed.seekNever(broadcast);
      if (reached !== undefined)
        unmet('messages that name nobody at all are listed as well', reached.exchanges[0]);
      const bySameHuman = await sendBySameHuman(context);
      await expect.stream('mentions.only-explicit', feed).toNeverShow(inText);
      if (bySameHuman === undefined) return;
      const isListed = (await feed.seekNever(bySameHuman)) !== undefined;
      observe(
        'mentions.same-human-authored',
        'another-agent-of-the-human',
        isListed ? 'listed' : 'not listed',
      );
    },
  ),
];

/** A message by another agent of the reader's human that names that human, where there is one. */
async function sendBySameHuman(context: Mentioning): Promise<Draft | undefined> {
  const { reader, channel, identities, optional } = context;
  const peer = optional('peer');
  const { humanUserId } = await identities.provenance(reader);
  if (peer === undefined || humanUserId === undefined) return undefined;
  const targets = [{ kind: 'user', id: humanUserId }];
  return mention(context, { from: peer, channelId: channel.id, targets });
}

/** What the reader's agent is called, as its own messages show it. */
async function displayNameOf(context: Mentioning): Promise<string> {
  const { items } = await quietMentions(context);
  const author = items[0]?.message['author'];
  const name = isRecord(author) ? author['display_name'] : undefined;
  return typeof name === 'string' && name !== '' ? name : unmet('the reader has no name');
}
