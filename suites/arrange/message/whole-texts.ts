/**
 * Texts that are something else as a whole: whoever guesses types, expands, or reads commands changes them. None has room for a marker
 * beside what it is; no other check sends one of them.
 */
export const wholeTexts: readonly string[] = [
  '007',
  '1.50',
  '1e3',
  '-0',
  '9007199254740993',
  '0x1F',
  'null',
  'true',
  'NaN',
  '[]',
  '{"content":"another"}',
  '"in quotes"',
  '2024-01-01',
  '12:30',
  '/help me',
  '@here',
  '=1+1',
  '# one',
  '> two',
  'https://an.example/?a=1&amp;b=2',
  'dGhlIHRleHQ=',
  '%7E',
  '$$',
  '\nbelow a first line end',
  '\u{1f600}',
];
