import { isRecord } from '../../spec/calls/index.ts';
import { check, type Check } from '../../harness/check/check.ts';
import { isAccepted, type Exchange } from '../../harness/client/exchange.ts';
import type { PageItem, PageRead } from '../../harness/stream/page.ts';
import { findIn, type Draft } from '../../harness/stream/stream-view.ts';
import { given, unmet } from '../../harness/verdict/outcome.ts';
import { showsTarget } from '../../spec/oracles/messages/targets.ts';
import { asLongAsThereIsHope, leastHopeMs } from '../arrange/eventually.ts';
import {
  mention,
  mentionNeeds,
  requirePages,
  requireTarget,
  type Mentioning,
} from '../arrange/mentions/mentioning.ts';
import { sharedPrincipal } from '../arrange/mentions/shared-principals.ts';
import { arranged } from '../arrange/or-else.ts';
import { requireAccepted } from '../arrange/send/accepted-sends.ts';
import { agentTarget } from '../arrange/send/proof.ts';
import { quietMentions } from '../arrange/mentions/series.ts';

/** What other services take for a mention of everybody, at the begin of a text or anywhere in it. */
const wordsForAll = ['@here', '@channel', '@everyone', '@all', '<!here>'];

/** Which messages are listed for whom. */
export const mentionTargetChecks: readonly Check[] = [
  // mentions.matches-agent-target: A retained message of somebody else that names the calling agent is listed.
  check(
    'mentions.feed-of-whom-messages-name-does-not-stay-empty',
    {
      title: 'the mentions of an agent that a message in a channel names do not stay empty',
      clauses: ['mentions.matches-agent-target'],
      needs: mentionNeeds,
      // Where they stay empty it waits longer than other checks.
      waitMs: leastHopeMs,
    },
    async (context) => {
      const { author, channel, expect, feedOf, identities, reader } = context;
      const shared = await sharedPrincipal(identities, author, reader);
      given(shared === undefined, `author and reader share their ${shared}, and may count as one author`);
      const feed = await feedOf(reader, author);
      const target = await agentTarget(context, reader);
      const draft = await mention(context, { from: author, channelId: channel.id, targets: [target] });
      const item = await channel.arrival(draft);
      requireTarget(item, target);
      const read = () => Promise.all([feed.readPage(undefined, 100), feed.readPage(0n)]);
      const isListed = ([newest]: readonly PageRead[]): boolean =>
        newest !== undefined && findIn(newest.items, draft) !== undefined;
      const isEmpty = (pages: readonly PageRead[]): boolean =>
        pages.every(({ exchange, hasMore }) => isEmptyListing(exchange) && hasMore === false);
      const pages = await asLongAsThereIsHope(context, read, { isEnough: isListed, isNothing: isEmpty });
      if (!isListed(pages)) requirePages(...pages);
      // No newer mention can have taken the place of this one.
      const [isNothing, evidence] = [isEmpty(pages), pages.map(({ exchange }) => exchange)];
      given(isNothing || isListed(pages), 'the newest mentions of the reader lack the message', evidence[0]);
      const problem = { expected: `the message ${draft.marker}`, actual: 'no mentions at all' };
      expect.holds('mentions.matches-agent-target', !isNothing, problem, item.exchange, ...evidence);
    },
  ),
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
      // Each at the start of one message and at the end of another.
      const toAll = wordsForAll.map((word, at) => {
        const message = context.draft();
        return { ...message, text: `${word} ${message.text} ${wordsForAll.at(at - 1)}` };
      });
      await Promise.all(toAll.map(async ({ text }) => requireAccepted(await author.send(channel.id, text))));
      const broadcast = await mention(context, where);
      await channel.arrivals([bare, withAt, ...toAll, broadcast]);
      const reached = await feed.seekNever(broadcast);
      if (reached !== undefined)
        unmet('messages that name nobody at all are listed as well', reached.exchanges[0]);
      const bySameHuman = await sendBySameHuman(context);
      // Whom a word stands for may be found when a message is created, as whom an @ stands before: then it names them.
      const target = { kind: 'agent', id: agentId };
      const named = await arranged(() => mention(context, { ...where, targets: [target] }));
      const words = await channel.arrivals([...toAll, ...(named === undefined ? [] : [named])]);
      // Where a message shows whom it names, one that shows no targets names nobody.
      const isTold = showsTarget(words[toAll.length]?.message['mentions'], target);
      const toNobody = toAll.filter((_, at) => namesNobody(words[at], isTold));
      const toSome = toAll.filter((each) => !toNobody.includes(each));
      await expect.stream('mentions.only-explicit', feed).toNeverShow(bare, ...toNobody);
      await expect.stream('mentions.at-in-the-text', feed).toNeverShow(withAt, ...toSome);
      if (bySameHuman === undefined) return;
      const isListed = (await feed.seekNever(bySameHuman)) !== undefined;
      observe(
        'mentions.same-human-authored',
        'what another agent of the human sent',
        isListed ? 'listed' : 'not listed',
      );
    },
  ),
];

/** True of a success that lists nothing, not even what cannot be read as a mention. */
function isEmptyListing(exchange: Exchange): boolean {
  const body = exchange.response?.json;
  const listed = isRecord(body) ? body['mentions'] : undefined;
  return isAccepted(exchange) && Array.isArray(listed) && listed.length === 0;
}

/** Whether a message shows that it has no target: by an empty list, or by none where others have one. */
function namesNobody(item: PageItem | undefined, isToldOfOthers: boolean): boolean {
  const targets = item?.message['mentions'] ?? (item !== undefined && isToldOfOthers ? [] : undefined);
  return Array.isArray(targets) && targets.length === 0;
}

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
  return typeof name === 'string' && name !== ''
    ? name
    : unmet('the reader’s own message shows no display_name of its author');
}
