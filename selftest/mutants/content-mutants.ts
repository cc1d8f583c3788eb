import { contractRules, type Rules } from '../../reference/rules/rules.ts';
import { only, replacing } from './base/changed-rules.ts';
import { breaking, inWords, type Mutant } from './base/mutant.ts';
import { readingInAnyLetterCase } from './base/letter-case.ts';
import { isObject } from './base/spoil-answer.ts';
import { decoded } from '../../spec/calls/index.ts';

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
  'decodes-the-percent-forms-of-the-whole': decoded,
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
  'draws-emoticons': (text) => text.replaceAll(/(?<=\s):\)(?=\s)/g, '\u{1f642}'),
  'joins-dots': (text) => text.replaceAll('...', '\u2026'),
  'hides-addresses': (text) => text.replaceAll(/\b[\w.]{1,64}@[\w.]{1,64}\b/g, '[hidden]'),
  'hides-what-follows-password': (text) => text.replaceAll(/\b(password|token)=\S+/gi, '$1=***'),
  'drops-what-tracks-from-links': (text) => text.replaceAll(/(?<=[?&])utm_\w+=[^\s&]*&?/g, ''),
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

/** Texts that a service may mistake for bad ones: refused by what they have. */
const refusedTexts: Readonly<Record<string, (content: string) => boolean>> = {
  'control-characters: control characters': (text) => Array.from(text).some(isControl),
  'delete: U+007F': (text) => text.includes('\u007f'),
  'c1-controls: U+0080 to U+009F': (text) => /[\u0080-\u009f]/.test(text),
  'astral-characters: characters of four bytes': (text) => /[\u{10000}-\u{10ffff}]/u.test(text),
  'noncharacters: noncharacters': (text) => /[\ufdd0-\ufdef\ufffe\uffff]/.test(text),
  'private-use: private-use characters': (text) => /[\ue000-\uf8ff]/.test(text),
  'the-replacement-character: U+FFFD': (text) => text.includes('\ufffd'),
  'the-bom: U+FEFF': (text) => text.includes('\ufeff'),
  'line-separators: U+2028': (text) => text.includes('\u2028'),
  'markup: tags': (text) => /<[a-z]/i.test(text),
  'backslashes: backslashes': (text) => text.includes('\\'),
};

export const contentRuleMutants: readonly Mutant[] = breaking({
  'message.content.unaltered': {
    ...Object.fromEntries(
      Object.entries(alterations).map(([id, storedContent]) => [
        `${id}: a text is not kept: ${inWords(id)}`,
        { storedContent, sizeBytes: (text: string) => contractRules.sizeBytes(storedContent(text)) },
      ]),
    ),
    'a-notice-ends-after-7900-bytes: a read that was woken shows what fits into what woke it': ofWokenReads(
      (text) => Buffer.from(text).subarray(0, 7_900).toString(),
    ),
    'a-notice-is-ascii: a read that was woken shows ? for other characters': ofWokenReads((text) =>
      text.replaceAll(/[^\0-\x7f]/g, '?'),
    ),
    'a-notice-is-one-line: a read that was woken shows a space for each line end and tab': ofWokenReads(
      (text) => text.replaceAll(/[\t\n\r]/g, ' '),
    ),
    'a-notice-is-trimmed: a read that was woken shows texts without white space at their ends': ofWokenReads(
      (text) => text.trim(),
    ),
  },
  'send.content-bytes': {
    ...replacing('maxContentBytes', {
      'limit-is-one-too-low: content ends at 499,999 bytes': () => 499_999,
      'limit-is-one-too-high: content ends at 500,001 bytes': () => 500_001,
      'limit-is-half-a-mebibyte: content ends at 512 KiB': () => 524_288,
      'limit-is-488-kibibytes: content ends at 488 KiB': () => 488 * 1024,
      'no-limit: content has no end': () => 5_000_000,
    }),
    ...replacing('contentBytes', {
      'counts-utf-16-units': (text) => text.length,
      'counts-characters': (text) => Array.from(text).length,
      'counts-utf-16-bytes': (text) => Math.max(text.length * 2, 1),
      'counts-surrogates-as-three': (text) => Buffer.byteLength(text) + 2 * pairsIn(text),
      'counts-in-the-charset: content is counted in the charset of its type': (text, type) =>
        type.includes('utf-16') ? 2 * text.length : Buffer.byteLength(text),
      'counts-escapes': (text) => Math.max(Buffer.byteLength(JSON.stringify(text)) - 2, 0),
      'counts-the-quotes': (text) => (text === '' ? 0 : Buffer.byteLength(text) + 2),
      'counts-composed': (text) => Buffer.byteLength(text.normalize('NFC')),
      'counts-line-ends-once: a line end of two characters counts as one': (text) =>
        Buffer.byteLength(text.replaceAll('\r\n', '\n')),
      'counts-no-byte-order-mark': (text) => Buffer.byteLength(text.replace(/^\ufeff(?=.)/s, '')),
      'counts-trimmed: white space at the ends does not count': (text) =>
        Math.max(Buffer.byteLength(text.trim()), Math.min(text.length, 1)),
    }),
  },
  'send.content-in-long-spelling-accepted': {
    'bodies-over-1-mib-are-refused': { settings: { bodyBytes: 1024 * 1024 } },
  },
  'send.content-not-empty': {
    'takes-empty: empty content is taken': { minContentBytes: () => 0 },
    'zero-is-nothing: a content of the one character 0 counts as empty': {
      contentBytes: (content) => (content === '0' ? 0 : Buffer.byteLength(content)),
    },
    'wants-two-bytes: content of one byte is refused': { minContentBytes: () => 2 },
  },
  'send.blank-content-accepted': {
    'refuses-a-space': only('acceptsNul', (text) => text !== ' '),
    'refuses-white-space-alone: a text with nothing but several spaces is refused': only(
      'acceptsNul',
      (text) => text.length < 2 || text.trim() !== '',
    ),
  },
  'send.lone-surrogates-refused': {
    ...replacing('acceptsSurrogates', {
      'takes-lone-surrogates': () => true,
      'looks-for-high-surrogates-only': (text) => !/[\ud800-\udbff](?![\udc00-\udfff])/.test(text),
      'looks-for-low-surrogates-only': (text) => !/(?<![\ud800-\udbff])[\udc00-\udfff]/.test(text),
      'looks-at-the-end-for-surrogates': (text) => !/[\ud800-\udfff]$/u.test(text),
      'looks-at-the-start-for-surrogates: a half is only noticed in the first hundred characters': (text) =>
        contractRules.acceptsSurrogates(Array.from(text).slice(0, 100).join('')),
      'counts-surrogates: as many low halves as high ones are taken, in any order': (text) =>
        (text.match(/[\ud800-\udbff]/g) ?? []).length === (text.match(/[\udc00-\udfff]/g) ?? []).length,
    }),
    'knows-surrogates-in-small-letters: of half of a pair that is an escape in capitals U+FFFD is made': {
      readJson: (text) =>
        contractRules.readJson(
          text.replaceAll(
            /(\\uD[89AB][\dA-F]{2}\\uD[C-F][\dA-F]{2})|\\uD[89A-F][\dA-F]{2}/g,
            (_, pair: string | undefined) => pair ?? '\\ufffd',
          ),
        ),
    },
    'replaces-lone-surrogates': {
      acceptsSurrogates: () => true,
      storedContent: (text) => text.replaceAll(/\p{Surrogate}/gu, '\ufffd'),
    },
  },
  'send.nul-refused': {
    'drops-nul': { acceptsNul: () => true, storedContent: (text) => text.replaceAll('\0', '') },
    ...replacing('acceptsNul', {
      'takes-nul: U+0000 is taken': () => true,
      'looks-at-the-start-for-nul': (text) => !text.startsWith('\0'),
      'looks-at-the-end-for-nul': (text) => !text.endsWith('\0'),
      'looks-inside-for-nul': (text) => !text.slice(0, -1).includes('\0'),
      'looks-past-the-first-for-nul': (text) => !text.slice(1).includes('\0'),
      'looks-for-nul-in-one-block: U+0000 is only noticed in the first 65,536 characters': (text) =>
        !text.slice(0, 65_536).includes('\0'),
    }),
  },
  'send.other-text-accepted': Object.fromEntries(
    Object.entries(refusedTexts).map(([name, isRefused]) => [
      `refuses-${name.replace(': ', ': a text with ')} is refused`,
      only('acceptsNul', (text) => !isRefused(text)),
    ]),
  ),
  'send.content.scalars-refused': {
    'takes-a-number-as-content: a number as content becomes its digits': readingContent((value) =>
      typeof value === 'number' ? String(value) : undefined,
    ),
    'takes-null-as-content': readingContent((value) => (value === null ? 'null' : undefined)),
    'takes-true-as-content: a boolean as content becomes its word': readingContent((value) =>
      typeof value === 'boolean' ? String(value) : undefined,
    ),
  },
  'send.content.type': {
    'takes-a-list-as-content: a list as content is joined': readingContent((value) =>
      Array.isArray(value) ? `[${value.join()}]` : undefined,
    ),
    'takes-an-object-as-content: an object as content becomes its JSON': readingContent((value) =>
      isObject(value) ? JSON.stringify(value) : undefined,
    ),
  },
  'send.content.required': {
    'needs-no-content': readingContent((value) => (value === undefined ? '(nothing)' : undefined)),
    'content-in-any-letter-case: content is read from a field of that name in any letter case':
      readingInAnyLetterCase((key) => key === ''),
  },
  'send.content-type.type': {
    'takes-any-content-type: a content type that is no text is ignored': {
      readText: (field, value) =>
        field === 'content_type' && typeof value !== 'string'
          ? 'text/plain'
          : contractRules.readText(field, value),
    },
  },
  'message.content-type.default': {
    ...replacing('contentTypeWhenOmitted', {
      'content-type-is-markdown': () => 'text/markdown',
      'content-type-has-a-charset': () => 'text/plain; charset=utf-8',
      'content-type-is-that-of-a-file': (hasFiles) => (hasFiles ? 'text/markdown' : 'text/plain'),
    }),
    'content-type-is-empty': { contentTypeWhenOmitted: () => '', acceptsContentType: () => true },
  },
  'message.content-type.kept': replacing('storedContentType', {
    'content-type-is-always-plain': () => 'text/plain',
    'content-type-loses-parameters': (type) => type.split(';')[0] ?? type,
    'content-type-is-cut-at-64': (type) => type.slice(0, 64),
    'content-type-is-cut': (type) => type.slice(0, 16),
  }),
  'message.size-bytes.is-utf8-length': replacing('sizeBytes', {
    'size-in-utf-16-units': (text) => text.length,
    'size-in-characters': (text) => Array.from(text).length,
    'size-with-escapes': (text) => Buffer.byteLength(JSON.stringify(text)) - 2,
    'size-is-one-more': (text) => Buffer.byteLength(text) + 1,
    'size-counts-pairs-as-six': (text) => Buffer.byteLength(text) + 2 * pairsIn(text),
  }),
});

/** More than any read asks for: who is woken is told from others by it. */
const wokenLimit = 1_000;

/** What a text becomes in the answer to a read that had to wait for it. */
function ofWokenReads(change: (text: string) => string): Partial<Rules> {
  return {
    limitAfterWake: (limit) => limit + wokenLimit,
    presentRead: ({ items, page }, { page: { limit } }) => ({
      items:
        limit < wokenLimit
          ? items
          : items.map((item) =>
              'message' in item ? item : { ...item, content: change(String(item.content)) },
            ),
      page,
    }),
  };
}

/** Reads content that is no text in one more way. */
function readingContent(read: (value: unknown) => string | undefined): Partial<Rules> {
  return {
    readText: (field, value) =>
      contractRules.readText(field, value) ?? (field === 'content' ? read(value) : undefined),
  };
}

function pairsIn(text: string): number {
  return text.length - Array.from(text).length;
}

/** A control character other than U+0000 and the usual white space. */
function isControl(character: string): boolean {
  return character > '\0' && character < ' ' && !['\t', '\n', '\r'].includes(character);
}
