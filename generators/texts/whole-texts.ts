/**
 * Texts that are something else as a whole, by their names: whoever guesses types, expands, or reads commands changes them. None has room for a
 * marker beside what it is; no check but one sends them.
 */
export const wholeTexts: Readonly<Record<string, string>> = {
  'a-number-with-zeros-before': '007',
  'a-number-with-a-zero-behind': '1.50',
  'a-number-with-an-exponent': '1e3',
  'minus-zero': '-0',
  'a-number-beyond-doubles': '9007199254740993',
  'a-number-in-hex': '0x1F',
  null: 'null',
  true: 'true',
  'no-number': 'NaN',
  'an-empty-list': '[]',
  'a-record': '{"content":"another"}',
  'text-in-quotes': '"in quotes"',
  'a-date': '2024-01-01',
  'a-time': '12:30',
  'a-command': '/help me',
  'a-mention': '@here',
  'a-formula': '=1+1',
  'a-heading': '# one',
  'a-quotation': '> two',
  'a-link': 'https://an.example/?a=1&amp;b=2',
  base64: 'dGhlIHRleHQ=',
  'a-percent-escape': '%7E',
  'two-dollars': '$$',
  'a-line-below-an-empty-one': '\nbelow a first line end',
  'an-emoji': '\u{1f600}',
};

/** What reads a text as a whole looks at what stands first in it, */
export const firstsOfTexts: readonly string[] = [
  '\n',
  '\r\n',
  '%41',
  '<b>',
  '&lt;',
  '/',
  '# ',
  '- ',
  '> ',
  '"',
  "'",
  '\\',
  '=',
  '@',
  '0',
  '\u200b',
  '\ufeff',
];

/** and at what stands last. */
export const lastsOfTexts: readonly string[] = [
  '\n',
  '\r\n',
  ' ',
  '%20',
  '</b>',
  '\\',
  '"',
  '/',
  '.',
  '0',
  '\u200b',
  '==',
];
