import { describe, expect, it } from 'vitest';
import { contractRules } from '../../../reference/index.ts';
import type { Target } from '../../../harness/config/target.ts';
import type { Answer } from '../../../reference/index.ts';
import { sourceSessionChecks } from '../../../suites/source-session/index.ts';
import { validate } from '../../../spec/index.ts';
import { findingsOf, notPassed, runAgainst } from '../run-suite.ts';
import { caughtBy, runBroken } from '../send/broken.ts';
import type { Broken } from '../send/broken.ts';

/** Nothing about a session is looked at but whether its fields are strings. */
const lenient = {
  acceptsSessionField: () => true,
  acceptsProvider: () => true,
  acceptsSurface: () => true,
  maxSessionIdLength: () => 1000,
  acceptsProviderASession: () => true,
  acceptsProviderBSession: () => true,
  acceptsProviderBCloudSession: () => true,
  acceptsProviderCSession: () => true,
  acceptsProviderDSession: () => true,
  acceptsProviderDDate: () => true,
  acceptsProviderDTime: () => true,
};

/** True for the refusal of a send for its source session. */
function isSessionRefusal({ status, body }: Answer): boolean {
  return status === 400 && JSON.stringify(body).includes('"field":"source_session');
}

const refusals = [
  'source-session.cloud-new-is-refused failed',
  'source-session.extra-fields-are-refused failed',
  'source-session.invalid-is-refused warned',
];

/** Checks whose id says one of these. */
const only = (...slugs: readonly string[]): readonly string[] =>
  sourceSessionChecks.map(({ id }) => id).filter((id) => slugs.some((slug) => id.includes(slug)));

const broken: readonly Broken[] = [
  {
    name: 'refused sessions are answered as if they were accepted',
    answer: (answer, { route }) =>
      route === 'send' && isSessionRefusal(answer) ? { status: 201, headers: {} } : undefined,
    findings: refusals,
  },
  {
    name: 'any session is accepted, and shown if it is valid',
    rules: () => ({
      ...lenient,
      capturedSession: (session) => (validate('source-session', session).length === 0 ? session : null),
    }),
    findings: refusals,
  },
  {
    name: 'provider_a is taken on cloud',
    rules: () => ({
      acceptsSurface: (provider, surface) =>
        (provider === 'provider_a' && surface === 'cloud') || contractRules.acceptsSurface(provider, surface),
    }),
    only: only('provider-a'),
    findings: ['source-session.provider-a-surface failed'],
  },
  {
    name: 'a UUID of provider_a may be in upper case',
    rules: () => ({
      acceptsProviderASession: (id) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id),
    }),
    only: only('provider-a'),
    findings: ['source-session.provider-a-session-id failed'],
  },
  {
    name: 'an id of provider_b is searched for a pattern instead of being one',
    rules: () => ({ acceptsProviderBSession: (id) => /[A-Za-z0-9][A-Za-z0-9_-]{0,127}/.test(id) }),
    only: only('provider-b', 'url'),
    findings: ['source-session.provider-b-session-id failed'],
  },
  {
    name: 'an id of provider_b may end a line',
    rules: () => ({ acceptsProviderBSession: (id) => /^[A-Za-z0-9][A-Za-z0-9_-]{0,127}\n?$/.test(id) }),
    only: only('provider-b', 'url'),
    findings: ['source-session.provider-b-session-id failed'],
  },
  {
    name: 'new is looked for in small letters alone',
    rules: () => ({ acceptsProviderBCloudSession: (id) => id !== 'new' }),
    only: only('provider-b'),
    findings: ['source-session.provider-b-cloud-new failed'],
  },
  {
    name: 'new is taken on cloud and not shown',
    rules: () => ({
      acceptsProviderBCloudSession: () => true,
      capturedSession: (session) => (session?.session_id.toLowerCase() === 'new' ? null : session),
    }),
    only: only('cloud'),
    findings: ['source-session.cloud-new-is-refused failed'],
  },
  {
    name: 'every year divisible by 4 has a 29 February',
    rules: () => ({
      acceptsProviderDDate: (year, month, day) =>
        month >= 1 &&
        month <= 12 &&
        day >= 1 &&
        day <= (month === 2 ? (year % 4 === 0 ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31),
    }),
    only: only('provider-d'),
    findings: ['source-session.provider-d-real-time failed'],
  },
  {
    name: 'the calendar is left alone',
    rules: () => ({ acceptsProviderDDate: () => true }),
    only: only('provider-d'),
    findings: ['source-session.provider-d-real-time failed'],
  },
  {
    name: 'the clock is left alone',
    rules: () => ({ acceptsProviderDTime: () => true }),
    only: only('provider-d'),
    findings: ['source-session.provider-d-real-time failed'],
  },
  {
    name: 'a title is taken and shown',
    rules: () => ({
      acceptsSessionField: (field) => ['provider', 'surface', 'session_id', 'title'].includes(field),
    }),
    only: only('field', 'url'),
    findings: ['source-session.no-extra-fields failed'],
  },
  {
    name: 'other fields are taken and forgotten',
    rules: () => ({
      acceptsSessionField: () => true,
      capturedSession: (session) =>
        session && { provider: session.provider, surface: session.surface, session_id: session.session_id },
    }),
    only: only('field', 'url'),
    findings: ['source-session.extra-fields-are-refused failed'],
  },
  {
    name: 'a URL in a field of its own is taken and forgotten',
    rules: () => ({
      acceptsSessionField: (field) => ['provider', 'surface', 'session_id', 'url'].includes(field),
      capturedSession: (session) =>
        session && { provider: session.provider, surface: session.surface, session_id: session.session_id },
    }),
    only: only('field', 'url'),
    findings: ['source-session.urls-are-refused failed'],
  },
  {
    name: 'a URL is taken for an id and not shown',
    rules: () => ({
      acceptsProviderBSession: (id) => id.startsWith('https:') || contractRules.acceptsProviderBSession(id),
      capturedSession: (session) => (session?.session_id.startsWith('https:') === true ? null : session),
    }),
    only: only('field', 'url'),
    findings: ['source-session.urls-are-refused failed'],
  },
  {
    name: 'provider_a is refused',
    rules: () => ({ acceptsProvider: (provider) => provider !== 'provider_a' }),
    only: only('provider-a'),
    findings: ['source-session.valid-is-accepted failed'],
  },
  {
    name: 'provider_c is refused',
    rules: () => ({ acceptsProvider: (provider) => provider !== 'provider_c' }),
    only: only('provider-c'),
    findings: ['source-session.valid-is-accepted failed'],
  },
  {
    name: 'provider_d is refused',
    rules: () => ({ acceptsProvider: (provider) => provider !== 'provider_d' }),
    only: only('provider-d'),
    findings: ['source-session.valid-is-accepted failed'],
  },
  {
    name: 'provider_b has no surfaces',
    rules: () => ({
      acceptsSurface: (provider, surface) =>
        provider !== 'provider_b' && contractRules.acceptsSurface(provider, surface),
    }),
    only: only('-b-desktop-is', '-b-cli-is', '-b-cloud-is'),
    findings: ['source-session.provider-b-surface failed'],
  },
  {
    name: 'ids of provider_b are shown in lower case',
    rules: () => ({
      capturedSession: (session) => session && { ...session, session_id: session.session_id.toLowerCase() },
    }),
    only: only('b-longest'),
    findings: ['source-session.valid-is-accepted failed'],
  },
  {
    name: 'ids of provider_b that look like new are refused everywhere',
    rules: () => ({
      acceptsProviderBSession: (id) => /^[A-Za-z0-9][A-Za-z0-9_-]{1,127}$/.test(id) && !id.startsWith('new'),
    }),
    only: only('-shown'),
    findings: ['source-session.valid-is-accepted failed'],
  },
  {
    name: 'a message is stored without the session that it was refused for',
    rules: () => ({
      storesRefusedSend: () => true,
      capturedSession: (session) => (validate('source-session', session).length === 0 ? session : null),
    }),
    findings: ['send.refused-stores-nothing failed'],
  },
  {
    name: 'a session becomes the name of the agent',
    rules: () => ({
      presentAuthor: (author) => ({
        ...author,
        display_name: author.source_session?.session_id ?? author.display_name,
      }),
    }),
    only: only('nothing', '-shown'),
    findings: ['source-session.grants-nothing failed'],
  },
  {
    name: 'provider_b is refused on cli',
    rules: () => ({
      acceptsSurface: (provider, surface) =>
        !(provider === 'provider_b' && surface === 'cli') && contractRules.acceptsSurface(provider, surface),
    }),
    only: only('provider-b'),
    findings: ['source-session.provider-b-surface failed'],
  },
  {
    name: 'a session whose id is that of an agent makes it the author',
    rules: () => ({
      presentAuthor: (author) =>
        author.source_session?.provider === 'provider_b' &&
        /^[0-9a-f-]{36}$/.test(author.source_session.session_id)
          ? { ...author, id: author.source_session.session_id }
          : author,
    }),
    only: only('nothing', '-shown'),
    findings: ['source-session.grants-nothing failed'],
  },
];

const caught = new Set<string>();

describe('source sessions, with one thing broken', () => {
  it.concurrent.each(broken)('are found by the clause alone: $name', async (how) => {
    const run = await runBroken(sourceSessionChecks, how);
    for (const id of caughtBy(run)) caught.add(id);
    expect(findingsOf(run)).toEqual(how.findings);
  });
});

describe('the checks of source sessions', () => {
  it('have none that nothing broken makes fail', () => {
    expect(sourceSessionChecks.map(({ id }) => id).filter((id) => !caught.has(id))).toEqual([]);
  });
});

describe('source sessions, by the contract', () => {
  it('pass every check', async () => {
    const run = await runAgainst(sourceSessionChecks);
    expect(notPassed(run)).toEqual([]);
    expect(findingsOf(run)).toEqual([]);
  });

  it.each([
    ['ignores them', { capturedSession: () => null }],
    ['refuses a field it does not have', { acceptsField: (name: string) => name !== 'source_session' }],
  ])('are not asked of a server that %s', async (_what, rules) => {
    const run = await runBroken(sourceSessionChecks, { rules: () => rules });
    expect(findingsOf(run)).toEqual([]);
    expect(run.checks.filter(({ verdict, area }) => verdict === 'passed' && area !== 'wire')).toEqual([]);
  });

  it('are sent and read in the words of a server that has others', async () => {
    const other: Readonly<Record<string, string>> = { provider_a: 'provider_c', provider_c: 'provider_a' };
    const swapped = (word: string): string => other[word] ?? word;
    const rules = {
      ...contractRules,
      acceptsSurface: (word: string, surface: string) => contractRules.acceptsSurface(swapped(word), surface),
    };
    const run = await runAgainst(sourceSessionChecks, { rules }, { target: withWords });
    expect(notPassed(run)).toEqual([]);
    expect(findingsOf(run)).toEqual([]);

    function withWords(target: Target): Target {
      const providers = { ...target.names.providers, provider_a: 'provider_c', provider_c: 'provider_a' };
      return { ...target, names: { ...target.names, providers } };
    }
  });
});
