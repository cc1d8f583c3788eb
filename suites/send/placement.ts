import { randomUUID } from 'node:crypto';
import { check } from '../../harness/check/check.ts';
import type { Check } from '../../harness/check/check.ts';
import { describeAnswer } from '../../harness/verdict/outcome.ts';
import { allOf } from '../../oracles/values/judgement.ts';
import { judgeBehind } from '../../oracles/pages/places.ts';
import { requireAccepted, requireRefused } from '../arrange/send/accepted-sends.ts';

/** Where a message comes to lie. */
export const placementChecks: readonly Check[] = [
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
