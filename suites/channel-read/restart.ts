import { check } from '../../harness/check/check.ts';
import type { Check } from '../../harness/check/check.ts';
import { given } from '../../harness/verdict/outcome.ts';
import { findIn } from '../../harness/stream/stream-view.ts';
import { allOf } from '../../oracles/values/judgement.ts';
import { judgeBehind } from '../../oracles/pages/order.ts';
import { readOn, requireAccepted } from '../arrange/send/accepted-sends.ts';

/** What a restart of the server leaves as it was. */
export const restartChecks: readonly Check[] = [
  // channel-read.restart-reuses-no-sequence: A number that a channel gave out before a restart is not given
  //   to another message after it.
  check(
    'channel-read.messages-and-sequences-survive-a-restart',
    {
      title:
        'after a restart the messages read before it are still there, and new ones have sequences of their own',
      clauses: ['channel-read.restart-reuses-no-sequence', 'channel-read.survives-a-restart'],
      needs: ['author', 'channel', 'restart-hook'],
      isExclusive: true,
    },
    async ({ author, channel, draft, expect, restart, settleMs, sleep }) => {
      const from = await channel.since();
      const before = [draft(), draft(), draft()];
      requireAccepted(...(await Promise.all(before.map(({ text }) => author.send(channel.id, text)))));
      await channel.arrivals(before);
      const { nextAfter: reached } = await readOn(channel, from);
      const next = draft();
      requireAccepted(await author.send(channel.id, next.text));
      await channel.arrival(next);
      const { items: onward, nextAfter: end } = await readOn(channel, reached);
      given(findIn(onward, next) !== undefined, 'a cursor skips messages even before a restart');
      // Nothing is sent between these two reads, so that retention by count takes nothing away.
      const { items: read } = await readOn(channel, from);
      await restart();
      await sleep(settleMs);
      const { items: kept, pages: reread } = await readOn(channel, from);
      const lost = read.filter(({ id }) => !kept.some((item) => item.id === id));
      const problem = {
        expected: `${read.length} messages read before the restart`,
        actual: `${lost.length} are gone`,
      };
      const lastPages = reread.map(({ exchange }) => exchange).slice(-2);
      expect.holds('channel-read.survives-a-restart', lost.length === 0, problem, ...lastPages);
      const after = [draft(), draft()];
      requireAccepted(...(await Promise.all(after.map(({ text }) => author.send(channel.id, text)))));
      await sleep(settleMs);
      const { items, pages } = await readOn(channel, from);
      const fresh = after.flatMap((each) => findIn(items, each) ?? []);
      given(fresh.length >= after.length, 'a message sent after the restart is not visible');
      // The last number given out: a message behind the restart that has it, or a lower one, is passed over.
      const last = { id: undefined, sequence: end };
      const behind = fresh.map((item) => judgeBehind([last, item]));
      const evidence = pages.map(({ exchange }) => exchange).slice(-2);
      expect.judgement('channel-read.restart-reuses-no-sequence', allOf(behind), ...evidence);
    },
  ),
];
