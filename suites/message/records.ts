import { check, type Check } from '../../harness/check/check.ts';
import { given } from '../../harness/verdict/outcome.ts';
import { findIn, type Draft } from '../../harness/stream/stream-view.ts';
import { eventually } from '../arrange/eventually.ts';
import { readOn, requireAccepted } from '../arrange/send/accepted-sends.ts';

/** So few are sent before what is judged, where the channel has not come further. */
const firstNumbers = 5;

const restMissing = {
  expected: 'both later messages when reading on from the sequence of an earlier one',
  actual: 'one of them, or none',
};
const firstAgain = {
  expected: 'no earlier message when reading on from the sequence of a later one',
  actual: 'one',
};

/** What the place of a message is good for. */
export const messageRecordChecks: readonly Check[] = [
  // message.sequence.channel-local: The `sequence` of a message is its place in its own channel: the number
  //   that reads of that channel order by and resume from.
  check(
    'message.sequence-works-as-a-cursor',
    {
      title: 'reading on from the sequence of a message returns the messages after it and none before it',
      clauses: ['message.sequence.channel-local'],
      needs: ['author', 'channel'],
    },
    async ({ author, channel, clock, draft, expect, settleMs, sleep }) => {
      const from = await channel.since();
      const [first, between, last] = [draft(), draft(), draft()];
      const send = ({ text }: Draft) => author.send(channel.id, text);
      // The first numbers of a channel look like those of anything else that counts.
      if (from === undefined || from < firstNumbers)
        requireAccepted(...(await Promise.all(Array.from({ length: firstNumbers }, () => send(draft())))));
      const places: (bigint | undefined)[] = [];
      // Each is sent once the one before was read: that what was only acknowledged has its place is not said.
      for (const each of [first, between, last]) {
        requireAccepted(await send(each));
        places.push((await channel.arrival(each)).sequence);
      }
      const [firstPlace, , lastPlace] = places;
      given(firstPlace !== undefined && lastPlace !== undefined, 'a message shows no usable sequence');
      await sleep(settleMs);

      const [onFromFirst, onFromLast] = await Promise.all([
        // A replica may be behind the one that showed the messages.
        eventually(
          { settleMs, clock },
          () => readOn(channel, firstPlace),
          ({ items }) => findIn(items, between) !== undefined && findIn(items, last) !== undefined,
        ),
        readOn(channel, lastPlace),
      ]);
      // What is seen again by a later read was there for the earlier one.
      const whole = await readOn(channel, from);
      const after = [between, last];
      const areThere = after.every((each) => findIn(whole.items, each) !== undefined);
      given(areThere, 'the channel no longer shows the messages');
      const isRestThere = after.every((each) => findIn(onFromFirst.items, each) !== undefined);
      const again = onFromLast.pages.find(({ items }) => findIn(items, first) !== undefined);
      // Where no cursor leaves anything out, the place of a message does not either.
      const isHeeded =
        again === undefined || findIn((await readOn(channel, whole.nextAfter)).items, first) === undefined;
      given(isHeeded, 'reading on from where a page ended shows its messages again', again?.exchange);
      const clause = 'message.sequence.channel-local';
      const read = onFromFirst.pages.map(({ exchange }) => exchange);
      expect.holds(clause, isRestThere, restMissing, ...read.slice(-2));
      expect.holds(clause, again === undefined, firstAgain, ...(again === undefined ? [] : [again.exchange]));
    },
  ),
];
