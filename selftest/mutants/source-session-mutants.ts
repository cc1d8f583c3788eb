import { type ClauseId, validate } from '../../spec/index.ts';
import { contractRules, type Rules } from '../../reference/rules/rules.ts';
import { also, only, reading, replacing, shown } from './base/changed-rules.ts';
import { readingInAnyLetterCase } from './base/letter-case.ts';
import { breaking, inWords, mutant, type Mutant } from './base/mutant.ts';
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
    'provider-b-has-no-capitals': only('acceptsProviderBSession', (id) => !/[A-Z]/.test(id)),
    'provider-b-begins-with-a-letter': only('acceptsProviderBSession', (id) => /^[A-Za-z]/.test(id)),
    'nothing-new-in-the-cloud': { acceptsProviderBCloudSession: (id) => !id.toLowerCase().startsWith('new') },
    'new-is-refused-everywhere': only('acceptsProviderBSession', (id) => id.toLowerCase() !== 'new'),
    ...replacing('acceptsProviderBSession', {
      'provider-b-has-no-underscore': (id) => /^[A-Za-z0-9][A-Za-z0-9-]{0,127}$/.test(id),
      'provider-b-has-no-dash': (id) => /^[A-Za-z0-9]\w{0,127}$/.test(id),
    }),
    ...replacing('acceptsProviderDSession', {
      'provider-d-has-six-digits': (id) => /^[0-9]{8}_[0-9]{6}_[0-9a-f]{6}$/.test(id),
      'provider-d-has-eight-digits': (id) => /^[0-9]{8}_[0-9]{6}_[0-9a-f]{8}$/.test(id),
    }),
    'no-leap-days': only('acceptsProviderDDate', (_year, month, day) => !(month === 2 && day === 29)),
    'no-leap-day-in-2000': only(
      'acceptsProviderDDate',
      (year, month, day) => !(year % 100 === 0 && month === 2 && day === 29),
    ),
    'no-31st': only('acceptsProviderDDate', (_year, _month, day) => day < 31),
    'no-31st-of-august': only('acceptsProviderDDate', (_year, month, day) => !(month === 8 && day === 31)),
    'no-day-before-1970': only('acceptsProviderDDate', (year) => year >= 1970),
    'no-hour-that-clocks-skip: a time is taken for one of a place where clocks are put forward': only(
      'acceptsProviderDSession',
      (id) => !id.startsWith('20240310_02'),
    ),
    'ids-of-digits-are-numbers': shownSessionId((id) => (/^\d+$/.test(id) ? String(Number(id)) : id)),
    'provider-b-ends-with-a-letter': only(
      'acceptsProviderBSession',
      (id) => !/[a-z0-9][_-]$/i.test(id) || id === 'new-',
    ),
    'provider-b-has-no-two-signs': only('acceptsProviderBSession', (id) => !/[_-]{2}/.test(id)),
    'no-nil-uuid': only('acceptsProviderASession', (id) => !/^[0-]+$/.test(id)),
    'no-december': only('acceptsProviderDDate', (_year, month) => month < 12),
    'no-midnight': only('acceptsProviderDTime', (hour) => hour > 0),
    'no-last-hour': only('acceptsProviderDTime', (hour) => hour < 23),
    'no-last-second': only('acceptsProviderDTime', (_hour, _minute, second) => second < 59),
    'sessions-of-provider-c-are-dropped': shownSession((session) =>
      session.provider === 'provider_c' ? null : session,
    ),
    'session-ids-are-lower-cased': shownSessionId((id) => id.toLowerCase()),
    'session-ids-are-cut-at-64': shownSessionId((id) => id.slice(0, 64)),
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
    ...replacing('acceptsProviderBSession', {
      'takes-a-leading-dash': (id) => /^[A-Za-z0-9_-]{1,128}$/.test(id),
      'takes-a-leading-underscore': (id) => /^\w[A-Za-z0-9_-]{0,127}$/.test(id),
      'takes-dots': (id) => /^[A-Za-z0-9][A-Za-z0-9_.-]{0,127}$/.test(id),
      'takes-spaces': (id) => /^[A-Za-z0-9][A-Za-z0-9_ -]{0,127}$/.test(id),
      'takes-letters-of-all-scripts': (id) => /^[\p{L}\p{N}][\p{L}\p{N}_-]{0,127}$/u.test(id),
    }),
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
    'takes-month-13': onDate((year, month, day) => [year, month === 13 ? 12 : month, day]),
    'takes-month-0': onDate((year, month, day) => [year, month === 0 ? 1 : month, day]),
    'takes-day-0': onDate((year, month, day) => [year, month, day === 0 ? 1 : day]),
    'takes-any-time': { acceptsProviderDTime: () => true },
    'takes-the-first-minute-of-hour-24': also(
      'acceptsProviderDTime',
      (hour, minute, second) => hour === 24 && minute === 0 && second <= 59,
    ),
    'takes-any-time-of-hour-24': onTime((hour, ...rest) => [hour === 24 ? 23 : hour, ...rest]),
    'takes-hour-25': onTime((hour, ...rest) => [hour >= 25 ? 23 : hour, ...rest]),
    'takes-minute-60': onTime((hour, minute, second) => [hour, minute >= 60 ? 59 : minute, second]),
    'takes-second-61': onTime((hour, minute, second) => [hour, minute, second > 60 ? 59 : second]),
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

function shownSessionId(change: (id: string) => string): Partial<Rules> {
  return shownSession((session) => ({ ...session, session_id: change(session.session_id) }));
}

type Given<Name extends 'acceptsProviderDDate' | 'acceptsProviderDTime'> = Parameters<Rules[Name]>;

function onDate(change: (...date: Given<'acceptsProviderDDate'>) => typeof date): Partial<Rules> {
  return reading('acceptsProviderDDate', change);
}

function onTime(change: (...time: Given<'acceptsProviderDTime'>) => typeof time): Partial<Rules> {
  return reading('acceptsProviderDTime', change);
}

/** A session that was accepted, and is dropped if it is invalid. */
function dropping(rules: Partial<Rules>): Partial<Rules> {
  return { ...rules, ...shownSession((session) => (isValid(session) ? session : null)) };
}

function isValid(session: CapturedSession): boolean {
  return validate('source-session', session).length === 0;
}

/** What stands in place of a part of a session: a number is read as its digits, what is missing as no text. */
function loose(part: keyof CapturedSession, isMeant: (value: unknown) => boolean): Partial<Rules> {
  const isLoose = (text: string): boolean => text === '' || /^[0-9]$/.test(text);
  return dropping({
    readSessionPart: (name, value) =>
      name === part && isMeant(value)
        ? String((value ?? '') as string | number)
        : contractRules.readSessionPart(name, value),
    ...also('acceptsProvider', isLoose),
    ...also('acceptsSurface', (provider, surface) => isLoose(provider) || isLoose(surface)),
    ...also('acceptsProviderBSession', (id) => part === 'session_id' && isMeant(undefined) && id === ''),
  });
}

const isNumber = (value: unknown): boolean => typeof value === 'number';
const isMissing = (value: unknown): boolean => value === undefined;

/** Accepted and dropped, so that only the missing refusal is wrong; or accepted and shown. */
const takenMutants: readonly Mutant[] = Object.entries(accepting).flatMap(([clause, rows]) =>
  Object.entries(rows).flatMap(([id, rules]) => [
    mutant(id, 'source-session.invalid-is-refused', `${inWords(id)}, and drops it`, dropping(rules)),
    ...(clause === 'none' ? [] : breaking({ [clause]: { [`${id}-and-shows-it`]: rules } })),
  ]),
);

/** Sessions that the contract names one by one as refused, and what a session must not do. */
const namedMutants: readonly Mutant[] = breaking({
  'source-session.invalid-is-refused': {
    'takes-a-provider-of-no-string: a provider that is no string is accepted, and dropped': loose(
      'provider',
      isNumber,
    ),
    'takes-a-provider-that-is-missing: a provider that is missing is accepted, and dropped': loose(
      'provider',
      isMissing,
    ),
    'takes-a-surface-of-no-string: a surface that is no string is accepted, and dropped': loose(
      'surface',
      isNumber,
    ),
    'takes-a-surface-that-is-missing: a surface that is missing is accepted, and dropped': loose(
      'surface',
      isMissing,
    ),
    'takes-the-only-surface-unsaid: a provider that has one surface alone needs none': () => {
      let provider: unknown;
      return {
        readSessionPart: (name, value) => {
          if (name === 'provider') provider = value;
          const isTold = name === 'surface' && /^provider_[cd]$/.test(String(provider));
          return contractRules.readSessionPart(name, isTold ? (value ?? 'cli') : value);
        },
      };
    },
    'takes-a-list-of-values: a source session may be its values in a list': {
      readSession: (value) => {
        if (!Array.isArray(value) || value.length !== 3) return value;
        const [provider, surface, session_id] = value as readonly unknown[];
        return { provider, surface, session_id };
      },
    },
    'takes-a-session-in-a-list: a source session may stand alone in a list': {
      readSession: (value) => (Array.isArray(value) && value.length === 1 ? (value[0] as unknown) : value),
    },
    'takes-the-json-of-a-session: a source session may be a text of its JSON': {
      readSession: (value) => {
        try {
          return typeof value === 'string' ? (JSON.parse(value) as unknown) : value;
        } catch {
          return value;
        }
      },
    },
    'takes-a-session-id-of-no-string: a session_id that is no string is accepted, and dropped': loose(
      'session_id',
      isNumber,
    ),
    'takes-a-session-id-that-is-missing: a session_id that is missing is accepted, and dropped': loose(
      'session_id',
      isMissing,
    ),
  },
  'source-session.cloud-new-is-refused': {
    'takes-new: takes new on cloud, and drops it': takingNew(() => true),
    'takes-new-in-capitals: takes new in capitals on cloud, and drops it': takingNew((id) => id !== 'new'),
    'takes-capitalised-new: takes capitalised new on cloud, and drops it': takingNew(
      (id) => id !== 'new' && id !== 'NEW',
    ),
    'takes-small-new: takes small new on cloud, and drops it': takingNew(
      (id) => id === 'new' || contractRules.acceptsProviderBCloudSession(id),
    ),
  },
  'source-session.provider-b-cloud-new': {
    'takes-new-and-shows-it': { acceptsProviderBCloudSession: () => true },
  },
  'source-session.no-extra-fields': { 'shows-more-fields': { acceptsSessionField: () => true } },
  'send.refused-stores-nothing': {
    'refused-sessions-are-forgotten: a message is stored without the session that it was refused for':
      dropping({ storesRefusedSend: ({ message }) => message.includes('source_session') }),
  },
  'source-session.not-carried-over': {
    'sessions-are-carried-over: a message without a session shows the last one that was reported': () => {
      let latest: CapturedSession | null = null;
      return { capturedSession: (session) => (latest = session ?? latest) };
    },
  },
  'source-session.grants-nothing': {
    'session-names-the-agent: a session becomes the name of the agent': shown(
      'presentAuthor',
      ({ source_session: session, display_name: name }) => ({ display_name: session?.session_id ?? name }),
    ),
    'a-session-with-an-id-is-the-author': shown('presentAuthor', ({ source_session: session, id }) => ({
      id:
        session?.provider === 'provider_b' && /^[0-9a-f-]{36}$/.test(session.session_id)
          ? session.session_id
          : id,
    })),
    'session-is-the-agent: a message with a session has another author': shown(
      'presentAuthor',
      ({ source_session: session, id }) => ({ id: session ? otherUuid(id) : id }),
    ),
    'no-machine-in-the-cloud: a message with a session on cloud has no machine': shown(
      'presentAuthor',
      ({ source_session: session, machine }) => ({ machine: session?.surface === 'cloud' ? null : machine }),
    ),
    'session-is-the-human': shown('presentAuthor', ({ source_session: session, human_user: human }) => ({
      human_user: session && human ? { ...human, id: otherUuid(human.id) } : human,
    })),
  },
  'source-session.urls-are-refused': {
    'takes-urls': taking((name) => /url|link|href|uri/i.test(name)),
    'takes-a-field-url': taking((name) => name === 'url'),
  },
  'source-session.extra-fields-are-refused': {
    'takes-more-fields': taking(() => true),
    'fields-in-any-letter-case: names of fields of a session are the same in either letter case':
      readingInAnyLetterCase((key) => key === 'source_session'),
    'fields-in-camel-case: a session may have an id in camel case beside its own': taking(
      (name) => name === 'sessionId',
    ),
    'takes-other-fields-than-urls': taking((name) => !/url|link|href|uri/i.test(name)),
  },
});

function takingNew(acceptsProviderBCloudSession: Rules['acceptsProviderBCloudSession']): Partial<Rules> {
  return dropping({ acceptsProviderBCloudSession });
}

/** A session with further fields is accepted, and they are dropped. */
function taking(takes: (name: string) => boolean): Partial<Rules> {
  return {
    ...also('acceptsSessionField', takes),
    ...shownSession(({ provider, surface, session_id }) => ({ provider, surface, session_id })),
  };
}

export const sourceSessionMutants: readonly Mutant[] = [...refusingMutants, ...takenMutants, ...namedMutants];
