import type { Actor } from '../../../harness/client/actor.ts';
import type { PageItem, PageRead } from '../../../harness/stream/page.ts';
import type { Walk } from '../../../harness/stream/walk.ts';
import { given, unmet } from '../../../harness/verdict/outcome.ts';
import type { Draft, StreamView } from '../../../harness/stream/stream-view.ts';
import { judgeDistinctSequences } from '../../../oracles/pages/order.ts';
import { eventually, settle } from '../eventually.ts';
import { follow } from '../follow.ts';
import { hasAll } from '../channel-read/series.ts';
import { severalTimes } from '../several-times.ts';
import { seekListed } from './listed.ts';
import { mention, ownItems } from './mentioning.ts';
import { agentTarget } from '../send/proof.ts';
import type { Mentioning } from './mentioning.ts';
import { requireAnswered } from '../send/accepted-sends.ts';

/** Messages that each name one agent, sent side by side while its feed was followed, and settled since. */
export interface MentionSeries {
  /** A cursor that the feed gave out before the first was sent, or a mention that it showed: all lie above it. */
  readonly after: bigint;
  readonly drafts: readonly Draft[];
  /** How the feed showed them once settled, in its order. */
  readonly items: readonly PageItem[];
  /** Pages read one after the other, each from where the one before ended, while they were being sent. */
  readonly following: readonly PageRead[];
  /** All pages that were read: those of `following` and, more than the settle time later, a walk over the whole. */
  readonly pages: readonly PageRead[];
}

/** Two more than a page holds that was asked for without a limit. */
const seriesLength = 52;
const pauseMs = 20;

/** The reader's feed with more mentions than the default limit. Other checks go on mentioning the reader meanwhile. */
export function mentionSeries(context: Mentioning): Promise<MentionSeries> {
  const { author, reader } = context;
  return context.shared('mention-series', () =>
    makeSeries(context, { from: author, to: reader, count: seriesLength }),
  );
}

/** A few mentions in the author's feed, where nobody else is mentioning the author meanwhile. */
export function quietMentions(context: Mentioning): Promise<MentionSeries> {
  const { author, reader } = context;
  return context.shared('quiet-mentions', () => makeSeries(context, { from: reader, to: author, count: 6 }));
}

/** Ends the check when mentions share a number, for then their places tell nothing. */
export function requireOwnNumbers({ items }: MentionSeries): void {
  given(judgeDistinctSequences(items).problems.length === 0, 'two mentions have one sequence');
}

/** Ends the check unless a short page without a cursor reaches as far as the feed, and holds its newest. */
export async function requireNewest(feed: StreamView, { after }: MentionSeries): Promise<void> {
  const { items } = await feed.walk(after);
  const newest = await feed.readPage(undefined, 3);
  const [first, last] = [newest.items[0]?.sequence, newest.items.at(-1)?.sequence];
  const isRequired = ({ sequence }: PageItem): boolean =>
    sequence !== undefined && (first === undefined || sequence >= first);
  const end = items.at(-1)?.sequence;
  // What came in between the two reads may only lie beyond.
  const isFar = end === undefined || (last !== undefined && last >= end);
  const shown = new Set(newest.items.map(({ id }) => id));
  if (!isFar || !items.filter(isRequired).every(({ id }) => shown.has(id)))
    unmet('a short page without a cursor lacks the newest mentions as well', newest.exchange);
}

/**
 * Reads pages of a settled series and, more than the settle time later, the whole once more. `reads` are all reads
 * together, so that an oracle can tell what was there before the judged pages and still is.
 */
export async function readAmid(
  context: Mentioning,
  feed: StreamView,
  series: MentionSeries,
  read: () => Promise<readonly PageRead[]>,
): Promise<{ readonly judged: readonly PageRead[]; readonly reads: readonly PageRead[] }> {
  const judged = await read();
  await settle(context);
  const { pages } = await readWhole(feed, series);
  // A cursor that falls back has a rule of its own; where such a page reaches says nothing.
  const hasFallenBack = ({ after, nextAfter }: PageRead): boolean =>
    after !== undefined && nextAfter !== undefined && nextAfter < after;
  return { judged, reads: [...series.pages, ...judged, ...pages].filter((page) => !hasFallenBack(page)) };
}

async function makeSeries(
  context: Mentioning,
  { from, to, count }: { from: Actor; to: Actor; count: number },
): Promise<MentionSeries> {
  const { channel, feedOf } = context;
  const feed = await feedOf(to, from);
  const naming = { from, channelId: channel.id, targets: [await agentTarget(context, to)] };
  // A cursor of 0 has a meaning of its own: one mention before the others makes sure of another.
  const before = channel.arrivals([await mention(context, naming)]);
  const { found } = await seekListed(context, feed, undefined, before);
  const end = (await feed.walk(undefined)).nextAfter ?? unmet(`${feed.label} gave no cursor`);
  const after = lower(end, found[0]?.sequence);
  const sending = severalTimes(count, () => mention(context, naming));
  const following = await follow(
    (cursor) => feed.readPage(cursor, 100),
    after,
    sending,
    () => context.clock.pause(pauseMs),
  );
  const drafts = await sending;
  await eventually(
    context,
    () => feed.walk(after),
    (walked) => hasAll([walked], drafts),
  );
  await settle(context);
  const whole = await readWhole(feed, { after, drafts });
  const items = whole.items.filter((item) => ownItems([item], drafts).length > 0);
  if (!hasAll([{ items }], drafts)) {
    // What was not answered is trouble, and no feed that lacks something.
    requireAnswered(...whole.pages.map(({ exchange }) => exchange));
    unmet(`${feed.label} showed ${items.length} of ${count} mentions once settled`);
  }
  return { after, drafts, items, following, pages: [...following, ...whole.pages] };
}

/** The lower of a cursor and the sequence of a mention, which serves as one: a cursor that is too far ahead hides nothing. */
function lower(cursor: bigint, sequence: bigint | undefined): bigint {
  return sequence !== undefined && sequence < cursor ? sequence : cursor;
}

/** A series in long pages, and in pairs as well where long pages lack any of it: then it is known what they lack. */
async function readWhole(
  feed: StreamView,
  { after, drafts }: Pick<MentionSeries, 'after' | 'drafts'>,
): Promise<Pick<Walk, 'items' | 'pages'>> {
  const long = await feed.walk(after);
  if (hasAll([long], drafts)) return long;
  const pairs = await feed.walk(after, { limit: 2 });
  const { items } = hasAll([pairs], drafts) ? pairs : long;
  return { items, pages: [...long.pages, ...pairs.pages] };
}
