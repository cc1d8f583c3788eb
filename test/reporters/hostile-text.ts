import fc from 'fast-check';

const controls = [
  '\u001b',
  '\u001b[2J',
  '\u001b[1A',
  '\u001b]0;x\u0007',
  '\u009b',
  '\u009b31m',
  '\u0007',
  '\b',
  '\r',
  '\n',
];
const oddities = [
  '\ud800',
  '\udc00',
  '\u202e',
  '\u{e0041}',
  ' ',
  '[2J',
  ']0;title',
  '[31m',
  '\\u001b',
  '{"a":',
  'plain',
];

/** Text of any code units, so that halves of pairs stand alone; mostly what moves a cursor, names a window or hides. */
export const hostile = fc
  .array(
    fc.oneof(
      fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)),
      fc.constantFrom(...controls, ...oddities),
    ),
    { maxLength: 40 },
  )
  .map((parts) => parts.join(''));
