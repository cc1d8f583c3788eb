import type { PageItem } from '../../../harness/stream/page.ts';
import { given, unmet } from '../../../harness/verdict/outcome.ts';
import { seekListed } from './listed.ts';
import { mention, type Mentioning } from './mentioning.ts';
import { agentTarget } from '../send/proof.ts';

/** Messages that each name one agent, as its feed lists them. */
interface MentionSeries {
  /** A cursor that the feed gave out before the first was sent, or a mention that it showed: all lie above it. */
  readonly after: bigint;
  readonly items: readonly PageItem[];
}

/** A few mentions in the author's feed, where hardly anybody else is mentioning the author meanwhile. */
export function quietMentions(context: Mentioning): Promise<MentionSeries> {
  const { author, reader, channel, feedOf, shared } = context;
  return shared('quiet-mentions', async () => {
    const feed = await feedOf(author, reader);
    const naming = { from: reader, channelId: channel.id, targets: [await agentTarget(context, author)] };
    // A cursor of 0 has a meaning of its own: one mention before the others makes sure of another.
    const before = channel.arrivals([await mention(context, naming)]);
    const { found } = await seekListed(context, feed, undefined, before);
    const end = (await feed.walk(undefined)).nextAfter ?? unmet(`${feed.label} gave no cursor`);
    const after = lower(end, found[0]?.sequence);
    const drafts = await Promise.all([1, 2, 3, 4, 5, 6].map(() => mention(context, naming)));
    const listed = await seekListed(context, feed, after, channel.arrivals(drafts));
    const items = listed.found.flatMap((item) => item ?? []);
    given(items.length === drafts.length, `${feed.label} showed ${items.length} of 6`, listed.exchanges[0]);
    return { after, items };
  });
}

/** The lower of a cursor and the sequence of a mention, which serves as one: a cursor that is too far ahead hides nothing. */
function lower(cursor: bigint, sequence: bigint | undefined): bigint {
  return sequence !== undefined && sequence < cursor ? sequence : cursor;
}
