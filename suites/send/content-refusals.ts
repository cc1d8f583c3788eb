import { check } from '../../harness/check/check.ts';
import type { Check } from '../../harness/check/check.ts';
import { contentsWith } from '../../generators/spaces/content/content.ts';
import { requireAccepted, requireRefused } from '../arrange/send/accepted-sends.ts';

const high = '\ud83d';
const low = '\ude00';

/** What no content may hold, and beside it what any content may hold, for the control request. */
const forbidden = [
  {
    slug: 'half-of-a-surrogate-pair',
    what: 'a high surrogate, a low one, or both in the wrong order',
    pieces: [high, low, low + high],
    control: high + low,
    clause: 'send.lone-surrogates-refused',
  },
  {
    slug: 'the-nul-character',
    what: 'U+0000',
    pieces: ['\0'],
    control: '\u0001',
    clause: 'send.nul-refused',
  },
] as const;

/** What is no content at all, wherever in it the fault lies. */
export const contentRefusalChecks: readonly Check[] = [
  ...forbidden.map(({ slug, what, pieces, control, clause }) =>
    // ids: send.content-with-half-of-a-surrogate-pair-is-refused,
    //   send.content-with-the-nul-character-is-refused
    // send.lone-surrogates-refused: Content with half of a surrogate pair in it is refused.
    // send.nul-refused: Content with U+0000 anywhere in it is refused.
    check(
      `send.content-with-${slug}-is-refused`,
      {
        title: `content with ${what} at its start, inside, far in or at its end is refused and stored nowhere`,
        clauses: [clause, 'send.refused-stores-nothing'],
        needs: ['author', 'channel'],
      },
      async ({ author, channel, expect, marker }) => {
        requireAccepted(await author.send(channel.id, `${control}${marker()}${control} and more${control}`));

        const mark = marker();
        const contents = pieces.flatMap((piece) => Object.values(contentsWith(mark, piece)));
        const sent = await Promise.all(contents.map(({ text }) => author.send(channel.id, text)));
        sent.forEach((each) => expect(clause, each).toBeRefused());
        await expect.stream('send.refused-stores-nothing', channel).toNeverShow({ marker: mark, text: mark });
      },
    ),
  ),
  // send.content.type: A send whose `content` is a list or an object is refused.
  check(
    'send.content-that-is-a-list-or-an-object-is-refused',
    {
      title: 'content that is a list or an object is refused and stored nowhere',
      clauses: ['send.content.type', 'send.refused-stores-nothing'],
      needs: ['author', 'channel'],
    },
    async ({ author, channel, draft, expect }) => {
      const { marker, text } = draft();
      requireAccepted(await author.send(channel.id, draft().text));

      const sent = await Promise.all([[text], { text }].map((each) => author.send(channel.id, each)));
      sent.forEach((each) => expect('send.content.type', each).toBeRefused());
      await expect.stream('send.refused-stores-nothing', channel).toNeverShow({ marker, text });
    },
  ),
  // send.content.scalars-refused: A send whose `content` is a number, a boolean or null is refused instead of
  //   being read as text.
  check(
    'send.content-that-is-a-scalar-is-refused',
    {
      title: 'content that is a number, a boolean or null is refused',
      clauses: ['send.content.scalars-refused'],
      needs: ['author', 'channel'],
    },
    async ({ author, channel, draft, expect }) => {
      const control = draft();
      requireAccepted(await author.send(channel.id, control.text));
      const sent = await Promise.all([7, true, null].map((each) => author.send(channel.id, each)));
      sent.forEach((each) => expect('send.content.scalars-refused', each).toBeRefused());
      await channel.arrival(control);
    },
  ),
  // send.content.required: A send without `content` is refused.
  check(
    'send.body-without-content-is-refused',
    {
      title: 'a body without content is refused; with it, the same body is accepted',
      clauses: ['send.content.required'],
      needs: ['author', 'channel'],
    },
    async ({ author, channel, draft, expect }) => {
      const whole = draft();
      const { text } = whole;
      requireAccepted(
        await author.sendRaw(channel.id, JSON.stringify({ content: text, content_type: 'text/plain' })),
      );
      await channel.arrival(whole);
      expect(
        'send.content.required',
        await author.sendRaw(channel.id, '{"content_type":"text/plain"}'),
      ).toBeRefused();
    },
  ),
  // send.content-type.type: A send whose `content_type` is not a string is refused.
  check(
    'send.content-type-that-is-a-number-or-an-object-is-refused',
    {
      title: 'a content type that is a number or an object is refused, and its message stored nowhere',
      clauses: ['send.content-type.type', 'send.refused-stores-nothing'],
      needs: ['author', 'channel'],
    },
    async ({ author, channel, draft, expect }) => {
      const refused = draft();
      const sendAs = (text: string, contentType: unknown) =>
        author.send(channel.id, text, { fields: { content_type: contentType } });
      requireAccepted(await sendAs(draft().text, 'text/plain'));

      const [number, object] = await Promise.all([
        sendAs(refused.text, 7),
        sendAs(refused.text, { type: 'text/plain' }),
      ]);
      expect('send.content-type.type', number).toBeRefused();
      expect('send.content-type.type', object).toBeRefused();
      requireRefused(number, object);
      await expect.stream('send.refused-stores-nothing', channel).toNeverShow(refused);
    },
  ),
];
