import { readChannel } from '../../spec/calls/index.ts';
import { channelAfterSpace } from '../../generators/spaces/query/parameter-space.ts';
import { check, type Check } from '../../harness/check/check.ts';
import { describeAnswer } from '../../harness/verdict/outcome.ts';
import { coverage } from '../../history/judges/coverage.ts';
import { judgeTwice } from '../arrange/channel-read/judging.ts';
import { requireReadable } from '../arrange/channel-read/readers.ts';
import { formsAgainst, tryForms } from '../arrange/forms.ts';
import { channelNeeds, channelSeries } from '../arrange/channel-read/series.ts';

const refusals = [
  { slug: 'that-is-no-integer', what: 'what is no integer', clause: 'channel-read.after-type' },
  { slug: 'below-zero', what: 'a negative number', clause: 'channel-read.after-negative' },
] as const;

/** What a channel read makes of the cursor it is asked with. */
export const cursorChecks: readonly Check[] = [
  // channel-read.after-zero: With `after` 0 a channel is read from its first retained message.
  check(
    'channel-read.after-zero-reads-from-the-first',
    {
      title: 'with after 0 a channel is read from the first message that it still has',
      clauses: ['channel-read.after-zero'],
      needs: channelNeeds,
    },
    async (context) => {
      const { channel, observe } = context;
      const { from } = await channelSeries(context);
      const newest = await channel.readPage(undefined, 100);
      // Whatever shows an old message will do: the newest page may show the very first, one after 1 the oldest left.
      const whole = () => Promise.all([channel.readPage(undefined, 100), channel.readPage(1n, 100)]);
      const judged = () => Promise.all([channel.readPage(0n, 1), channel.readPage(0n, 100)]);
      const reads = { whole, judged };
      await judgeTwice(context, [coverage, 'channel-read.after-zero'], reads, { isAllSound: false });
      observe('channel-read.after-omitted', 'a read without a cursor', describeAnswer(newest.exchange));
      const [beyond, huge] = await Promise.all([
        channel.readPage((newest.nextAfter ?? from) + 1_000_000n, 1),
        channel.readPage(2n ** 63n, 1),
      ]);
      observe('channel-read.after-beyond', 'a cursor a million ahead', describeAnswer(beyond.exchange));
      observe('channel-read.after-beyond', 'a cursor of 2^63', describeAnswer(huge.exchange));
    },
  ),
  ...refusals.map(({ slug, what, clause }) =>
    // ids: channel-read.cursor-that-is-no-integer-is-refused, channel-read.cursor-below-zero-is-refused
    // channel-read.after-type: A channel read with an `after` that is not an integer is refused.
    // channel-read.after-negative: A channel read with a negative `after` is refused.
    check(
      `channel-read.cursor-${slug}-is-refused`,
      {
        title: `a channel read after ${what} is refused, however it is written`,
        clauses: [clause],
        needs: channelNeeds,
      },
      async (context) => {
        const { author, channel } = context;
        await requireReadable(context);
        await tryForms(
          context,
          formsAgainst(channelAfterSpace, clause),
          (form) => author.request(readChannel(channel.id, `${form}&limit=100`)),
          [{ clause, answer: 'refused' }],
        );
      },
    ),
  ),
];
