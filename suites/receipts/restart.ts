import { check } from '../../harness/check/check.ts';
import type { Check } from '../../harness/check/check.ts';
import { given } from '../../harness/verdict/outcome.ts';
import type { Preview } from '../../oracles/answers/receipts.ts';
import { settleSurely } from '../arrange/eventually.ts';
import {
  coarsestClockMs,
  messageIdOf,
  report,
  requireReported,
  seePreview,
} from '../arrange/receipts/reports.ts';
import { requireAccepted } from '../arrange/send/accepted-sends.ts';

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
      arranges: ['receipts.agent-ids.ordered', 'receipts.agent-ids.earlier-is-a-prefix'],
      needs: ['author', 'reader', 'channel', 'report-receipt-binding', 'restart-hook'],
      isExclusive: true,
    },
    async (context) => {
      const { author, bindings, channel, draft, expect, identities, optional, reader, restart } = context;
      const { settleMs, sleep } = context;
      const from = await channel.since();
      const readerId = (await identities.agentId(reader)).toLowerCase();
      const drafts = [draft(), draft()] as const;
      requireAccepted(...(await Promise.all(drafts.map(({ text }) => author.send(channel.id, text)))));
      const [shown, last] = await Promise.all(
        drafts.map(async (each) => ({
          draft: each,
          about: { bindings, channelId: channel.id, messageId: messageIdOf(await channel.arrival(each)) },
        })),
      );
      if (shown === undefined || last === undefined) return;
      const isListed = ({ agentIds, hasMore }: Preview): boolean => hasMore || agentIds.includes(readerId);
      const look = (each: typeof last) => seePreview(context, channel, { draft: each.draft, from }, isListed);

      requireReported(await report(reader, shown.about));
      const before = await look(shown);
      given(
        isListed(before.preview),
        'a reported retrieval is not shown even before a restart',
        before.exchange,
      );
      // The second is not looked at before: by the settle time it is recorded.
      const reported = await report(reader, last.about);
      requireReported(reported);
      await settleSurely(context);
      await restart();
      const after = [await look(shown), await look(last)];
      for (const { preview, exchange } of after)
        expect.holds(
          'receipts.survive-a-restart',
          isListed(preview),
          { expected: `${readerId}, which reported before the restart`, actual: 'it is not listed' },
          before.exchange,
          exchange,
        );

      const peer = optional('peer');
      if (peer === undefined) return;
      const apartMs = settleMs + coarsestClockMs;
      await sleep(Math.max(0, reported.endedMs + apartMs - performance.now()));
      requireReported(...(await Promise.all([shown, last].map(({ about }) => report(peer, about)))));
      const peerId = (await identities.agentId(peer)).toLowerCase();
      await seePreview(
        context,
        channel,
        { draft: shown.draft, from },
        ({ agentIds, hasMore }) => hasMore || agentIds.includes(peerId),
      );
    },
  ),
];
