import type { ClauseId } from '../../spec/index.ts';
import { check, type Check } from '../../harness/check/check.ts';
import { given, unmet } from '../../harness/verdict/outcome.ts';
import { judgeReportersListed } from '../../spec/oracles/answers/receipts.ts';
import { messageIdOf, reportTogether, requireReported, seePreview } from '../arrange/receipts/reports.ts';
import { requireAccepted } from '../arrange/send/accepted-sends.ts';

const clause: ClauseId = 'receipts.reported-agent-is-listed';

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
];
