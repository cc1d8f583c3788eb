import type { Exchange } from '../../../harness/client/exchange.ts';
import type { Actor } from '../../../harness/client/actor.ts';
import type { Context } from '../../../harness/check/context.ts';
import { given } from '../../../harness/verdict/outcome.ts';
import { recordsOthers, recordsRetrieval } from '../../../spec/oracles/answers/receipts.ts';
import type { Preview, ReportedMessage } from '../../../spec/oracles/answers/receipts.ts';
import { requireAccepted } from '../send/accepted-sends.ts';
import { awaitFullList, readFullList, type FullList } from './full-list.ts';
import { relativesOf } from './relatives.ts';
import {
  apartMs,
  cursorBefore,
  messageIdOf,
  report,
  reportInOne,
  requireReported,
  seePreview,
  seePreviewAtLast,
} from './reports.ts';
import type { SentBehind } from './reports.ts';

type ReportContext = Context<'author' | 'reader' | 'channel'>;

/** A message whose retrieval was reported by one agent after the other. */
interface Reported extends ReportedMessage {
  readonly isReportedByAuthor: boolean;
  /** The preview after the report of the first of the reporters alone; `undefined` where that is not known. */
  readonly early: Preview | undefined;
  /** The read that showed it last. */
  readonly evidence: Exchange;
}

/** A message as it is listed with those that reported it. */
type ReportedWithOthers = Pick<Reported, 'messageId' | 'reporters' | 'preview'>;

/** What a run knows of its reports. */
interface Reports {
  readonly messages: readonly Reported[];
  /** Messages that one agent reported by one request. */
  readonly together: readonly ReportedWithOthers[];
  /** The list of the channel's retrievals: whole, and one a page where the whole is a single page. */
  readonly lists: { readonly shortPages: FullList; readonly whole: FullList };
}

/**
 * Two messages, reported by reader and peer in opposite orders, by the first one of each again, and the second one by its
 * author, and two that one of them reported by one request: once in a run. Without a peer the reader reports alone. Ends the check with its precondition not met unless some report shows, in a
 * preview or in the list: until then reports may be made otherwise.
 */
export async function reportedMessages(context: ReportContext): Promise<Reports> {
  const reports = await context.shared('reports of retrievals', () => makeReports(context));
  const isShown = reports.messages.some(
    ({ reporters, preview, recorded }) =>
      reporters.some((agent) => preview.agentIds.includes(agent)) || (recorded ?? []).length > 0,
  );
  given(isShown, 'a reported retrieval is shown nowhere: see bindings.report_receipt');
  return reports;
}

/** A message that the reader reported and nobody else. */
export interface ReportedAlone {
  readonly sent: SentBehind;
  readonly about: Parameters<typeof report>[1];
  readonly answer: Exchange;
}

/** One of those, made once in a run: what is reported long before it is needed need not be waited for. */
export function reportedLongBefore(context: ReportContext): Promise<ReportedAlone> {
  return context.shared('a retrieval of the reader alone', () => reportAlone(context));
}

/** Sends a message, and has the reader report it. */
export async function reportAlone(
  context: Pick<ReportContext, 'author' | 'bindings' | 'channel' | 'draft' | 'reader'>,
): Promise<ReportedAlone> {
  const { author, bindings, channel, draft, reader } = context;
  const each = draft();
  requireAccepted(await author.send(channel.id, each.text));
  const item = await channel.arrival(each);
  const about = { bindings, channelId: channel.id, messageId: messageIdOf(item) };
  const answer = await report(reader, about);
  requireReported(answer);
  return { sent: { draft: each, from: cursorBefore(item), isNext: true }, about, answer };
}

interface Agent {
  readonly actor: Actor;
  readonly id: string;
}

async function makeReports(context: ReportContext): Promise<Reports> {
  const { author, channel, draft, optional, reader } = context;
  const agents = await agentsOf(context, reader, optional('peer'));
  const from = await channel.since();
  const drafts = [draft(), draft()] as const;
  requireAccepted(...(await Promise.all(drafts.map(({ text }) => author.send(channel.id, text)))));
  await channel.arrivals(drafts);
  // By UUID ascending and descending: an order that is no order of time is wrong in one of them.
  const orders = [agents, agents.toReversed()];
  const messages = await Promise.all(
    drafts.map((each, index) => reportOne(context, { draft: each, from }, orders[index] ?? [], index === 1)),
  );
  // A page of the list may end between two that one report names.
  const inOne = await reportInOne(context, 2);
  const together = inOne.seen.map(({ messageId, preview }) => ({
    messageId,
    preview,
    reporters: [inOne.readerId],
  }));
  const lists = await listsWith(context, [...messages, ...together]);
  const { whole } = lists;
  const due = await withoutRelatives(context, agents, messages);
  const isDue = (id: string | undefined): boolean => due.some((agent) => agent.id === id);
  return {
    lists,
    together,
    messages: messages.map((message) => ({
      ...message,
      reporters: message.reporters.filter(isDue),
      early: isDue(message.reporters[0]) ? message.early : undefined,
      recorded: whole.problem === undefined ? recordedIn(whole, message.messageId, due) : undefined,
      hasOtherRecords: message.isReportedByAuthor || isOfOthers(whole, message.messageId, due),
    })),
  };
}

/** The list once it has what messages show, or after as long as that may take: then nothing more comes to its pages either. */
async function listsWith(
  context: ReportContext,
  due: readonly ReportedWithOthers[],
): Promise<Reports['lists']> {
  const of = { actor: context.author, channelId: context.channel.id };
  const whole = await awaitFullList(context, of, due);
  // In which order a list is, and what its cursors mean later, is not shown: both begin where it begins.
  if (whole.answers.length > 1) return { whole, shortPages: whole };
  const shortPages =
    whole.judgement.problems.length > 0
      ? await readFullList(of.actor, of.channelId, { limit: 1 })
      : await awaitFullList(context, { ...of, limit: 1 }, due);
  return { whole, shortPages };
}

/** One agent reports after the other, and the first a second time; the author of one message too, whom no preview lists. */
async function reportOne(
  context: ReportContext,
  sent: SentBehind,
  order: readonly Agent[],
  isReportedByAuthor: boolean,
): Promise<Omit<Reported, 'recorded' | 'hasOtherRecords'>> {
  const { author, bindings, channel, settleMs, sleep } = context;
  const messageId = messageIdOf(await channel.arrival(sent.draft));
  const about = { bindings, channelId: channel.id, messageId };
  const [first, ...rest] = order;
  if (first !== undefined) requireReported(await report(first.actor, about));
  if (isReportedByAuthor) await report(author, about);
  const early = await seePreviewAtLast(context, channel, sent, ({ agentIds }) => agentIds.length > 0);
  const strangers = rest.filter(({ id }) => early.preview.agentIds.includes(id));
  given(strangers.length === 0, 'an agent is listed that has not reported anything yet', early.exchange);
  await sleep(apartMs(context));
  // Whoever else speaks for the others has not reported it either.
  await seePreview(context, channel, sent, () => true);
  requireReported(...(await Promise.all(rest.map(({ actor }) => report(actor, about)))));
  // In which order they are before one of them reports again is the order from then on.
  await seePreview(context, channel, sent, () => true);
  if (first !== undefined) requireReported(await report(first.actor, about));
  await sleep(settleMs);
  const reporters = order.map(({ id }) => id);
  // Where so much time showed nobody, more of it is no use.
  const isShown = early.preview.agentIds.length > 0 || early.preview.hasMore;
  const { preview, exchange } = await (isShown ? seePreviewAtLast : seePreview)(
    context,
    channel,
    sent,
    ({ agentIds, hasMore }) => hasMore || reporters.every((id) => agentIds.includes(id)),
  );
  return { reporters, isReportedByAuthor, messageId, early: early.preview, preview, evidence: exchange };
}

/** Agents without those that a message does not list and that may count as its author. */
async function withoutRelatives(
  { author, identities }: ReportContext,
  agents: readonly Agent[],
  messages: readonly Pick<Reported, 'preview'>[],
): Promise<readonly Agent[]> {
  const unlisted = agents.filter(({ id }) =>
    messages.some(({ preview }) => !preview.hasMore && !preview.agentIds.includes(id)),
  );
  const relatives = await relativesOf(identities, author, unlisted);
  return agents.filter((agent) => !relatives.includes(agent));
}

/** Those that there are, by their ids. */
async function agentsOf(
  { identities }: ReportContext,
  ...actors: readonly (Actor | undefined)[]
): Promise<readonly Agent[]> {
  const agents = await Promise.all(
    actors
      .filter((actor) => actor !== undefined)
      .map(async (actor) => ({ actor, id: (await identities.agentId(actor)).toLowerCase() })),
  );
  return agents.toSorted((left, right) => (left.id < right.id ? -1 : 1));
}

function recordedIn({ answers }: FullList, messageId: string, agents: readonly Agent[]): readonly string[] {
  const ids = agents.map(({ id }) => id);
  return ids.filter((id) => answers.some(({ response }) => recordsRetrieval(response?.json, messageId, id)));
}

function isOfOthers({ answers }: FullList, messageId: string, agents: readonly Agent[]): boolean {
  const ids = agents.map(({ id }) => id);
  return answers.some(({ response }) => recordsOthers(response?.json, messageId, ids));
}
