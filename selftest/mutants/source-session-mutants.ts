import type { ClauseId } from '../../spec/index.ts';
import { contractRules, type Rules } from '../../reference/rules/rules.ts';
import { breaking, mutant, what, type Mutant } from './base/mutant.ts';
import { otherUuid } from './base/spoil-answer.ts';

/** A valid session that is refused. */
const refusing: readonly Mutant[] = breaking({
  'source-session.provider-b-surface': {
    'provider-b-knows-no-cloud': what('provider_b is refused on cloud', {
      acceptsSurface: (provider, surface) =>
        !(provider === 'provider_b' && surface === 'cloud') &&
        contractRules.acceptsSurface(provider, surface),
    }),
    'provider-b-knows-no-desktop': what('provider_b is refused on desktop', {
      acceptsSurface: (provider, surface) =>
        !(provider === 'provider_b' && surface === 'desktop') &&
        contractRules.acceptsSurface(provider, surface),
    }),
    'provider-b-knows-no-cli': what('provider_b is refused on cli', {
      acceptsSurface: (provider, surface) =>
        !(provider === 'provider_b' && surface === 'cli') && contractRules.acceptsSurface(provider, surface),
    }),
  },
  'source-session.valid-is-accepted': {
    'provider-a-knows-no-cli': what('provider_a is refused on cli', {
      acceptsSurface: (provider, surface) =>
        !(provider === 'provider_a' && surface === 'cli') && contractRules.acceptsSurface(provider, surface),
    }),
    'provider-a-knows-no-desktop': what('provider_a is refused on desktop', {
      acceptsSurface: (provider, surface) =>
        !(provider === 'provider_a' && surface === 'desktop') &&
        contractRules.acceptsSurface(provider, surface),
    }),
    'provider-c-is-refused': what('provider_c is refused', {
      acceptsProvider: (provider) => provider !== 'provider_c' && contractRules.acceptsProvider(provider),
    }),
    'provider-d-is-refused': what('provider_d is refused', {
      acceptsProvider: (provider) => provider !== 'provider_d' && contractRules.acceptsProvider(provider),
    }),
    'uuids-are-of-version-4': what('a session of provider_a has to be a UUID of version 4', {
      acceptsProviderASession: (id) =>
        /^.{14}4.{4}[89ab]/.test(id) && contractRules.acceptsProviderASession(id),
    }),
    'provider-b-has-64-characters': what('a session of provider_b has at most 64 characters', {
      acceptsProviderBSession: (id) => id.length <= 64 && contractRules.acceptsProviderBSession(id),
    }),
    'provider-b-has-127-characters': what('a session of provider_b has at most 127 characters', {
      acceptsProviderBSession: (id) => id.length <= 127 && contractRules.acceptsProviderBSession(id),
    }),
    'provider-b-has-two-characters': what('a session of provider_b has at least two characters', {
      acceptsProviderBSession: (id) => id.length >= 2 && contractRules.acceptsProviderBSession(id),
    }),
    'provider-b-has-no-underscore': what('a session of provider_b has no underscore', {
      acceptsProviderBSession: (id) => /^[A-Za-z0-9][A-Za-z0-9-]{0,127}$/.test(id),
    }),
    'provider-b-has-no-dash': { acceptsProviderBSession: (id) => /^[A-Za-z0-9]\w{0,127}$/.test(id) },
    'provider-b-has-no-capitals': what('a session of provider_b has no capitals', {
      acceptsProviderBSession: (id) => !/[A-Z]/.test(id) && contractRules.acceptsProviderBSession(id),
    }),
    'provider-b-begins-with-a-letter': what('a session of provider_b begins with a letter', {
      acceptsProviderBSession: (id) => /^[A-Za-z]/.test(id) && contractRules.acceptsProviderBSession(id),
    }),
    'nothing-new-in-the-cloud': { acceptsProviderBCloudSession: (id) => !id.toLowerCase().startsWith('new') },
    'new-is-refused-everywhere': what('a session called new is refused on every surface', {
      acceptsProviderBSession: (id) =>
        id.toLowerCase() !== 'new' && contractRules.acceptsProviderBSession(id),
    }),
    'provider-d-has-six-digits': what('a session of provider_d ends in six digits', {
      acceptsProviderDSession: (id) => /^[0-9]{8}_[0-9]{6}_[0-9a-f]{6}$/.test(id),
    }),
    'provider-d-has-eight-digits': what('a session of provider_d ends in eight digits', {
      acceptsProviderDSession: (id) => /^[0-9]{8}_[0-9]{6}_[0-9a-f]{8}$/.test(id),
    }),
    'no-leap-days': what('the 29th of February is refused', {
      acceptsProviderDDate: (year, month, day) =>
        !(month === 2 && day === 29) && contractRules.acceptsProviderDDate(year, month, day),
    }),
    'no-leap-day-in-2000': what('the 29th of February 2000 is refused', {
      acceptsProviderDDate: (year, month, day) =>
        !(year % 100 === 0 && month === 2 && day === 29) &&
        contractRules.acceptsProviderDDate(year, month, day),
    }),
    'no-31st': what('the 31st of a month is refused', {
      acceptsProviderDDate: (year, month, day) =>
        day < 31 && contractRules.acceptsProviderDDate(year, month, day),
    }),
    'no-december': what('the twelfth month is refused', {
      acceptsProviderDDate: (year, month, day) =>
        month < 12 && contractRules.acceptsProviderDDate(year, month, day),
    }),
    'no-midnight': what('the hour 0 is refused', {
      acceptsProviderDTime: (hour, minute, second) =>
        hour > 0 && contractRules.acceptsProviderDTime(hour, minute, second),
    }),
    'no-last-hour': what('the hour 23 is refused', {
      acceptsProviderDTime: (hour, minute, second) =>
        hour < 23 && contractRules.acceptsProviderDTime(hour, minute, second),
    }),
    'no-last-second': what('the second 59 is refused', {
      acceptsProviderDTime: (hour, minute, second) =>
        second < 59 && contractRules.acceptsProviderDTime(hour, minute, second),
    }),
    'sessions-of-provider-c-are-dropped': what('a session of provider_c is accepted and not shown', {
      capturedSession: (session) => (session?.provider === 'provider_c' ? null : session),
    }),
    'session-ids-are-lower-cased': what('the id of a session is made small', {
      capturedSession: (session) => session && { ...session, session_id: session.session_id.toLowerCase() },
    }),
    'session-ids-are-cut-at-64': what('the id of a session is cut at 64 characters', {
      capturedSession: (session) => session && { ...session, session_id: session.session_id.slice(0, 64) },
    }),
    'surfaces-become-cli': what('every surface is shown as cli', {
      capturedSession: (session) => session && { ...session, surface: 'cli' as const },
    }),
  },
});

/** An invalid session that is accepted: what it does wrong, and the rule of what a message shows that it then breaks. */
const accepting: readonly (readonly [
  id: string,
  shown: ClauseId | undefined,
  what: string,
  rules: Partial<Rules>,
])[] = [
  [
    'takes-other-providers',
    undefined,
    'a provider that is not one of the four',
    {
      acceptsProvider: () => true,
      acceptsSurface: (provider, surface) =>
        !/^provider_[a-d]$/.test(provider) || contractRules.acceptsSurface(provider, surface),
    },
  ],
  [
    'takes-other-surfaces',
    undefined,
    'a surface that is not one of the three',
    {
      acceptsSurface: (provider, surface) =>
        !['desktop', 'cli', 'cloud'].includes(surface) || contractRules.acceptsSurface(provider, surface),
    },
  ],
  [
    'takes-provider-a-in-the-cloud',
    'source-session.provider-a-surface',
    'provider_a on cloud',
    { acceptsSurface: beside('provider_a', 'cloud') },
  ],
  [
    'takes-provider-c-on-desktop',
    'source-session.provider-c-surface',
    'provider_c on desktop',
    { acceptsSurface: beside('provider_c', 'desktop') },
  ],
  [
    'takes-provider-c-in-the-cloud',
    'source-session.provider-c-surface',
    'provider_c on cloud',
    { acceptsSurface: beside('provider_c', 'cloud') },
  ],
  [
    'takes-provider-d-on-desktop',
    'source-session.provider-d-surface',
    'provider_d on desktop',
    { acceptsSurface: beside('provider_d', 'desktop') },
  ],
  [
    'takes-provider-d-in-the-cloud',
    'source-session.provider-d-surface',
    'provider_d on cloud',
    { acceptsSurface: beside('provider_d', 'cloud') },
  ],
  [
    'takes-upper-case-uuids',
    'source-session.provider-a-session-id',
    'a UUID in upper case for provider_a',
    { acceptsProviderASession: (id) => contractRules.acceptsProviderASession(id.toLowerCase()) },
  ],
  [
    'takes-bare-uuids',
    'source-session.provider-a-session-id',
    'a UUID without hyphens for provider_a',
    {
      acceptsProviderASession: (id) =>
        /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/.test(id),
    },
  ],
  [
    'takes-any-id-of-provider-a',
    'source-session.provider-a-session-id',
    'any text for provider_a',
    { acceptsProviderASession: () => true },
  ],
  [
    'takes-a-uuid-with-a-newline',
    'source-session.provider-a-session-id',
    'a UUID with a newline for provider_a',
    { acceptsProviderASession: (id) => contractRules.acceptsProviderASession(id.replace(/\n$/, '')) },
  ],
  [
    'takes-a-uuid-inside-a-text',
    'source-session.provider-a-session-id',
    'a text that holds a UUID for provider_a',
    { acceptsProviderASession: (id) => /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/.test(id) },
  ],
  [
    'takes-upper-case-uuids-of-provider-c',
    'source-session.provider-c-session-id',
    'a UUID in upper case for provider_c',
    { acceptsProviderCSession: (id) => contractRules.acceptsProviderCSession(id.toLowerCase()) },
  ],
  [
    'takes-any-id-of-provider-c',
    'source-session.provider-c-session-id',
    'any text for provider_c',
    { acceptsProviderCSession: () => true },
  ],
  [
    'takes-129-characters',
    undefined,
    'an id of 129 characters for provider_b',
    {
      maxSessionIdLength: () => 129,
      acceptsProviderBSession: (id) => /^[A-Za-z0-9][A-Za-z0-9_-]{0,128}$/.test(id),
    },
  ],
  [
    'takes-a-leading-dash',
    'source-session.provider-b-session-id',
    'an id of provider_b that begins with a dash',
    { acceptsProviderBSession: (id) => /^[A-Za-z0-9_-]{1,128}$/.test(id) },
  ],
  [
    'takes-a-leading-underscore',
    'source-session.provider-b-session-id',
    'an id of provider_b that begins with an underscore',
    { acceptsProviderBSession: (id) => /^\w[A-Za-z0-9_-]{0,127}$/.test(id) },
  ],
  [
    'takes-dots',
    'source-session.provider-b-session-id',
    'an id of provider_b with a dot',
    { acceptsProviderBSession: (id) => /^[A-Za-z0-9][A-Za-z0-9_.-]{0,127}$/.test(id) },
  ],
  [
    'takes-spaces',
    'source-session.provider-b-session-id',
    'an id of provider_b with a space',
    { acceptsProviderBSession: (id) => /^[A-Za-z0-9][A-Za-z0-9_ -]{0,127}$/.test(id) },
  ],
  [
    'takes-letters-of-all-scripts',
    'source-session.provider-b-session-id',
    'an id of provider_b with letters beyond ASCII',
    { acceptsProviderBSession: (id) => /^[\p{L}\p{N}][\p{L}\p{N}_-]{0,127}$/u.test(id) },
  ],
  [
    'takes-an-empty-id',
    'source-session.provider-b-session-id',
    'an empty id of provider_b',
    { acceptsProviderBSession: (id) => id === '' || contractRules.acceptsProviderBSession(id) },
  ],
  [
    'takes-a-newline',
    'source-session.provider-b-session-id',
    'an id of provider_b that ends in a newline',
    { acceptsProviderBSession: (id) => contractRules.acceptsProviderBSession(id.replace(/\n$/, '')) },
  ],
  [
    'takes-seven-digits',
    'source-session.provider-d-session-id',
    'seven digits at the end of an id of provider_d',
    { acceptsProviderDSession: (id) => /^[0-9]{8}_[0-9]{6}_[0-9a-f]{6,8}$/.test(id) },
  ],
  [
    'takes-upper-case-digits',
    'source-session.provider-d-session-id',
    'digits in upper case at the end of an id of provider_d',
    { acceptsProviderDSession: (id) => contractRules.acceptsProviderDSession(id.toLowerCase()) },
  ],
  [
    'takes-dashes',
    'source-session.provider-d-session-id',
    'dashes between the parts of an id of provider_d',
    { acceptsProviderDSession: (id) => /^[0-9]{8}[_-][0-9]{6}[_-][0-9a-f]{6}(?:[0-9a-f]{2})?$/.test(id) },
  ],
  [
    'takes-any-id-of-provider-d',
    'source-session.provider-d-session-id',
    'any text for provider_d',
    { acceptsProviderDSession: () => true },
  ],
  [
    'takes-any-day',
    'source-session.provider-d-real-time',
    'a day that does not exist',
    { acceptsProviderDDate: () => true },
  ],
  [
    'takes-the-30th-of-february',
    'source-session.provider-d-real-time',
    'the 30th of February',
    {
      acceptsProviderDDate: (year, month, day) =>
        month === 2 ? day >= 1 && day <= 31 : contractRules.acceptsProviderDDate(year, month, day),
    },
  ],
  [
    'takes-leap-days-every-year',
    'source-session.provider-d-real-time',
    'the 29th of February of any year',
    {
      acceptsProviderDDate: (year, month, day) =>
        (month === 2 && day === 29) || contractRules.acceptsProviderDDate(year, month, day),
    },
  ],
  [
    'takes-leap-days-of-1900',
    'source-session.provider-d-real-time',
    'the 29th of February 1900',
    {
      acceptsProviderDDate: (year, month, day) =>
        (year % 4 === 0 && month === 2 && day === 29) || contractRules.acceptsProviderDDate(year, month, day),
    },
  ],
  [
    'takes-the-31st-of-april',
    'source-session.provider-d-real-time',
    'the 31st of a short month',
    {
      acceptsProviderDDate: (year, month, day) =>
        (day === 31 && month !== 2 && month >= 1 && month <= 12) ||
        contractRules.acceptsProviderDDate(year, month, day),
    },
  ],
  [
    'takes-month-13',
    'source-session.provider-d-real-time',
    'the 13th month',
    {
      acceptsProviderDDate: (year, month, day) =>
        contractRules.acceptsProviderDDate(year, month === 13 ? 12 : month, day),
    },
  ],
  [
    'takes-month-0',
    'source-session.provider-d-real-time',
    'the month 0',
    {
      acceptsProviderDDate: (year, month, day) =>
        contractRules.acceptsProviderDDate(year, month === 0 ? 1 : month, day),
    },
  ],
  [
    'takes-day-0',
    'source-session.provider-d-real-time',
    'the day 0',
    {
      acceptsProviderDDate: (year, month, day) =>
        contractRules.acceptsProviderDDate(year, month, day === 0 ? 1 : day),
    },
  ],
  [
    'takes-any-time',
    'source-session.provider-d-real-time',
    'a time that does not exist',
    { acceptsProviderDTime: () => true },
  ],
  [
    'takes-hour-25',
    'source-session.provider-d-real-time',
    'the hour 25',
    {
      acceptsProviderDTime: (hour, minute, second) =>
        contractRules.acceptsProviderDTime(hour >= 25 ? 23 : hour, minute, second),
    },
  ],
  [
    'takes-minute-60',
    'source-session.provider-d-real-time',
    'the minute 60',
    {
      acceptsProviderDTime: (hour, minute, second) =>
        contractRules.acceptsProviderDTime(hour, minute >= 60 ? 59 : minute, second),
    },
  ],
  [
    'takes-second-61',
    'source-session.provider-d-real-time',
    'the second 61',
    {
      acceptsProviderDTime: (hour, minute, second) =>
        contractRules.acceptsProviderDTime(hour, minute, second > 60 ? 59 : second),
    },
  ],
];

function beside(provider: string, surface: string): Rules['acceptsSurface'] {
  return (each, on) => (each === provider && on === surface) || contractRules.acceptsSurface(each, on);
}

const validOnly: Rules['capturedSession'] = (session) => (session && isValid(session) ? session : null);

/** What stands in place of a part of a session: a number is read as its digits, what is missing as no text. */
const looseMutants: readonly Mutant[] = (['provider', 'surface', 'session_id'] as const).flatMap((part) =>
  (
    [
      ['of-no-string', 'that is no string', (value: unknown) => typeof value === 'number'],
      ['that-is-missing', 'that is missing', (value: unknown) => value === undefined],
    ] as const
  ).map(([id, what, isMeant]) => {
    const isLoose = (text: string): boolean => text === '' || /^[0-9]$/.test(text);
    return mutant(
      `takes-a-${part.replace('_', '-')}-${id}`,
      'source-session.invalid-is-refused',
      `a ${part} ${what} is accepted, and dropped`,
      {
        rules: {
          readSessionPart: (name, value) =>
            name === part && isMeant(value)
              ? String(value ?? '')
              : contractRules.readSessionPart(name, value),
          acceptsProvider: (provider) => isLoose(provider) || contractRules.acceptsProvider(provider),
          acceptsSurface: (provider, surface) =>
            isLoose(provider) || isLoose(surface) || contractRules.acceptsSurface(provider, surface),
          acceptsProviderBSession: (sessionId) =>
            (part === 'session_id' && isMeant(undefined) && sessionId === '') ||
            contractRules.acceptsProviderBSession(sessionId),
          capturedSession: validOnly,
        },
      },
    );
  }),
);

/** Accepted and dropped, so that only the missing refusal is wrong; or accepted and shown. */
const takenMutants: readonly Mutant[] = accepting.flatMap(([id, shown, what, rules]) => [
  mutant(id, 'source-session.invalid-is-refused', `${what} is accepted, and dropped`, {
    rules: { ...rules, capturedSession: validOnly },
  }),
  ...(shown === undefined
    ? []
    : [mutant(`${id}-and-shows-it`, shown, `${what} is accepted and shown`, { rules })]),
]);

function isValid({
  provider,
  surface,
  session_id: id,
}: {
  provider: string;
  surface: string;
  session_id: string;
}): boolean {
  if (
    !contractRules.acceptsProvider(provider) ||
    !contractRules.acceptsSurface(provider, surface) ||
    id.length > 128
  )
    return false;
  const [, year, month, day, hour, minute, second] = (
    /^(\d{4})(\d\d)(\d\d)_(\d\d)(\d\d)(\d\d)/.exec(id) ?? []
  ).map(Number);
  switch (provider) {
    case 'provider_a':
      return contractRules.acceptsProviderASession(id);
    case 'provider_b':
      return (
        contractRules.acceptsProviderBSession(id) &&
        (surface !== 'cloud' || contractRules.acceptsProviderBCloudSession(id))
      );
    case 'provider_c':
      return contractRules.acceptsProviderCSession(id);
    default:
      return (
        contractRules.acceptsProviderDSession(id) &&
        contractRules.acceptsProviderDDate(year ?? 0, month ?? 0, day ?? 0) &&
        contractRules.acceptsProviderDTime(hour ?? 0, minute ?? 0, second ?? 0)
      );
  }
}

/** Sessions that the contract names one by one as refused, and what a session must not do. */
const namedMutants: readonly Mutant[] = [
  ...(
    [
      ['takes-new', 'new', () => true],
      ['takes-new-in-capitals', 'NEW', (id) => id !== 'new'],
      ['takes-capitalised-new', 'New', (id) => id !== 'new' && id !== 'NEW'],
      [
        'takes-small-new',
        'new in small letters',
        (id) => id === 'new' || contractRules.acceptsProviderBCloudSession(id),
      ],
    ] as readonly (readonly [string, string, (id: string) => boolean])[]
  ).map(([id, what, acceptsProviderBCloudSession]) =>
    mutant(id, 'source-session.cloud-new-is-refused', `the cloud session ${what} is accepted, and dropped`, {
      rules: {
        acceptsProviderBCloudSession,
        capturedSession: (session) => (session && isValid(session) ? session : null),
      },
    }),
  ),
  ...breaking({
    'source-session.provider-b-cloud-new': {
      'takes-new-and-shows-it': { acceptsProviderBCloudSession: () => true },
    },
    'source-session.no-extra-fields': { 'shows-more-fields': { acceptsSessionField: () => true } },
    'source-session.grants-nothing': {
      'session-names-the-agent': what('a session becomes the name of the agent', {
        presentAuthor: (captured) =>
          captured.source_session
            ? { ...captured, display_name: captured.source_session.session_id }
            : captured,
      }),
      'session-is-the-agent': what('a message with a session has another author', {
        presentAuthor: (captured) =>
          captured.source_session ? { ...captured, id: otherUuid(captured.id) } : captured,
      }),
      'session-hides-the-human': what('a message with a session shows no human', {
        presentAuthor: (captured) => (captured.source_session ? { ...captured, human_user: null } : captured),
      }),
    },
  }),
  ...(
    [
      [
        'takes-urls',
        'source-session.urls-are-refused',
        'a session with a URL is accepted, and the URL dropped',
        (name) => /url|link|href|uri/i.test(name),
      ],
      [
        'takes-a-field-url',
        'source-session.urls-are-refused',
        'a session with a field url is accepted, and the field dropped',
        (name) => name === 'url',
      ],
      [
        'takes-more-fields',
        'source-session.extra-fields-are-refused',
        'a session with an undeclared field is accepted, and the field dropped',
        () => true,
      ],
      [
        'takes-other-fields-than-urls',
        'source-session.extra-fields-are-refused',
        'a session with an undeclared field other than a URL is accepted',
        (name) => !/url|link|href|uri/i.test(name),
      ],
    ] as readonly (readonly [string, ClauseId, string, (name: string) => boolean])[]
  ).map(([id, clause, what, takes]) =>
    mutant(id, clause, what, {
      rules: {
        acceptsSessionField: (name) => contractRules.acceptsSessionField(name) || takes(name),
        capturedSession: (session) =>
          session && { provider: session.provider, surface: session.surface, session_id: session.session_id },
      },
    }),
  ),
];

export const sourceSessionMutants: readonly Mutant[] = [
  ...refusing,
  ...takenMutants,
  ...looseMutants,
  ...namedMutants,
];
