import { maxContentBytes } from '../../../spec/index.ts';
import type { NamedValue } from '../../space/input-space.ts';
import { bytesOf, resized, runsOf, type Text } from '../../texts/text.ts';
import { firstsOfTexts, lastsOfTexts, wholeTexts } from '../../texts/whole-texts.ts';
import { unitFamilies } from '../../space/units.ts';

const unitWidths = {
  '1-byte': 'a',
  '2-byte': 'é',
  '3-byte': '€',
  '4-byte': '😀',
  // One byte on the way in UTF-8, six in JSON.
  escaped: '\u0001',
} as const;

/** Every size at which the rule about bytes turns over, in characters of every width. */
const sizes: readonly NamedValue<Text>[] = Object.entries(unitWidths).flatMap(([slug, unit]) =>
  [maxContentBytes - 1, maxContentBytes, maxContentBytes + 1].flatMap((sizeBytes) => {
    const text = resized([{ unit, count: sizeBytes }], sizeBytes);
    const expected = sizeBytes > maxContentBytes ? refused : taken;
    return [
      expected(`${sizeBytes}-bytes-${slug}-chars`, text),
      // Where the width does not divide the size, the odd bytes once behind the characters and once before them.
      ...(text.length === 1
        ? []
        : [expected(`${sizeBytes}-bytes-ending-in-${slug}-chars`, text.toReversed())]),
    ];
  }),
);

/** The limit lies behind so many bytes of the last character. */
const split: readonly NamedValue<Text>[] = (['2-byte', '3-byte', '4-byte'] as const).flatMap((slug) => {
  const unit = unitWidths[slug];
  return Array.from({ length: bytesOf(unit) - 1 }, (_, index) => index + 1).map((inside) =>
    refused(`limit-${inside}-bytes-into-a-${slug}-char`, [
      { unit: 'a', count: maxContentBytes - inside },
      { unit, count: 1 },
    ]),
  );
});

/** The byte at the limit or beyond it is white space, which whoever trims before counting does not see. */
const edges: readonly NamedValue<Text>[] = Object.entries({ space: ' ', 'line-end': '\n' }).flatMap(
  ([slug, unit]) =>
    [maxContentBytes, maxContentBytes + 1].flatMap((sizeBytes) => {
      const text: Text = [
        { unit: 'a', count: sizeBytes - 1 },
        { unit, count: 1 },
      ];
      const expected = sizeBytes > maxContentBytes ? refused : taken;
      return [
        expected(`${sizeBytes}-bytes-ending-in-a-${slug}`, text),
        expected(`${sizeBytes}-bytes-beginning-with-a-${slug}`, text.toReversed()),
      ];
    }),
);

/** Whoever counts characters, UTF-16 units or escapes in place of bytes takes them wrongly, or refuses them. */
const otherCounts: readonly NamedValue<Text>[] = [
  refused('500000-2-byte-chars', [{ unit: 'é', count: maxContentBytes }]),
  refused('250001-2-byte-chars', [{ unit: 'é', count: 250_001 }]),
  refused('166667-3-byte-chars', [{ unit: '€', count: 166_667 }]),
  refused('125001-4-byte-chars', [{ unit: '😀', count: 125_001 }]),
  refused('1000000-bytes', [{ unit: 'a', count: 2 * maxContentBytes }]),
  taken('83333-escapes', [{ unit: '\u0001', count: 83_333 }]),
  taken('83334-escapes', [{ unit: '\u0001', count: 83_334 }]),
  taken('250000-quotes', [{ unit: '"', count: 250_000 }]),
  ...[10, 14, 16, 17].flatMap((power) =>
    [-1, 0, 1].map((more) => taken(`${2 ** power + more}-bytes`, [{ unit: 'a', count: 2 ** power + more }])),
  ),
];

const smallest: readonly NamedValue<Text>[] = [
  refused('empty', []),
  ...Object.entries(unitWidths).map(([slug, unit]) => taken(`one-${slug}-char`, [{ unit, count: 1 }])),
];

const [high, low] = ['\ud83d', '\ude00'];

const surrogateTexts: readonly NamedValue<Text>[] = [
  ...inPlaces(taken, 'surrogate-pair', high + low),
  ...inPlaces(refused, 'lone-high-surrogate', high),
  ...inPlaces(refused, 'lone-low-surrogate', low),
  ...inPlaces(refused, 'reversed-pair', low + high),
  ...inPlaces(refused, 'two-high-surrogates', high + high),
  ...inPlaces(refused, 'high-surrogate-before-a-pair', high + high + low),
  ...inPlaces(refused, 'pair-before-a-low-surrogate', high + low + low),
  ...['\ud800', '\udbff', '\udc00', '\udfff'].map((unit) =>
    refused(`only-${nameOf(unit)}`, [{ unit, count: 1 }]),
  ),
  refused('lone-surrogate-after-400000-bytes', behind(400_000, high)),
];

const nuls: readonly NamedValue<Text>[] = [
  ...inPlaces(refused, 'nul', '\0'),
  refused('only-nul', [{ unit: '\0', count: 1 }]),
  refused('nul-after-400000-bytes', behind(400_000, '\0')),
  refused('nul-at-the-limit', behind(maxContentBytes - 1, '\0')),
  ...inPlaces(taken, 'picture-of-nul', '\u2400'),
  ...inPlaces(taken, 'escape-of-nul-in-words', '\\u0000'),
];

/** Every family of characters: all in a row, in each place of a text, and each character alone. */
const familyTexts: readonly NamedValue<Text>[] = Object.entries(unitFamilies).flatMap(([family, units]) => [
  ...inPlaces(taken, family, units.join('')),
  ...units.map((unit) => taken(`only-${family}-${nameOf(unit)}`, [{ unit, count: 1 }])),
]);

const wordings: readonly NamedValue<Text>[] = Object.entries({
  'spaces-alone': '   ',
  'blanks-alone': ' \t\n\u00a0\u3000',
  'composed-beside-decomposed': '\u00e9e\u0301',
  'marks-in-either-order': 'q\u0307\u0323q\u0323\u0307',
  'every-line-end': 'a\r\nb\rc\nd\u2028e\u2029f\u0085',
  'joined-emoji': '👩‍👩‍👧‍👦👍🏽🏳️‍🌈🇺🇳5️⃣',
  'heaps-of-marks': `Z${'\u0351\u036b\u0343\u036a'.repeat(20)}`,
  'json-in-text': '{"content":"x","mentions":[]}',
  'escapes-in-text': '\\ud800 \\n \\" %00 %41 &amp; =C3=A9',
  'code-in-text': "'; drop table x; -- ${x} {{y}} $(id) <script>1</script> ../..",
  'mentions-in-text': '@agent @here <@1>',
  ...wholeTexts,
}).map(([slug, text]) => taken(slug, runsOf(text)));

/** What stands first or last, where whoever reads a text as a whole looks. */
const outermost: readonly NamedValue<Text>[] = [
  ...firstsOfTexts.map((piece) => taken(`beginning-with-${namesOf(piece)}`, runsOf(`${piece}the text`))),
  ...lastsOfTexts.map((piece) => taken(`ending-with-${namesOf(piece)}`, runsOf(`the text${piece}`))),
];

/** All contents that have a name. */
export const contentBoundaries: readonly NamedValue<Text>[] = [
  ...smallest,
  ...sizes,
  ...edges,
  ...split,
  ...otherCounts,
  ...surrogateTexts,
  ...nuls,
  ...familyTexts,
  ...wordings,
  ...outermost,
];

function taken(slug: string, value: Text): NamedValue<Text> {
  return { slug, expectation: 'accept', value };
}

function refused(slug: string, value: Text): NamedValue<Text> {
  return { slug, expectation: 'reject', value };
}

/** A piece at the start of a text, inside it and at its end. */
function inPlaces(expected: typeof taken, slug: string, piece: string): NamedValue<Text>[] {
  return [
    expected(`leading-${slug}`, runsOf(`${piece}text`)),
    expected(`inner-${slug}`, runsOf(`te${piece}xt`)),
    expected(`trailing-${slug}`, runsOf(`text${piece}`)),
  ];
}

function behind(sizeBytes: number, unit: string): Text {
  return [
    { unit: 'a', count: sizeBytes },
    { unit, count: 1 },
  ];
}

/** The names of all its characters. */
function namesOf(text: string): string {
  return Array.from(text, nameOf).join('-');
}

/** `u` and the code point in hex. */
function nameOf(unit: string): string {
  return `u${(unit.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`;
}
