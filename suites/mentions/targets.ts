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
      const toAll = wordsForAll.map(async (word): Promise<Draft> => {
        const { marker, text: rest } = context.draft();
        const begun = { marker, text: `${word} ${rest}` };
        requireAccepted(await author.send(channel.id, begun.text));
        return begun;
      });
      const atTheStart = await Promise.all(toAll);
      const broadcast = await mention(context, { from: author, channelId: channel.id, targets: [] });
      await channel.arrivals([inText, ...atTheStart, broadcast]);
      const reached = await feed.seekNever(broadcast);
      if (reached !== undefined)
        unmet('messages that name nobody at all are listed as well', reached.exchanges[0]);
      const bySameHuman = await sendBySameHuman(context);
      await expect.stream('mentions.only-explicit', feed).toNeverShow(inText, ...atTheStart);
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
