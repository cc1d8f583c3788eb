import { isRecord } from '../../spec/calls/index.ts';
import { check, type Check } from '../../harness/check/check.ts';
import { unmet } from '../../harness/verdict/outcome.ts';
import type { Draft } from '../../harness/stream/stream-view.ts';
import { mention, mentionNeeds, type Mentioning } from '../arrange/mentions/mentioning.ts';
import { requireAccepted } from '../arrange/send/accepted-sends.ts';
import { quietMentions } from '../arrange/mentions/series.ts';

/** What other services take for a mention of everybody, where a text begins with it. */
const wordsForAll = ['@here', '@channel', '@everyone', '@all', '<!here>'];

/** Which messages are listed for whom. */
export const mentionTargetChecks: readonly Check[] = [
  // mentions.only-explicit: A name or an id that merely occurs in the text of a message, or a word for
  //   everybody, does not make a mention.
  check(
    'mentions.names-in-the-text-are-not-listed',
    {
      title: 'a message that names the agent, or everybody, in its text alone is not listed',
      clauses: ['mentions.only-explicit', 'mentions.at-in-the-text'],
      needs: mentionNeeds,
    },
    async (context) => {
      const { author, reader, channel, expect, feedOf, identities, observe } = context;
      const feed = await feedOf(reader, author);
      const agentId = await identities.agentId(reader);
      const name = await displayNameOf(context);
      const where = { from: author, channelId: channel.id, targets: [] };
      const bareName = name.includes('@') ? '' : `${name} `;
      const bare = await mention(context, { ...where, text: `${bareName}${agentId}: a word` });
      const withAt = await mention(context, { ...where, text: `@${agentId} <@${agentId}> @${name}: a word` });
      const toAll = wordsForAll.flatMap((word) => {
        const [atTheStart, after] = [context.draft(), context.draft()];
        return [
          { ...atTheStart, text: `${word} ${atTheStart.text}` },
          { ...after, text: `${after.text} ${word}` },
        ];
      });
      await Promise.all(toAll.map(async ({ text }) => requireAccepted(await author.send(channel.id, text))));
      const broadcast = await mention(context, where);
      await channel.arrivals([bare, withAt, ...toAll, broadcast]);
      const reached = await feed.seekNever(broadcast);
      if (reached !== undefined)
        unmet('messages that name nobody at all are listed as well', reached.exchanges[0]);
      const bySameHuman = await sendBySameHuman(context);
      await expect.stream('mentions.only-explicit', feed).toNeverShow(bare, ...toAll);
      await expect.stream('mentions.at-in-the-text', feed).toNeverShow(withAt);
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
