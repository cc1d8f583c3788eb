import { randomUUID } from 'node:crypto';
import type { BodyDraft } from '../../spec/calls/index.ts';
import { check, type Check } from '../../harness/check/check.ts';
import { describeAnswer } from '../../harness/verdict/outcome.ts';
import { sendBodySpace } from '../../generators/spaces/body/send-body-space.ts';
import { bodyTextOf } from '../../generators/spaces/body/send-body.ts';
import { contentsWith } from '../../generators/spaces/content/content.ts';
import { respelledNames } from '../../generators/texts/respelled-names.ts';
import { unitEscape } from '../../generators/texts/json-values.ts';
import { countsOf } from '../../generators/texts/text.ts';
import type { ClauseId } from '../../spec/index.ts';
import { formsAgainst } from '../arrange/forms.ts';
import { requireAccepted, requireRefused } from '../arrange/send/accepted-sends.ts';

/** Sends that are refused, and the one beside them that is not. */
interface Refusal {
  readonly slug: string;
  readonly what: string;
  readonly clause: ClauseId;
  /** A body without the fault; the content alone where there is nothing more to say. */
  readonly control?: (text: string) => BodyDraft;
  /** Bodies with the fault; without the marker nobody could tell their messages. */
  readonly bodies: (mark: string) => readonly BodyDraft[];
  /** They come once more in escapes: what reads those one by one may take a pair and what stands behind it for one character. */
  readonly isEscapedToo?: boolean;
  /** Where they are sent to: the channel if nothing is said. */
  readonly to?: () => string;
}

const high = '\ud83d';
const low = '\ude00';

/** Contents with each of the pieces at the start, inside, far in and at the end. */
function anywhere(mark: string, ...pieces: readonly string[]): readonly BodyDraft[] {
  return pieces.flatMap((piece) =>
    Object.values(contentsWith(mark, piece)).map(({ text }) => ({ content: text })),
  );
}

const typed = (content: string): BodyDraft => ({ content, content_type: 'text/plain' });

const refusals: readonly Refusal[] = [
  {
    slug: 'content-with-half-of-a-surrogate-pair',
    what: 'content with a high surrogate, a low one, or both in the wrong order, wherever they stand',
    clause: 'send.lone-surrogates-refused',
    control: (text) => ({ content: `${high}${low}${text}${high}${low}` }),
    bodies: (mark) => anywhere(mark, high, low, low + high),
    isEscapedToo: true,
  },
  {
    slug: 'content-with-the-nul-character',
    what: 'content with U+0000 at its start, inside, far in or at its end',
    clause: 'send.nul-refused',
    control: (text) => ({ content: `\u0001${text}\u0001` }),
    bodies: (mark) => anywhere(mark, '\0'),
  },
  {
    slug: 'content-that-is-a-list-or-an-object',
    what: 'content that is a list or an object',
    clause: 'send.content.type',
    bodies: (mark) => [[mark], { text: mark }].map((content) => ({ content })),
  },
  {
    slug: 'content-that-is-a-scalar',
    what: 'content that is a number, a boolean or null',
    clause: 'send.content.scalars-refused',
    bodies: () => [7, true, null].map((content) => ({ content })),
  },
  {
    slug: 'body-without-content',
    what: 'a body without content',
    clause: 'send.content.required',
    control: typed,
    bodies: (mark) => [
      { content_type: 'text/plain' },
      ...respelledNames('content').map((name) => ({ [name]: mark })),
    ],
  },
  {
    slug: 'content-type-that-is-a-number-or-an-object',
    what: 'a content type that is a number or an object',
    clause: 'send.content-type.type',
    control: typed,
    bodies: (mark) => [7, { type: 'text/plain' }].map((type) => ({ content: mark, content_type: type })),
  },
  {
    slug: 'unknown-channel',
    what: 'a send to a channel that does not exist',
    clause: 'send.unknown-channel',
    bodies: (mark) => [{ content: mark }],
    to: randomUUID,
  },
  {
    slug: 'body-cut-short',
    what: 'a body whose JSON ends too early',
    clause: 'errors.refusals-are-4xx',
    bodies: (mark) => [JSON.stringify({ content: mark }).slice(0, -1)],
  },
];

/** Longer bodies are for the checks of their size. */
const longestBytes = 20_000;

/** Every body of the space that breaks the rule, with the marker before its text. */
function boundariesAgainst(clause: ClauseId, mark: string): readonly BodyDraft[] {
  return formsAgainst(sendBodySpace, clause).flatMap(({ value }) => {
    const { content } = value;
    if (content === undefined || content.length === 0) return [bodyTextOf(value)];
    if (countsOf(content).sizeBytes > longestBytes) return [];
    return [bodyTextOf({ ...value, content: [{ unit: mark, count: 1 }, ...content] })];
  });
}

/**
 * The same body with every UTF-16 unit beyond ASCII as an escape of JSON with digits in capitals, the halves of a pair too: halves by
 * themselves are escapes anyway, whose digits are small letters.
 */
function inEscapes(body: BodyDraft): string {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return text
    .replaceAll(/[^\0-\x7f]/g, (unit) => unitEscape(unit))
    .replaceAll(/(?<=\\u)[0-9a-f]{4}/g, (digits) => digits.toUpperCase());
}

function holdMarkers({ bodies }: Refusal): boolean {
  return JSON.stringify(bodies('marker')).includes('marker');
}

/** What is no message, whatever of it is wrong. */
export const refusalChecks: readonly Check[] = refusals.map((refusal) => {
  const { slug, what, clause, control = (content) => ({ content }), bodies, isEscapedToo, to } = refusal;
  const isMarked = holdMarkers(refusal);
  // ids: send.<slug>-is-refused
  // slug: suites/send/refusals.ts
  // send.lone-surrogates-refused: Content with half of a surrogate pair in it is refused.
  // send.nul-refused: Content with U+0000 anywhere in it is refused.
  // send.content.type: A send whose `content` is a list or an object is refused.
  // send.content.scalars-refused: A send whose `content` is a number, a boolean or null is refused instead of
  //   being read as text.
  // send.content.required: A send without `content` is refused.
  // send.content-type.type: A send whose `content_type` is not a string is refused.
  // send.unknown-channel: A send to a channel that does not exist is refused.
  // errors.refusals-are-4xx: What the contract forbids is answered with a 4xx status.
  return check(
    `send.${slug}-is-refused`,
    {
      title: `${what} is refused${isMarked ? ', and stored nowhere' : ''}; the same without the fault is not`,
      clauses: isMarked ? [clause, 'send.refused-stores-nothing'] : [clause],
      needs: ['author', 'channel'],
    },
    async ({ author, channel, draft, expect, marker, observe }) => {
      const [good, mark] = [draft(), marker()];
      requireAccepted(await author.sendRaw(channel.id, control(good.text)));
      const plain = [...bodies(mark), ...boundariesAgainst(clause, mark)];
      const all = isEscapedToo ? [...plain, ...plain.map(inEscapes)] : plain;
      const sent = await Promise.all(all.map((body) => author.sendRaw(to?.() ?? channel.id, body)));
      sent.forEach((each) => expect(clause, each).toBeRefused());
      requireRefused(...sent);
      if (to !== undefined)
        sent.forEach((each) => observe(clause, `answer to ${what}`, describeAnswer(each)));
      await channel.arrival(good);
      if (isMarked)
        await expect.stream('send.refused-stores-nothing', channel).toNeverShow({ marker: mark, text: mark });
    },
  );
});
