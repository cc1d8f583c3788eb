import type { RefusalClause } from '../../../spec/oracles/requests/session-faults.ts';
import type { ClauseId, SourceSession } from '../../../spec/index.ts';
import { type Labelled, reject } from '../../space/labelled.ts';
import type { JsonValue } from '../../texts/json-values.ts';
import { respelledNames } from '../../texts/respelled-names.ts';

/** A source session that keeps every rule of its provider: to be accepted, and shown as it was sent. */
export interface ValidSession {
  readonly slug: string;
  /** What is special about it, after “a source session …”. */
  readonly what: string;
  readonly session: SourceSession;
  /** Clause that requires its acceptance. */
  readonly clause: 'source-session.valid-is-accepted' | 'source-session.provider-b-surface';
  /** A plainer valid session: who refuses that one breaks another rule than this one. */
  readonly plainer?: string;
}

/** A source session that breaks exactly one rule: to be refused. */
export interface InvalidSession {
  readonly slug: string;
  /** What is wrong with it, after “a source session …”. */
  readonly what: string;
  readonly session: unknown;
  /** The one rule that it breaks. */
  readonly breaks: ClauseId;
  /** Clause that requires the refusal. */
  readonly refusal: RefusalClause;
  /** The valid session that it is but for that. */
  readonly control: string;
  /** A plainer invalid session: who takes that one breaks another rule than this one. */
  readonly plainer?: string;
}

type SessionProvider = SourceSession['provider'];
type SessionSurface = SourceSession['surface'];

export const sessionFields = ['provider', 'surface', 'session_id'] as const;

const uuid = '0f8fad5b-d9cb-469f-a165-70867728950e';
const noVersion = '00000000-0000-0000-0000-00000000000f';
const longest = `a${'Z_9-'.repeat(31)}xyz`;

/** A session that is written as its three fields with spaces between them. */
function valid(
  slug: string,
  what: string,
  text: `${SessionProvider} ${SessionSurface} ${string}`,
): ValidSession {
  const [provider, surface, session_id] = text.split(' ') as [SessionProvider, SessionSurface, string];
  return {
    slug,
    what,
    session: { provider, surface, session_id },
    clause: 'source-session.valid-is-accepted',
  };
}

/** One of the surfaces that only a rule of provider_b allows. */
function onSurface(surface: SessionSurface, id: string): ValidSession {
  const session = valid(
    `provider-b-${surface}`,
    `of provider_b on ${surface}`,
    `provider_b ${surface} ${id}`,
  );
  return { ...session, clause: 'source-session.provider-b-surface' };
}

/** Says of valid sessions on which plainer one they build. */
function onPlainer(plainer: string, sessions: readonly ValidSession[]): readonly ValidSession[] {
  return sessions.map((each) => ({ ...each, plainer }));
}

/** Each provider on each of its surfaces, with ids at the edges of what it allows. */
export const validSessions: readonly ValidSession[] = [
  valid('provider-a-desktop', 'of provider_a on desktop', `provider_a desktop ${uuid}`),
  valid('provider-a-cli', 'of provider_a on cli whose UUID is of no version', `provider_a cli ${noVersion}`),
  onSurface('desktop', 'session1'),
  onSurface('cli', 'session2'),
  onSurface('cloud', 'session3'),
  ...onPlainer('provider-b-desktop', [
    valid(
      'provider-b-longest',
      'of provider_b with an id of 128 characters',
      `provider_b desktop ${longest}`,
    ),
    valid('provider-b-desktop-new', 'of provider_b on desktop with the id new', 'provider_b desktop new'),
  ]),
  ...onPlainer('provider-b-cli', [
    valid('provider-b-shortest', 'of provider_b with an id of one character', 'provider_b cli 0'),
  ]),
  ...onPlainer('provider-b-cloud', [
    valid(
      'provider-b-cloud-almost-new',
      'of provider_b on cloud whose id begins with new',
      'provider_b cloud new-',
    ),
  ]),
  valid('provider-c-cli', 'of provider_c on cli', `provider_c cli ${uuid}`),
  ...[
    ['six-digits', 'a leap day, with six digits', '20240229_235959_0a1b2c'],
    ['eight-digits', 'the leap day of 2000, with eight digits', '20000229_000000_0a1b2c3d'],
    ['first-day', 'the first day of a year', '20240101_010101_000000'],
    ['last-day', 'the last day of a year', '19991231_120000_ffffff'],
    ['day-to-come', 'a day to come', '20990630_115959_00ffee'],
  ].map(([slug, day, id]) => valid(`provider-d-${slug}`, `of provider_d on ${day}`, `provider_d cli ${id}`)),
];

function invalidSession(
  control: string,
  breaks: ClauseId,
  slug: string,
  what: string,
  change: Readonly<Record<string, unknown>>,
  refusal: RefusalClause = 'source-session.invalid-is-refused',
): InvalidSession {
  const changed = { ...validSession(control).session, ...change };
  // A field that is changed to undefined is left out.
  const session = Object.fromEntries(Object.entries(changed).filter(([, value]) => value !== undefined));
  return { slug, what, session, breaks, refusal, control };
}

/** The valid session of a slug. */
export function validSession(slug: string): ValidSession {
  const found = validSessions.find((each) => each.slug === slug);
  if (found === undefined) throw new RangeError(`no valid source session is called ${slug}`);
  return found;
}

/** Rules that hold for every provider, broken in one field. */
function field(
  rule: 'provider' | 'surface' | 'session-id',
  keyword: 'values' | 'type' | 'present' | 'max-length',
  [slug, what]: readonly [string, string],
  value: unknown,
): InvalidSession {
  const control = keyword === 'max-length' ? 'provider-b-longest' : 'provider-b-cli';
  return invalidSession(control, `source-session.${rule}.${keyword}` as ClauseId, slug, what, {
    [rule.replace('-', '_')]: value,
  });
}

const invalidFields: readonly InvalidSession[] = [
  field('provider', 'values', ['unknown-provider', 'of an unknown provider'], 'provider_e'),
  field('provider', 'type', ['provider-that-is-a-number', 'whose provider is a number'], 1),
  field('provider', 'present', ['no-provider', 'without a provider'], undefined),
  field('surface', 'values', ['unknown-surface', 'on an unknown surface'], 'mobile'),
  field('surface', 'type', ['surface-that-is-a-number', 'whose surface is a number'], 1),
  field('surface', 'present', ['no-surface', 'without a surface'], undefined),
  field('session-id', 'type', ['id-that-is-a-number', 'whose id is a number'], 20240229),
  field('session-id', 'present', ['no-id', 'without an id'], undefined),
  field('session-id', 'max-length', ['id-of-129-characters', 'whose id has 129 characters'], `${longest}x`),
];

const surfacesOfProviders = (
  [
    ['provider-a-cli', 'provider-a', 'cloud'],
    ['provider-c-cli', 'provider-c', 'desktop'],
    ['provider-c-cli', 'provider-c', 'cloud'],
    ['provider-d-six-digits', 'provider-d', 'desktop'],
    ['provider-d-six-digits', 'provider-d', 'cloud'],
  ] as const
).map(([control, provider, surface]) =>
  invalidSession(
    control,
    `source-session.${provider}-surface`,
    `${provider}-on-${surface}`,
    `of ${provider.replace('-', '_')} on ${surface}`,
    { surface },
  ),
);

/** Sessions whose id breaks one rule: rows of slug, words and id, and what all slugs and all words begin with. */
function sessionsWithIds(
  [control, breaks, refusal]: readonly [control: string, breaks: ClauseId, refusal?: RefusalClause],
  [slugs, words]: readonly [string, string],
  rows: readonly (readonly [slug: string, what: string, id: string])[],
): readonly InvalidSession[] {
  return rows.map(([slug, what, session_id]) =>
    invalidSession(control, breaks, `${slugs}${slug}`, `${words}${what}`, { session_id }, refusal),
  );
}

const uuidSessions = (['provider-a', 'provider-c'] as const).flatMap((provider) =>
  sessionsWithIds(
    [
      provider === 'provider-a' ? 'provider-a-desktop' : 'provider-c-cli',
      `source-session.${provider}-session-id`,
    ],
    [`${provider}-id-`, `of ${provider.replace('-', '_')} with a UUID `],
    [
      ['in-upper-case', 'in upper case', uuid.toUpperCase()],
      ['without-hyphens', 'without hyphens', uuid.replaceAll('-', '')],
      ['with-a-line-end', 'with a line end behind it', `${uuid}\n`],
    ],
  ),
);

const providerB = sessionsWithIds(
  ['provider-b-cli', 'source-session.provider-b-session-id'],
  ['provider-b-id-', 'of provider_b with an id '],
  [
    ['that-is-empty', 'that is empty', ''],
    ['beginning-with-a-hyphen', 'that begins with a hyphen', '-session'],
    ['beginning-with-an-underscore', 'that begins with an underscore', '_session'],
    ['with-a-dot', 'with a dot in it', 'a.session'],
    ['with-a-space', 'with a space in it', 'a session'],
    ['with-an-accent', 'with a letter beyond ASCII', 'séance'],
    ['with-a-line-end', 'with a line end behind it', 'session\n'],
  ],
);

const providerDForms = sessionsWithIds(
  ['provider-d-six-digits', 'source-session.provider-d-session-id'],
  ['provider-d-id-with-', 'of provider_d with '],
  [
    ['five-digits', 'five digits behind its time', '20240229_235959_0a1b2'],
    ['seven-digits', 'seven digits behind its time', '20240229_235959_0a1b2c3'],
    ['nine-digits', 'nine digits behind its time', '20240229_235959_0a1b2c3d4'],
    ['upper-case-digits', 'digits in upper case', '20240229_235959_0A1B2C'],
    ['a-hyphen', 'a hyphen before its time', '20240229-235959_0a1b2c'],
    ['a-line-end', 'a line end behind it', '20240229_235959_0a1b2c\n'],
  ],
);

const providerDTimes = sessionsWithIds(
  ['provider-d-six-digits', 'source-session.provider-d-real-time'],
  ['provider-d-', 'of provider_d on '],
  [
    ['29-february-2023', '29 february 2023', '20230229_120000_0a1b2c'],
    ['29-february-1900', '29 february 1900', '19000229_120000_0a1b2c'],
    ['30-february', '30 february', '20240230_120000_0a1b2c'],
    ['31-april', '31 april', '20240431_120000_0a1b2c'],
    ['32-january', '32 january', '20240132_120000_0a1b2c'],
    ['day-0', 'day 0', '20240100_120000_0a1b2c'],
    ['month-0', 'month 0', '20240001_120000_0a1b2c'],
    ['month-13', 'month 13', '20241301_120000_0a1b2c'],
    ['second-1-of-hour-24', 'second 1 of hour 24', '20240229_240001_0a1b2c'],
    ['minute-1-of-hour-24', 'minute 1 of hour 24', '20240229_240100_0a1b2c'],
    ['hour-25', 'hour 25', '20240229_250000_0a1b2c'],
    ['minute-60', 'minute 60', '20240229_126000_0a1b2c'],
    ['second-61', 'second 61', '20240229_120061_0a1b2c'],
  ],
);

const cloudNew = sessionsWithIds(
  ['provider-b-cloud', 'source-session.provider-b-cloud-new', 'source-session.cloud-new-is-refused'],
  ['provider-b-cloud-new', 'of provider_b on cloud with the id '],
  [
    ['', 'new', 'new'],
    ['-in-capitals', 'NEW', 'NEW'],
    ['-with-a-capital-n', 'New', 'New'],
    ['-with-a-capital-e', 'nEw', 'nEw'],
    ['-with-a-capital-w', 'neW', 'neW'],
    ['-with-a-small-n', 'nEW', 'nEW'],
    ['-with-a-small-e', 'NeW', 'NeW'],
    ['-with-a-small-w', 'NEw', 'NEw'],
  ],
);

const url = 'https://session.example/1';

/** A field that no provider has. */
const extra = (
  slug: string,
  what: string,
  change: Readonly<Record<string, string>>,
  refusal: RefusalClause,
) => invalidSession('provider-b-cli', 'source-session.no-extra-fields', slug, what, change, refusal);

const asItsId = sessionsWithIds(
  ['provider-b-cli', 'source-session.provider-b-session-id', 'source-session.urls-are-refused'],
  ['url-as-', 'with a URL as '],
  [['its-id', 'its id', url]],
);

const beyondTheFields: readonly InvalidSession[] = [
  extra('extra-field', 'with a title', { title: 'Monday' }, 'source-session.extra-fields-are-refused'),
  {
    ...extra(
      'url-in-a-field',
      'with a URL in a field of its own',
      { url },
      'source-session.urls-are-refused',
    ),
    plainer: 'extra-field',
  },
  ...asItsId.map((each) => ({ ...each, plainer: 'provider-b-id-with-a-space' })),
];

/** Each rule of the contract broken alone, on both sides of its edges. What the contract leaves open is not here: second 60, hour 24. */
export const invalidSessions: readonly InvalidSession[] = [
  ...invalidFields,
  ...surfacesOfProviders,
  ...uuidSessions,
  ...providerB,
  ...providerDForms,
  ...providerDTimes,
  ...cloudNew,
  ...beyondTheFields,
];

/** Valid sessions of which one field goes by another spelling of its name: they have a field too many, and one too few. */
export const respelledSessions: readonly Labelled<JsonValue>[] = sessionFields.flatMap((name) => {
  const { [name]: value, ...others } = validSession('provider-b-cli').session;
  return respelledNames(name).map((other) => ({
    ...reject(`${other} in place of ${name}`, 'source-session.extra-fields-are-refused'),
    value: { ...others, [other]: value },
  }));
});
