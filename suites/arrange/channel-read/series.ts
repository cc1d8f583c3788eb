import type { PageRead } from '../../../harness/stream/page.ts';
import { isAccepted } from '../../../harness/client/exchange.ts';
import type { Context } from '../../../harness/check/context.ts';
import { describeAnswer, unmet } from '../../../harness/verdict/outcome.ts';
import { findIn, type Draft } from '../../../harness/stream/stream-view.ts';
import { eventually } from '../eventually.ts';

/** What it takes to write to a channel and to read it. */
export const channelNeeds = ['author', 'channel'] as const;
export type InChannel = Context<(typeof channelNeeds)[number]>;

/** A few messages of a channel that several checks look at. */
interface ChannelSeries {
  /** All of them lie above this. */
  readonly from: bigint;
  readonly drafts: readonly Draft[];
}

const seriesLength = 9;
/** Numbers to step back from a cursor, so that one which is too far ahead hides nothing. */
const marginOfCursors = 5n;

/** Nine messages of the author, one sent after the other. Other checks' messages may lie between and behind them. */
export function channelSeries(context: InChannel): Promise<ChannelSeries> {
  return context.shared('channel-series', async () => {
    const from = await fromBefore(context);
    const drafts = await sendEach(context, seriesLength);
    // Once the last one is there, what does not show the others is a matter for the checks.
    await eventually(
      context,
      () => pagesFrom(context, from),
      (pages) => hasAll(pages, drafts.slice(-1)),
    );
    return { from, drafts };
  });
}

/** A little below a cursor that was given out before anything the check sends. */
export async function fromBefore({ channel }: InChannel): Promise<bigint> {
  const since = (await channel.since()) ?? 0n;
  return since > marginOfCursors ? since - marginOfCursors : 0n;
}

/** Sends messages one after the other; ends the check with its precondition not met when one is not accepted. */
export async function sendEach(context: InChannel, count: number): Promise<Draft[]> {
  const drafts: Draft[] = [];
  // Each is sent when the one before was acknowledged.
  while (drafts.length < count) drafts.push(await sendOne(context));
  return drafts;
}

/** Sends one message; ends the check with its precondition not met when it is not accepted. */
export async function sendOne({ author, channel, draft }: InChannel): Promise<Draft> {
  const sent = draft();
  const exchange = await author.send(channel.id, sent.text);
  return isAccepted(exchange) ? sent : unmet(`a send got ${describeAnswer(exchange)}`, exchange);
}

/** The pages of a walk by the author, as far as it went. */
export async function pagesFrom({ channel }: InChannel, from: bigint): Promise<readonly PageRead[]> {
  const { pages } = await channel.walk(from);
  return pages;
}

/** True once pages show all of `drafts`. */
export function hasAll(pages: readonly Pick<PageRead, 'items'>[], drafts: readonly Draft[]): boolean {
  const items = pages.flatMap((page) => page.items);
  return drafts.every((draft) => findIn(items, draft) !== undefined);
}

/** A message of the series and the cursor right below it, so that a page from there begins with it, however short. */
export async function cursorBelowOne(
  context: InChannel,
): Promise<{ readonly after: bigint; readonly draft: Draft }> {
  const { from, drafts } = await channelSeries(context);
  const items = (await pagesFrom(context, from)).flatMap((page) => page.items);
  for (const [index, item] of items.entries()) {
    const draft = drafts.find((each) => findIn([item], each) !== undefined);
    if (draft !== undefined) return { after: items[index - 1]?.sequence ?? from, draft };
  }
  return unmet('no message of the series can be read');
}
