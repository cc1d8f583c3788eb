import { randomUUID } from 'node:crypto';
import { check } from '../../harness/check/check.ts';
import type { Check } from '../../harness/check/check.ts';
import { describeAnswer } from '../../harness/verdict/outcome.ts';
import { findIn } from '../../harness/stream/stream-view.ts';
import { allOf } from '../../oracles/values/judgement.ts';
import { judgeBehind } from '../../oracles/pages/places.ts';
import { readOn, requireAccepted, requireRefused } from '../arrange/send/accepted-sends.ts';

/** Where a message comes to lie. */
export const placementChecks: readonly Check[] = [
  // send.to-the-named-channel: A message appears in the channel it was sent to and in no other.
  check(
    'send.message-appears-in-its-channel-only',
    {
      title: 'a message appears in the channel it was sent to and in no other',
      clauses: ['send.to-the-named-channel'],
      needs: ['author', 'channel', 'second-channel'],
    },
    async ({ author, channel, secondChannel, draft, expect, observe, settleMs, sleep }) => {
      const key = randomUUID();
      const [fromHere, fromThere] = [await channel.since(), await secondChannel.since()];
      const [here, there] = [draft(), draft()];
      const sent = [author.send(channel.id, here.text, { key }), author.send(secondChannel.id, there.text)];
      requireAccepted(...(await Promise.all(sent)));
      await sleep(settleMs);
      const reads = [readOn(channel, fromHere), readOn(secondChannel, fromThere)] as const;
      const [seenHere, seenThere] = await Promise.all(reads);
      // Seen in the wrong channel it fails at once; that it is nowhere else needs the anchors below.
      const strays = [findIn(seenHere.items, there), findIn(seenThere.items, here)].filter(
        (item) => item !== undefined,
      );
      const problem = {
        expected: 'each message in its own channel',
        actual: `${strays.length} of 2 in the other`,
      };
      const pages = [...seenHere.pages, ...seenThere.pages].map(({ exchange }) => exchange).slice(-2);
      expect.holds('send.to-the-named-channel', strays.length === 0, problem, ...pages);

      await Promise.all([channel.arrival(here), secondChannel.arrival(there)]);
      await Promise.all([
        expect.stream('send.to-the-named-channel', secondChannel).toNeverShow(here),
        expect.stream('send.to-the-named-channel', channel).toNeverShow(there),
      ]);

      const elsewhere = await author.send(secondChannel.id, draft('another body').text, { key });
      observe('send.key-scope', 'a key that was used in another channel', describeAnswer(elsewhere));
    },
  ),
  // send.appends: A message sent after another one was read comes after that one.
  check(
    'send.later-messages-are-appended',
    {
      title: 'a message comes after everything that was read or acknowledged before it, whoever sends it',
      clauses: ['send.appends', 'send.acknowledged-order'],
      needs: ['author', 'channel'],
    },
    async ({ author, channel, draft, expect, optional }) => {
      const [first, second, third, fourth, fifth] = [draft(), draft(), draft(), draft(), draft()];
      requireAccepted(await author.send(channel.id, first.text));
      const readFirst = await channel.arrival(first);
      requireAccepted(await (optional('reader') ?? author).send(channel.id, second.text));
      const readSecond = await channel.arrival(second);
      const sent = [
        await author.send(channel.id, third.text),
        await author.send(channel.id, fourth.text),
        await author.send(channel.id, fifth.text),
      ];
      requireAccepted(...sent);
      const later = await channel.arrivals([third, fourth, fifth]);
      const behind = [
        judgeBehind([readFirst, readSecond]),
        ...later.map((each) => judgeBehind([readSecond, each])),
      ];
      expect.judgement('send.appends', allOf(behind), ...sent);
      expect.judgement('send.acknowledged-order', judgeBehind(later), ...sent);
    },
  ),
  // send.unknown-channel: A send to a channel that does not exist is refused.
  check(
    'send.unknown-channel-is-refused',
    {
      title: 'a send to a channel that does not exist is refused and appears in no other',
      clauses: ['send.unknown-channel', 'send.refused-stores-nothing'],
      needs: ['author', 'channel'],
    },
    async ({ author, channel, draft, expect, observe }) => {
      const lost = draft();
      requireAccepted(await author.send(channel.id, draft().text));
      const refused = await author.send(randomUUID(), lost.text);
      expect('send.unknown-channel', refused).toBeRefused();
      requireRefused(refused);
      observe('send.unknown-channel', 'answer to a send to an unknown channel', describeAnswer(refused));
      await expect.stream('send.refused-stores-nothing', channel).toNeverShow(lost);
    },
  ),
];
