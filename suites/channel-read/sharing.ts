import { isAccepted } from '../../harness/client/exchange.ts';
import type { PageRead } from '../../harness/stream/page.ts';
import { check, type Check } from '../../harness/check/check.ts';
import { given } from '../../harness/verdict/outcome.ts';
import type { Draft } from '../../harness/stream/stream-view.ts';
import { eventually } from '../arrange/eventually.ts';
import { textsIn } from '../../spec/oracles/values/json-texts.ts';
import { channelNeeds, fromBefore, hasAll, pagesFrom, sendOne } from '../arrange/channel-read/series.ts';

/** An empty channel fails so many settle times after the send, and this long at least, in ms: no recency is promised. */
const hope = 10;
const leastHopeMs = 1_000;

/** What the service is for: messages that were sent are read. */
export const sharingChecks: readonly Check[] = [
  // service.sent-is-readable: A message whose send was accepted can be read back from its channel.
  check(
    'channel-read.channel-that-takes-messages-does-not-stay-empty',
    {
      title: 'a channel that accepted a message does not stay empty',
      clauses: ['service.sent-is-readable'],
      needs: channelNeeds,
      // Where a channel stays empty it waits longer than any other check.
      waitMs: leastHopeMs,
    },
    async (context) => {
      const { author, clock, expect, settleMs, sleep } = context;
      const from = await fromBefore(context);
      const read = () => pagesFrom(context, from);
      const sent = await sendOne(context, author);
      const sentMs = clock.now();
      let pages = await eventually(context, read, (seen) => hasAll(seen, [sent]));
      if (showsNothing(pages, sent)) {
        const waitedMs = clock.now() - sentMs;
        await sleep(Math.max(settleMs, leastHopeMs - waitedMs, hope * settleMs - waitedMs));
        pages = await read();
      }
      // Nobody else's message is there either, so that nothing can have taken the place of ours.
      const isEmpty = showsNothing(pages, sent);
      const evidence = pages.slice(-1).map(({ exchange }) => exchange);
      given(isEmpty || hasAll(pages, [sent]), 'the channel shows something else alone', evidence[0]);
      const problem = { expected: `the message ${sent.marker}`, actual: 'an empty channel' };
      expect.holds('service.sent-is-readable', !isEmpty, problem, ...evidence);
    },
  ),
];

/** True of a walk that came to its end and found no message at all, nor the text of `sent` in any shape. */
function showsNothing(pages: readonly PageRead[], sent: Draft): boolean {
  const last = pages.at(-1);
  const isWhole = last?.hasMore === false && pages.every(({ exchange }) => isAccepted(exchange));
  const texts = pages.flatMap(({ exchange }) => textsIn(exchange.response?.json));
  const isThere = texts.some((text) => text.includes(sent.marker));
  return isWhole && !isThere && pages.every(({ items }) => items.length === 0);
}
