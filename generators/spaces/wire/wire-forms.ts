import type { Expectation } from '../../space/labelled.ts';
import type { Run } from '../../texts/text.ts';
import { utf8, type WireBody } from './wire-body.ts';

/** One form of a body on the wire. */
interface WireForm {
  readonly slug: string;
  readonly expectation: Expectation;
  readonly body: WireBody;
}

const mark = '{content}';

/** One and the same message in other JSON: every server that reads JSON reads it. */
const sameInJson = {
  plain: `{"content":"${mark}"}`,
  'white-space-around-everything': ` \t\r\n{ \t\r\n"content" \t\r\n: \t\r\n"${mark}" \t\r\n} \t\r\n`,
  'a-line-end-behind': `{"content":"${mark}"}\n`,
  'an-escaped-letter': `{"content":"\\u0061${mark}"}`,
  'an-escaped-letter-of-the-name': `{"\\u0063ontent":"${mark}"}`,
  'all-of-the-name-escaped': `{"\\u0063\\u006f\\u006e\\u0074\\u0065\\u006e\\u0074":"${mark}"}`,
  'escapes-in-capitals': `{"content":"\\u00E9\\u20AC${mark}"}`,
  'escapes-in-small-letters': `{"content":"\\u00e9\\u20ac${mark}"}`,
  'a-pair-as-escapes': `{"content":"\\ud83d\\ude00${mark}"}`,
  'a-pair-as-bytes': utf8(`{"content":"😀${mark}"}`),
  'beyond-ascii-as-bytes': utf8(`{"content":"é€${mark}"}`),
  'every-short-escape': `{"content":"\\"\\\\\\/\\b\\f\\n\\r\\t${mark}"}`,
  'a-bare-slash': `{"content":"/${mark}"}`,
  'a-bare-delete': `{"content":"\x7f${mark}"}`,
  'line-separators-as-bytes': utf8(`{"content":"\u2028\u2029${mark}"}`),
  'a-control-as-escape': `{"content":"\\u0001\\u001f${mark}"}`,
  'an-escaped-backslash-before-u': `{"content":"\\\\u0000\\\\ud800${mark}"}`,
  'the-default-type-in-front': `{"content_type":"text/plain","content":"${mark}"}`,
  'the-default-type-behind': `{"content":"${mark}","content_type":"text/plain"}`,
};

/** Right JSON whose content breaks a rule in whatever way it is escaped. */
const wrongInJson = {
  'a-high-half-as-escape': `{"content":"\\ud83d${mark}"}`,
  'a-low-half-as-escape': `{"content":"\\ude00${mark}"}`,
  'a-high-half-in-capitals': `{"content":"${mark}\\uD83D"}`,
  'reversed-halves-as-escapes': `{"content":"${mark}\\ude00\\ud83d"}`,
  'a-high-half-before-an-escape': `{"content":"\\ud83d\\u0041${mark}"}`,
  'a-high-half-before-a-line-end': `{"content":"\\ud83d\\n${mark}"}`,
  'halves-parted-by-a-letter': `{"content":"\\ud83dx\\ude00${mark}"}`,
  'nul-as-escape': `{"content":"\\u0000${mark}"}`,
  'nul-as-escape-behind': `{"content":"${mark}\\u0000"}`,
  'nul-as-escape-inside': `{"content":"${mark}\\u0000${mark}"}`,
  'nul-behind-an-escaped-backslash': `{"content":"${mark}\\\\\\u0000"}`,
  'empty-content': '{"content":""}',
  'empty-content-with-space': '{ "content" : "" }',
};

/** What a parser may refuse, or take. */
const doubtfulJson = {
  empty: '',
  'white-space-only': ' \n',
  'one-brace': '{',
  'one-quote': '"',
  'cut-in-the-name': '{"conte',
  'cut-before-the-value': '{"content":',
  'cut-in-the-value': `{"content":"${mark}`,
  'cut-in-an-escape': `{"content":"${mark}\\u00`,
  'cut-before-the-end': `{"content":"${mark}"`,
  'more-behind': `{"content":"${mark}"}x`,
  'a-brace-behind': `{"content":"${mark}"}}`,
  'twice-over': `{"content":"${mark}"}{"content":"${mark}"}`,
  'a-nul-behind': `{"content":"${mark}"}\0`,
  'a-comma-behind-the-field': `{"content":"${mark}",}`,
  'a-comma-before-the-field': `{,"content":"${mark}"}`,
  'no-colon': `{"content" "${mark}"}`,
  'an-equals-sign': `{"content"="${mark}"}`,
  'single-quotes': `{'content':'${mark}'}`,
  'no-quotes-around-the-name': `{content:"${mark}"}`,
  'no-quotes-around-the-value': `{"content":${mark}}`,
  'a-block-comment': `{/* */"content":"${mark}"}`,
  'a-line-comment': `{"content":"${mark}"}//`,
  'a-hash-comment': `#\n{"content":"${mark}"}`,
  'a-record-separator': `\x1e{"content":"${mark}"}`,
  'a-guard-in-front': `)]}',\n{"content":"${mark}"}`,
  'content-twice-alike': `{"content":"${mark}","content":"${mark}"}`,
  'content-twice-differently': `{"content":"${mark}","content":"other ${mark}"}`,
  'content-twice-once-escaped': `{"content":"${mark}","\\u0063ontent":"other ${mark}"}`,
  'content-and-then-null': `{"content":"${mark}","content":null}`,
  'a-bare-nul': `{"content":"${mark}\0"}`,
  'a-bare-line-end': `{"content":"${mark}\n"}`,
  'a-bare-tab': `{"content":"${mark}\t"}`,
  'a-bare-control': `{"content":"${mark}\x01"}`,
  'an-unknown-escape': `{"content":"\\x41${mark}"}`,
  'an-octal-escape': `{"content":"\\0${mark}"}`,
  'an-escape-in-braces': `{"content":"\\u{41}${mark}"}`,
  'an-escape-of-three-digits': `{"content":"\\u004${mark}"}`,
  'an-escape-in-a-capital-u': `{"content":"\\U0041${mark}"}`,
  'nan-beside-it': `{"content":"${mark}","extra":NaN}`,
  'infinity-beside-it': `{"content":"${mark}","extra":-Infinity}`,
  'a-hex-number-beside-it': `{"content":"${mark}","extra":0x10}`,
  'a-leading-zero-beside-it': `{"content":"${mark}","extra":01}`,
  'a-plus-beside-it': `{"content":"${mark}","extra":+1}`,
  'a-huge-number-beside-it': `{"content":"${mark}","extra":1e400}`,
  'undefined-beside-it': `{"content":"${mark}","extra":undefined}`,
  'capital-true-beside-it': `{"content":"${mark}","extra":True}`,
  'a-no-break-space-between': utf8(`{"content":\u00a0"${mark}"}`),
  'a-byte-order-mark': utf8(`\ufeff{"content":"${mark}"}`),
  'a-byte-order-mark-inside': utf8(`{\ufeff"content":"${mark}"}`),
  'form-fields': `content=${mark}`,
  xml: `<content>${mark}</content>`,
  'a-prototype': `{"__proto__":{"content":"${mark}"}}`,
  'a-prototype-beside-it': `{"__proto__":{"a":1},"content":"${mark}"}`,
};

/** Bytes that are no UTF-8, in a content. */
const illFormed = {
  'a-lone-continuation': '\x80',
  'two-continuations': '\xbf\xbf',
  'a-cut-2-byte-char': '\xc3',
  'a-cut-3-byte-char': '\xe2\x82',
  'a-cut-4-byte-char': '\xf0\x9f\x98',
  'an-overlong-slash': '\xc0\xaf',
  'an-overlong-nul': '\xc0\x80',
  'an-overlong-3-byte-char': '\xe0\x80\xaf',
  'a-high-half-in-3-bytes': '\xed\xa0\xbd',
  'a-low-half-in-3-bytes': '\xed\xb8\x80',
  'a-pair-in-6-bytes': '\xed\xa0\xbd\xed\xb8\x80',
  'beyond-the-last-plane': '\xf4\x90\x80\x80',
  'a-5-byte-char': '\xf8\x88\x80\x80\x80',
  'byte-fe': '\xfe',
  'byte-ff': '\xff',
  'latin-1': '\xe9',
};

const plainJson = `{"content":"${mark}"}`;

/** What a body may be declared as, other than as JSON in so many words. */
const otherTypes = {
  'no-type': null,
  'an-empty-type': '',
  'text-plain': 'text/plain',
  'octet-stream': 'application/octet-stream',
  form: 'application/x-www-form-urlencoded',
  multipart: 'multipart/form-data; boundary=x',
  'json-with-a-charset': 'application/json; charset=utf-8',
  'json-with-another-charset': 'application/json; charset=utf-16',
  'json-in-capitals': 'APPLICATION/JSON',
  'json-with-a-semicolon': 'application/json;',
  'json-with-a-parameter': 'application/json; version=1',
  'a-json-suffix': 'application/vnd.api+json',
  'text-json': 'text/json',
  'json-sequence': 'application/json-seq',
  'no-media-type': 'json',
  'two-types': 'application/json, text/plain',
} as const;

/** Depths of brackets in a field that is not known. */
const depths = [10, 100, 1000, 10_000, 100_000].flatMap((count) => [
  form('open', `${count}-lists-deep`, [
    runOnce(`{"content":"${mark}","extra":`),
    { unit: '[', count },
    { unit: ']', count },
    runOnce('}'),
  ]),
  form('open', `${count}-objects-deep`, [
    runOnce(`{"content":"${mark}","extra":`),
    { unit: '{"a":', count },
    runOnce('1'),
    { unit: '}', count },
    runOnce('}'),
  ]),
]);

const unclosed = ['[', '{"a":', '"', '{'].map((unit, index) =>
  form('open', `never-closed-${index + 1}`, [{ unit, count: 20_000 }]),
);

const large = [
  form('open', '100000-spaces-in-front', [{ unit: ' ', count: 100_000 }, runOnce(plainJson)]),
  form('open', '1000-fields-beside-it', [
    runOnce(`{"content":"${mark}"`),
    { unit: ',"extra":1', count: 1000 },
    runOnce('}'),
  ]),
  form('open', 'a-name-of-100000-letters', [
    runOnce('{"'),
    { unit: 'x', count: 100_000 },
    runOnce(`":1,"content":"${mark}"}`),
  ]),
  form('open', 'a-number-of-100000-digits', [
    runOnce(`{"content":"${mark}","extra":`),
    { unit: '1', count: 100_000 },
    runOnce('}'),
  ]),
];

/** All bodies on the wire that have a name. */
export const wireForms: readonly WireForm[] = [
  ...Object.entries(sameInJson).map(([slug, json]) => form('accept', slug, [runOnce(json)])),
  ...Object.entries(wrongInJson).map(([slug, json]) => form('reject', slug, [runOnce(json)])),
  ...Object.entries(doubtfulJson).map(([slug, json]) => form('open', slug, [runOnce(json)])),
  ...Object.entries(illFormed).map(([slug, bytes]) =>
    form('open', slug, [runOnce(`{"content":"${mark}${bytes}"}`)]),
  ),
  ...Object.entries(otherTypes).map(([slug, contentType]) =>
    form('open', slug, [runOnce(plainJson)], { contentType }),
  ),
  ...['gzip', 'br', 'identity', 'no-such-encoding'].map((contentEncoding) =>
    form('open', `declared-as-${contentEncoding}`, [runOnce(plainJson)], { contentEncoding }),
  ),
  form('open', 'utf-16', [runOnce(spacedJson('{"content":"x"}'))]),
  form('open', 'utf-16-behind-a-mark', [runOnce(`\xff\xfe${spacedJson('{"content":"x"}')}`)]),
  ...depths,
  ...unclosed,
  ...large,
];

function form(
  expectation: Expectation,
  slug: string,
  bytes: readonly Run[],
  headers: Partial<WireBody> = {},
): WireForm {
  return {
    slug,
    expectation,
    body: { contentType: 'application/json', contentEncoding: null, bytes, ...headers },
  };
}

function runOnce(unit: string): Run {
  return { unit, count: 1 };
}

/** ASCII in UTF-16, low byte first. */
function spacedJson(text: string): string {
  return text
    .split('')
    .map((letter) => `${letter}\0`)
    .join('');
}
