import { isAccepted } from '../../harness/client/exchange.ts';
import type { PageRead } from '../../harness/stream/page.ts';
import { check } from '../../harness/check/check.ts';
import type { Check } from '../../harness/check/check.ts';
import { given, unmet } from '../../harness/verdict/outcome.ts';
import type { Draft } from '../../harness/stream/stream-view.ts';
import { eventually } from '../arrange/eventually.ts';
import { textsIn } from '../../oracles/values/json-texts.ts';
import { judgeShown } from '../arrange/channel-read/judging.ts';
import { pagesOf } from '../arrange/channel-read/readers.ts';
import {
  channelNeeds,
  channelSeries,
  fromBefore,
  hasAll,
  pagesFrom,
  sendOne,
} from '../arrange/channel-read/series.ts';
import type { InChannel } from '../arrange/channel-read/series.ts';

/** Characters of two, three and four bytes. */
const otherScripts = 'é ñ Ж € 漢字 😀 𝔘';

/** An empty channel fails so many settle times after the send, and this long at least, in ms: no recency is promised. */
const hope = 10;
const leastHopeMs = 1_000;

/** What the service is for: messages that were sent are read, by others as well. */
export const sharingChecks: readonly Check[] = [
  // service.sent-is-readable: A message whose send was accepted can be read back from its channel.
  check(
    'channel-read.sent-messages-are-readable',
    {
      title: 'messages whose send was accepted can be read back from their channel',
      clauses: ['service.sent-is-readable'],
      needs: channelNeeds,
      // Where a channel stays empty it waits longer than any other check.
      waitMs: leastHopeMs,
    },
    async (context) => {
      const { author, clock, expect } = context;
      const from = await fromBefore(context);
      const read = () => pagesFrom(context, from);
      const before = await sendOne(context, author);
      const sentMs = clock.now();
      const first = await eventually(context, read, (seen) => hasAll(seen, [before]));
      if (showsNothing(first, before)) return expectSomething(context, { from, sent: before, sentMs });
      const drafts = await Promise.all(
        [undefined, otherScripts].map((text) => sendOne(context, author, text)),
      );
      const around = [before, await sendOne(context, author)];
      const last = await eventually(context, read, (seen) => hasAll(seen, [...drafts, ...around]));
      // A message that large pages pass over is there all the same.
      const closer = hasAll(last, drafts) ? [] : await pagesFrom(context, from, { limit: 1, maxPages: 60 });
      judgeShown(expect, { drafts, around, last, earlier: closer });
    },
  ),
  // service.channels-are-shared: What one agent appends to a shared channel, another agent of that workspace
  //   can read there.
  check(
    'channel-read.channels-are-shared',
    {
      title: 'what one agent appends to a channel another agent of the workspace reads there',
      clauses: ['service.channels-are-shared'],
      needs: [...channelNeeds, 'reader'],
    },
    async (context) => {
      const { expect, reader } = context;
      const { from, drafts } = await channelSeries(context);
      const own = await pagesFrom(context, from);
      const shown = drafts.filter((draft) => hasAll(own, [draft]));
      given(shown.length !== 0, 'the author itself does not read its messages', own[0]?.exchange);
      const pages = await eventually(
        context,
        () => pagesOf(context, reader, from),
        (seen) => hasAll(seen, shown),
      );
      const hidden = shown.filter((draft) => !hasAll(pages, [draft]));
      // What the author itself no longer reads is gone, not hidden from others.
      const left = hidden.length === 0 ? own : await pagesFrom(context, from);
      const missing = hidden.filter((draft) => hasAll(left, [draft]));
      if (hidden.length === shown.length && missing.length === 0)
        unmet('the messages were gone again before another agent read them', left[0]?.exchange);
      const problem = {
        expected: `${shown.length} messages of the author`,
        actual: `${shown.length - missing.length} of them`,
      };
      expect.holds(
        'service.channels-are-shared',
        missing.length === 0,
        problem,
        ...pages.slice(0, 1).map(({ exchange }) => exchange),
      );
    },
  ),
];

/**
 * Judges a channel that stays empty although messages to it were accepted. Nobody else's message is there either, so that
 * nothing can have taken the place of ours, and long after the settle time even the newest has not come.
 */
async function expectSomething(
  context: InChannel,
  { from, sent, sentMs }: { from: bigint; sent: Draft; sentMs: number },
): Promise<void> {
  const { clock, expect, settleMs, sleep } = context;
  const waitedMs = clock.now() - sentMs;
  await sleep(Math.max(settleMs, leastHopeMs - waitedMs, hope * settleMs - waitedMs));
  const pages = await pagesFrom(context, from);
  if (!showsNothing(pages, sent))
    unmet('the channel shows something long after the settle time', pages[0]?.exchange);
  const problem = { expected: `the message ${sent.marker}`, actual: 'an empty channel' };
  const evidence = pages.slice(-1).map(({ exchange }) => exchange);
  expect.holds('service.sent-is-readable', false, problem, ...evidence);
}

/** True of a walk that came to its end and found no message at all, nor the text of `sent` in any shape. */
function showsNothing(pages: readonly PageRead[], sent: Draft): boolean {
  const last = pages.at(-1);
  const isWhole = last?.hasMore === false && pages.every(({ exchange }) => isAccepted(exchange));
  const texts = pages.flatMap(({ exchange }) => textsIn(exchange.response?.json));
  const isThere = texts.some((text) => text.includes(sent.marker));
  return isWhole && !isThere && pages.every(({ items }) => items.length === 0);
}
