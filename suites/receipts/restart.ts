import { check, type Check } from '../../harness/check/check.ts';
import { given } from '../../harness/verdict/outcome.ts';
import type { Preview } from '../../spec/oracles/answers/receipts.ts';
import { settleSurely } from '../arrange/eventually.ts';
import { orElse } from '../arrange/or-else.ts';
import { reportAlone, reportedLongBefore, type ReportedAlone } from '../arrange/receipts/reported.ts';
import {
  apartMs,
  report,
  requireReported,
  seePreview,
  seePreviewAtLast,
} from '../arrange/receipts/reports.ts';

/** What a restart of the server leaves of the retrievals. */
export const receiptRestartChecks: readonly Check[] = [
  // receipts.survive-a-restart: A retrieval that was reported well before a restart of the server is shown
  //   after it.
  check(
    'receipts.reports-survive-a-restart',
    {
      title:
        'after a restart the agents that had reported a message are listed, and before those that report it then',
      clauses: ['receipts.survive-a-restart'],
      arranges: [
        'receipts.agent-ids.ordered',
        'receipts.agent-ids.ordered-by-time',
        'receipts.agent-ids.earlier-is-a-prefix',
      ],
      needs: ['author', 'reader', 'channel', 'report-receipt-binding', 'restart-hook'],
      isExclusive: true,
    },
    async (context) => {
      const { channel, expect, identities, optional, reader, restart, sleep } = context;
      const readerId = (await identities.agentId(reader)).toLowerCase();
      const isListed = ({ agentIds, hasMore }: Preview): boolean => hasMore || agentIds.includes(readerId);
      const look = ({ sent }: ReportedAlone) => seePreviewAtLast(context, channel, sent, isListed);
      const seen = async (reported: ReportedAlone) => ({ reported, before: await look(reported) });

      // Retention may have taken away what was reported long before.
      const { reported, before } = await orElse(reportedLongBefore(context).then(seen), async () =>
        seen(await reportAlone(context)),
      );
      given(
        isListed(before.preview),
        'a reported retrieval is not shown even before a restart',
        before.exchange,
      );
      // Another is not looked at before: by the settle time it is recorded.
      const last = await reportAlone(context);
      const peer = optional('peer');
      const ofPeer = peer === undefined ? undefined : await reportAlone({ ...context, reader: peer });
      await settleSurely(context);
      await restart();
      const seenAfter = await Promise.all(
        [reported, last].map(async (each) => ({ ...each, ...(await look(each)) })),
      );
      for (const { answer, preview, exchange } of seenAfter) {
        const problem = {
          expected: `${readerId}, which reported before the restart`,
          actual: 'it is not listed',
        };
        expect.holds('receipts.survive-a-restart', isListed(preview), problem, answer, exchange);
      }

      if (peer === undefined || ofPeer === undefined) return;
      await sleep(Math.max(0, ofPeer.answer.endedMs + apartMs(context) - performance.now()));
      // Each after the other: an order that is no order of time is that of their UUIDs in one of the two alone.
      for (const [actor, each] of [[peer, reported] as const, [reader, ofPeer] as const]) {
        await seePreview(context, channel, each.sent, () => true);
        requireReported(await report(actor, each.about));
        const id = (await identities.agentId(actor)).toLowerCase();
        await seePreview(
          context,
          channel,
          each.sent,
          ({ agentIds, hasMore }) => hasMore || agentIds.includes(id),
        );
      }
    },
  ),
];
