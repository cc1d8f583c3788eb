import { readChannel } from '../../calls/index.ts';
import { channelAfterSpace } from '../../generators/spaces/query/parameter-space.ts';
import { check, type Check } from '../../harness/check/check.ts';
import { requireReadable } from '../arrange/channel-read/series.ts';
import { formsAgainst, tryForms } from '../arrange/forms.ts';
import { channelNeeds } from '../arrange/channel-read/series.ts';

const refusals = [
  { slug: 'that-is-no-integer', what: 'what is no integer', clause: 'channel-read.after-type' },
  { slug: 'below-zero', what: 'a negative number', clause: 'channel-read.after-negative' },
] as const;

/** What a channel read makes of the cursor it is asked with. */
export const cursorChecks: readonly Check[] = refusals.map(({ slug, what, clause }) =>
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
);
