import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readFreshTarget, readTarget } from '../../harness/config/reading/read-target.ts';
import { type HookName, hookNames, type Target } from '../../harness/config/target.ts';
import { HookFailed } from '../../harness/errors.ts';
import { HookLinks } from '../../harness/hooks/hook-links.ts';
import type { HookInputs } from '../../harness/hooks/hook-protocol.ts';
import { callHook, type HookSurroundings } from '../../harness/hooks/hooks.ts';
import { KnownSecrets } from '../../harness/output/known-secrets.ts';
import { ownFolder } from '../fixtures/folder.ts';
import { conform, separateReference, type SeparateReference } from './conform.ts';

const folder = ownFolder('conform-');
let reference: SeparateReference;
let target: Target;
let links: HookLinks;

const forms = ['url', 'command', 'process'] as const;

async function serve(form: (typeof forms)[number]): Promise<void> {
  reference = await separateReference(['--hooks', form]);
  writeFileSync(join(folder, 'conform.yaml'), reference.targetFile);
  ({ target } = readTarget({ file: 'conform.yaml', flags: {}, env: {}, cwd: folder }));
  links = new HookLinks(target, {});
}

async function unserve(): Promise<void> {
  await links.close();
  await reference.close();
}

const surroundings = (): HookSurroundings => ({
  baseUrl: target.baseUrl,
  env: {},
  secrets: new KnownSecrets(),
  signal: new AbortController().signal,
  links,
});

async function call<N extends HookName>(
  name: N,
  input: HookInputs[N],
): Promise<Readonly<Record<string, unknown>>> {
  const hook = target.hooks[name];
  if (hook === undefined) throw new Error(`the target file has no hooks.${name}`);
  const answer = await callHook(name, hook, input, surroundings());
  if ('unsupported' in answer) throw new Error(answer.unsupported);
  return answer.output;
}

async function provision(): Promise<Target> {
  const {
    agents: _agents,
    without: _without,
    sharing: _sharing,
    second_api_key: _key,
    author_machine: _machine,
    second_workspace: _second,
    ...fields
  } = await call('provision', {});
  return readFreshTarget(fields, target);
}

interface Asked {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

async function get(path: string, token: string, init: RequestInit = {}): Promise<Asked> {
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    'idempotency-key': crypto.randomUUID(),
    // One that stayed open would be cut by the restart, at any time.
    connection: 'close',
  };
  const answer = await fetch(target.baseUrl + path, { headers, ...init });
  return { status: answer.status, body: (await answer.json()) as Asked['body'] };
}

const statusOf = async (token: string): Promise<number> => (await get('/v0/mentions', token)).status;

describe.each(forms)('the hooks of a reference in a process of its own, as %s', (form) => {
  beforeAll(() => serve(form));
  afterAll(unserve);

  it('are all in its target file, in that form', () => {
    expect(Object.keys(target.hooks)).toEqual([...hookNames]);
    const shape = { url: 'url', command: 'command', process: 'stays' }[form];
    for (const hook of Object.values(target.hooks)) expect(hook).toHaveProperty(shape);
  });

  it('provision workspaces with all roles, each its own', async () => {
    const [one, two] = await Promise.all([provision(), provision()]);
    expect(Object.keys(one.roles).toSorted()).toEqual(Object.keys(target.roles).toSorted());
    expect(new Set([one, two, target].map(({ workspaceId }) => workspaceId)).size).toBe(3);
    expect(await statusOf(one.roles.author?.token ?? '')).toBe(200);
  });

  // What each of them does is asked by the suite, of the same functions; a form only carries the call.
  it('work, each by its effect', async () => {
    const { code, stdout, stderr } = await conform(['doctor'], { cwd: folder });
    expect(stdout.match(/^ {2}hooks\.\S+ +works /gm)).toHaveLength(hookNames.length);
    expect(stdout).not.toMatch(/DOES NOT WORK|doubtful|not tried/);
    for (const role of Object.values(target.roles)) expect(stdout + stderr).not.toContain(role.token);
    expect(code).toBe(0);
  });

  it('say what did not work', async () => {
    const upload = { filename: 'a', content_type: 'text/plain', content_base64: '', agent_token: 'nobody' };
    await expect(call('file', { action: 'upload', ...upload })).rejects.toThrow(
      {
        url: /hooks\.file: http:\S+ answered with status 500: .*the token stands for no agent/,
        command:
          /hooks\.file: it exited with status 1; the end of its stderr: .*the token stands for no agent/,
        process: /hooks\.file: it answered with the error .*the token stands for no agent/,
      }[form],
    );
  });
});

describe('the surface behind them', () => {
  beforeAll(() => serve('command'));
  afterAll(unserve);

  const addressFileOf = ({ targetFile }: SeparateReference): string =>
    /"([^"]*operator\.json)"/.exec(targetFile)?.[1] ?? '';

  it('lets nobody in without the token, which is in a file that only its owner can read', async () => {
    const file = addressFileOf(reference);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const { url, token } = JSON.parse(readFileSync(file, 'utf8')) as { url: string; token: string };
    const ask = async (path: string, init: RequestInit): Promise<number> =>
      (await fetch(url + path, init)).status;
    const headers = { authorization: `Bearer ${token}` };
    expect(reference.targetFile).not.toContain(token);
    expect(await ask('/provision', { method: 'POST', body: '{}' })).toBe(401);
    expect(
      await ask('/provision', {
        method: 'POST',
        body: '{}',
        headers: { authorization: `${headers.authorization}x` },
      }),
    ).toBe(401);
    expect(await ask('/provision', { headers })).toBe(404);
    expect(await ask('/nothing', { method: 'POST', body: '{}', headers })).toBe(404);
    expect(await ask('/provision', { method: 'POST', body: 'nonsense', headers })).toBe(500);
    expect(await ask('/provision', { method: 'POST', body: '{}', headers })).toBe(200);
  });

  it('is gone with the reference, and the hooks say so', async () => {
    const brief = await separateReference(['--hooks', 'command']);
    const file = addressFileOf(brief);
    expect(existsSync(file)).toBe(true);
    await brief.close();
    expect(existsSync(file)).toBe(false);
    writeFileSync(join(folder, 'gone.yaml'), brief.targetFile);
    const gone = readTarget({ file: 'gone.yaml', flags: {}, env: {}, cwd: folder }).target;
    const hook = gone.hooks.restart ?? { command: [], timeoutMs: 0 };
    const failed = callHook('restart', hook, {}, surroundings());
    await expect(failed).rejects.toThrow(HookFailed);
    await expect(failed).rejects.toThrow(/is the reference still served\?/);
  });
});
