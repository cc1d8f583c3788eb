import type { ClauseId } from '../../spec/index.ts';
import { check, type Check } from '../../harness/check/check.ts';
import { type Exchange, isAccepted } from '../../harness/client/exchange.ts';
import { given, unmet } from '../../harness/verdict/outcome.ts';
import { judgeReportersListed, previewIn, type Preview } from '../../spec/oracles/answers/receipts.ts';
import type { Judgement } from '../../spec/oracles/values/judgement.ts';
import { pagesFrom } from '../arrange/channel-read/series.ts';
import { withWorkers } from '../../harness/run/waves.ts';
import { eventually } from '../arrange/eventually.ts';
import { messageIdOf, reportTogether, requireReported, seePreview } from '../arrange/receipts/reports.ts';
import { requireAccepted } from '../arrange/send/accepted-sends.ts';

const clause: ClauseId = 'receipts.reported-agent-is-listed';

/** More than a server may write at once, by tens. */
const manyMessages = 12;
/** Requests under way at once. */
const workers = 8;

/** Reports that name several messages. */
export const togetherChecks: readonly Check[] = [
  // receipts.reported-agent-is-listed: An agent that reported its retrieval shows up with the message in a
  //   later fetch.
  check(
    'receipts.message-reported-beside-a-recorded-one-lists-its-reporter',
    {
      title:
        'a message that is reported together with one reported before, first or last, lists who reported it',
      clauses: [clause],
      needs: ['author', 'reader', 'channel', 'report-receipt-binding'],
    },
    async (context) => {
      const { author, bindings, channel, draft, expect, identities, reader } = context;
      const readerId = (await identities.agentId(reader)).toLowerCase();
      const from = await channel.since();
      const drafts = [draft(), draft(), draft(), draft()];
      requireAccepted(...(await Promise.all(drafts.map(({ text }) => author.send(channel.id, text)))));
      const messages = (await channel.arrivals(drafts)).map((item, at) => ({
        messageId: messageIdOf(item),
        draft: drafts[at] ?? unmet('a message is shown that was not sent'),
      }));
      const [one, other, later, last] = messages;
      if (one === undefined || other === undefined || later === undefined || last === undefined)
        return unmet('the channel shows fewer messages than were sent');

      const report = async (...reported: readonly (typeof one)[]): Promise<void> => {
        const messageIds = reported.map(({ messageId }) => messageId);
        requireReported(await reportTogether(reader, { bindings, channelId: channel.id, messageIds }));
      };
      const see = (message: typeof one) =>
        seePreview(
          context,
          channel,
          { draft: message.draft, from },
          ({ agentIds, hasMore }) => hasMore || agentIds.includes(readerId),
        );
      // That one report may name several messages is what a target says.
      await report(one, other);
      for (const { preview, exchange } of await Promise.all([see(one), see(other)]))
        given(
          preview.agentIds.includes(readerId),
          'a report of two messages does not count for each of them: see bindings.report_receipt',
          exchange,
        );

      await report(one, later);
      await report(last, other);
      for (const message of [later, last]) {
        const { preview, exchange } = await see(message);
        const { messageId } = message;
        const judgement = judgeReportersListed([
          { messageId, reporters: [readerId], preview, recorded: undefined, hasOtherRecords: false },
        ]);
        expect.judgement(clause, judgement, exchange);
      }
    },
  ),
  // receipts.reported-agent-is-listed: An agent that reported its retrieval shows up with the message in a
  //   later fetch.
  check(
    'receipts.every-message-of-a-long-report-lists-its-reporter',
    {
      title: `of ${manyMessages} messages that one report names, each lists who reported it`,
      clauses: [clause],
      needs: ['author', 'reader', 'channel', 'report-receipt-binding'],
    },
    async (context) => {
      const { author, bindings, channel, draft, expect, identities, reader } = context;
      const readerId = (await identities.agentId(reader)).toLowerCase();
      const from = await channel.since();
      const drafts = Array.from({ length: manyMessages }, () => draft());
      const send = ({ text }: (typeof drafts)[number]) => author.send(channel.id, text);
      // Who takes no message is not asked for more of them.
      for (const first of drafts.slice(0, 1)) requireAccepted(await send(first));
      requireAccepted(...(await withWorkers(drafts.slice(1), workers, send)));
      const messageIds = (await channel.arrivals(drafts)).map(messageIdOf);
      const report = await reportTogether(reader, { bindings, channelId: channel.id, messageIds });
      given(
        isAccepted(report),
        'a report of so many messages is not accepted: how many it may name is open',
        report,
      );
      const see = async (): Promise<readonly Seen[]> =>
        (await pagesFrom(context, from ?? 0n)).flatMap(({ items, exchange }) =>
          items.flatMap((item) => {
            const preview = previewIn(item.message['receipts']);
            const messageId = item.id?.toLowerCase();
            return preview === undefined || messageId === undefined || !messageIds.includes(messageId)
              ? []
              : [{ messageId, preview, exchange }];
          }),
        );
      const isListed = ({ preview: { agentIds, hasMore } }: Seen): boolean =>
        hasMore || agentIds.includes(readerId);
      const seen = await eventually(context, see, (each) => each.every(isListed));
      given(seen.some(isListed), 'a report of many messages counts for none of them', report);
      const judge = (each: readonly Seen[]): Judgement =>
        judgeReportersListed(
          each.map(({ messageId, preview }) => ({
            messageId,
            reporters: [readerId],
            preview,
            recorded: undefined,
            hasOtherRecords: false,
          })),
        );
      const wrong = seen.filter((each) => judge([each]).problems.length > 0).map(({ exchange }) => exchange);
      const shown = wrong.length > 0 ? wrong : seen.map(({ exchange }) => exchange);
      expect.judgement(clause, judge(seen), report, ...new Set(shown.slice(0, 1)));
    },
  ),
];

/** A message, and what a page shows of its retrievals. */
interface Seen {
  readonly messageId: string;
  readonly preview: Preview;
  readonly exchange: Exchange;
}
