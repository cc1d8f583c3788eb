import { randomUUID } from 'node:crypto';
import { isRecord } from '../../../spec/calls/index.ts';
import type { Actor } from '../../../harness/client/actor.ts';
import { isAccepted, type Exchange } from '../../../harness/client/exchange.ts';
import { reportRequest } from '../../../harness/record/request-parts.ts';
import type { PageItem } from '../../../harness/stream/page.ts';
import type { Always, Context } from '../../../harness/check/context.ts';
import { withWorkers } from '../../../harness/run/waves.ts';
import type { ChannelView } from '../../../harness/stream/channel-view.ts';
import { describeAnswer, unmet } from '../../../harness/verdict/outcome.ts';
import { findIn, type Draft } from '../../../harness/stream/stream-view.ts';
import { previewIn, type Preview } from '../../../spec/oracles/answers/receipts.ts';
import { asLongAsThereIsHope, eventually } from '../eventually.ts';
import { readOn, requireAccepted, requireAnswered } from '../send/accepted-sends.ts';

/** Two reports further apart have different times of recording, however coarse the clock of the server is. */
const coarsestClockMs = 1_000;

/** How far two reports lie apart of which the judges of the history know the earlier one, in ms. */
export function apartMs({ settleMs, surelySettledMs }: Pick<Always, 'settleMs' | 'surelySettledMs'>): number {
  return Math.max(settleMs + coarsestClockMs, surelySettledMs + 20);
}

/** Reports, in the form that the bindings say, that an agent retrieved a message of a channel. */
export function report(
  actor: Actor,
  { bindings, channelId, messageId }: { bindings: Always['bindings']; channelId: string; messageId: string },
): Promise<Exchange> {
  return reportTogether(actor, { bindings, channelId, messageIds: [messageId] });
}

/** Reports several messages of a channel by one request, in their order. */
export function reportTogether(
  actor: Actor,
  about: { bindings: Always['bindings']; channelId: string; messageIds: readonly string[] },
): Promise<Exchange> {
  return actor.request(reportRequest(about.bindings, about.channelId, about.messageIds, randomUUID()));
}

/** Ends the check with its precondition not met unless every report was accepted: how retrievals are reported is not shown. */
export function requireReported(...reports: readonly Exchange[]): void {
  requireAnswered(...reports);
  const other = reports.find((exchange) => !isAccepted(exchange));
  if (other !== undefined) {
    unmet(`a report of a retrieval got ${describeAnswer(other)}: see bindings.report_receipt`, other);
  }
}

/** A message as it is now, and its preview of retrievals. */
interface Sight {
  readonly item: PageItem;
  readonly preview: Preview;
  readonly exchange: Exchange;
}

/** A message, and a cursor that it lies behind. */
export interface SentBehind {
  readonly draft: Draft;
  readonly from: bigint | undefined;
  /** Whether it is the first behind it. */
  readonly isNext?: boolean;
}

/** Reads a message again until its preview is as wanted; the last look, be it so or not. */
export function seePreview(
  context: Pick<Always, 'settleMs' | 'clock'>,
  channel: ChannelView,
  sent: SentBehind,
  isEnough: (preview: Preview) => boolean,
): Promise<Sight> {
  return eventually(
    context,
    () => look(channel, sent),
    ({ preview }) => isEnough(preview),
  );
}

/**
 * Reads a message as {@link seePreview} does, and where its preview is not as wanted once more much later: a report may be taken before
 * it is recorded, and in which later fetch it shows is not said.
 */
export function seePreviewAtLast(
  context: Pick<Always, 'settleMs' | 'clock' | 'sleep'>,
  channel: ChannelView,
  sent: SentBehind,
  isEnough: (preview: Preview) => boolean,
): Promise<Sight> {
  return asLongAsThereIsHope(context, () => look(channel, sent), {
    isEnough: ({ preview }) => isEnough(preview),
    isNothing: ({ preview }) => !preview.hasMore && !isEnough(preview),
  });
}

async function look(channel: ChannelView, { draft, from, isNext = false }: SentBehind): Promise<Sight> {
  const { pages } = isNext ? { pages: [await channel.readPage(from, 1)] } : await readOn(channel, from);
  const page =
    pages.find(({ items }) => findIn(items, draft) !== undefined) ??
    unmet('the channel no longer shows the message');
  const item = findIn(page.items, draft) ?? unmet('the channel no longer shows the message');
  const { receipts } = item.message;
  const preview = previewIn(receipts);
  if (preview === undefined) {
    const what = isRecord(receipts) ? 'receipts of another shape' : 'no receipts';
    return unmet(`the message shows ${what}`, page.exchange);
  }
  return { item, preview, exchange: page.exchange };
}

/** A message that a report names, and what a page shows of its retrievals since. */
interface SeenReported {
  readonly messageId: string;
  readonly preview: Preview;
  readonly exchange: Exchange;
}

/** Requests under way at once. */
const workers = 8;

/** So many new messages, all of which the reader reports by one request; nothing is looked for where that is not accepted. */
export async function reportInOne(
  context: Context<'author' | 'reader' | 'channel'>,
  count: number,
): Promise<{
  readonly report: Exchange;
  readonly readerId: string;
  readonly seen: readonly SeenReported[];
}> {
  const { author, bindings, channel, draft, identities, reader } = context;
  const readerId = (await identities.agentId(reader)).toLowerCase();
  const from = await channel.since();
  const drafts = Array.from({ length: count }, () => draft());
  const send = ({ text }: Draft): Promise<Exchange> => author.send(channel.id, text);
  // Who takes no message is not asked for more of them.
  for (const first of drafts.slice(0, 1)) requireAccepted(await send(first));
  requireAccepted(...(await withWorkers(drafts.slice(1), workers, send)));
  const messageIds = (await channel.arrivals(drafts)).map(messageIdOf);
  const sent = await reportTogether(reader, { bindings, channelId: channel.id, messageIds });
  if (!isAccepted(sent)) return { report: sent, readerId, seen: [] };
  const see = async (): Promise<readonly SeenReported[]> =>
    (await readOn(channel, from)).pages.flatMap(({ items, exchange }) =>
      items.flatMap((item) => {
        const preview = previewIn(item.message['receipts']);
        const messageId = item.id?.toLowerCase();
        return preview === undefined || messageId === undefined || !messageIds.includes(messageId)
          ? []
          : [{ messageId, preview, exchange }];
      }),
    );
  const isEnough = (each: readonly SeenReported[]): boolean =>
    each.every(({ preview: { agentIds, hasMore } }) => hasMore || agentIds.includes(readerId));
  const isNothing = (each: readonly SeenReported[]): boolean => !isEnough(each);
  const seen = await asLongAsThereIsHope(context, see, { isEnough, isNothing });
  return { report: sent, readerId, seen };
}

/** The cursor that a message is the first behind. */
export function cursorBefore({ sequence }: PageItem): bigint {
  return (sequence ?? unmet('a message shows no usable sequence')) - 1n;
}

/** The id of a message, lower case. */
export function messageIdOf({ id }: PageItem): string {
  return id?.toLowerCase() ?? unmet('a message shows no usable id');
}
