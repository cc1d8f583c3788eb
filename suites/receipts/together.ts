import type { ClauseId } from '../../spec/index.ts';
import { check, type Check } from '../../harness/check/check.ts';
import { isAccepted, statusOf, type Exchange } from '../../harness/client/exchange.ts';
import { given, unmet } from '../../harness/verdict/outcome.ts';
import {
  judgeReportersListed,
  multiStatus,
  type ReportedMessage,
  tellsApart,
} from '../../spec/oracles/answers/receipts.ts';
import type { Judgement } from '../../spec/oracles/values/judgement.ts';
import {
  messageIdOf,
  reportInOne,
  reportTogether,
  requireReported,
  seePreviewAtLast,
} from '../arrange/receipts/reports.ts';
import { requireAccepted } from '../arrange/send/accepted-sends.ts';

const clause: ClauseId = 'receipts.reported-agent-is-listed';

/** More than a server may write at once, by tens. */
const manyMessages = 12;

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

      const report = async (...reported: readonly (typeof one)[]) => {
        const messageIds = reported.map(({ messageId }) => messageId);
        const answer = await reportTogether(reader, { bindings, channelId: channel.id, messageIds });
        requireReported(answer);
        return { answer, messageIds };
      };
      const see = (message: typeof one) =>
        seePreviewAtLast(
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

      // A report that is taken as a whole or not at all may say that it counts for neither.
      for (const { answer, messageIds } of [await report(one, later), await report(last, other)]) {
        given(
          isForAll(answer, messageIds, 0),
          'the answer to a report tells messages apart, or says that it counts for none',
          answer,
        );
      }
      const seen = await Promise.all(
        [later, last].map(async (message) => ({ ...message, ...(await see(message)) })),
      );
      for (const { messageId, preview, exchange } of seen)
        expect.judgement(clause, judgeListing([{ messageId, preview }], readerId), exchange);
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
      const { report, readerId, seen } = await reportInOne(context, manyMessages);
      given(
        isAccepted(report),
        'a report of so many messages is not accepted: how many it may name is open',
        report,
      );
      const ids = seen.map(({ messageId }) => messageId);
      given(isForAll(report, ids), 'the answer to a report tells some of its messages from others', report);
      const isRight = (each: (typeof seen)[number]): boolean =>
        judgeListing([each], readerId).problems.length === 0;
      given(seen.some(isRight), 'a report of many messages counts for none of them', report);
      const { exchange } = seen.find((each) => !isRight(each)) ?? seen[0] ?? { exchange: report };
      context.expect.judgement(clause, judgeListing(seen, readerId), report, exchange);
    },
  ),
];

/** Whether messages list an agent that reported them, and of whose other reports nothing is known. */
function judgeListing(
  seen: readonly Pick<ReportedMessage, 'messageId' | 'preview'>[],
  readerId: string,
): Judgement {
  return judgeReportersListed(
    seen.map(({ messageId, preview }) => ({
      messageId,
      preview,
      reporters: [readerId],
      recorded: undefined,
      hasOtherRecords: false,
    })),
  );
}

/** Whether the answer to a report speaks of all its messages alike: of `fewest` 0, it does not say that it counts for none either. */
function isForAll(answer: Exchange, messageIds: readonly string[], fewest?: 0): boolean {
  return statusOf(answer) !== multiStatus && !tellsApart(answer.response?.json, messageIds, fewest);
}
