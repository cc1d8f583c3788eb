import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { firstUnits, printable, widthOf } from '../../../harness/output/printable.ts';
import { hostile } from '../../reporters/hostile-text.ts';

describe('printable', () => {
  it.each([
    ['plain text, "quotes" and \\ as they are', 'plain text, "quotes" and \\ as they are'],
    ['\u001b[31mred\u001b[0m', '\\u001b[31mred\\u001b[0m'],
    ['\u009b2J', '\\u009b2J'],
    ['a\r\n\tb\u0000', 'a\\r\\n\\tb\\u0000'],
    ['half \ud800, other half \udc00', 'half \\ud800, other half \\udc00'],
    ['\udc00\ud800', '\\udc00\\ud800'],
    ['grüße 東京 🎉', 'grüße 東京 🎉'],
    ['no\u00a0break, zero\u200bwidth, \u202eleft', 'no\\u00a0break, zero\\u200bwidth, \\u202eleft'],
    ['\ufeffmark', '\\ufeffmark'],
    ['tag \u{e0041}', 'tag \\u{e0041}'],
    ['line\u2028paragraph\u2029', 'line\\u2028paragraph\\u2029'],
    ['blank that is a letter \u3164', 'blank that is a letter \\u3164'],
  ])('shows %j as %s', (text, expected) => {
    expect(printable(text)).toBe(expected);
  });

  it('leaves nothing that a terminal obeys or hides, and no half of a pair', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        expect(printable(text)).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
      }),
      { numRuns: 500 },
    );
  });

  it('changes nothing the second time', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        expect(printable(printable(text))).toBe(printable(text));
      }),
    );
  });
});

it.each([
  ['', 0],
  ['abc', 3],
  ['東京', 4],
  ['🎉!', 3],
  ['\u001b', 6],
])('the width of %j is %i columns', (text, width) => {
  expect(widthOf(text)).toBe(width);
});

it.each([
  ['a😀😀', 2, 'a'],
  ['a😀😀', 3, 'a😀'],
  ['a\uD83Db', 2, 'a\uD83D'],
  ['a\uDE00b', 2, 'a\uDE00'],
  ['abc', 5, 'abc'],
])(
  'the first units of a text of %j, %d of them, are %j: no pair is parted, and no half that came alone is lost',
  (text, most, first) => {
    expect(firstUnits(text, most)).toBe(first);
  },
);
