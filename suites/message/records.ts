import { check } from '../../harness/check/check.ts';
import type { Check } from '../../harness/check/check.ts';
import type { Context } from '../../harness/check/context.ts';
import type { Exchange } from '../../harness/client/exchange.ts';
import type { PageItem } from '../../harness/stream/page.ts';
import { given, unmet } from '../../harness/verdict/outcome.ts';
import { findIn } from '../../harness/stream/stream-view.ts';
import type { Draft } from '../../harness/stream/stream-view.ts';
import { judgeMessageConstant } from '../../oracles/messages/constancy.ts';
import { showsTarget } from '../../oracles/messages/targets.ts';
import { eventually } from '../arrange/eventually.ts';
import { readOn, requireAccepted } from '../arrange/send/accepted-sends.ts';
import { attachedIds } from '../arrange/message/files.ts';
import { agentTarget } from '../arrange/send/proof.ts';

interface ReadTwice {
  readonly before: PageItem;
  readonly later: PageItem;
  readonly evidence: readonly Exchange[];
}

/** A message as its channel shows it at first, and once another has come and the settle time has gone. */
async function readTwice(
  { author, channel, draft, settleMs, sleep }: Context<'author' | 'channel'>,
  fields: Readonly<Record<string, unknown>>,
): Promise<ReadTwice> {
  const from = await channel.since();
  const [first, other] = [draft(), draft()];
  requireAccepted(await author.send(channel.id, first.text, { fields }));
  const before = await channel.arrival(first);
  requireAccepted(await author.send(channel.id, other.text));
  await channel.arrival(other);
  await sleep(settleMs);
  const { items, pages } = await readOn(channel, from);
  const later = findIn(items, first) ?? unmet('the channel no longer shows the message');
  return { before, later, evidence: pages.map(({ exchange }) => exchange).slice(0, 1) };
}

/** So few are sent before what is judged, where the channel has not come further. */
const firstNumbers = 5;

const lastMissing = {
  expected: 'a later message when reading on from the sequence of an earlier one',
  actual: 'none',
};
const firstAgain = {
  expected: 'no earlier message when reading on from the sequence of a later one',
  actual: 'one',
};

/** What stays of a message once it was read. */
export const messageRecordChecks: readonly Check[] = [
  // message.immutable: Once read, a message never reads differently in anything but its receipts and the state
  //   of its files.
  check(
    'message.reads-the-same-later-with-all-it-carries',
    {
      title: 'a message reads the same after other messages came, its targets and its files included',
      clauses: ['message.immutable'],
      needs: ['author', 'reader', 'channel', 'mentions-binding', 'attachments-binding', 'files'],
      // What is right only at its first reading is to be read first by this check.
      isExclusive: true,
      whileItSettles: 'anything',
    },
    async (context) => {
      const { bindings, expect, readyFiles, reader } = context;
      const target = await agentTarget(context, reader);
      const [id = ''] = await readyFiles(1);
      const fields = { [bindings.mentions]: [target], [bindings.attachments]: [id] };
      const { before, later, evidence } = await readTwice(context, fields);
      if (!showsTarget(before.message['mentions'], target) && !attachedIds(before).includes(id))
        unmet('the message shows neither its target nor its file');
      expect.judgement('message.immutable', judgeMessageConstant(before.message, later.message), ...evidence);
    },
  ),
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
      requireAccepted(await send(first), await send(between), await send(last));
      const [firstItem, , lastItem] = await channel.arrivals([first, between, last]);
      const [firstPlace, lastPlace] = [firstItem?.sequence, lastItem?.sequence];
      given(firstPlace !== undefined && lastPlace !== undefined, 'a message shows no usable sequence');
      await sleep(settleMs);

      const [onFromFirst, onFromLast] = await Promise.all([
        // A replica may be behind the one that showed the messages.
        eventually(
          { settleMs, clock },
          () => readOn(channel, firstPlace),
          ({ items }) => findIn(items, last) !== undefined,
        ),
        readOn(channel, lastPlace),
      ]);
      // What is seen again by a later read was there for the earlier one.
      const whole = await readOn(channel, from);
      given(findIn(whole.items, last) !== undefined, 'the channel no longer shows the messages');
      const evidence = [...onFromFirst.pages, ...onFromLast.pages]
        .map(({ exchange }) => exchange)
        .slice(0, 2);
      const isLastThere = findIn(onFromFirst.items, last) !== undefined;
      const isFirstGone = findIn(onFromLast.items, first) === undefined;
      expect.holds('message.sequence.channel-local', isLastThere, lastMissing, ...evidence);
      expect.holds('message.sequence.channel-local', isFirstGone, firstAgain, ...evidence);
    },
  ),
];
