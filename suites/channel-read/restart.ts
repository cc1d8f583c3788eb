import { check, type Check } from '../../harness/check/check.ts';
import { given } from '../../harness/verdict/outcome.ts';
import type { PageItem } from '../../harness/stream/page.ts';
import { type Draft, findIn } from '../../harness/stream/stream-view.ts';
import type { Walk } from '../../harness/stream/walk.ts';
import { allOf, type Problem } from '../../spec/oracles/values/judgement.ts';
import { judgeBehind } from '../../spec/oracles/pages/items.ts';
import { beginWait, pauseOfWaitsMs, promptAnswer, soon } from '../arrange/channel-read/waits.ts';
import { settle } from '../arrange/eventually.ts';
import { arranged } from '../arrange/or-else.ts';
import { readOn, requireAccepted } from '../arrange/send/accepted-sends.ts';

/** Longer than 65,535 bytes, with its marker. */
const longBytes = 66_000;

/** What a restart of the server leaves as it was. */
export const restartChecks: readonly Check[] = [
  // channel-read.restart-reuses-no-sequence: A number that a channel gave out before a restart is not given
  //   to another message after it.
  check(
    'channel-read.messages-and-sequences-survive-a-restart',
    {
      title:
        'after a restart the messages read before it are still there, and new ones have sequences of their own and wake who waits for them',
      clauses: [
        'channel-read.restart-reuses-no-sequence',
        'channel-read.survives-a-restart',
        'channel-read.wait-wakes',
      ],
      needs: ['author', 'channel', 'restart-hook'],
      isExclusive: true,
      bodyBytes: longBytes,
    },
    async (context) => {
      const { author, channel, clock, draft, expect, restart } = context;
      const from = await channel.since();
      // The first is longer than a column of 16 bits counts.
      const before = [draft('x'.repeat(longBytes)), draft(), draft()];
      requireAccepted(...(await Promise.all(before.map(({ text }) => author.send(channel.id, text)))));
      await channel.arrivals(before);
      const { nextAfter: reached } = await readOn(channel, from);
      const next = draft();
      requireAccepted(await author.send(channel.id, next.text));
      await channel.arrival(next);
      const { items: onward, nextAfter: end } = await readOn(channel, reached);
      given(findIn(onward, next) !== undefined, 'a cursor skips messages even before a restart');
      const { items: read, pages: known } = await readOn(channel, from);
      await restart();
      const again = await arranged(async () => {
        const { items: early } = await readOn(channel, from);
        await settle(context);
        return { early, ...(await readOn(channel, from)) };
      });
      if (again !== undefined) {
        const { isKept, problem } = judgeKept(read, again.early, again.items, [...before, next]);
        const lastPages = [known, again.pages]
          .flatMap((each) => each.slice(-1))
          .map(({ exchange }) => exchange);
        expect.holds('channel-read.survives-a-restart', isKept, problem, ...lastPages);
      }
      // Who tells of a message may have been told before the restart whom.
      const { nextAfter: waitedFrom } = again ?? {};
      const poll =
        waitedFrom === undefined ? undefined : beginWait(author, channel.id, { after: waitedFrom });
      await clock.pause(pauseOfWaitsMs);
      const after = [draft(), draft()];
      requireAccepted(...(await Promise.all(after.map(({ text }) => author.send(channel.id, text)))));
      await settle(context);
      // A server that lost its data numbers from 1 again: it shows them to a read from the begin alone.
      const shows = ({ items }: Walk): boolean => after.every((each) => findIn(items, each) !== undefined);
      const onFrom = again && (await readOn(channel, from));
      const { items, pages } = onFrom && shows(onFrom) ? onFrom : await readOn(channel, 0n);
      const fresh = after.flatMap((each) => findIn(items, each) ?? []);
      given(fresh.length >= after.length, 'a message sent after the restart is not visible');
      // The last number given out: a message behind the restart that has it, or a lower one, is passed over.
      const last = { id: undefined, sequence: end };
      const behind = fresh.map((item) => judgeBehind([last, item]));
      const evidence = pages.map(({ exchange }) => exchange).slice(-2);
      expect.judgement('channel-read.restart-reuses-no-sequence', allOf(behind), ...evidence);
      if (poll !== undefined) {
        const woken = await soon(context, poll);
        const expected = `${promptAnswer(context, waitedFrom)}, once there was a message, after a restart`;
        const kept = { expected, actual: 'it kept waiting, and a plain read showed the message' };
        expect.holds('channel-read.wait-wakes', woken !== undefined, kept, ...evidence);
      }
      given(again !== undefined, 'the channel could not be read on from before the restart');
    },
  ),
];

/** Whether what was read before a restart is there after it, but for what made room for others. */
function judgeKept(
  read: readonly PageItem[],
  early: readonly PageItem[],
  late: readonly PageItem[],
  sent: readonly Draft[],
): { readonly isKept: boolean; readonly problem: Problem } {
  const lost = without(without(read, early), late);
  // Retention by count takes one for each that came, and other checks send as soon as the server is back.
  const came = without(early, read);
  const own = sent.flatMap((each) => findIn(read, each) ?? []);
  const left = without(own, lost);
  const outlived = without(own, left).flatMap((item) =>
    left
      .filter((other) => outlives(other, item))
      .map((other) => ({
        expected: `message ${item.id}, which was read before the restart, while the older ${other.id} is there`,
        actual: 'it is gone',
      })),
  );
  const counted = {
    expected: `${read.length} messages read before the restart`,
    actual: `${lost.length} are gone, ${came.length} came`,
  };
  const [problem = counted] = outlived;
  return { isKept: lost.length <= came.length && outlived.length === 0, problem };
}

/** Whether retention would have had to take an item before another of its author: it is older and no shorter. */
function outlives(older: PageItem, { sequence = 0n, content = '' }: PageItem): boolean {
  return (
    older.sequence !== undefined &&
    older.sequence < sequence &&
    Buffer.byteLength(older.content ?? '') >= Buffer.byteLength(content)
  );
}

/** The items that are not among others. */
function without(items: readonly PageItem[], others: readonly PageItem[]): readonly PageItem[] {
  return items.filter(({ id }) => !others.some((other) => other.id === id));
}
