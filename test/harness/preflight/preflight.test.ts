import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { targetOfReference } from '../../../embedded/reference-hooks.ts';
import { Actor } from '../../../harness/client/actor.ts';
import { Client } from '../../../harness/client/client.ts';
import type { Target } from '../../../harness/config/target.ts';
import { preflight, type Preflight } from '../../../harness/preflight/preflight.ts';
import { startReference } from '../../../reference/index.ts';
import { mutants } from '../../../selftest/mutants/index.ts';
import { listening } from '../../fixtures/listening.ts';
import { type FateOf, startAilingServer } from '../../suites/ailing-server.ts';

/** Preflight against a mutant, or the contract's own server when it has no such id. */
async function preflightOf(
  mutant: string,
  change: (target: Target) => Partial<Target> = () => ({}),
): Promise<Preflight> {
  await using reference = await startReference(mutants.find(({ id }) => id === mutant)?.options());
  const target = targetOfReference(reference);
  return await preflight({ ...target, ...change(target) }, new AbortController().signal);
}

/** The same through a server that lets requests suffer a fate. */
async function preflightThrough(
  fateOf: FateOf,
  change: (target: Target) => Partial<Target> = () => ({}),
): Promise<Preflight> {
  await using server = await startAilingServer(fateOf);
  return await preflight({ ...server.target, ...change(server.target) }, new AbortController().signal);
}

/** A gateway's answer: no ApiError. */
const gateway = { status: 503, body: 'unavailable' };

/** What a server answers that does not have a call. */
const notFound = { status: 404, body: '{"error":{"code":"not_found","message":"no such call"}}' };

const severities = ({ lines }: Preflight): string[] => lines.map(({ severity }) => severity);

// Most of them wait, for the server or before they ask again.
describe.concurrent('preflight', () => {
  it('has nothing to say of the reference', async () => {
    const found = await preflightOf('none');
    expect(found.isOk).toBe(true);
    expect(found.lines).toEqual([]);
  });

  it.each([
    ['read-is-404', 'cannot be read by author: answered 404; a message to it is accepted'],
    [
      'mentions-are-elsewhere',
      'GET /v0/mentions answered 404 to author, reader, peer, stranger, api-key, whose credentials open GET /v0/channels: the first is not there, or not at this address',
    ],
    [
      'agent-token-refused-by-mentions',
      'GET /v0/mentions answered 401 to author, reader, peer, stranger, api-key, whose credentials open GET /v0/channels',
    ],
  ])('lets checks judge a server of which one call is broken: %s', async (mutant, words) => {
    const found = await preflightOf(mutant);
    expect(found.isOk).toBe(true);
    expect(severities(found)).not.toContain('error');
    expect(found.lines.map(({ text }) => text)).toEqual([expect.stringContaining(words)]);
  });

  it.each([
    [
      'without mentions and a list of channels',
      /\/v0\/(?:mentions|channels$)/,
      /to author, reader, peer, api-key, whose credentials open GET \S+messages: the first is not there/,
    ],
    ['with sends alone', /GET \/v0/, /cannot be read by author: answered 404; a message to it is accepted/],
  ])('lets checks judge a server that is built step by step, %s', async (_, absent, words) => {
    const found = await preflightThrough(
      (__, { method, url = '' }) => (absent.test(`${method} ${url.replace(/\?.*/, '')}`) ? notFound : 'pass'),
      ({ roles: { stranger: __, ...roles } }) => ({ roles }),
    );
    expect(severities(found)).not.toContain('error');
    expect(found.lines[0]?.text).toMatch(words);
    expect(found.accepted).toContain('author');
  });

  it('goes on without having tried who reads no channel, where nobody is shown mentions', async () => {
    const found = await preflightThrough((_, { url = '' }) =>
      /^\/v0\/(?:mentions|channels(?:\?|$))/.test(url) ? notFound : 'pass',
    );
    expect(found.isOk).toBe(true);
    expect(found.lines.map(({ text }) => text)).toContain(
      'the credential of stranger could not be tried: GET /v0/mentions answered 404, as it did to author',
    );
  });

  it.each<[string, (target: Target) => Partial<Target>, RegExp]>([
    [
      'the path prefix is wrong',
      ({ baseUrl }) => ({ baseUrl: `${baseUrl}/api` }),
      /^the credential of author could not be tried: .* answered 404; is the path prefix of base_url right, and the id/,
    ],
    ['the channel is wrong', () => ({ channelId: randomUUID() }), /, and the id of the channel\?$/],
    [
      'the token is wrong',
      () => ({ roles: { author: { token: 'not-a-token', source: 'flag' } } }),
      /^the credential of author is refused: GET \S+messages answered 401; give a credential/,
    ],
  ])('ends the run without mentions and a list of channels where %s', async (_, change, words) => {
    const found = await preflightThrough(
      (__, { url = '' }) => (/^\/v0\/(?:mentions|channels(?:\?|$))|^\/api/.test(url) ? notFound : 'pass'),
      change,
    );
    expect(found.isOk).toBe(false);
    expect(found.lines[0]?.text).toMatch(words);
  });

  it('lets checks judge JSON that is declared as a web page', async () => {
    expect(await preflightOf('mentions-answer-is-html')).toMatchObject({ isOk: true, lines: [] });
  });

  it.each<[string, string, (target: Target) => Partial<Target>, RegExp]>([
    ['a credential opens nothing', 'no-api-keys', () => ({}), /^the credential of api-key is refused/],
    [
      'a token is wrong',
      'none',
      ({ roles }) => ({ roles: { ...roles, reader: { token: 'not-a-token', source: 'flag' } } }),
      /^the credential of reader is refused(?!.*not-a-token).*; or leave the role out, and all runs that does not need it: no roles\.reader in the target file, and no CONFORM_READER_TOKEN$/,
    ],
    [
      'nobody listens',
      'none',
      () => ({ baseUrl: 'http://127.0.0.1:9' }),
      /^http:\/\/127\.0\.0\.1:9 cannot be reached: .*; is the server running, and is the port right\?$/,
    ],
    [
      'https is spoken to whoever speaks http',
      'none',
      ({ baseUrl }) => ({ baseUrl: baseUrl.replace('http:', 'https:') }),
      /cannot be reached: the TLS handshake failed; does it speak https there, and HTTP\/1\.1 beside HTTP\/2\?$/,
    ],
    [
      'the workspace is another than that of the machine',
      'none',
      () => ({ workspaceId: randomUUID() }),
      /^the credential of machine is refused: .*answered 403; is roles\.machine the token of a machine, `workspace` the one that it is of, and/,
    ],
    [
      'a channel can neither be read nor written to',
      'none',
      () => ({ channelId: randomUUID() }),
      /is the id right/,
    ],
    [
      'it would have to write to a channel to find out, and may not',
      'read-is-404',
      ({ limits }) => ({ limits: { ...limits, isReadOnly: true } }),
      /is the id right/,
    ],
  ])('ends the run within 5 s and with one line where %s', async (_, mutant, change, words) => {
    const startedMs = performance.now();
    const { isOk, lines } = await preflightOf(mutant, change);
    expect(performance.now() - startedMs).toBeLessThan(5_000);
    expect(isOk).toBe(false);
    expect(lines.map(({ text }) => text)).toEqual([expect.stringMatching(words)]);
  });

  it.each(['reader', 'peer'] as const)('warns of a %s of another workspace', async (role) => {
    await using reference = await startReference();
    const { roles, ...target } = targetOfReference(reference);
    const { token } = reference.operator.provision().roles.reader;
    const another = { ...roles, [role]: { token, source: 'flag' } };
    const found = await preflight({ ...target, roles: another }, new AbortController().signal);
    expect(found).toMatchObject({ isOk: true, lines: [{ severity: 'warning' }] });
    expect(found.lines[0]?.text).toMatch(
      new RegExp(`cannot be read by ${role}: answered 403; is it an agent of the author's workspace`),
    );
  });

  it.each([
    [
      'warns of a workspace that no message is of',
      randomUUID(),
      [/^workspace is \S+, but a message .* shows \S+; is the id right\?$/],
    ],
    ['takes a workspace in whatever letters', undefined, []],
  ])('%s', async (_what, workspace, words) => {
    await using reference = await startReference();
    const target = targetOfReference(reference);
    const client = new Client({ target, timeouts: { connectMs: 2_000, answerMs: 5_000 } });
    const author = new Actor('author', target.roles.author?.token, {
      client,
      record: () => {},
      signal: new AbortController().signal,
    });
    await author.send(target.channelId ?? '', 'a message');
    await client.close();
    const workspaceId = workspace ?? target.workspaceId?.toUpperCase();
    // A machine is refused another workspace than its own.
    const { machine: _, ...roles } = target.roles;
    const found = await preflight({ ...target, roles, workspaceId }, new AbortController().signal);
    expect(found).toMatchObject({ isOk: true, hasReadChannel: true });
    expect(found.lines.map(({ text }) => text)).toEqual(words.map((each) => expect.stringMatching(each)));
  });

  it('says what is missing where nobody is named', async () => {
    const { lines } = await preflightOf('none', () => ({ roles: {}, channelId: undefined }));
    expect(lines.map(({ text }) => text)).toEqual([
      expect.stringMatching(/^no credential is configured.*roles\.author.*channel/),
    ]);
  });

  it('calls a limit a limit, and does not wait for one of an hour', async ({ onTestFinished }) => {
    const server = createServer((request, response) => {
      request.resume();
      response.writeHead(429, { 'retry-after': '3600', 'content-type': 'application/json' });
      response.end('{"error":{"code":"limited","message":"later"}}');
    });
    const baseUrl = await listening(server, onTestFinished);
    const startedMs = performance.now();
    const found = await preflightOf('none', () => ({ baseUrl }));
    expect(found.isOk).toBe(false);
    expect(found.lines[0]?.text).toContain(
      'author is rate limited: GET /v0/mentions kept answering 429 with Retry-After: 3600',
    );
    expect(found.lines.map(({ text }) => text).join()).not.toContain('is refused');
    expect(performance.now() - startedMs).toBeLessThan(10_000);
  });

  it.each(['of its own workspace', 'where the target names none'])(
    'takes no machine token for known of which a limit lets nothing through, %s',
    async (where) => {
      const limited = { status: 429, body: '{"error":{"code":"limited","message":"later"}}' };
      const found = await preflightThrough(
        (_, { url = '' }) => (url.includes('/workspaces/') ? limited : 'pass'),
        () => (where === 'of its own workspace' ? {} : { workspaceId: undefined }),
      );
      expect(found.accepted).not.toContain('machine');
      expect(found.lines.map(({ text }) => text)).toEqual([
        expect.stringContaining('machine is rate limited: the workspace overview kept answering 429'),
      ]);
    },
  );

  it('asks again when trouble on the way may pass, and has nothing to say of it', async () => {
    const counts = new Map<string, number>();
    const found = await preflightThrough((_, { url = '', headers }) => {
      const call = `${headers.authorization} ${url.replace(/\?.*/, '')}`;
      counts.set(call, (counts.get(call) ?? 0) + 1);
      return ([gateway, 'reset'] as const)[(counts.get(call) ?? 1) - 1] ?? 'pass';
    });
    expect(found.lines).toEqual([]);
    expect(found.accepted).toEqual(expect.arrayContaining(['author', 'reader', 'machine']));
  });

  it("says of no credential that it is refused where no answer was the service's in seven tries", async () => {
    const tries = new Map<string, number>();
    const found = await preflightThrough((_, { url = '', headers: { authorization } }) => {
      if (authorization === undefined) return 'pass';
      const call = `${authorization} ${url}`;
      tries.set(call, (tries.get(call) ?? 0) + 1);
      return gateway;
    });
    expect(found.isOk).toBe(false);
    expect(new Set(tries.values())).toEqual(new Set([7]));
    expect(found.lines[0]?.text).toMatch(
      /^the credential of author could not be tried: GET \/v0\/mentions met gateway .*trouble of the server/,
    );
    expect(found.lines.map(({ text }) => text).join()).not.toContain('is refused');
  });

  it('lets a server be judged that takes two seconds for each answer', async () => {
    const found = await preflightThrough(() => delay(2_000, 'pass' as const));
    expect([found.isOk, found.lines]).toEqual([true, []]);
    expect(found.roundTripMs).toBeGreaterThan(1_900);
  }, 30_000);
});
