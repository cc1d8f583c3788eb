import type { ClauseId } from '../../spec/index.ts';
import { contractRules, type Rules } from '../../reference/rules/rules.ts';
import { also, only, reading } from './base/changed-rules.ts';
import { breaking, mutant, what, type Mutant } from './base/mutant.ts';
import { otherUuid } from './base/spoil-answer.ts';

type CapturedSession = NonNullable<Parameters<Rules['capturedSession']>[0]>;

const bareUuid = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/;
const uuidInside = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/;

/** A valid session that is refused. */
const refusingMutants: readonly Mutant[] = breaking({
  'source-session.provider-b-surface': {
    'provider-b-knows-no-cloud': only('acceptsSurface', without('provider_b', 'cloud')),
    'provider-b-knows-no-desktop': only('acceptsSurface', without('provider_b', 'desktop')),
    'provider-b-knows-no-cli': only('acceptsSurface', without('provider_b', 'cli')),
  },
  'source-session.valid-is-accepted': {
    'provider-a-knows-no-cli': only('acceptsSurface', without('provider_a', 'cli')),
    'provider-a-knows-no-desktop': only('acceptsSurface', without('provider_a', 'desktop')),
    'provider-c-is-refused': only('acceptsProvider', (provider) => provider !== 'provider_c'),
    'provider-d-is-refused': only('acceptsProvider', (provider) => provider !== 'provider_d'),
    'uuids-are-of-version-4': only('acceptsProviderASession', (id) => /^.{14}4.{4}[89ab]/.test(id)),
    'provider-b-has-64-characters': only('acceptsProviderBSession', (id) => id.length <= 64),
    'provider-b-has-127-characters': only('acceptsProviderBSession', (id) => id.length <= 127),
    'provider-b-has-two-characters': only('acceptsProviderBSession', (id) => id.length >= 2),
    'provider-b-has-no-underscore': {
      acceptsProviderBSession: (id) => /^[A-Za-z0-9][A-Za-z0-9-]{0,127}$/.test(id),
    },
    'provider-b-has-no-dash': { acceptsProviderBSession: (id) => /^[A-Za-z0-9]\w{0,127}$/.test(id) },
    'provider-b-has-no-capitals': only('acceptsProviderBSession', (id) => !/[A-Z]/.test(id)),
    'provider-b-begins-with-a-letter': only('acceptsProviderBSession', (id) => /^[A-Za-z]/.test(id)),
    'nothing-new-in-the-cloud': { acceptsProviderBCloudSession: (id) => !id.toLowerCase().startsWith('new') },
    'new-is-refused-everywhere': only('acceptsProviderBSession', (id) => id.toLowerCase() !== 'new'),
    'provider-d-has-six-digits': {
      acceptsProviderDSession: (id) => /^[0-9]{8}_[0-9]{6}_[0-9a-f]{6}$/.test(id),
    },
    'provider-d-has-eight-digits': {
      acceptsProviderDSession: (id) => /^[0-9]{8}_[0-9]{6}_[0-9a-f]{8}$/.test(id),
    },
    'no-leap-days': only('acceptsProviderDDate', (_year, month, day) => !(month === 2 && day === 29)),
    'no-leap-day-in-2000': only(
      'acceptsProviderDDate',
      (year, month, day) => !(year % 100 === 0 && month === 2 && day === 29),
    ),
    'no-31st': only('acceptsProviderDDate', (_year, _month, day) => day < 31),
    'no-december': only('acceptsProviderDDate', (_year, month) => month < 12),
    'no-midnight': only('acceptsProviderDTime', (hour) => hour > 0),
    'no-last-hour': only('acceptsProviderDTime', (hour) => hour < 23),
    'no-last-second': only('acceptsProviderDTime', (_hour, _minute, second) => second < 59),
    'sessions-of-provider-c-are-dropped': shownSession((session) =>
      session.provider === 'provider_c' ? null : session,
    ),
    'session-ids-are-lower-cased': shownSession((session) => ({
      ...session,
      session_id: session.session_id.toLowerCase(),
    })),
    'session-ids-are-cut-at-64': shownSession((session) => ({
      ...session,
      session_id: session.session_id.slice(0, 64),
    })),
    'surfaces-become-cli': shownSession((session) => ({ ...session, surface: 'cli' as const })),
  },
});

/** An invalid session that is accepted, by the clause that a message breaks which shows it; no clause where none does. */
const accepting: Readonly<Partial<Record<ClauseId | 'none', Readonly<Record<string, Partial<Rules>>>>>> = {
  none: {
    'takes-other-providers': {
      acceptsProvider: () => true,
      ...also('acceptsSurface', (provider) => !/^provider_[a-d]$/.test(provider)),
    },
    'takes-other-surfaces': also('acceptsSurface', (_, surface) => !/^(desktop|cli|cloud)$/.test(surface)),
    'takes-129-characters': {
      maxSessionIdLength: () => 129,
      acceptsProviderBSession: (id) => /^[A-Za-z0-9][A-Za-z0-9_-]{0,128}$/.test(id),
    },
  },
  'source-session.provider-a-surface': {
    'takes-provider-a-in-the-cloud': also('acceptsSurface', beside('provider_a', 'cloud')),
  },
  'source-session.provider-c-surface': {
    'takes-provider-c-on-desktop': also('acceptsSurface', beside('provider_c', 'desktop')),
    'takes-provider-c-in-the-cloud': also('acceptsSurface', beside('provider_c', 'cloud')),
  },
  'source-session.provider-d-surface': {
    'takes-provider-d-on-desktop': also('acceptsSurface', beside('provider_d', 'desktop')),
    'takes-provider-d-in-the-cloud': also('acceptsSurface', beside('provider_d', 'cloud')),
  },
  'source-session.provider-a-session-id': {
    'takes-upper-case-uuids': reading('acceptsProviderASession', (id) => [id.toLowerCase()]),
    'takes-bare-uuids': { acceptsProviderASession: (id) => bareUuid.test(id) },
    'takes-any-id-of-provider-a': { acceptsProviderASession: () => true },
    'takes-a-uuid-with-a-newline': reading('acceptsProviderASession', (id) => [id.replace(/\n$/, '')]),
    // As parsers of many libraries do.
    'takes-a-uuid-in-braces': reading('acceptsProviderASession', (id) => [id.replace(/^\{(.+)\}$/s, '$1')]),
    'takes-a-uuid-inside-a-text': { acceptsProviderASession: (id) => uuidInside.test(id) },
  },
  'source-session.provider-c-session-id': {
    'takes-upper-case-uuids-of-provider-c': reading('acceptsProviderCSession', (id) => [id.toLowerCase()]),
    'takes-any-id-of-provider-c': { acceptsProviderCSession: () => true },
  },
  'source-session.provider-b-session-id': {
    'takes-a-leading-dash': { acceptsProviderBSession: (id) => /^[A-Za-z0-9_-]{1,128}$/.test(id) },
    'takes-a-leading-underscore': { acceptsProviderBSession: (id) => /^\w[A-Za-z0-9_-]{0,127}$/.test(id) },
    'takes-dots': { acceptsProviderBSession: (id) => /^[A-Za-z0-9][A-Za-z0-9_.-]{0,127}$/.test(id) },
    'takes-spaces': { acceptsProviderBSession: (id) => /^[A-Za-z0-9][A-Za-z0-9_ -]{0,127}$/.test(id) },
    'takes-letters-of-all-scripts': {
      acceptsProviderBSession: (id) => /^[\p{L}\p{N}][\p{L}\p{N}_-]{0,127}$/u.test(id),
    },
    'takes-an-empty-id': also('acceptsProviderBSession', (id) => id === ''),
    'takes-a-newline': reading('acceptsProviderBSession', (id) => [id.replace(/\n$/, '')]),
  },
  'source-session.provider-d-session-id': {
    'takes-seven-digits': { acceptsProviderDSession: (id) => /^[0-9]{8}_[0-9]{6}_[0-9a-f]{6,8}$/.test(id) },
    'takes-upper-case-digits': reading('acceptsProviderDSession', (id) => [id.toLowerCase()]),
    'takes-dashes': {
      acceptsProviderDSession: (id) => /^[0-9]{8}[_-][0-9]{6}[_-][0-9a-f]{6}(?:[0-9a-f]{2})?$/.test(id),
    },
    'takes-digits-of-all-scripts': reading('acceptsProviderDSession', (id) => [id.normalize('NFKC')]),
    'takes-any-id-of-provider-d': { acceptsProviderDSession: () => true },
  },
  'source-session.provider-d-real-time': {
    'takes-any-day': { acceptsProviderDDate: () => true },
    'takes-the-30th-of-february': also(
      'acceptsProviderDDate',
      (_, month, day) => month === 2 && day <= 31 && day >= 1,
    ),
    'takes-leap-days-every-year': also('acceptsProviderDDate', (_, month, day) => month === 2 && day === 29),
    'takes-leap-days-of-1900': also(
      'acceptsProviderDDate',
      (year, month, day) => year % 4 === 0 && month === 2 && day === 29,
    ),
    'takes-the-31st-of-april': also(
      'acceptsProviderDDate',
      (_, month, day) => day === 31 && month !== 2 && month >= 1 && month <= 12,
    ),
    'takes-month-13': reading('acceptsProviderDDate', (year, month, day) => [
      year,
      month === 13 ? 12 : month,
      day,
    ]),
    'takes-month-0': reading('acceptsProviderDDate', (year, month, day) => [
      year,
      month === 0 ? 1 : month,
      day,
    ]),
    'takes-day-0': reading('acceptsProviderDDate', (year, month, day) => [year, month, day === 0 ? 1 : day]),
    'takes-any-time': { acceptsProviderDTime: () => true },
    'takes-the-first-minute-of-hour-24': also(
      'acceptsProviderDTime',
      (hour, minute, second) => hour === 24 && minute === 0 && second <= 59,
    ),
    'takes-any-time-of-hour-24': reading('acceptsProviderDTime', (hour, ...rest) => [
      hour === 24 ? 23 : hour,
      ...rest,
    ]),
    'takes-hour-25': reading('acceptsProviderDTime', (hour, ...rest) => [hour >= 25 ? 23 : hour, ...rest]),
    'takes-minute-60': reading('acceptsProviderDTime', (hour, minute, second) => [
      hour,
      minute >= 60 ? 59 : minute,
      second,
    ]),
    'takes-second-61': reading('acceptsProviderDTime', (hour, minute, second) => [
      hour,
      minute,
      second > 60 ? 59 : second,
    ]),
  },
};

function beside(provider: string, surface: string): Rules['acceptsSurface'] {
  return (each, on) => each === provider && on === surface;
}

function without(provider: string, surface: string): Rules['acceptsSurface'] {
  return (each, on) => !(each === provider && on === surface);
}

/** Sessions that are accepted, and shown as something else. */
function shownSession(change: (session: CapturedSession) => CapturedSession | null): Partial<Rules> {
  return { capturedSession: (session) => session && change(session) };
}

const validOnly: Rules['capturedSession'] = (session) =>
  session && keepsSessionRules(session) ? session : null;

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
const takenMutants: readonly Mutant[] = Object.entries(accepting).flatMap(([clause, rows]) =>
  Object.entries(rows).flatMap(([id, rules]) => [
    mutant(id, 'source-session.invalid-is-refused', `${id.replaceAll('-', ' ')}, and drops it`, {
      ...rules,
      capturedSession: validOnly,
    }),
    ...(clause === 'none' ? [] : breaking({ [clause]: { [`${id}-and-shows-it`]: rules } })),
  ]),
);

function keepsSessionRules({ provider, surface, session_id: id }: CapturedSession): boolean {
  const isKnown = contractRules.acceptsProvider(provider) && contractRules.acceptsSurface(provider, surface);
  if (!isKnown || id.length > 128) return false;
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
  ...Object.entries({
    'takes-new': () => true,
    'takes-new-in-capitals': (id) => id !== 'new',
    'takes-capitalised-new': (id) => id !== 'new' && id !== 'NEW',
    'takes-small-new': (id) => id === 'new' || contractRules.acceptsProviderBCloudSession(id),
  } satisfies Record<string, Rules['acceptsProviderBCloudSession']>).map(
    ([id, acceptsProviderBCloudSession]) =>
      mutant(id, 'source-session.cloud-new-is-refused', `${id.replaceAll('-', ' ')} on cloud, and drops it`, {
        acceptsProviderBCloudSession,
        capturedSession: validOnly,
      }),
  ),
  ...breaking({
    'source-session.provider-b-cloud-new': {
      'takes-new-and-shows-it': { acceptsProviderBCloudSession: () => true },
    },
    'source-session.no-extra-fields': { 'shows-more-fields': { acceptsSessionField: () => true } },
    'send.refused-stores-nothing': {
      'refused-sessions-are-forgotten': what(
        'a message is stored without the session that it was refused for',
        {
          storesRefusedSend: ({ message }) => message.includes('source_session'),
          capturedSession: validOnly,
        },
      ),
    },
    'source-session.grants-nothing': {
      'session-names-the-agent': what('a session becomes the name of the agent', {
        presentAuthor: (captured) =>
          captured.source_session
            ? { ...captured, display_name: captured.source_session.session_id }
            : captured,
      }),
      'a-session-with-an-id-is-the-author': {
        presentAuthor: (author) =>
          /^[0-9a-f-]{36}$/.test(author.source_session?.session_id ?? '') &&
          author.source_session?.provider === 'provider_b'
            ? { ...author, id: author.source_session.session_id }
            : author,
      },
      'session-is-the-agent': what('a message with a session has another author', {
        presentAuthor: (captured) =>
          captured.source_session ? { ...captured, id: otherUuid(captured.id) } : captured,
      }),
      'session-is-the-human': {
        presentAuthor: (author) =>
          author.source_session && author.human_user
            ? { ...author, human_user: { ...author.human_user, id: otherUuid(author.human_user.id) } }
            : author,
      },
    },
  }),
  ...breaking({
    'source-session.urls-are-refused': {
      'takes-urls': taking((name) => /url|link|href|uri/i.test(name)),
      'takes-a-field-url': taking((name) => name === 'url'),
    },
    'source-session.extra-fields-are-refused': {
      'takes-more-fields': taking(() => true),
      'takes-other-fields-than-urls': taking((name) => !/url|link|href|uri/i.test(name)),
    },
  }),
];

/** A session with further fields is accepted, and they are dropped. */
function taking(takes: (name: string) => boolean): Partial<Rules> {
  return {
    ...also('acceptsSessionField', takes),
    ...shownSession(({ provider, surface, session_id }) => ({ provider, surface, session_id })),
  };
}

export const sourceSessionMutants: readonly Mutant[] = [
  ...refusingMutants,
  ...takenMutants,
  ...looseMutants,
  ...namedMutants,
];
