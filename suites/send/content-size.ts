import { contentOfSize, contentOfSizeEndingWith } from '../../generators/spaces/content/content.ts';
import type { JsonRecord } from '../../spec/calls/index.ts';
import { check, type Check } from '../../harness/check/check.ts';
import type { Context } from '../../harness/check/context.ts';
import { isAccepted, statusOf, type Exchange } from '../../harness/client/exchange.ts';
import type { Draft } from '../../harness/stream/stream-view.ts';
import { describeAnswer } from '../../harness/verdict/outcome.ts';
import { maxContentBytes } from '../../spec/index.ts';
import { mayBeTooLong } from '../../spec/oracles/requests/sent-body.ts';
import { takenTogether } from '../arrange/features.ts';
import { expectAccepted, readOn, requireAccepted } from '../arrange/send/accepted-sends.ts';

/** More than many a server reads at once. */
const longBytes = 100_000;

/** Characters whose bytes, UTF-16 units and count all differ. */
const widths = ['x', 'é', '€', '😀'];

/** A content of these is within every limit but that of bytes. */
const besideFeatures = 'é';

/** Spelled in six bytes of JSON, be it one byte of content. */
const control = '\u0001';
/** The smallest content whose spelling in controls is longer than a content may be; 40 bytes more for its marker, which is spelled as it is. */
const spelledBytes = Math.ceil(maxContentBytes / 6) + 40;
/** So many of them leave a body about as long as its content. */
const fewControls = 1_000;

/** How much and how little a message may say. */
export const contentSizeChecks: readonly Check[] = [
  // send.content-bytes: Content of 500,000 bytes in UTF-8 is accepted, one byte more is refused.
  check(
    'send.limit-counts-bytes-whatever-the-characters',
    {
      title:
        'content of 500,000 bytes in characters of one, two, three and four bytes is accepted, of 500,001 refused and stored nowhere',
      clauses: ['send.content-bytes', 'send.refused-stores-nothing'],
      needs: ['author', 'channel', 'large-contents'],
      bodyBytes: 11 * maxContentBytes,
    },
    async (context) => {
      const mark = context.marker();
      const taken = await takenTogether(context);
      const beside = taken === undefined ? [] : [taken];
      return expectLimit(context, {
        within: [
          ...widths.map((each) => contentOfSize(context.marker(), maxContentBytes, each)),
          ...beside.map((fields) => ({
            ...contentOfSize(context.marker(), maxContentBytes, besideFeatures),
            fields,
          })),
        ],
        beyond: [
          ...widths.map((each) => contentOfSizeEndingWith(mark, maxContentBytes + 1, each)),
          // Bytes like others, be they taken off, joined or composed where a text is cleaned.
          tidiedBeyond(mark),
          ...beside.map((fields) => ({
            ...contentOfSizeEndingWith(mark, maxContentBytes + 1, besideFeatures),
            fields,
          })),
        ],
        mark,
      });
    },
  ),
  // send.content-bytes: Content of 500,000 bytes in UTF-8 is accepted, one byte more is refused.
  check(
    'send.limit-counts-bytes-not-their-json-spelling',
    {
      title:
        'content within 500,000 bytes is accepted though JSON escapes make its body longer, of 3 MB at most; of 500,001 refused and stored nowhere',
      clauses: [
        'send.content-bytes',
        'send.content-in-long-spelling-accepted',
        'send.refused-stores-nothing',
      ],
      needs: ['author', 'channel', 'large-contents'],
      bodyBytes: 8 * maxContentBytes,
    },
    (context) => {
      const mark = context.marker();
      const beyond = contentOfSize(mark, maxContentBytes + 1 - fewControls);
      return expectLimit(context, {
        within: [spelledBytes, maxContentBytes].map((bytes) =>
          contentOfSize(context.marker(), bytes, control),
        ),
        beyond: [{ marker: mark, text: `${beyond.text}${control.repeat(fewControls)}` }],
        mark,
      });
    },
  ),
  // send.content-bytes: Content of 500,000 bytes in UTF-8 is accepted, one byte more is refused.
  check(
    'send.content-is-held-to-its-size-in-a-body-without-a-length',
    {
      title:
        'content of 100,000 bytes is accepted also in a body that comes in chunks, of 500,001 or of none refused and stored nowhere',
      clauses: ['send.content-bytes', 'send.content-not-empty', 'send.refused-stores-nothing'],
      needs: ['author', 'channel', 'large-contents'],
      bodyBytes: 2 * maxContentBytes + 2 * longBytes,
    },
    async ({ author, channel, draft, expect, marker }) => {
      const send = (text: string): Promise<Exchange> =>
        author.send(channel.id, text, { headers: { 'transfer-encoding': 'chunked' } });
      const control = draft();
      const taken = await send(control.text);
      // HTTP lets a server ask for a length.
      requireAccepted(taken);
      await channel.arrival(control);
      const [one, other] = [contentOfSize(marker(), longBytes), contentOfSize(marker(), longBytes)];
      const [measured, inChunks] = [await author.send(channel.id, one.text), await send(other.text)];
      const mayNeedLength = statusOf(inChunks) === 411;
      if (isAccepted(measured) && !mayNeedLength)
        expect(
          'send.content-bytes',
          inChunks,
          `of ${longBytes} bytes in a body that comes in chunks`,
        ).toBeAccepted();
      const mark = marker();
      const [beyond, empty] = await Promise.all([
        send(contentOfSizeEndingWith(mark, maxContentBytes + 1, 'x').text),
        send(''),
      ]);
      expect('send.content-bytes', beyond, 'whose body comes in chunks').toBeRefused();
      expect('send.content-not-empty', empty, 'whose body comes in chunks').toBeRefused();
      await expect.stream('send.refused-stores-nothing', channel).toNeverShow({ marker: mark, text: mark });
    },
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
      const [sign, digit, space, blank, nothing] = await Promise.all([
        send('~'),
        // What many a language takes for nothing.
        send('0'),
        send(' '),
        send(' \n\t '),
        send(''),
      ]);
      for (const each of [sign, digit]) await expectAccepted(context, 'send.content-not-empty', each);
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

/** A content, and what is sent beside it. */
interface Large extends Draft {
  readonly fields?: JsonRecord;
}

/** Contents on both sides of the limit; those beyond it share a marker. */
interface Limit {
  readonly within: readonly Large[];
  readonly beyond: readonly Large[];
  readonly mark: string;
}

/** One byte over the limit, and within it without its byte order mark, its last spaces, composed, or with shorter line ends. */
function tidiedBeyond(mark: string): Large {
  const head = '\ufeff';
  const tidied = `${mark}e\u0301\r\n`;
  const room = maxContentBytes + 1 - Buffer.byteLength(head);
  const { text } = contentOfSizeEndingWith(tidied, room, ' ');
  return { marker: mark, text: head + text };
}

async function expectLimit(
  { author, channel, expect, marker, observe }: Context<'author' | 'channel'>,
  { within, beyond, mark }: Limit,
): Promise<void> {
  const send = ({ text, fields = {} }: Large): Promise<Exchange> => author.send(channel.id, text, { fields });
  const ends = beyond.map(({ text }) => Array.from(text.slice(-2)).at(-1));
  requireAccepted(await author.send(channel.id, `${marker()}${ends.join('')}`));

  const accepted = await Promise.all(within.map(send));
  for (const sent of accepted) {
    if (!mayBeTooLong(sent.request)) expect('send.content-bytes', sent).toBeAccepted();
    // How much may be on its way at once is left open.
    else if (statusOf(sent) === 429)
      observe('limits.rates', 'a body six times as long as its content', describeAnswer(sent));
    else
      expect(
        'send.content-in-long-spelling-accepted',
        sent,
        'whose content is within the limit and whose body is longer',
      ).toBeAcceptedAtAnyLength();
  }
  const refused = await Promise.all(beyond.map(send));
  for (const sent of refused) {
    observe('send.content-bytes', 'content over the limit', describeAnswer(sent));
    expect('send.content-bytes', sent).toBeRefused();
  }
  await expect.stream('send.refused-stores-nothing', channel).toNeverShow({ marker: mark, text: mark });
}
