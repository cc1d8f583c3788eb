import { check, type Check } from '../../harness/check/check.ts';
import type { Actor } from '../../harness/client/actor.ts';
import { type Exchange, isAccepted } from '../../harness/client/exchange.ts';
import type { Context } from '../../harness/check/context.ts';
import { readMentions } from '../../harness/stream/mentions-view.ts';
import { type Draft, findIn } from '../../harness/stream/stream-view.ts';
import { given, unmet } from '../../harness/verdict/outcome.ts';
import {
  holdsId,
  judgeMoreBeyond,
  judgeMoreOnlyBeyond,
  judgeReportersListed,
  type Preview,
  previewIn,
} from '../../spec/oracles/answers/receipts.ts';
import { lastAgents, requireAccepted } from '../arrange/send/accepted-sends.ts';
import { asLongAsThereIsHope } from '../arrange/eventually.ts';
import { readFullList, reportersInList } from '../arrange/receipts/full-list.ts';
import { relativesOf } from '../arrange/receipts/relatives.ts';
import {
  apartMs,
  messageIdOf,
  report,
  requireReported,
  seePreview,
  seePreviewAtLast,
} from '../arrange/receipts/reports.ts';

/** As many as a preview may list. */
const mostListed = 32;
/** Beyond those more than one: of a window that slides the first leave one after the other. */
const beyondAtMost = 3;
/** Messages of one page and agents that report each: together more than a round number that a query for the retrievals of a page may end at. */
const crowded = 4;
const ofEachOnAPage = 26;

/** What only a workspace with many agents shows. */
export const manyAgentsChecks: readonly Check[] = [
  // receipts.has-more.when-beyond-the-preview: `has_more` is true when more agents are recorded than the
  //   preview lists.
  check(
    'receipts.more-agents-than-fit-are-announced',
    {
      title:
        'a message that 33 agents reported says in its channel and among the mentions that there are more than it lists, one that 32 reported does not, and the list of receipts of its channel alone has them all',
      clauses: [
        'receipts.has-more.when-beyond-the-preview',
        'receipts.has-more.only-beyond-the-preview',
        'receipts-list.paginates-all',
        'receipts-list.of-its-channel',
      ],
      // That no agent is listed twice is judged on every page.
      arranges: ['receipts.agent-ids.unique'],
      needs: ['provision-hook', 'report-receipt-binding'],
    },
    async (context) => {
      const { expect } = context;
      const popular = await popularMessage(context, mostListed + 1);
      const { messageId, reportAs, ids } = popular;
      // What is announced before anybody reports is another retrieval, as that of its author, which no preview lists.
      const fresh = await popular.see(() => true);
      // One of them three times, twice at once: agents count, not their reports.
      await popular.reportTwiceAs(0, ({ agentIds }) => agentIds.length > 0);
      const full = await reportAs(0, mostListed, ({ agentIds }) => agentIds.length === mostListed);
      if (full.preview.agentIds.length < 2 && !full.preview.hasMore)
        unmet('of the agents that reported not even two are listed', full.exchange);
      const recorded = ids.slice(0, mostListed);
      const { preview } = full;
      const hasOtherRecords = fresh.preview.hasMore;
      const whole = judgeMoreOnlyBeyond([
        { messageId, reporters: recorded, recorded, preview, hasOtherRecords },
      ]);
      expect.judgement('receipts.has-more.only-beyond-the-preview', whole, full.exchange);

      const over = await reportAs(mostListed, mostListed + 1, ({ hasMore }) => hasMore);
      const beyond = judgeMoreBeyond({ messageId, reporters: ids, preview: over.preview });
      expect.judgement('receipts.has-more.when-beyond-the-preview', beyond, over.exchange);
      const isListed = await expectInList(context, popular.author, [popular]);
      if (isListed) await expectNotElsewhere(context, popular);
      const listed = over.preview.hasMore
        ? await popular.seeAmongMentions(({ hasMore }) => hasMore)
        : undefined;
      if (listed !== undefined) {
        const among = judgeMoreBeyond({ messageId, reporters: ids, preview: listed.preview });
        expect.judgement('receipts.has-more.when-beyond-the-preview', among, listed.exchange, over.exchange);
      }
    },
  ),
  // receipts.has-more.when-beyond-the-preview: `has_more` is true when more agents are recorded than the
  //   preview lists.
  check(
    'receipts.author-that-reported-takes-no-place',
    {
      title:
        'where the author reported before all others, 32 of those are listed as without it, and from the 33rd on there are more',
      clauses: ['receipts.has-more.when-beyond-the-preview'],
      arranges: [
        'receipts.agent-ids.ordered',
        'receipts.agent-ids.earlier-is-a-prefix',
        'receipts.agent-ids.no-author',
      ],
      needs: ['provision-hook', 'report-receipt-binding'],
    },
    async (context) => {
      const { sleep } = context;
      const popular = await popularMessage(context, mostListed + beyondAtMost);
      const { messageId, reportAs, reportAsAuthor, ids } = popular;
      await reportAsAuthor();
      // Whoever comes later changes nothing in the order of these two.
      await reportAs(0, 2, ({ agentIds }) => agentIds.length >= 2);
      const full = await reportAs(2, mostListed, ({ agentIds }) => agentIds.length === mostListed);
      if (full.preview.agentIds.length < 2 && !full.preview.hasMore)
        unmet('of the agents that reported not even two are listed', full.exchange);
      const recorded = ids.slice(0, mostListed);
      expectMoreBeyond(context, { messageId, reporters: recorded }, full);

      // Of two recorded within one second, as far as the server's clock tells, the order is by id.
      await sleep(apartMs(context));
      // And before it reported it was not recorded.
      await popular.see(() => true);
      const one = await reportAs(mostListed, mostListed + 1, ({ hasMore }) => hasMore);
      expectMoreBeyond(context, { messageId, reporters: ids.slice(0, mostListed + 1) }, one);
      const over = await reportAs(mostListed + 1, ids.length, ({ hasMore }) => hasMore);
      expectMoreBeyond(context, { messageId, reporters: ids }, over);
    },
  ),
  // receipts.reported-agent-is-listed: An agent that reported its retrieval shows up with the message in a
  //   later fetch.
  check(
    'receipts.page-of-a-hundred-retrievals-lists-all',
    {
      title:
        'messages on one page that over a hundred retrievals are recorded of list all that reported them, and so does the list of receipts for one of these',
      clauses: ['receipts.reported-agent-is-listed', 'receipts-list.paginates-all'],
      needs: ['provision-hook', 'report-receipt-binding'],
    },
    async (context) => {
      const popular = await popularMessages(context, { agents: ofEachOnAPage, messages: crowded });
      await Promise.all(popular.map(({ ids, reportAs }) => reportAs(0, ids.length, () => true)));
      const seen = await Promise.all(
        popular.map(async ({ messageId, ids, see }) => {
          const isWhole = ({ agentIds, hasMore }: Preview): boolean =>
            hasMore || ids.every((id) => agentIds.includes(id));
          return { messageId, ids, ...(await see(isWhole)) };
        }),
      );
      const isShown = seen.some(({ ids, preview }) => ids.some((id) => preview.agentIds.includes(id)));
      given(isShown, 'a reported retrieval is shown nowhere: see bindings.report_receipt', seen[0]?.exchange);
      const judgement = judgeReportersListed(
        seen.map(({ messageId, ids, preview }) => ({
          messageId,
          reporters: ids,
          preview,
          recorded: undefined,
          hasOtherRecords: false,
        })),
      );
      const reads = seen.map(({ exchange }) => exchange);
      const isOfAll = ({ response }: Exchange): boolean =>
        seen.every(({ messageId }) => holdsId(response?.json, messageId));
      // On pages of fewer messages that fewer retrievals are of nothing is crowded.
      given(
        judgement.problems.length > 0 || reads.some(isOfAll),
        'no page shows all messages that the retrievals are of',
        reads[0],
      );
      context.expect.judgement('receipts.reported-agent-is-listed', judgement, ...reads);
      // By one who wrote none of them, and whose own retrievals are among those listed.
      for (const { reporter } of popular.slice(0, 1)) await expectInList(context, reporter, popular);
    },
  ),
];

interface Seen {
  readonly preview: Preview;
  readonly exchange: Exchange;
}

function expectMoreBeyond(
  { expect }: Pick<Context<never>, 'expect'>,
  { messageId, reporters }: { readonly messageId: string; readonly reporters: readonly string[] },
  { preview, exchange }: Seen,
): void {
  // While all fit nothing lies beyond.
  if (reporters.length <= mostListed && reporters.every((agent) => preview.agentIds.includes(agent))) return;
  const beyond = judgeMoreBeyond({ messageId, reporters, preview });
  expect.judgement('receipts.has-more.when-beyond-the-preview', beyond, exchange);
}

/** The list of receipts has whoever reported, where it can be read; whether it could. */
async function expectInList(
  context: Context<'provision-hook'>,
  actor: Actor,
  reported: readonly {
    readonly channelId: string;
    readonly messageId: string;
    readonly ids: readonly string[];
  }[],
): Promise<boolean> {
  const [one] = reported;
  if (one === undefined) return false;
  const { channelId } = one;
  const due = reported.map(({ messageId, ids }) => ({ messageId, reporters: ids }));
  const list = await reportersInList(context, { actor, channelId }, due);
  if (list === undefined) return false;
  context.expect.judgement('receipts-list.paginates-all', list.judgement, ...list.answers.slice(-2));
  return true;
}

/** The list of another channel of the workspace says nothing of a message. */
async function expectNotElsewhere(
  { expect }: Context<'provision-hook'>,
  { author, secondChannelId, messageId }: Awaited<ReturnType<typeof popularMessage>>,
): Promise<void> {
  if (secondChannelId === undefined) return;
  const { answers } = await readFullList(author, secondChannelId);
  const naming = answers.find(({ response }) => holdsId(response?.json, messageId));
  const problem = {
    expected: 'only messages of the channel that is asked for',
    actual: `message ${messageId} of another`,
  };
  if (answers.every(isAccepted))
    expect.holds(
      'receipts-list.of-its-channel',
      naming === undefined,
      problem,
      ...[naming ?? answers].flat(),
    );
}

/** One of {@link popularMessages}, beside nobody. */
async function popularMessage(context: Context<'provision-hook'>, agents: number) {
  const [popular] = await popularMessages(context, { agents, messages: 1 });
  return popular ?? unmet('hooks.provision made no channel to send to');
}

/** Messages one after another in a workspace that others do not read, and so many agents there that may report them; their ids in lower case. */
async function popularMessages(
  { bindings, clock, draft, provision, settleMs, sleep }: Context<'provision-hook'>,
  count: { readonly agents: number; readonly messages: number },
) {
  const fresh = await provision({ agents: count.agents, isShared: true });
  const { channel, identities } = fresh;
  const agents = lastAgents(fresh, count.agents);
  const ids = await Promise.all(agents.map(async (agent) => (await identities.agentId(agent)).toLowerCase()));
  const drafts = Array.from({ length: count.messages }, () => draft());
  const from = await channel.since();
  const author = fresh.actor('author');
  // Others may share the workspace: its own agents are named by nobody else.
  const [reader] = agents;
  const send = async ({ text }: Draft): Promise<Exchange> => {
    const targets = reader && [{ kind: 'agent', id: await identities.agentId(reader) }];
    const sent =
      targets && (await author.send(channel.id, text, { fields: { [bindings.mentions]: targets } }));
    // Where no targets are taken, it names nobody.
    return sent !== undefined && isAccepted(sent) ? sent : author.send(channel.id, text);
  };
  requireAccepted(...(await Promise.all(drafts.map(send))));
  const items = await channel.arrivals(drafts);
  return drafts.flatMap((popular, at) => {
    const item = items[at];
    if (item === undefined) return [];
    const messageId = messageIdOf(item);
    const about = { bindings, channelId: channel.id, messageId };
    let isHopeful = true;
    let reported = 0;
    /** What the message shows once it is enough; much is waited for once. Ends the check where who is not listed may count as the author. */
    const see = async (isEnough: (preview: Preview) => boolean): Promise<Seen> => {
      const look = isHopeful ? seePreviewAtLast : seePreview;
      const seen = await look({ settleMs, clock, sleep }, channel, { draft: popular, from }, isEnough);
      if (isEnough(seen.preview)) return seen;
      isHopeful = false;
      const unlisted = agents
        .slice(0, reported)
        .flatMap((actor, of) => (seen.preview.agentIds.includes(ids[of] ?? '') ? [] : [{ actor }]));
      const relatives = seen.preview.hasMore ? [] : await relativesOf(identities, author, unlisted);
      if (relatives.length > 0)
        unmet(
          'an agent that is not listed may be of the human or on the machine of the author',
          seen.exchange,
        );
      return seen;
    };
    /** What it shows in the feed of the first agent, which it names, once it is enough; `undefined` where it is not there, or shows no preview. */
    const seeAmongMentions = async (isEnough: (preview: Preview) => boolean): Promise<Seen | undefined> => {
      if (reader === undefined) return undefined;
      const look = async (): Promise<Seen | undefined> => {
        const { items, exchange } = await readMentions(reader, undefined, 100);
        const preview = previewIn(findIn(items, popular)?.message['receipts']);
        return preview && { preview, exchange };
      };
      return asLongAsThereIsHope({ settleMs, clock, sleep }, look, {
        isEnough: (seen) => seen === undefined || isEnough(seen.preview),
        isNothing: (seen) => seen !== undefined && !isEnough(seen.preview),
      });
    };
    return {
      author,
      seeAmongMentions,
      reporter: reader ?? author,
      channelId: channel.id,
      secondChannelId: fresh.secondChannelId,
      messageId,
      ids,
      see,
      reportAsAuthor: async () => requireReported(await report(author, about)),
      /** Two reports by one of the agents at one time, of which no more than one has to be taken, and what the message then shows. */
      reportTwiceAs: async (at: number, isEnough: Parameters<typeof see>[0]): Promise<Seen> => {
        const agent = agents[at] ?? unmet('hooks.provision made fewer agents than were asked for');
        const reports = await Promise.all([report(agent, about), report(agent, about)]);
        requireReported(reports.find(isAccepted) ?? reports[0]);
        reported = Math.max(reported, at + 1);
        return see(isEnough);
      },
      /** Reports by some of the agents, and what the message then shows. */
      reportAs: async (first: number, end: number, isEnough: Parameters<typeof see>[0]): Promise<Seen> => {
        requireReported(
          ...(await Promise.all(agents.slice(first, end).map((agent) => report(agent, about)))),
        );
        reported = Math.max(reported, end);
        return see(isEnough);
      },
    };
  });
}
