import type { ClauseId } from '../../spec/index.ts';
import { contractRules } from '../../reference/rules/rules.ts';
import { breaking, mutant, what, type Mutant } from './base/mutant.ts';

/** What a careless service does to a text on its way into the store. */
const alterations: Readonly<Record<string, (text: string) => string>> = {
  trims: (text) => text.trim() || text,
  'trims-the-end': (text) => text.trimEnd() || text,
  'trims-the-start': (text) => text.trimStart() || text,
  'drops-the-last-newline': (text) => text.replace(/(?<=.)\n$/s, ''),
  composes: (text) => text.normalize('NFC'),
  decomposes: (text) => text.normalize('NFD'),
  'folds-compatibility': (text) => text.normalize('NFKC'),
  'unifies-line-ends': (text) => text.replaceAll('\r\n', '\n'),
  'drops-accents': (text) => text.replaceAll('é', 'e'),
  'drops-carriage-returns': (text) => text.replaceAll('\r', '') || text,
  'writes-crlf': (text) => text.replaceAll(/(?<!\r)\n/g, '\r\n'),
  'expands-tabs': (text) => text.replaceAll('\t', '    '),
  'collapses-spaces': (text) => text.replaceAll(/ {2,}/g, ' '),
  'plain-spaces': (text) => text.replaceAll('\u00a0', ' '),
  'drops-controls': (text) =>
    Array.from(text)
      .filter((each) => !isControl(each))
      .join('') || text,
  'drops-delete': (text) => text.replaceAll('\u007f', '') || text,
  'drops-c1-controls': (text) => text.replaceAll(/[\u0080-\u009f]/g, '') || text,
  'drops-the-bom': (text) => text.replaceAll('\ufeff', '') || text,
  'drops-zero-width': (text) => text.replaceAll(/\u200b|\u200c|\u200d|\u2060/g, '') || text,
  'drops-variation-selectors': (text) => text.replaceAll(/[\ufe00-\ufe0f]/g, '') || text,
  'drops-direction-marks': (text) => text.replaceAll(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '') || text,
  'drops-soft-hyphens': (text) => text.replaceAll('\u00ad', '') || text,
  'line-separators-become-newlines': (text) => text.replaceAll(/[\u2028\u2029]/g, '\n'),
  'next-line-becomes-newline': (text) => text.replaceAll('\u0085', '\n'),
  'replaces-astral': (text) => text.replaceAll(/[\u{10000}-\u{10ffff}]/gu, '\ufffd'),
  'cuts-at-astral': (text) => text.split(/[\u{10000}-\u{10ffff}]/u)[0] || text,
  'replaces-noncharacters': (text) => text.replaceAll(/[\ufdd0-\ufdef\ufffe\uffff]/g, '\ufffd'),
  'replaces-private-use': (text) => text.replaceAll(/[\ue000-\uf8ff]/g, '\ufffd'),
  'keeps-latin-1-only': (text) => text.replaceAll(/[\u0100-\uffff]/g, '?'),
  'escapes-markup': (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;'),
  'resolves-entities': (text) => text.replaceAll('&amp;', '&').replaceAll('&lt;', '<'),
  'strips-tags': (text) => text.replaceAll(/<[^>]*>/g, '') || text,
  'resolves-escapes': (text) => text.replaceAll('\\n', '\n'),
  'resolves-unicode-escapes': (text) =>
    text.replaceAll(/\\u([0-9a-f]{4})/gi, (_, digits: string) =>
      String.fromCharCode(Number.parseInt(digits, 16)),
    ),
  'doubles-backslashes': (text) => text.replaceAll('\\', '\\\\'),
  'decodes-percent': (text) =>
    text.replaceAll(/%([2-7][0-9a-f])/gi, (_, digits: string) =>
      String.fromCharCode(Number.parseInt(digits, 16)),
    ),
  // What reads a text as a whole, or its first and last character alone.
  'drops-zeros-before-a-number': (text) => text.replace(/^0+(?=\d+$)/, ''),
  'drops-a-first-newline': (text) => text.replace(/^\r?\n(?=.)/s, ''),
  'decodes-the-percent-forms-of-the-whole': (text) => decodedAsAWhole(text),
  'strips-a-tag-at-the-start': (text) => text.replace(/^<[a-z]+>(?=.)/s, ''),
  'resolves-an-entity-at-the-start': (text) => text.replace(/^&lt;/, '<'),
  'guards-formulas': (text) => (text.startsWith('=') && text.length > 1 ? `'${text}` : text),
  'drops-a-quote-at-the-start': (text) => text.replace(/^["'](?=.)/s, ''),
  'drops-a-backslash-at-the-end': (text) => text.replace(/(?<=.)\\$/s, ''),
  'drops-padding-at-the-end': (text) => text.replace(/(?<=.)==$/s, ''),
  'drops-a-space-at-the-end': (text) => text.replace(/(?<=.) $/s, ''),
  'reads-a-first-zero-as-octal': (text) => text.replace(/^0(?=\D)/, ''),
  'retypes-numbers': (text) => (/^-?\d+(?:\.\d+)?(?:e\d+)?$/.test(text) ? String(Number(text)) : text),
  'encodes-data-again': (text) => (/^(?:null|true|NaN|\[\])$/.test(text) ? JSON.stringify(text) : text),
  'answers-commands': (text) => (/^\/\w/.test(text) ? 'unknown command' : text),
  'resolves-dollars': (text) => text.replaceAll('$$', '$').replaceAll(/\$\{?author\b\}?/g, 'somebody'),
  'curls-quotes': (text) => text.replaceAll('"', '\u201d').replaceAll("'", '\u2019'),
  'lower-cases': (text) => text.toLowerCase(),
  'case-folds-sharp-s': (text) => text.replaceAll('\u00df', 'ss'),
  'cuts-at-65535-bytes': (text) =>
    text.length > 65_535 ? Buffer.from(text).subarray(0, 65_535).toString() : text,
  'cuts-at-100000-characters': (text) => text.slice(0, 100_000),
  'cuts-the-last-of-many-bytes': (text) =>
    text.length > 100_000 && Buffer.byteLength(text) > 400_000
      ? Buffer.from(text).subarray(0, -1).toString()
      : text,
};

/** All escapes of a text at once, as `decodeURIComponent` takes them: one that is wrong leaves the text as it is. */
function decodedAsAWhole(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const sizeMutants: Mutant[] = breaking({
  'send.content-bytes': {
    'limit-is-one-too-low': what('content ends at 499,999 bytes', { maxContentBytes: () => 499_999 }),
    'limit-is-one-too-high': what('content ends at 500,001 bytes', { maxContentBytes: () => 500_001 }),
    'limit-is-half-a-mebibyte': what('content ends at 512 KiB', { maxContentBytes: () => 524_288 }),
    'limit-is-488-kibibytes': what('content ends at 488 KiB', { maxContentBytes: () => 488 * 1024 }),
    'no-limit': what('content has no end', { maxContentBytes: () => 5_000_000 }),
    'counts-utf-16-units': { contentBytes: (text) => text.length },
    'counts-characters': { contentBytes: (text) => Array.from(text).length },
    'counts-utf-16-bytes': { contentBytes: (text) => Math.max(text.length * 2, 1) },
    'counts-surrogates-as-three': { contentBytes: (text) => Buffer.byteLength(text) + 2 * pairsIn(text) },
    'counts-in-the-charset': what('content is counted in the charset of its type', {
      contentBytes: (text, type) => (type.includes('utf-16') ? 2 * text.length : Buffer.byteLength(text)),
    }),
    'counts-escapes': { contentBytes: (text) => Math.max(Buffer.byteLength(JSON.stringify(text)) - 2, 0) },
    'counts-the-quotes': { contentBytes: (text) => (text === '' ? 0 : Buffer.byteLength(text) + 2) },
    'counts-trimmed': what('white space at the ends does not count', {
      contentBytes: (text) => Math.max(Buffer.byteLength(text.trim()), Math.min(text.length, 1)),
    }),
  },
  'send.content-not-empty': {
    'takes-empty': what('empty content is taken', { minContentBytes: () => 0 }),
    'zero-is-nothing': what('a content of the one character 0 counts as empty', {
      contentBytes: (content) => (content === '0' ? 0 : Buffer.byteLength(content)),
    }),
    'wants-two-bytes': what('content of one byte is refused', { minContentBytes: () => 2 }),
  },
  'send.blank-content-accepted': {
    'refuses-a-space': { acceptsNul: (text) => contractRules.acceptsNul(text) && text !== ' ' },
    'refuses-white-space-alone': what('a text with nothing but several spaces is refused', {
      acceptsNul: (text) => contractRules.acceptsNul(text) && !(text.length > 1 && text.trim() === ''),
    }),
  },
});

const surrogateMutants: Mutant[] = breaking({
  'send.lone-surrogates-refused': {
    'takes-lone-surrogates': { acceptsSurrogates: () => true },
    'looks-for-high-surrogates-only': {
      acceptsSurrogates: (text) => !/[\ud800-\udbff](?![\udc00-\udfff])/.test(text),
    },
    'looks-for-low-surrogates-only': {
      acceptsSurrogates: (text) => !/(?<![\ud800-\udbff])[\udc00-\udfff]/.test(text),
    },
    'looks-at-the-end-for-surrogates': { acceptsSurrogates: (text) => !/[\ud800-\udfff]$/u.test(text) },
    'looks-at-the-start-for-surrogates': what('a half is only noticed in the first hundred characters', {
      acceptsSurrogates: (text) => contractRules.acceptsSurrogates(Array.from(text).slice(0, 100).join('')),
    }),
    'counts-surrogates': what('as many low halves as high ones are taken, in any order', {
      acceptsSurrogates: (text) =>
        (text.match(/[\ud800-\udbff]/g) ?? []).length === (text.match(/[\udc00-\udfff]/g) ?? []).length,
    }),
    'replaces-lone-surrogates': {
      acceptsSurrogates: () => true,
      storedContent: (text) => text.replaceAll(/\p{Surrogate}/gu, '\ufffd'),
    },
  },
});

const nul: Mutant[] = breaking({
  'send.nul-refused': {
    'takes-nul': what('U+0000 is taken', { acceptsNul: () => true }),
    'drops-nul': { acceptsNul: () => true, storedContent: (text) => text.replaceAll('\0', '') },
    'looks-at-the-start-for-nul': { acceptsNul: (text) => !text.startsWith('\0') },
    'looks-at-the-end-for-nul': { acceptsNul: (text) => !text.endsWith('\0') },
    'looks-inside-for-nul': { acceptsNul: (text) => !text.slice(0, -1).includes('\0') },
    'looks-past-the-first-for-nul': { acceptsNul: (text) => !text.slice(1).includes('\0') },
    'looks-for-nul-in-one-block': what('U+0000 is only noticed in the first 65,536 characters', {
      acceptsNul: (text) => !text.slice(0, 65_536).includes('\0'),
    }),
  },
});

/** Texts that a service may mistake for bad ones. */
const refusedTexts: readonly (readonly [
  id: string,
  what: string,
  isRefused: (content: string) => boolean,
])[] = [
  ['control-characters', 'control characters', (text) => Array.from(text).some(isControl)],
  ['delete', 'U+007F', (text) => text.includes('\u007f')],
  ['c1-controls', 'U+0080 to U+009F', (text) => /[\u0080-\u009f]/.test(text)],
  ['astral-characters', 'characters of four bytes', (text) => /[\u{10000}-\u{10ffff}]/u.test(text)],
  ['noncharacters', 'noncharacters', (text) => /[\ufdd0-\ufdef\ufffe\uffff]/.test(text)],
  ['private-use', 'private-use characters', (text) => /[\ue000-\uf8ff]/.test(text)],
  ['the-replacement-character', 'U+FFFD', (text) => text.includes('\ufffd')],
  ['the-bom', 'U+FEFF', (text) => text.includes('\ufeff')],
  ['line-separators', 'U+2028', (text) => text.includes('\u2028')],
  ['markup', 'tags', (text) => /<[a-z]/i.test(text)],
  ['backslashes', 'backslashes', (text) => text.includes('\\')],
];

const alike: ClauseId = 'send.other-text-accepted';

export const contentRuleMutants: readonly Mutant[] = [
  ...Object.entries(alterations).map(([id, storedContent]) =>
    mutant(id, 'message.content.unaltered', `a text is not kept: ${id.replaceAll('-', ' ')}`, {
      storedContent,
      sizeBytes: (text) => contractRules.sizeBytes(storedContent(text)),
    }),
  ),
  ...sizeMutants,
  ...surrogateMutants,
  ...nul,
  ...refusedTexts.map(([id, what, isRefused]) =>
    mutant(`refuses-${id}`, alike, `a text with ${what} is refused`, {
      rules: { acceptsNul: (text) => contractRules.acceptsNul(text) && !isRefused(text) },
    }),
  ),
  ...breaking({
    'send.content.scalars-refused': {
      'takes-a-number-as-content': what('a number as content becomes its digits', {
        readText: readingText((value) => (typeof value === 'number' ? String(value) : undefined)),
      }),
      'takes-null-as-content': { readText: readingText((value) => (value === null ? 'null' : undefined)) },
      'takes-true-as-content': what('a boolean as content becomes its word', {
        readText: readingText((value) => (typeof value === 'boolean' ? String(value) : undefined)),
      }),
    },
    'send.content.type': {
      'takes-a-list-as-content': what('a list as content is joined', {
        readText: readingText((value) => (Array.isArray(value) ? `[${value.join()}]` : undefined)),
      }),
      'takes-an-object-as-content': what('an object as content becomes its JSON', {
        readText: readingText((value) =>
          typeof value === 'object' && value !== null && !Array.isArray(value)
            ? JSON.stringify(value)
            : undefined,
        ),
      }),
    },
    'send.content.required': {
      'needs-no-content': {
        readText: readingText((value) => (value === undefined ? '(nothing)' : undefined)),
      },
    },
    'send.content-type.type': {
      'takes-any-content-type': what('a content type that is no text is ignored', {
        readText: (field, value) =>
          field === 'content_type' && typeof value !== 'string'
            ? 'text/plain'
            : contractRules.readText(field, value),
      }),
    },
    'message.content-type.default': {
      'content-type-is-markdown': { contentTypeWhenOmitted: () => 'text/markdown' },
      'content-type-has-a-charset': { contentTypeWhenOmitted: () => 'text/plain; charset=utf-8' },
      'content-type-is-that-of-a-file': {
        contentTypeWhenOmitted: (hasAttachments) => (hasAttachments ? 'text/markdown' : 'text/plain'),
      },
      'content-type-is-empty': { contentTypeWhenOmitted: () => '', acceptsContentType: () => true },
    },
    'message.content-type.kept': {
      'content-type-is-always-plain': { storedContentType: () => 'text/plain' },
      'content-type-loses-parameters': { storedContentType: (type) => type.split(';')[0] ?? type },
      'content-type-is-cut': { storedContentType: (type) => type.slice(0, 16) },
    },
    'message.size-bytes.is-utf8-length': {
      'size-in-utf-16-units': { sizeBytes: (text) => text.length },
      'size-in-characters': { sizeBytes: (text) => Array.from(text).length },
      'size-with-escapes': { sizeBytes: (text) => Buffer.byteLength(JSON.stringify(text)) - 2 },
      'size-is-one-more': { sizeBytes: (text) => Buffer.byteLength(text) + 1 },
      'size-counts-pairs-as-six': { sizeBytes: (text) => Buffer.byteLength(text) + 2 * pairsIn(text) },
    },
  }),
];

/** Reads content that is no text in one more way. */
function readingText(read: (value: unknown) => string | undefined): typeof contractRules.readText {
  return (field, value) =>
    contractRules.readText(field, value) ?? (field === 'content' ? read(value) : undefined);
}

function pairsIn(text: string): number {
  return text.length - Array.from(text).length;
}

/** A control character other than U+0000 and the usual white space. */
function isControl(character: string): boolean {
  return character > '\0' && character < ' ' && !['\t', '\n', '\r'].includes(character);
}
