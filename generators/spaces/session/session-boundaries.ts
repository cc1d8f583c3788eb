import type { NamedValue } from '../../space/input-space.ts';
import type { JsonValue } from '../../texts/json-values.ts';
import type { Expectation } from '../../space/labelled.ts';
import { respelledNames } from '../../texts/respelled-names.ts';
import { invalidSessions, sessionFields, validSession, validSessions } from './session-table.ts';

const plainOfB = { provider: 'provider_b', surface: 'cli', session_id: 'session' } as const;

/** Month and last day, of a year without a leap day. */
const lastDays = [
  '0131',
  '0228',
  '0331',
  '0430',
  '0531',
  '0630',
  '0731',
  '0831',
  '0930',
  '1031',
  '1130',
  '1231',
];

const monthEnds = lastDays.flatMap((day) => [
  timed('accept', `2023${day}_120000`),
  timed('reject', `2023${day.slice(0, 2)}${Number(day.slice(2)) + 1}_120000`),
]);

const leapDays = [
  ...['2024', '2000', '1600', '0004', '2096'].map((year) => timed('accept', `${year}0229_120000`)),
  ...['2024', '2000'].map((year) => timed('reject', `${year}0230_120000`)),
  ...['1900', '2100', '2200', '0001'].map((year) => timed('reject', `${year}0229_120000`)),
];

const clockTimes = [
  ...['00010101_000000', '99991231_235959', '20240101_230000', '20240101_005900', '20240101_000059'].map(
    (time) => timed('accept', time),
  ),
  // Before the count of seconds begins; and on days on which clocks are put forward at two somewhere.
  ...['19691231_120000', '20240310_023000', '20240331_023000', '20241006_023000'].map((time) =>
    timed('accept', time),
  ),
  ...['20240101_240000', '20240101_235960', '20241231_235960', '00000101_000000'].map((time) =>
    timed('open', time),
  ),
  ...['20240101_240001', '20240101_240100', '20240101_240060', '20240101_245959'].map((time) =>
    timed('reject', time),
  ),
  ...['20240101_250000', '20240101_990000', '20240101_006000', '20240101_000061', '20240101_000099'].map(
    (time) => timed('reject', time),
  ),
  ...['20240001_000000', '20241301_000000', '20240100_000000', '20240132_000000', '99999999_999999'].map(
    (time) => timed('reject', time),
  ),
];

const hexDigits = [0, 1, 5, 6, 7, 8, 9, 10, 16].map((count) =>
  named(count === 6 || count === 8 ? 'accept' : 'reject', `provider-d-${count}-hex-digits`, {
    session_id: `20240229_235959_${'0123456789abcdef'.slice(0, count)}`,
  }),
);

const timedForms = Object.entries({
  'digits-in-capitals': '20240229_235959_ABCDEF',
  'no-hex-digit': '20240229_235959_abcdeg',
  'no-second-underscore': '20240229_235959abcdef',
  hyphens: '20240229-235959-abcdef',
  'a-time-of-4-digits': '20240229_2359_abcdef',
  'a-date-of-6-digits': '240229_235959_abcdef',
  'a-line-end-behind': '20240229_235959_abcdef\n',
  'a-space-before': ' 20240229_235959_abcdef',
  'digits-beyond-ascii': '２０２４0229_235959_abcdef',
}).map(([slug, session_id]) => named('reject', `provider-d-with-${slug}`, { session_id }));

/** Lengths of a `provider_b` id, in characters. */
const lengths = (
  [
    ['reject', 0],
    ['accept', 1],
    ['accept', 2],
    ['accept', 127],
    ['accept', 128],
    ['reject', 129],
    ['reject', 256],
    ['reject', 4096],
  ] as const
).map(([expectation, length]) =>
  onB(expectation, `provider-b-id-of-${length}`, { session_id: 'b'.repeat(length) }),
);

const letterCases = ['new', 'neW', 'nEw', 'nEW', 'New', 'NeW', 'NEw', 'NEW'];

const news = letterCases.flatMap((session_id) => [
  onB('reject', `cloud-${session_id}`, { surface: 'cloud', session_id }),
  onB('accept', `cli-${session_id}`, { session_id }),
  onB('accept', `desktop-${session_id}`, { surface: 'desktop', session_id }),
]);

const nearNews = ['ne', 'news', 'new-', 'new_', 'knew', 'newnew', 'wen', 'nevv'].map((session_id) =>
  onB('accept', `cloud-${session_id}`, { surface: 'cloud', session_id }),
);

/** What is a number, a flag or a separator to whoever guesses. */
const oddIds = ['007', '12345678901234567890', '1e5', 'true', 'a--b__c-_', '9-'].map((session_id) =>
  onB('accept', `provider-b-id-${session_id}`, { session_id }),
);

const firstCharacters = [
  ...['0', '9', 'A', 'Z', 'a', 'z'].map((first) =>
    onB('accept', `beginning-with-${first}`, { session_id: `${first}-_` }),
  ),
  ...Object.entries({
    hyphen: '-a',
    underscore: '_a',
    dot: '.a',
    slash: '/a',
    colon: ':a',
    'at-sign': '@a',
    bracket: '[a',
    backquote: '`a',
    brace: '{a',
    space: ' a',
    accent: 'éa',
    nul: '\0a',
    'lone-surrogate': '\ud800a',
    'kelvin-sign': '\u212aa',
    'long-s': '\u017fa',
  }).map(([slug, session_id]) => onB('reject', `beginning-with-a-${slug}`, { session_id })),
];

const uuids = (['provider_a', 'provider_c'] as const).flatMap((provider) => [
  ...Object.entries({
    nil: '00000000-0000-0000-0000-000000000000',
    max: 'ffffffff-ffff-ffff-ffff-ffffffffffff',
  }).map(([slug, session_id]) => on(provider, 'accept', slug, session_id)),
  ...Object.entries({
    empty: '',
    'one-digit-short': '0f8fad5b-d9cb-469f-a165-7086772895',
    'one-digit-long': '0f8fad5b-d9cb-469f-a165-70867728950e0',
    'one-capital': '0f8fad5b-d9cb-469f-a165-70867728950E',
    'no-hex-digit': '0f8fad5b-d9cb-469f-a165-70867728950g',
    'in-braces': '{0f8fad5b-d9cb-469f-a165-70867728950e}',
    'as-a-urn': 'urn:uuid:0f8fad5b-d9cb-469f-a165-70867728950e',
    'hyphens-elsewhere': '0f8fad5bd-9cb-469f-a165-70867728950e',
    'id-of-another-provider': '20240229_235959_abcdef',
  }).map(([slug, session_id]) => on(provider, 'reject', slug, session_id)),
]);

const otherSessions: readonly NamedValue<JsonValue>[] = [
  { slug: 'null', expectation: 'open', value: null },
  ...Object.entries({
    true: true,
    'a-number': 1,
    'an-empty-text': '',
    'a-text': 'provider_b',
    'an-empty-list': [],
    'a-list': [{}],
    // What some readers of JSON take for the object: its values in their order, it alone in a list, and its text.
    'a-list-of-its-values': sessionFields.map((name) => plainOfB[name]),
    'a-list-of-one': [plainOfB],
    'its-json': JSON.stringify(plainOfB),
  }).map(([slug, value]) => ({
    slug: `${slug}-in-place-of-a-session`,
    expectation: 'reject' as const,
    value,
  })),
  onB('reject', 'provider-in-capitals', { provider: 'PROVIDER_B' }),
  onB('reject', 'provider-with-a-hyphen', { provider: 'provider-b' }),
  onB('reject', 'empty-provider', { provider: '' }),
  onB('reject', 'provider-null', { provider: null }),
  onB('reject', 'surface-in-capitals', { surface: 'CLI' }),
  onB('reject', 'empty-surface', { surface: '' }),
  onB('reject', 'surface-null', { surface: null }),
  onB('reject', 'session-id-null', { session_id: null }),
  onB('reject', 'extra-field-null', { note: null }),
  onB('reject', 'extra-field-of-no-name', { '': 1 }),
];

/** The others may tell what is left out: a provider has one surface alone, or an id of a form that only it has. */
const leftOut = ['provider-a-desktop', 'provider-b-cloud', 'provider-c-cli', 'provider-d-six-digits'].flatMap(
  (slug) =>
    sessionFields.map((left): NamedValue<JsonValue> => {
      const { [left]: _left, ...others } = validSession(slug).session;
      return { slug: `${slug}-without-${left.replace('_', '-')}`, expectation: 'reject', value: others };
    }),
);

/** With the same value, so that it makes no difference which of both is read. */
const respelledBeside = sessionFields.flatMap((name) =>
  respelledNames(name).map((other) =>
    onB('reject', `${other}-beside-${name}`.replaceAll('_', '-'), { [other]: plainOfB[name] }),
  ),
);

const ofTheSuite: readonly NamedValue<JsonValue>[] = [
  ...validSessions.map(({ slug, session }) => ({
    slug: `valid-${slug}`,
    expectation: 'accept' as const,
    value: { ...session },
  })),
  ...invalidSessions.map(({ slug, session }) => ({
    slug: `invalid-${slug}`,
    expectation: 'reject' as const,
    value: session as JsonValue,
  })),
];

/** All source sessions that have a name. */
export const sessionBoundaries: readonly NamedValue<JsonValue>[] = [
  ...ofTheSuite,
  ...monthEnds,
  ...leapDays,
  ...clockTimes,
  ...hexDigits,
  ...timedForms,
  ...lengths,
  ...news,
  ...nearNews,
  ...oddIds,
  ...firstCharacters,
  ...uuids,
  ...otherSessions,
  ...leftOut,
  ...respelledBeside,
];

/** A session of `provider_d` but for what is changed. */
function named(
  expectation: Expectation,
  slug: string,
  change: Readonly<Record<string, JsonValue>>,
): NamedValue<JsonValue> {
  return { slug, expectation, value: { provider: 'provider_d', surface: 'cli', ...change } };
}

function timed(expectation: Expectation, time: string): NamedValue<JsonValue> {
  return named(expectation, `provider-d-${time}`, { session_id: `${time}_0a1b2c` });
}

function onB(
  expectation: Expectation,
  slug: string,
  change: Readonly<Record<string, JsonValue>>,
): NamedValue<JsonValue> {
  return {
    slug,
    expectation,
    value: { ...plainOfB, ...change },
  };
}

function on(
  provider: string,
  expectation: Expectation,
  slug: string,
  session_id: string,
): NamedValue<JsonValue> {
  return {
    slug: `${provider.replace('_', '-')}-id-${slug}`,
    expectation,
    value: { provider, surface: 'cli', session_id },
  };
}
