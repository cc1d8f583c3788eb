import { check, type Check } from '../../harness/check/check.ts';
import type { Always } from '../../harness/check/context.ts';
import type { Actor } from '../../harness/client/actor.ts';
import type { Exchange } from '../../harness/client/exchange.ts';
import { readPage } from '../../harness/stream/page.ts';
import { arrivalsOn, findIn, type Draft } from '../../harness/stream/stream-view.ts';
import { walk } from '../../harness/stream/walk.ts';
import { given } from '../../harness/verdict/outcome.ts';
import { eventually } from '../arrange/eventually.ts';
import { mention, requireTarget } from '../arrange/mentions/mentioning.ts';
import { agentTarget } from '../arrange/send/proof.ts';
import type { NamedTarget } from '../../spec/oracles/messages/targets.ts';

/** One channel of so many is written to: enough to meet where a list of them is cut by habit. */
const oneOf = 5;

/** A message and the channel that it was sent to. */
interface Sent {
  readonly draft: Draft;
  readonly channelId: string;
}

/** Mentions from more channels than a query names by habit. */
export const manyChannelsChecks: readonly Check[] = [
  // mentions.across-channels: Mentions from all shared channels of the workspace come in one listing.
  check(
    'mentions.of-a-hundred-channels-are-listed',
    {
      title: 'in a workspace of over a hundred channels a mention is listed whichever of them it is in',
      clauses: ['mentions.across-channels'],
      needs: ['provision-hook', 'mentions-binding'],
    },
    async (context) => {
      const { expect, provision } = context;
      const fresh = await provision({ isShared: true });
      const further = fresh.furtherChannels;
      given(further.length > 0, 'the fresh workspace has no further channels: hooks.provision can make some');
      const [author, reader] = [fresh.actor('author'), fresh.actor('reader')];
      const target = await agentTarget(fresh, reader);
      const send = async (channelId: string): Promise<Sent> => ({
        draft: await mention(context, { from: author, channelId, targets: [target] }),
        channelId,
      });
      const feed = await fresh.feedOf(reader, author);
      const from = await feed.since();
      const first = await send(fresh.channel.id);
      const isChosen = (_: string, at: number): boolean => at % oneOf === 0 || at === further.length - 1;
      const others = await Promise.all(further.filter(isChosen).map(send));
      const lookFor = async (sought: readonly Sent[]) => {
        const { pages, isComplete } = await eventually(
          context,
          () => feed.walk(from),
          ({ items }) => sought.every(({ draft }) => findIn(items, draft) !== undefined),
        );
        const last = pages.at(-1)?.exchange;
        given(isComplete, 'the feed was not read to its end', last);
        const items = arrivalsOn(pages);
        return { last, listing: ({ draft }: Sent) => findIn(items, draft)?.exchange };
      };
      const look = await lookFor([first, ...others]);
      // What retention may have taken is sent once more: then it is the newest.
      const isFirstThere = look.listing(first) !== undefined;
      const again = isFirstThere ? undefined : await send(fresh.channel.id);
      const { listing, last } = again === undefined ? look : await lookFor([again]);
      const older = isFirstThere ? listing(first) : others.flatMap((each) => listing(each) ?? [])[0];
      given(older !== undefined, 'none of the mentions is listed that came before others', last);
      // Each that is sought is younger than one that is listed.
      const sought = again === undefined ? others : [again];
      const missing = sought.find((each) => listing(each) === undefined);
      // What retention took of a channel looks like what never was listed of it.
      const isShown = missing !== undefined || others.every((each) => look.listing(each) !== undefined);
      given(isFirstThere || isShown, 'mentions of other channels are not listed either', look.last);
      const problem = {
        expected: `mentions from ${others.length + 1} channels`,
        actual: `one in channel ${missing?.channelId} is not listed, though an older one is`,
      };
      const shown = missing === undefined ? [] : [await requireShown(context, reader, missing, target)];
      const evidence = new Set([...shown, older, ...(last === undefined ? [] : [last])]);
      expect.holds('mentions.across-channels', missing === undefined, problem, ...evidence);
    },
  ),
];

/** The page of its channel that shows a message with its target to whoever has it as a mention; ends the check where none does. */
async function requireShown(
  { bindings }: Pick<Always, 'bindings'>,
  reader: Actor,
  { draft, channelId }: Sent,
  target: NamedTarget,
): Promise<Exchange> {
  const { pages } = await walk(
    async (after) => readPage(await reader.readChannel(channelId, { after, limit: 100 }), bindings.items),
    0n,
  );
  const item = findIn(arrivalsOn(pages), draft);
  const last = pages.at(-1)?.exchange;
  given(item !== undefined, 'the channel does not show the reader the message that is not listed', last);
  requireTarget(item, target);
  return item.exchange;
}
