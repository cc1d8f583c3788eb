import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { examine } from '../../cli/doctor/examine.ts';
import { coverageGained, gainsOf } from '../../cli/doctor/gains.ts';
import { check } from '../../harness/check/check.ts';
import { fieldOfNeed, type NeedName, needNames } from '../../harness/config/capabilities.ts';
import { KnownSecrets } from '../../harness/output/known-secrets.ts';
import { allChecks } from '../../suites/index.ts';
import { type Answer, front } from '../fixtures/front.ts';
import { errorOf, type Fate, startAilingServer } from '../suites/ailing-server.ts';
import { conform, type Ended } from './conform.ts';
import { UsedReference } from './use-reference.ts';
import type { Target } from '../../harness/config/target.ts';

const used = new UsedReference();

/** Examines a target file of these fields. */
function doctor(fields: object, ...more: readonly string[]): Promise<Ended> {
  const file = join(mkdtempSync(join(used.folder, 'target-')), 'conform.yaml');
  writeFileSync(file, stringify(fields));
  return conform(['doctor', '--target', file, ...more]);
}

/** What `provision` says of the workspace that it made. */
interface Made {
  readonly roles: Readonly<Record<string, string>>;
  readonly without: Record<string, unknown>;
  readonly sharing: Record<string, unknown>;
}

/** What the page says of a field. */
function rowOf({ stdout }: Ended, field: string): string {
  const line = stdout.split('\n').find((each) => each.startsWith(`  ${field} `)) ?? '';
  return line
    .slice(field.length + 2)
    .trim()
    .replace(/ +/g, ' ');
}

describe('`conform doctor`', () => {
  it('finds that everything of the embedded reference works, in one screen', async () => {
    const ended = await conform(['doctor']);
    expect(ended.stdout).toMatch(/answers: round trip [\d.]+ ms, settle time \d+ ms/);
    expect(ended.stdout).toContain('has everything that a target can have');
    expect(ended.stdout.match(/^ {2}\S+ +works /gm)?.length).toBeGreaterThan(24);
    expect(ended.stdout).not.toMatch(/DOES NOT WORK|doubtful|not tried/);
    expect(ended.stdout.split('\n').length).toBeLessThan(50);
    expect(ended.code).toBe(0);
  });

  it('says what one more line would make testable, the best first', async () => {
    const ended = await doctor({
      base_url: used.target.base_url,
      channel: used.target.channel,
      roles: { author: used.target.roles['author'] },
    });
    expect(rowOf(ended, 'roles.reader')).toBe('-');
    expect(rowOf(ended, 'hooks.revoke')).toBe('-');
    expect(rowOf(ended, 'workspace')).toBe(
      'not tried the channel has no message yet; the first one names it',
    );
    expect(rowOf(ended, 'bindings.mentions')).toBe('not tried it needs roles.reader');
    const [, must, of] = /target, (\d+) of (\d+) must clauses/.exec(ended.stdout) ?? [];
    expect(Number(must)).toBeGreaterThan(100);
    expect(Number(must)).toBeLessThan(Number(of));
    const [alone = ''] = ended.stdout.split('once what it is said to need');
    const gains = [...alone.matchAll(/^ +\+(\d+) +\+(\d+) {2}add `([\w.]+)`/gm)];
    const counts = gains.map(([, count]) => Number(count));
    expect(counts).toEqual(counts.toSorted((a, b) => b - a));
    expect(gains.map(([, , , field]) => field)).toContain('roles.reader');
    expect(ended.code).toBe(0);
  });

  it('puts what helps alone before what needs more, and counts nothing twice', async () => {
    const { base_url: baseUrl, roles } = used.target;
    const ended = await doctor({ base_url: baseUrl, roles: { author: roles['author'] } });
    const [alone = '', others = ''] = ended.stdout.split('once what it is said to need');
    expect(alone).not.toContain('(needs ');
    expect(alone.split('(must, inferred):\n')[1]).toMatch(/^ +\+\d+ +\+\d+ {2}add `channel`/);
    expect(others).toMatch(/`second_channel`.*\(needs channel/);
    const gainOf = (field: string): number =>
      Number(new RegExp(String.raw`\+(\d+) +\+\d+ {2}add \`${field}\``).exec(ended.stdout)?.[1]);
    expect(gainOf('channel')).toBeGreaterThan(100);
    expect(gainOf('second_channel')).toBeLessThan(100);
  });

  it('names a credential that is refused by role and source, and ends with exit 3', async () => {
    const roles = { ...used.target.roles, reader: 'wr0ng' };
    const ended = await doctor({ ...used.target, roles, hooks: {} });
    expect(rowOf(ended, 'roles.reader')).toBe(
      'DOES NOT WORK the credential from target file was refused: GET /v0/mentions got status 401',
    );
    expect(ended.stdout).toMatch(/\+\d+ +\+\d+ {2}make `roles.reader` work/);
    expect(ended.stdout).not.toContain('wr0ng');
    expect(ended.code).toBe(3);
  });

  it('asks for the line of the target file that would bring files, where none is there', async () => {
    const refused = { status: 404, headers: {}, body: '{"error":{"code":"none","message":"no files"}}' };
    const open = front({
      changed: (answer, { request }) => (request.url?.startsWith('/v0/files') === true ? refused : answer),
    });
    await using server = await open({ baseUrl: used.target.base_url });
    const { channel, roles } = used.target;
    const ended = await doctor({ base_url: server.baseUrl, channel, roles });
    expect(rowOf(ended, 'files')).toMatch(/^doubtful /);
    expect(ended.stdout).toMatch(/\+\d+ +\+\d+ {2}add `files` to the target file/);
    expect(ended.code).toBe(0);
  });

  it('doubts a credential that is accepted where a refusal belongs, and a binding without effect', async () => {
    const { author, reader, peer } = used.target.roles;
    const fields = {
      base_url: used.target.base_url,
      channel: used.target.channel,
      roles: { author, reader, expired: peer },
      bindings: { agent_host: 'host_application' },
    };
    const ended = await doctor(fields);
    expect(rowOf(ended, 'roles.expired')).toMatch(/^doubtful status 200 instead of a refusal/);
    expect(rowOf(ended, 'bindings.agent_host')).toMatch(/^doubtful no effect seen: /);
    expect(rowOf(ended, 'bindings.mentions')).toMatch(/^works /);
    expect(ended.code).toBe(0);
  });

  it('names each hook that does not work, and why, and does not try what needs it', async () => {
    const hook = (script: string): object => ({ command: ['sh', '-c', script] });
    const { provision } = used.target.hooks;
    const ended = await doctor({
      ...used.target,
      hooks: {
        provision,
        revoke: hook('true'),
        expire: hook('echo no such thing >&2; exit 4'),
        rename: { command: ['./nothing'] },
        file: hook(`echo '{"unsupported": "no files here"}'`),
      },
    });
    expect(rowOf(ended, 'hooks.provision')).toMatch(/^works/);
    expect(rowOf(ended, 'hooks.revoke')).toBe('doubtful the token is still accepted when the hook is done');
    expect(rowOf(ended, 'hooks.expire')).toBe(
      'DOES NOT WORK hooks.expire: it exited with status 4; the end of its stderr: no such thing',
    );
    expect(rowOf(ended, 'hooks.rename')).toMatch(/^DOES NOT WORK .*`\.\/nothing` does not exist/);
    expect(rowOf(ended, 'hooks.file')).toBe(
      'doubtful hooks.file says that this is not supported: no files here',
    );
    expect(rowOf(ended, 'hooks.limit')).toBe('-');
    expect(ended.code).toBe(3);
    const without = await doctor({
      ...used.target,
      hooks: { provision: hook('exit 1'), revoke: hook('true') },
    });
    expect(rowOf(without, 'hooks.revoke')).toBe('not tried it needs a workspace from hooks.provision');
    expect(without.code).toBe(3);
  });

  it.each<[field: 'without' | 'sharing', others: Readonly<Record<string, string>>, doubt: string]>([
    ['without', { machine: 'author' }, 'the agent in `without.machine` has a machine in its messages'],
    ['sharing', { human: 'author' }, "the agent in `sharing.human` does not share the reader's human"],
    ['sharing', { human: 'reader' }, "the agent in `sharing.human` shares the reader's machine"],
  ])('doubts what the operator says of agents %s something: %j', async (field, others, doubt) => {
    const { url, headers } = used.target.hooks['provision'] as unknown as { url: string; headers: object };
    const changed = (answer: Answer): Answer => {
      const made = JSON.parse(answer.body) as Made;
      for (const [what, role] of Object.entries(others)) made[field][what] = made.roles[role];
      return { ...answer, body: JSON.stringify(made) };
    };
    const { origin, pathname } = new URL(url);
    await using operator = await front({ changed })({ baseUrl: origin });
    const hooks = { provision: { url: `${operator.baseUrl}${pathname}`, headers } };
    const ended = await doctor({ ...used.target, hooks });
    expect(rowOf(ended, 'hooks.provision')).toBe(`doubtful ${doubt}`);
  });

  it('writes nothing and calls nothing when it is read-only', async () => {
    const marker = join(used.folder, 'called');
    const ended = await doctor(
      { ...used.target, hooks: { restart: { command: ['touch', marker] } } },
      '--read-only',
    );
    expect(rowOf(ended, 'hooks.restart')).toBe('not tried the target is read-only');
    expect(rowOf(ended, 'bindings.agent_host')).toBe('not tried the target is read-only');
    expect(rowOf(ended, 'roles.author')).toBe('works accepted');
    expect(existsSync(marker)).toBe(false);
    const [, most = '', of = ''] =
      /at most (\d+) of (\d+) must clauses .* are testable; more without --read-only/.exec(ended.stdout) ??
      [];
    expect(Number(most)).toBeGreaterThan(0);
    expect(Number(most)).toBeLessThan(Number(of));
  });

  it('says in one line that a server cannot be reached, and ends with exit 3', async () => {
    const { stdout, code } = await doctor({ ...used.target, base_url: 'http://127.0.0.1:9' });
    expect(stdout.trim()).toMatch(/^[^\n]*cannot be reached[^\n]*$/);
    expect(code).toBe(3);
  });

  it('shows what it had found when somebody ends it', async () => {
    const interruptItsParent = "process.kill(process.ppid, 'SIGINT'); setInterval(() => {}, 1e6)";
    const file = join(mkdtempSync(join(used.folder, 'target-')), 'conform.yaml');
    writeFileSync(
      file,
      stringify({
        base_url: used.target.base_url,
        channel: used.target.channel,
        roles: { author: used.target.roles['author'] },
        hooks: { provision: { command: [process.execPath, '-e', interruptItsParent] } },
      }),
    );
    const ended = await conform(['doctor', '--target', file]);
    expect(ended.stdout).toMatch(/answers: round trip [\d.]+ ms/);
    expect(ended.code).toBe(130);
  }, 30_000);
});

describe('what a target lets be decided', () => {
  const base = { title: 'a fact', clauses: [] };
  const nothing = async (): Promise<void> => {};
  const checks = [
    check('a.one', { ...base, clauses: ['send.content-bytes'], needs: ['author'] }, nothing),
    check('a.two', { ...base, clauses: ['auth.expired-credential'], needs: ['expired'] }, nothing),
    check(
      'a.three',
      { ...base, clauses: ['auth.revoked-credential'], needs: ['provision-hook', 'revoke-hook'] },
      nothing,
    ),
  ];
  const with_ =
    (...names: readonly NeedName[]) =>
    (need: NeedName): boolean =>
      names.includes(need);

  it('is a clause as soon as one check of it has what it needs, and what restates that', () => {
    const none = coverageGained(checks, with_());
    const some = coverageGained(checks, with_('expired'));
    expect(none.must).toBe(0);
    expect(some.must).toBeGreaterThan(0);
    expect(some.ofMust).toBe(none.ofMust);
  });

  it('grows by a line alone, or by the fewest together', () => {
    const gains = new Map(
      gainsOf(checks, with_('author', 'provision-hook')).map((gain) => [gain.need, gain]),
    );
    expect(gains.has('author')).toBe(false);
    expect(gains.get('revoke-hook')).toMatchObject({ together: [] });
    const apart = new Map(gainsOf(checks, with_('author')).map((gain) => [gain.need, gain]));
    expect(apart.get('revoke-hook')).toMatchObject({ together: ['provision-hook'] });
    expect(apart.get('revoke-hook')?.must).toBe(gains.get('revoke-hook')?.must);
    expect(apart.get('restart-hook')).toMatchObject({ must: 0, inferred: 0 });
  });

  it('is counted once, for the line that brings it', () => {
    const clause = (id: 'send.content-bytes' | 'auth.expired-credential') => ({ ...base, clauses: [id] });
    const some = [
      check('a.author', { ...clause('send.content-bytes'), needs: ['author'] }, nothing),
      check('a.both', { ...clause('auth.expired-credential'), needs: ['author', 'restart-hook'] }, nothing),
    ];
    const none = coverageGained(some, with_()).must;
    const gains = gainsOf(some, with_());
    const [first, second] = ['author', 'restart-hook'].map((name) => gains.find(({ need }) => need === name));
    expect(first).toMatchObject({ need: 'author', together: [] });
    expect(second).toMatchObject({ need: 'restart-hook', together: ['author'] });
    const all = coverageGained(some, with_('author', 'restart-hook')).must;
    expect((first?.must ?? 0) + (second?.must ?? 0)).toBe(all - none);
  });

  it('is never more than everything, whatever is there', () => {
    const all = coverageGained(allChecks, () => true);
    expect(all.must).toBeLessThanOrEqual(all.ofMust);
    expect(gainsOf(allChecks, () => true)).toEqual([]);
  });

  it('has a field of the target file for every need', () => {
    expect(needNames.map(fieldOfNeed)).toContain('roles.api_key');
    expect(new Set(needNames.map(fieldOfNeed)).size).toBe(needNames.length);
  });
});

/** What is found of a target where nothing interrupts the examination. */
function examined(target: Target): ReturnType<typeof examine> {
  return examine(target, { env: {}, signal: new AbortController().signal, secrets: new KnownSecrets() });
}

/** What an examination says was lost of a server that meets a fate after so many requests. */
async function lostAfter(count: number, fate: Fate): Promise<string | undefined> {
  await using server = await startAilingServer((number) => (number > count ? fate : 'pass'));
  return (await examined(server.target)).lost;
}

describe('an examination', () => {
  it('says what worked at its beginning and does not at its end', async () => {
    const refusal = { ...errorOf(401, 'who is that?'), headers: { 'www-authenticate': 'Bearer' } };
    expect(await lostAfter(40, refusal)).toContain('the credential of author is refused');
    expect(await lostAfter(40, 'die')).toContain('cannot be reached');
  }, 90_000);

  it('takes a web page for no answer of the service', async () => {
    const page = { status: 200, headers: { 'content-type': 'text/html' }, body: '<h1>Sign in</h1>' };
    await using server = await startAilingServer(() => page);
    const { rows } = await examined(server.target);
    const worked = rows.filter(({ field, state }) => /^(roles|channel)/.test(field) && state === 'works');
    expect(worked).toEqual([]);
    expect(rows.find(({ field }) => field === 'roles.machine')?.text).toContain('the answer is a web page');
  });

  it.each<[what: string, answer: Fate, doubtful: RegExp, text: string]>([
    [
      '404',
      errorOf(404, 'nothing here'),
      /^(?:roles\.(?:outsider|machine)|workspace)$/,
      'GET /v0/mentions got status 404; is the path prefix',
    ],
    [
      '501',
      errorOf(501, 'not yet'),
      /^(?:roles\.(?:outsider|expired)|workspace)$/,
      'could not be tried: GET /v0/mentions got status 501',
    ],
    [
      '200 {}',
      { status: 200, body: {} },
      /^(?:roles\.outsider|channel|workspace)$/,
      'as is a request without a credential; the answer shows no page',
    ],
  ])(
    'says of nothing that it works where everything is answered with %s',
    async (_, answer, doubtful, text) => {
      await using server = await startAilingServer(() => answer);
      const { rows } = await examined({ ...server.target, workspaceId: undefined });
      const doubted = rows.filter(({ field }) => doubtful.test(field)).map(({ state }) => state);
      expect(new Set(doubted)).toEqual(new Set(['odd']));
      const author = rows.find(({ field }) => field === 'roles.author');
      expect(author?.text).toContain(text);
      expect(rows.find(({ field }) => field === 'names.agent_id_header')?.state).not.toBe('works');
    },
    90_000,
  );

  it.each([
    ['mentions', /\/v0\/mentions/, ['roles.outsider', 'odd', 'says nothing of it']],
    [
      'mentions',
      /\/v0\/mentions/,
      ['roles.author', 'works', 'it opens GET /v0/channels; GET /v0/mentions got'],
    ],
    ['the overview', /\/v1\/human/, ['roles.machine', 'odd', 'status 404']],
  ] as const)(
    'tells a call that is not there from a credential: %s',
    async (_, path, [field, state, text]) => {
      await using server = await startAilingServer((_count, { url = '' }) =>
        path.test(url) ? errorOf(404, 'nothing here') : 'pass',
      );
      const { rows } = await examined({ ...server.target, workspaceId: undefined });
      const row = rows.find((each) => each.field === field);
      expect(row?.state).toBe(state);
      expect(row?.text).toContain(text);
    },
    90_000,
  );

  it('tries a machine token on the workspace that a message names', async () => {
    await using server = await startAilingServer(() => 'pass');
    const target = { ...server.target, workspaceId: undefined };
    const first = await examined(target);
    expect(first.rows.find(({ field }) => field === 'roles.machine')?.state).toBe('works');
    const { rows } = await examined(target);
    const textOf = (wanted: string): string | undefined => rows.find(({ field }) => field === wanted)?.text;
    expect(textOf('roles.machine')).toBe('accepted');
    expect(textOf('workspace')).toBe('learned from a message');
  }, 90_000);

  it('says nothing of that where nothing was lost', async () => {
    expect(await lostAfter(1e9, 'pass')).toBeUndefined();
  });
});
