import * as fc from 'fast-check';

/** Characters that something on their way is prone to change or to trip over, by what they are. */
export const unitFamilies = {
  'white-space': codePointsOf(
    ' \t\n\r\u000b\u000c\u0085\u00a0\u1680\u2003\u2009\u2028\u2029\u202f\u205f\u3000',
  ),
  normalisation: codePointsOf(
    '\u00e9\u0301\u030a\u0344\u212b\u00c5\u2126\ufb01\u1100\u1161\u11a8\uac01\u00bd\uff21\ufdfa\u{2f800}',
  ),
  'case-expansion': codePointsOf(
    '\u00df\u1e9e\u0130\u0131\u0149\u01c6\u01f0\u0390\u0587\u017f\ufb03\u1f80\u1fb3\u03c2',
  ),
  'escaped-in-json': codePointsOf('"\\/\u0001\b\u001b\u001f\u007f'),
  invisible: codePointsOf(
    '\u00ad\u034f\u180e\u200b\u200c\u200d\u200e\u200f\u202e\u2060\u2067\u2069\ufe0f\ufeff\u{e0001}',
  ),
  'edges-of-planes': codePointsOf(
    '\u007f\u0080\u07ff\u0800\ud7ff\ue000\ufdd0\ufffd\ufffe\uffff\u{10000}\u{1fffe}\u{10ffff}',
  ),
  markup: codePointsOf("<>&'`$%{}[]();:#@|~^*_=+"),
  digits: codePointsOf('0٣३五Ⅷ①'),
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** One code point of 1, 2, 3 or 4 bytes, all of each width alike; U+0000 and surrogates are left out. */
const unitOfWidth: Readonly<Record<1 | 2 | 3 | 4, fc.Arbitrary<string>>> = {
  1: codePoints(0x01, 0x7f),
  2: codePoints(0x80, 0x7ff),
  3: fc.oneof(
    { arbitrary: codePoints(0x800, 0xd7ff), weight: 52 },
    { arbitrary: codePoints(0xe000, 0xffff), weight: 8 },
  ),
  4: codePoints(0x10000, 0x10ffff),
};

/** Any unit that a content may hold: every width alike, and what is prone to trouble as often. */
export const contentUnit: fc.Arbitrary<string> = fc.oneof(
  ...Object.values(unitOfWidth),
  ...Object.values(unitFamilies).map((units) => fc.constantFrom<string>(...units)),
);

const surrogates = { first: 0xd800, count: 0x800 } as const;

/**
 * Any code point but a surrogate, all of them alike. The unit `binary` of fast-check is the same, and takes a second and a table
 * of a million entries to begin with.
 */
export const anyUnit: fc.Arbitrary<string> = fc
  .nat({ max: 0x10ffff - surrogates.count })
  .map(
    (index) => String.fromCodePoint(index < surrogates.first ? index : index + surrogates.count),
    indexOfUnit,
  );

/** Lets fast-check mix texts of its own in, unit by unit; that this throws tells it which ones it cannot. */
function indexOfUnit(text: unknown): number {
  const codePoint = typeof text === 'string' ? text.codePointAt(0) : undefined;
  const isUnit = codePoint !== undefined && String.fromCodePoint(codePoint) === text;
  if (!isUnit || /\p{Surrogate}/u.test(text)) throw new Error('no single code point, or a surrogate');
  return codePoint < surrogates.first ? codePoint : codePoint - surrogates.count;
}

/** Half of a surrogate pair. */
export const loneSurrogateUnit: fc.Arbitrary<string> = codeUnits(0xd800, 0xdfff);

/** A string in its code points; an unpaired surrogate is one by itself. */
function codePointsOf(text: string): readonly string[] {
  return Array.from(text);
}

function codePoints(min: number, max: number): fc.Arbitrary<string> {
  return fc.integer({ min, max }).map((codePoint) => String.fromCodePoint(codePoint));
}

function codeUnits(min: number, max: number): fc.Arbitrary<string> {
  return fc.integer({ min, max }).map((unit) => String.fromCharCode(unit));
}
