import { isAccepted } from '../../harness/client/exchange.ts';
import type { PageRead } from '../../harness/stream/page.ts';
import { check, type Check } from '../../harness/check/check.ts';
import { given } from '../../harness/verdict/outcome.ts';
import type { Draft } from '../../harness/stream/stream-view.ts';
import { asLongAsThereIsHope, leastHopeMs } from '../arrange/eventually.ts';
import { textsIn } from '../../spec/oracles/values/json-texts.ts';
import { channelNeeds, fromBefore, hasAll, pagesFrom, sendOne } from '../arrange/channel-read/series.ts';

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
      const { expect } = context;
      const from = await fromBefore(context);
      const sent = await sendOne(context);
      const pages = await asLongAsThereIsHope(context, () => pagesFrom(context, from), {
        isEnough: (seen) => hasAll(seen, [sent]),
        isNothing: (seen) => showsNothing(seen, sent),
      });
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
