import { isAccepted } from '../../harness/client/exchange.ts';
import type { PageItem, PageRead } from '../../harness/stream/page.ts';
import { check } from '../../harness/check/check.ts';
import type { Check } from '../../harness/check/check.ts';
import { given, unmet } from '../../harness/verdict/outcome.ts';
import type { Draft, StreamView } from '../../harness/stream/stream-view.ts';
import { judgeHoldsAll } from '../../oracles/pages/coverage.ts';
import { judgeEach } from '../../oracles/values/judgement.ts';
import type { Judgement } from '../../oracles/values/judgement.ts';
import { judgeEmptyPagesMoveOn } from '../../oracles/pages/cursor.ts';
import { reachOf, sequencesOf } from '../../oracles/pages/read-page.ts';
import { exchangesOf, mention, mentionNeeds, ownItems } from '../arrange/mentions/mentioning.ts';
import { agentTarget } from '../arrange/send/proof.ts';
import type { Mentioning } from '../arrange/mentions/mentioning.ts';
import { quietMentions, requireNewest } from '../arrange/mentions/series.ts';
import { singlesAfter } from '../arrange/singles.ts';

const needs = [...mentionNeeds, 'large-contents'] as const;
/** Six of these are 2.4 MB: more than a page is likely to hold, and no more than a run may well write. */
const largeBytes = 400_000;
const largeCount = 6;

/** What a byte cap cuts off a page. The cap has no number: a server that cuts nothing here decides nothing. */
export const mentionByteCapChecks: readonly Check[] = [
  // page.empty-page-moves-on: Pages without items that announce more do not hand out the same cursor for
  //   ever.
  check(
    'mentions.cut-page-is-continued',
    {
      title: 'mentions that did not fit on a page follow on the next ones',
      clauses: [
        'page.empty-page-moves-on',
        'page.has-more-while-items-remain',
        'limits.byte-cap-loses-nothing',
      ],
      needs,
      bodyBytes: largeCount * largeBytes,
    },
    async (context) => {
      const { expect, observe } = context;
      const { single } = await largeMentions(context);
      expect.judgement('page.empty-page-moves-on', judgeEmptyPagesMoveOn(single), ...exchangesOf(single));
      const { known, items, pages } = await cutMentions(context);
      observe('mentions.limit.byte-cap', '400-kB-mentions-on-a-page', String(pages[0]?.items.length));
      expect.judgement(
        'page.has-more-while-items-remain',
        judgeAnnounced(pages, known),
        ...exchangesOf(pages),
      );
      expect.judgement('limits.byte-cap-loses-nothing', judgeHoldsAll(items, known), ...exchangesOf(pages));
    },
  ),
  // mentions.shortened-first-page-continues: A first page without `after` that the byte cap cut short is
  //   continued in the same way.
  check(
    'mentions.cut-first-page-is-continued',
    {
      title: 'a page without a cursor that was cut short is continued from its next_after',
      clauses: ['mentions.shortened-first-page-continues'],
      needs,
      bodyBytes: largeCount * largeBytes,
    },
    async (context) => {
      const { author, reader, expect, feedOf } = context;
      const [large] = await Promise.all([
        largeMentions(context),
        quietMentions(context).then(async (quiet) => requireNewest(await feedOf(author, reader), quiet)),
      ]);
      const plain = await cutMentions(context);
      const isContinued = judgeHoldsAll(plain.items, plain.known).problems.length === 0;
      given(isContinued, 'pages with a cursor are not continued either', plain.pages[0]?.exchange);
      const feed = await feedOf(reader, author);
      const { items, pages } = await feed.walk(undefined, { limit: 12 });
      const first =
        pages[0]?.items[0]?.sequence ?? unmet('the page without a cursor is empty', pages[0]?.exchange);
      const required = plain.known.filter(({ sequence }) => sequence !== undefined && sequence >= first);
      requireCut(pages[0], large.drafts, required);
      const judgement = judgeHoldsAll(ownItems(items, large.drafts), required);
      expect.judgement('mentions.shortened-first-page-continues', judgement, ...exchangesOf(pages));
    },
  ),
];

interface LargeMentions {
  readonly after: bigint | undefined;
  readonly drafts: readonly Draft[];
  /** Pages of a single item that were read from `after` on. */
  readonly single: readonly PageRead[];
}

/** Large messages that name the reader, sent one after the other, and read one a page. */
function largeMentions(context: Mentioning): Promise<LargeMentions> {
  const { author, reader, channel, feedOf, shared } = context;
  return shared('large-mentions', async () => {
    const feed = await feedOf(reader, author);
    const after = await feed.since();
    const targets = [await agentTarget(context, reader)];
    const naming = { from: author, channelId: channel.id, targets, text: 'x'.repeat(largeBytes) };
    const drafts: Draft[] = [];
    while (drafts.length < largeCount) {
      // One at a time: a body-capacity limit is not what is looked for.
      drafts.push(await mention(context, naming));
    }
    const { pages: single } = await feed.walk(after, { limit: 1 });
    return { after, drafts, single };
  });
}

/** The same as many a page as fit. Ends the check when nothing is cut. */
async function cutMentions(context: Mentioning): Promise<CutReading> {
  const { author, reader, feedOf, shared } = context;
  const large = await largeMentions(context);
  return shared('cut-mentions', async () => readCut(await feedOf(reader, author), large));
}

/** A stream with large messages, as pages of a hundred items show it: cut where the server cuts them. */
interface CutReading {
  /** The large messages as pages of a single item show them, where no byte cap cuts anything off. */
  readonly known: readonly PageItem[];
  /** Those that the longer pages show. */
  readonly items: readonly PageItem[];
  readonly pages: readonly PageRead[];
}

/** Reads large messages as many a page as fit, and one a page again where any is missing: it may be gone. */
async function readCut(stream: StreamView, large: LargeMentions): Promise<CutReading> {
  const { after, drafts, single } = large;
  const walked = await stream.walk(after);
  const items = ownItems(walked.items, drafts);
  const before = ownItems(
    single.flatMap((page) => page.items),
    drafts,
  );
  const known = items.length < before.length ? await stillThere(stream, large) : before;
  if (known.length < drafts.length) {
    unmet(`${stream.label} showed ${known.length} of ${drafts.length} large messages, one a page`);
  }
  requireCut(walked.pages[0], drafts, known);
  return { known, items, pages: walked.pages };
}

/** The large messages that are there before and after. */
async function stillThere(
  stream: StreamView,
  { after, drafts, single }: LargeMentions,
): Promise<readonly PageItem[]> {
  const singly = single.flatMap((page) => page.items);
  const places = [after, ...sequencesOf(singly)];
  const again = await singlesAfter(stream, places, 2 * places.length);
  const later = ownItems(
    again.flatMap((page) => page.items),
    drafts,
  );
  return ownItems(singly, drafts).filter(({ id }) => later.some((item) => item.id === id));
}

/** Long pages that end before one of the large messages announce more. */
function judgeAnnounced(pages: readonly PageRead[], known: readonly PageItem[]): Judgement {
  return judgeEach(pages.slice(-1), (last) => {
    const reach = reachOf(last);
    const beyond = known.filter(
      ({ sequence }) => sequence !== undefined && reach !== undefined && sequence > reach,
    );
    return last.hasMore === false && beyond.length > 0
      ? {
          expected: `has_more true, since ${beyond.length} messages lie beyond ${String(reach)}`,
          actual: 'has_more false',
        }
      : undefined;
  });
}

/** Ends the check unless a page, asked for more, lacks one of the large messages. */
function requireCut(page: PageRead | undefined, drafts: readonly Draft[], known: readonly PageItem[]): void {
  given(page !== undefined && isAccepted(page.exchange), 'a page was not accepted', page?.exchange);
  if (ownItems(page.items, drafts).length >= known.length) {
    unmet('no page was cut short: the byte cap is larger than what was sent, or leaves out the older ones');
  }
}
