import type { FreshWorkspace } from '../../harness/check/fresh-workspace.ts';
import { isAccepted, statusOf, type Exchange } from '../../harness/client/exchange.ts';
import { readPage, type PageRead } from '../../harness/stream/page.ts';
import { type Draft, findIn } from '../../harness/stream/stream-view.ts';
import { findEnd } from '../../harness/stream/find-end.ts';
import { check, type Check } from '../../harness/check/check.ts';
import type { Always } from '../../harness/check/context.ts';
import { describeAnswer, given, unmet } from '../../harness/verdict/outcome.ts';
import { isServerError } from '../../harness/verdict/trouble.ts';
import { takenTogether } from '../arrange/features.ts';
import { arranged } from '../arrange/or-else.ts';
import { eventually, settle, settleSurely } from '../arrange/eventually.ts';
import { requireSound } from '../arrange/channel-read/judging.ts';
import {
  beginWait,
  pauseOfWaitsMs,
  promptAnswer,
  promptly,
  promptMs,
  soon,
  type Wait,
} from '../arrange/channel-read/waits.ts';
import { requireAccepted } from '../arrange/send/accepted-sends.ts';
import {
  channelNeeds,
  channelSeries,
  cursorBelowOne,
  hasAll,
  pagesFrom,
  sendOne,
  type InChannel,
} from '../arrange/channel-read/series.ts';

/** Long enough to tell a read that waits from one that answers at once, in seconds. */
const quietWait = 1;

/** How long a read has been on its way when a message is sent, in ms: what looks first and listens then may miss it between the two. */
const justBegunMs = [0, 2, 5, 10] as const;

/**
 * More than what wakes a read may carry along where messages are announced with their text, and with what such a way often spoils: characters
 * of each width, line ends, a tab and white space behind it.
 */
const hardToCarry = `h\u00e9\u20ac\u{1f600}\r\n\tand on${' and on'.repeat(3_000)} \n`;

/** How a read waits for messages. */
export const waitingChecks: readonly Check[] = [
  // channel-read.wait-25-accepted: A channel read with `wait` 25 is accepted.
  check(
    'channel-read.waiting-read-answers-at-once',
    {
      title: 'a read with wait 25 is accepted, and answered without delay when messages are there',
      clauses: ['channel-read.wait-25-accepted', 'channel-read.wait-answers-at-once'],
      needs: channelNeeds,
      // What others send would end a wait that goes on though messages are there.
      isExclusive: true,
    },
    async (context) => {
      const { author, channel, bindings, expect, observe } = context;
      const { after, draft } = await cursorBelowOne(context);
      requireSound(context, [await channel.readPage(after, 100)]);
      // What a replica does not know yet it may wait for.
      await settle(context);
      const poll = await soon(context, beginWait(author, channel.id, { after }));
      const expected = promptAnswer(context, after);
      const problem = { expected, actual: 'it kept waiting' };
      expect.holds('channel-read.wait-answers-at-once', poll !== undefined, problem);
      const answer = poll ?? unmet('the read kept waiting although messages are there');
      given(statusOf(answer) !== 409, 'retention may have passed the cursor', answer);
      expect('channel-read.wait-25-accepted', answer).toBeAccepted();
      const page = readPage(answer, bindings.items);
      given(hasAll([page], [draft]), 'the read shows nothing of what is there', answer);
      const long = await soon(context, beginWait(author, channel.id, { after, wait: 3600 }));
      observe(
        'channel-read.wait-maximum',
        'a wait of an hour',
        long === undefined ? 'waits' : describeAnswer(long),
      );
    },
  ),
  // channel-read.success-is-2xx: A read of a channel that succeeds is answered with a 2xx status.
  check(
    'channel-read.quiet-channel-is-answered',
    {
      title: 'a read of a channel that nobody writes to succeeds',
      clauses: ['channel-read.success-is-2xx'],
      arranges: [
        'channel-read.cursor-never-skips',
        'channel-read.issued-cursor-is-no-conflict',
        'page.next-after-never-falls-back',
      ],
      needs: ['provision-hook'],
      waitMs: 1000 * quietWait,
    },
    async (context) => {
      const { provision, draft, expect, observe } = context;
      const fresh = await provision();
      const author = fresh.actor('author');
      const sent = draft();
      const { id } = fresh.channel;
      given(isAccepted(await author.send(id, sent.text)), 'the fresh channel takes no message');
      await fresh.channel.arrival(sent);
      const asked = { after: await fresh.channel.since(), limit: 100 };
      const quiet = await author.readChannel(id, asked);
      if (statusOf(quiet) === 409) {
        // A replica that lags may not know its last cursor yet: it is asked again later, while what it had shown is still there.
        await settleSurely(context);
        await author.readChannel(id, asked);
        await settleSurely(context);
        await author.readChannel(id, { after: 0, limit: 100 });
      }
      given(statusOf(quiet) !== 409, 'a cursor that the channel gave out is called a conflict', quiet);
      expect('channel-read.success-is-2xx', quiet).toBeAccepted();
      // Before that: where the wait ends, the workspace has got further than its channel.
      const elsewhere = await arranged(() => speakElsewhere(context, fresh));
      // What a wait that ends empty says of its cursor is judged once no replica is behind that.
      await settleSurely(context);
      const [waited] = await Promise.all([
        author.readChannel(id, { ...asked, wait: quietWait }),
        elsewhere && arranged(() => waitTogether(context, fresh, elsewhere)),
      ]);
      observe('channel-read.wait-ends', 'a wait of a second with nothing new', lengthOf(waited));
      // The next message comes behind the cursor that a wait without one gave out.
      const next = draft();
      if (!isAccepted(waited) || !isAccepted(await author.send(id, next.text))) return;
      await fresh.channel.arrival(next);
      await settleSurely(context);
      await Promise.all([asked, { after: 0, limit: 100 }].map((each) => author.readChannel(id, each)));
    },
  ),
  // channel-read.wait-25-accepted: A channel read with `wait` 25 is accepted.
  check(
    'channel-read.waiting-read-wakes',
    {
      title:
        'a read that waits at the quiet end of a channel returns soon after a message arrives, and so do those of others who wait there, and both of somebody who waits in two channels; a wait of 0 does not wait',
      clauses: [
        'channel-read.wait-25-accepted',
        'channel-read.wait-wakes',
        'channel-read.wait-answers-at-once',
      ],
      arranges: [
        'channel-read.cursor-never-skips',
        'message.content.unaltered',
        'service.served-requests-stay-served',
      ],
      needs: channelNeeds,
      isExclusive: true,
      sharesSettling: true,
      waitMs: 1000 * quietWait,
    },
    async (context) => {
      const { author, channel, bindings, expect, observe, optional, sleep } = context;
      const { from } = await channelSeries(context);
      // What a woken read shows of a message is what any read shows of it.
      const everything = (await arranged(() => takenTogether(context))) ?? {};
      const pages = await pagesFrom(context, from);
      requireSound(context, pages);
      const end = pages.at(-1)?.nextAfter ?? unmet('the channel gave no cursor');
      const none = await soon(context, beginWait(author, channel.id, { after: end, wait: 0 }));
      const atOnce = {
        expected: promptAnswer(context, end, 0),
        actual: 'it kept waiting',
      };
      if (none === undefined || isAccepted(none))
        expect.holds('channel-read.wait-answers-at-once', none !== undefined, atOnce);
      // Judged by what comes next: a message behind the cursor that a wait without one gave out.
      const quiet = author.readChannel(channel.id, { after: end, limit: 100, wait: quietWait });
      const idle = await Promise.race([
        quiet,
        sleep(1000 * quietWait + promptMs(context), 'longPoll').then(() => undefined),
      ]);
      const poll = beginWait(author, channel.id, { after: end });
      const pause = context.clock.pause(pauseOfWaitsMs).then(() => undefined);
      const others = [optional('reader'), optional('peer')].flatMap((each) =>
        each === undefined ? [] : [beginWait(each, channel.id, { after: end })],
      );
      const early = await Promise.race([poll.answer, pause]);
      if (early !== undefined) {
        observe(
          'channel-read.wait-with-nothing-new',
          'a wait of 25 seconds',
          isAccepted(early) ? 'comes back early without a message' : describeAnswer(early),
        );
        // Where the wait before goes on, a server may refuse another of the same agent.
        if (idle !== undefined && isRefusedWait(early)) {
          const waking = context.draft();
          requireAccepted(await author.send(channel.id, waking.text));
          const { nextAfter: after = end } = await requireShown(context, end, waking);
          await Promise.all(others.map((each) => soon(context, each)));
          // As before there is nothing to be found.
          const again = (): Wait => beginWait(author, channel.id, { after });
          await expectWaitAccepted(context, early, { ...poll, again });
        }
        unmet('the read returned before there was a message', early);
      }
      const draft = context.draft(hardToCarry);
      requireAccepted(await author.send(channel.id, draft.text, { fields: everything }));
      const {
        answer,
        page: { exchange: plain },
      } = await wokenBy(context, poll, end, draft);
      const problem = {
        expected: `${promptAnswer(context, end)}, once there was a message`,
        actual: `of ${others.length + 1} that waited the one of the author kept waiting, and a plain read showed the message`,
      };
      if (answer === undefined) expect.holds('channel-read.wait-wakes', false, problem, plain);
      const woken = answer ?? unmet('the read was not woken');
      given(statusOf(woken) !== 409, 'the cursor came to be called a conflict while a read waited', woken);
      expect('channel-read.wait-25-accepted', woken).toBeAccepted();
      const hasIt = hasAll([readPage(woken, bindings.items)], [draft]);
      observe(
        'channel-read.wait-with-nothing-new',
        'a woken read',
        hasIt ? 'has the message' : 'comes without the message',
      );
      // What comes without it, or takes about as long as a wait for nothing, may have been woken by nothing.
      const isWoken = hasIt && (idle === undefined || 2 * lengthMs(woken) < lengthMs(idle));
      if (isWoken) {
        const answers = await Promise.all(others.map((each) => soon(context, each)));
        for (const [index, wait] of others.entries()) await expectWaitAccepted(context, answers[index], wait);
        const left = answers.filter((each) => each === undefined).length;
        const actual = `of ${others.length + 1} that waited ${left === 1 ? 'one' : left} kept waiting, and a plain read showed the message`;
        expect.holds('channel-read.wait-wakes', left === 0, { ...problem, actual }, woken, plain);
      }
      await settleSurely(context);
      const { nextAfter } = await channel.readPage(end, 100);
      // A wait that comes to an error with nothing new comes again, and one that is served is what it is held against.
      if (idle !== undefined && isServerError(idle) && nextAfter !== undefined)
        for (const after of [end, nextAfter])
          await author.readChannel(channel.id, { after, limit: 100, wait: quietWait });
      if (isWoken && nextAfter !== undefined) await arranged(() => waitInTwoChannels(context, nextAfter));
    },
  ),
  // channel-read.wait-wakes: A waiting read returns soon after a message arrives.
  check(
    'channel-read.wait-that-has-just-begun-wakes',
    {
      title: 'a read that waits returns soon after a message that is sent just as it begins to wait',
      clauses: ['channel-read.wait-wakes'],
      needs: ['author', 'channel'],
      isExclusive: true,
      sharesSettling: true,
    },
    async (context) => {
      const { author, bindings, channel, clock, draft, expect } = context;
      const { from } = await channelSeries(context);
      let after = (await pagesFrom(context, from)).at(-1)?.nextAfter ?? unmet('the channel gave no cursor');
      for (const aheadMs of justBegunMs) {
        const message = draft();
        const poll = beginWait(author, channel.id, { after });
        await clock.pause(aheadMs);
        const sent = await author.send(channel.id, message.text);
        requireAccepted(sent);
        const { answer, page } = await wokenBy(context, poll, after, message);
        const problem = {
          expected: `${promptAnswer(context, after)}, once a message was sent, ${aheadMs} ms after the read`,
          actual: 'it kept waiting, and plain reads showed the message',
        };
        // One that comes without the message may not have waited at all.
        const isWithoutIt = answer !== undefined && !hasAll([readPage(answer, bindings.items)], [message]);
        given(!isWithoutIt, 'a read that waits came back without the message that was sent', answer);
        expect.holds('channel-read.wait-wakes', answer !== undefined, problem, sent, page.exchange);
        after = page.nextAfter ?? unmet('the channel gave no cursor', page.exchange);
      }
    },
  ),
  // channel-read.walk-is-complete: Reading on from `next_after` skips no message.
  check(
    'channel-read.messages-of-one-wait-are-all-read',
    {
      title:
        'of messages that come at once while two agents wait, each with a cursor of its own, both read all beyond theirs',
      clauses: ['channel-read.walk-is-complete'],
      arranges: ['channel-read.after-exclusive', 'channel-read.cursor-never-skips'],
      needs: ['author', 'channel'],
      isExclusive: true,
      sharesSettling: true,
    },
    async (context) => {
      const { author, channel, bindings, draft, expect, optional } = context;
      const { from } = await channelSeries(context);
      const end = (await pagesFrom(context, from)).at(-1)?.nextAfter ?? unmet('the channel gave no cursor');
      const senders = [author, optional('reader') ?? author, optional('peer') ?? author];
      const [, other = author] = senders;
      const poll = beginWait(author, channel.id, { after: end });
      await context.clock.pause(pauseOfWaitsMs);
      // A cursor beyond the end excludes what comes first: whatever becomes of it otherwise is left open.
      const beyond = beginWait(other, channel.id, { after: end + 1n });
      await context.clock.pause(pauseOfWaitsMs);
      const burst = [draft(), draft(), draft()];
      const sent = await Promise.all(
        burst.map(({ text }, index) => (senders[index] ?? author).send(channel.id, text)),
      );
      requireAccepted(...sent);
      const woken = (await soon(context, poll)) ?? unmet('the read was not woken');
      given(isAccepted(woken), 'a read that waits was not accepted', woken);
      await promptly(context, beyond);
      // On from where the wait ended, as a client reads.
      const page = readPage(woken, bindings.items);
      await settle(context);
      const onward = page.nextAfter === undefined ? [] : await pagesFrom(context, page.nextAfter);
      const whole = await eventually(
        context,
        () => pagesFrom(context, end),
        (pages) => hasAll(pages, burst),
      );
      requireSound(context, [page, ...onward, ...whole]);
      given(hasAll(whole, burst), 'a plain read does not find all that was sent');
      // What lies beyond where they ended was late, and is still to be read.
      const reached = onward.at(-1)?.nextAfter ?? page.nextAfter ?? end;
      const all = whole.flatMap(({ items }) => items);
      const passed = burst.filter((each) => (findIn(all, each)?.sequence ?? reached + 1n) <= reached);
      given(passed.length > 0, 'reading on from the wait did not come to what was sent');
      const missing = passed.filter((each) => !hasAll([page, ...onward], [each]));
      const problem = {
        expected: `${passed.length} messages that came while a read waited, on its page or on those from its next_after`,
        actual: `${missing.length} of them on none`,
      };
      expect.holds(
        'channel-read.walk-is-complete',
        missing.length === 0,
        problem,
        woken,
        onward[0]?.exchange ?? woken,
      );
    },
  ),
];

/** The page behind a cursor that shows a message; what a plain read does not find there, one that waits need not wait for. */
async function requireShown(context: InChannel, after: bigint, message: Draft): Promise<PageRead> {
  const page = await eventually(
    context,
    () => context.channel.readPage(after, 100),
    (each) => hasAll([each], [message]),
  );
  given(hasAll([page], [message]), 'a plain read does not find the message', page.exchange);
  return page;
}

/** The answer to a read that waits, if it is woken by a message, and the page that shows the message to a read that does not. */
async function wokenBy(
  context: InChannel,
  poll: Wait,
  after: bigint,
  message: Draft,
): Promise<{ readonly answer: Exchange | undefined; readonly page: PageRead }> {
  const first = await soon(context, poll);
  const page = await requireShown(context, after, message);
  // What is shown only now may wake it only now.
  return { answer: first ?? (await soon(context, poll)), page };
}

/** Statuses that say something else than that a wait is not accepted: a credential, a cursor, a limit. */
const otherRefusals: readonly unknown[] = [401, 403, 409, 429];

function isRefusedWait(answer: Exchange | undefined): answer is Exchange {
  const status = (answer && statusOf(answer)) ?? 0;
  return status >= 400 && status < 500 && !otherRefusals.includes(status);
}

/**
 * Judges the refusal of a read that waits, where the same read without a wait is accepted, and with one refused again and again once
 * nobody else waits: how many may wait at once is not said.
 */
async function expectWaitAccepted(
  context: InChannel,
  answer: Exchange | undefined,
  { plain, again }: Wait,
): Promise<void> {
  if (!isRefusedWait(answer) || !isAccepted(await plain())) return;
  const last = await eventually(
    context,
    () => promptly(context, again()),
    (each) => !isRefusedWait(each),
  );
  if (isRefusedWait(last)) context.expect('channel-read.wait-25-accepted', last).toBeAccepted();
}

/** An agent that waits in a channel, and then in another as well, is woken by what comes to the first, and then by what comes to the other. */
async function waitInTwoChannels(context: InChannel, end: bigint): Promise<void> {
  const { author, bindings, channel, draft, expect, secondChannelId: otherId } = context;
  if (otherId === undefined) return;
  const readOther = async (after: bigint | undefined, limit: number): Promise<PageRead> =>
    readPage(await author.readChannel(otherId, { after, limit }), bindings.items);
  const { isComplete, nextAfter: otherEnd } = await findEnd(readOther);
  if (!isComplete || otherEnd === undefined) return;
  const poll = beginWait(author, channel.id, { after: end });
  await context.clock.pause(pauseOfWaitsMs);
  const other = beginWait(author, otherId, { after: otherEnd });
  const pause = context.clock.pause(pauseOfWaitsMs).then(() => undefined);
  // Of several waits of one agent a server may refuse some, or end them.
  if ((await Promise.race([poll.answer, other.answer, pause])) !== undefined) return;
  const sent = await sendOne(context);
  const { answer } = await wokenBy(context, poll, end, sent);
  const problem = {
    expected: `${promptAnswer(context, end)}, once there was a message, beside a wait in another channel`,
    actual: 'it kept waiting',
  };
  expect.holds('channel-read.wait-wakes', answer !== undefined, problem);
  const told = draft();
  requireAccepted(await author.send(otherId, told.text));
  const first = await soon(context, other);
  const seen = await eventually(
    context,
    () => readOther(otherEnd, 100),
    (page) => hasAll([page], [told]),
  );
  // What others sent there meanwhile may fill the page.
  if (hasAll([seen], [told])) {
    const woken = first ?? (await soon(context, other));
    const elsewhere = {
      expected: `${promptAnswer(context, otherEnd)}, once there was a message in the second channel`,
      actual: 'it kept waiting, and a plain read showed the message',
    };
    expect.holds('channel-read.wait-wakes', woken !== undefined, elsewhere, seen.exchange);
  }
  await other.answer;
}

/** Two messages in the second channel, and a cursor behind them. */
async function speakElsewhere(
  { draft }: Pick<Always, 'draft'>,
  fresh: FreshWorkspace,
): Promise<{ readonly after: bigint | undefined }> {
  const { secondChannel: channel } = fresh;
  const drafts = [draft(), draft()];
  for (const { text } of drafts) requireAccepted(await fresh.actor('author').send(channel.id, text));
  await channel.arrivals(drafts);
  return { after: await channel.since() };
}

/** Two agents wait twice each for one message of another channel: who comes back without it must not have passed it. */
async function waitTogether(
  context: Pick<Always, 'draft' | 'clock' | 'surelySettledMs' | 'sleep'>,
  fresh: FreshWorkspace,
  { after }: Awaited<ReturnType<typeof speakElsewhere>>,
): Promise<void> {
  const author = fresh.actor('author');
  const readers = [author, fresh.optional('reader') ?? author];
  const { secondChannel: channel } = fresh;
  const waits = [...readers, ...readers].map((each) =>
    each.readChannel(channel.id, { after, limit: 100, wait: quietWait }),
  );
  await context.clock.pause(pauseOfWaitsMs);
  requireAccepted(await author.send(channel.id, context.draft().text));
  await Promise.all(waits);
  await settleSurely(context);
  await Promise.all(readers.map((each) => each.readChannel(channel.id, { after, limit: 100 })));
}

/** How long a wait of a second took, in words that stay the same from run to run. */
function lengthOf(exchange: Exchange): string {
  const tookMs = lengthMs(exchange);
  if (exchange.response?.status !== 200) return describeAnswer(exchange);
  return tookMs < 900 ? 'ends sooner' : tookMs < 1500 ? 'ends in time' : 'ends half a second late, or more';
}

function lengthMs({ startedMs, endedMs }: Exchange): number {
  return endedMs - startedMs;
}
