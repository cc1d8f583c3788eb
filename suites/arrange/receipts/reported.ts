import type { Exchange } from '../../../harness/client/exchange.ts';
import type { Actor } from '../../../harness/client/actor.ts';
import type { Context } from '../../../harness/check/context.ts';
import { given } from '../../../harness/verdict/outcome.ts';
import type { Draft } from '../../../harness/stream/stream-view.ts';
import { recordsOthers, recordsRetrieval } from '../../../oracles/answers/receipts.ts';
import type { Preview, ReportedMessage } from '../../../oracles/answers/receipts.ts';
import { requireAccepted } from '../send/accepted-sends.ts';
import { readFullList } from './full-list.ts';
import type { FullList } from './full-list.ts';
import { messageIdOf, report, requireReported, seePreview } from './reports.ts';

type ReportContext = Context<'author' | 'reader' | 'channel'>;

/** A message whose retrieval was reported by one agent after the other. */
interface Reported extends ReportedMessage {
  readonly messageId: string;
  readonly authorId: string;
  readonly isReportedByAuthor: boolean;
  /** The preview after the first report alone. */
  readonly early: Preview;
  /** Reads that showed it, the later one last. */
  readonly evidence: readonly Exchange[];
}

/** What a run knows of its reports. */
interface Reports {
  readonly messages: readonly Reported[];
  /** The list of the channel's retrievals: before the reports, from there on one a page, and whole. */
  readonly lists: { readonly shortPages: FullList; readonly whole: FullList };
}

/** Two reports further apart have different times of recording, however coarse the clock of the server is. */
const coarsestClockMs = 1_000;

/**
 * Two messages, reported by reader and peer in opposite orders, by the first one of each again, and the second one by its
 * author: once in a run. Without a peer the reader reports alone. Ends the check as not arranged unless some report shows, in a
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

interface Agent {
  readonly actor: Actor;
  readonly id: string;
}

async function makeReports(context: ReportContext): Promise<Reports> {
  const { author, channel, draft, optional, reader, settleMs, sleep } = context;
  const [authorId, ...agents] = await idsOf(context, author, reader, optional('peer'));
  const from = await channel.since();
  const before = await readFullList(author, channel.id);
  const drafts = [draft(), draft()] as const;
  requireAccepted(...(await Promise.all(drafts.map(({ text }) => author.send(channel.id, text)))));
  await channel.arrivals(drafts);
  // By UUID ascending and descending: an order that is no order of time is wrong in one of them.
  const orders = [agents, agents.toReversed()];
  const started = await Promise.all(
    drafts.map((each, index) =>
      reportFirst(context, {
        draft: each,
        from,
        order: orders[index] ?? [],
        isReportedByAuthor: index === 1,
      }),
    ),
  );
  await sleep(settleMs + coarsestClockMs);
  await Promise.all(started.map((each) => reportRest(context, each)));
  await sleep(settleMs);
  const messages = await Promise.all(started.map((each) => finish(context, each)));
  const { end } = before;
  const shortPages = await readFullList(author, channel.id, { after: end, limit: 1 });
  const whole = await readFullList(author, channel.id);
  return {
    lists: { shortPages, whole },
    messages: messages.map((message) => ({
      ...message,
      authorId: authorId?.id ?? '',
      recorded: whole.problem === undefined ? recordedIn(whole, message.messageId, agents) : undefined,
      hasOtherRecords: message.isReportedByAuthor || isOfOthers(whole, message.messageId, agents),
    })),
  };
}

interface Started {
  readonly draft: Draft;
  readonly from: bigint | undefined;
  readonly order: readonly Agent[];
  readonly isReportedByAuthor: boolean;
  readonly messageId: string;
  readonly early: Preview;
  readonly evidence: Exchange;
}

/** The first agent reports, and the author of one message, whose own report no preview lists. */
async function reportFirst(
  context: ReportContext,
  {
    draft,
    from,
    order,
    isReportedByAuthor,
  }: Pick<Started, 'draft' | 'from' | 'order' | 'isReportedByAuthor'>,
): Promise<Started> {
  const { author, bindings, channel } = context;
  const messageId = messageIdOf(await channel.arrival(draft));
  const [first] = order;
  const about = { bindings, channelId: channel.id, messageId };
  if (first !== undefined) requireReported(await report(first.actor, about));
  if (isReportedByAuthor) await report(author, about);
  const isListed = ({ agentIds }: Preview): boolean => agentIds.length > 0;
  const { preview, exchange } = await seePreview(context, channel, { draft, from }, isListed);
  const strangers = order.slice(1).filter(({ id }) => preview.agentIds.includes(id));
  given(strangers.length === 0, 'an agent is listed that has not reported anything yet', exchange);
  return { draft, from, order, isReportedByAuthor, messageId, early: preview, evidence: exchange };
}

/** The other agents report, and the first one a second time. */
async function reportRest(
  { bindings, channel }: ReportContext,
  { order, messageId }: Started,
): Promise<void> {
  const [first, ...rest] = order;
  const about = { bindings, channelId: channel.id, messageId };
  requireReported(...(await Promise.all(rest.map(({ actor }) => report(actor, about)))));
  if (first !== undefined) requireReported(await report(first.actor, about));
}

async function finish(
  context: ReportContext,
  { draft, from, order, isReportedByAuthor, messageId, early, evidence }: Started,
): Promise<Omit<Reported, 'authorId' | 'recorded' | 'hasOtherRecords'>> {
  const reporters = order.map(({ id }) => id);
  const { preview, exchange } = await seePreview(
    context,
    context.channel,
    { draft, from },
    ({ agentIds, hasMore }) => hasMore || reporters.every((id) => agentIds.includes(id)),
  );
  return { reporters, isReportedByAuthor, messageId, early, preview, evidence: [evidence, exchange] };
}

/** The author first, then the others by their ids. */
async function idsOf(
  { identities }: ReportContext,
  author: Actor,
  ...others: readonly (Actor | undefined)[]
): Promise<readonly Agent[]> {
  const agents = await Promise.all(
    [author, ...others.filter((actor) => actor !== undefined)].map(async (actor) => ({
      actor,
      id: (await identities.agentId(actor)).toLowerCase(),
    })),
  );
  return [...agents.slice(0, 1), ...agents.slice(1).toSorted((left, right) => (left.id < right.id ? -1 : 1))];
}

function recordedIn({ answers }: FullList, messageId: string, agents: readonly Agent[]): readonly string[] {
  const ids = agents.map(({ id }) => id);
  return ids.filter((id) => answers.some(({ response }) => recordsRetrieval(response?.json, messageId, id)));
}

function isOfOthers({ answers }: FullList, messageId: string, agents: readonly Agent[]): boolean {
  const ids = agents.map(({ id }) => id);
  return answers.some(({ response }) => recordsOthers(response?.json, messageId, ids));
}
