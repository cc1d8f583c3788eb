import { check } from '../../harness/check/check.ts';
import type { Check } from '../../harness/check/check.ts';
import { describeAnswer } from '../../harness/verdict/outcome.ts';
import type { Draft } from '../../harness/stream/stream-view.ts';
import type { Exchange } from '../../harness/client/exchange.ts';
import { contentOfSize, contentOfSizeEndingWith } from '../../generators/spaces/content/content.ts';
import { expectAccepted, readOn, requireAccepted } from '../arrange/send/accepted-sends.ts';
import { maxContentBytes } from '../../spec/index.ts';

/** Contents of the largest size and of one byte more, in characters whose bytes, UTF-16 units and count all differ. */
const limits = [
  {
    slug: 'whatever-the-characters',
    what: 'characters of one, two, three and four bytes',
    characters: ['x', 'é', '€', '😀'],
    // Spaces at the end are bytes like others.
    over: ['x', 'é', '€', '😀', ' '],
    bodyBytes: 9 * maxContentBytes,
  },
  {
    slug: 'not-their-json-spelling',
    what: 'control characters, which JSON spells with six bytes each',
    characters: ['\u0001'],
    over: ['\u0001'],
    bodyBytes: 12 * maxContentBytes,
  },
] as const;

/** How much and how little a message may say. */
export const contentSizeChecks: readonly Check[] = [
  ...limits.map(({ slug, what, characters, over, bodyBytes }) =>
    // ids: send.limit-counts-bytes-whatever-the-characters, send.limit-counts-bytes-not-their-json-spelling
    // send.content-bytes: Content of 500,000 bytes in UTF-8 is accepted, one byte more is refused.
    check(
      `send.limit-counts-bytes-${slug}`,
      {
        title: `content of 500,000 bytes in ${what} is accepted, of 500,001 refused and stored nowhere`,
        clauses: ['send.content-bytes', 'send.refused-stores-nothing'],
        needs: ['author', 'channel', 'large-contents'],
        bodyBytes,
      },
      async ({ author, channel, expect, marker, observe }) => {
        const send = ({ text }: Draft): Promise<Exchange> => author.send(channel.id, text);
        const longest = characters.map((character) => contentOfSize(marker(), maxContentBytes, character));
        const mark = marker();
        const tooLong = over.map((each) => contentOfSizeEndingWith(mark, maxContentBytes + 1, each));
        requireAccepted(await author.send(channel.id, `${marker()}${over.join('')}`));

        const accepted = await Promise.all(longest.map(send));
        accepted.forEach((sent) => expect('send.content-bytes', sent).toBeAccepted());
        const refused = await Promise.all(tooLong.map(send));
        refused.forEach((sent) =>
          observe('send.content-bytes', 'content over the limit', describeAnswer(sent)),
        );
        refused.forEach((sent) => expect('send.content-bytes', sent).toBeRefused());
        await expect.stream('send.refused-stores-nothing', channel).toNeverShow({ marker: mark, text: mark });
      },
    ),
  ),
  // send.content-not-empty: Content of a single byte that is not blank is accepted, empty content is refused.
  check(
    'send.one-byte-is-accepted-and-empty-content-is-refused',
    {
      title:
        'content of one byte, or of nothing but spaces, is accepted and read back; empty content is refused and stored nowhere',
      clauses: ['send.content-not-empty', 'send.blank-content-accepted'],
      arranges: ['service.sent-is-readable', 'send.refused-stores-nothing'],
      needs: ['author', 'channel'],
    },
    async (context) => {
      const { author, channel, draft, expect, settleMs, sleep } = context;
      const from = await channel.since();
      const send = (content: string): Promise<Exchange> => author.send(channel.id, content);
      requireAccepted(await send(draft().text));
      const [letter, space, blank, nothing] = await Promise.all([
        send('~'),
        send(' '),
        send(' \n\t '),
        send(''),
      ]);
      await expectAccepted(context, 'send.content-not-empty', letter);
      await expectAccepted(context, 'send.blank-content-accepted', space);
      await expectAccepted(context, 'send.blank-content-accepted', blank);
      await sleep(settleMs);
      const later = draft();
      requireAccepted(await send(later.text));
      await channel.arrival(later);
      await readOn(channel, from);
      expect('send.content-not-empty', nothing).toBeRefused();
    },
  ),
];
