import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { targetOfReference } from '../../embedded/reference-hooks.ts';
import { check } from '../../harness/check/check.ts';
import { hookNames, type Target } from '../../harness/config/target.ts';
import { type Reference, startReference } from '../../reference/index.ts';
import { packageFile } from '../../spec/index.ts';
import { ownFolder } from '../fixtures/folder.ts';
import { notPassed, runOn } from '../suites/run-suite.ts';

const page = readFileSync(packageFile('docs/hooks.md'), 'utf8');

/** The complete programs that the page shows in a language. */
function programsIn(language: string): readonly string[] {
  const blocks = [...page.matchAll(/^```(\w+)\n(#!.*?)^```$/gms)];
  return blocks.filter(([, name]) => name === language).map(([, , text = '']) => text);
}

function programIn(language: string): string {
  return programsIn(language)[0] ?? '';
}

const folder = ownFolder('conform-docs-');
let reference: Reference;
let admin: Server;
let env: NodeJS.ProcessEnv;
let restarts = 0;

beforeAll(async () => {
  reference = await startReference();
  admin = createServer((request, response) => {
    const answer = (status: number, body?: unknown): void => {
      response.writeHead(status).end(body === undefined ? '' : JSON.stringify(body));
    };
    if (request.headers.authorization !== 'Bearer admin') return answer(401);
    if (request.url === '/restart') {
      restarts += 1;
      return void reference.operator.restart().then(() => answer(204));
    }
    const token = /^\/tokens\/(.+)$/.exec(request.url ?? '')?.[1];
    if (token !== undefined) {
      reference.operator.revoke(token);
      return answer(204);
    }
    const { workspaceId, channelId, secondChannelId, roles } = reference.operator.provision();
    const tokens = { ada: roles.author.token, bob: roles.reader.token };
    return answer(201, { id: workspaceId, channels: [channelId, secondChannelId], tokens });
  });
  await new Promise<void>((resolve) => admin.listen(0, '127.0.0.1', resolve));
  env = {
    PATH: `${join(folder, 'bin')}:${process.env['PATH'] ?? ''}`,
    HOME: process.env['HOME'],
    ADMIN_URL: `http://127.0.0.1:${(admin.address() as AddressInfo).port}`,
    ADMIN_TOKEN: 'admin',
  };
});

afterAll(async () => {
  admin.closeAllConnections();
  admin.close();
  await reference.close();
});

function write(name: string, text: string): void {
  mkdirSync(join(folder, 'bin'), { recursive: true });
  writeFileSync(join(folder, name), text);
  chmodSync(join(folder, name), 0o755);
}

function withCommand(
  program: string,
  names: readonly (typeof hookNames)[number][],
  more: { readonly stays?: boolean } = {},
): Target {
  const hook = { command: [`./${program}`], timeoutMs: 20_000, cwd: folder, ...more };
  return { ...targetOfReference(reference), hooks: Object.fromEntries(names.map((name) => [name, hook])) };
}

function isInstalled(program: string): boolean {
  return spawnSync(program, ['--version']).status === 0;
}

const revoked = check(
  'authentication.revoked-token-is-refused',
  { title: 'revoked', clauses: ['auth.revoked-credential'], needs: ['provision-hook', 'revoke-hook'] },
  async ({ provision, revoke, expect: judge }) => {
    const fresh = await provision();
    judge('auth.revoked-credential', await fresh.actor('author').mentions()).toBeAccepted();
    await revoke(fresh.token('author'));
    judge('auth.revoked-credential', await fresh.actor('author').mentions()).toHaveStatus(401);
    judge('auth.revoked-credential', await fresh.actor('reader').mentions()).toBeAccepted();
  },
);

describe('the page about hooks', () => {
  it('names every hook', () => {
    for (const name of hookNames) expect(page).toMatch(new RegExp(`^\\| \`${name}\` +\\|`, 'm'));
  });

  it('shows a Python program that provisions and revokes', async ({ skip }) => {
    if (!isInstalled('python3')) skip('python3 is not installed');
    write('hooks.py', programIn('python'));
    const run = await runOn([revoked], withCommand('hooks.py', ['provision', 'revoke']), { env });
    expect(run.footer.reason).toBeUndefined();
    expect(notPassed(run)).toEqual([]);
    const refused = await runOn([revoked], withCommand('hooks.py', ['provision', 'revoke']), {
      env: { ...env, ADMIN_TOKEN: 'wrong' },
    });
    expect(refused.footer.reason).toMatch(/hooks\.provision: it exited with status 1;.*HTTP Error 401/);
  });

  it('shows a Python program that stays', async ({ skip }) => {
    if (!isInstalled('python3')) skip('python3 is not installed');
    write('staying_hooks.py', programsIn('python')[1] ?? '');
    const target = withCommand('staying_hooks.py', ['provision', 'revoke'], { stays: true });
    const run = await runOn([revoked], target, { env });
    expect(run.footer.reason).toBeUndefined();
    expect(notPassed(run)).toEqual([]);
    const refused = await runOn([revoked], target, { env: { ...env, ADMIN_TOKEN: 'wrong' } });
    expect(refused.footer.reason).toMatch(/hooks\.provision: it answered with the error HTTP Error 401/);
  });

  it('names no Python program as one of its standard modules, which every program beside it would load instead', ({
    skip,
  }) => {
    if (!isInstalled('python3')) skip('python3 is not installed');
    const given = ['-c', 'import sys; print(*sys.stdlib_module_names)'];
    const modules = execFileSync('python3', given, { encoding: 'utf8' }).trim().split(' ');
    const programs = [...page.matchAll(/(\w+)\.py\b/g)].map(([, name = '']) => name);
    expect(modules).toContain('operator');
    expect(programs).toContain('hooks');
    expect(programs.filter((name) => modules.includes(name))).toEqual([]);
  });

  it('shows a shell program that restarts', async ({ skip }) => {
    if (!isInstalled('curl')) skip('curl is not installed');
    write('restart.sh', programIn('sh'));
    // The container tool of the page, as far as this server has one.
    write(
      'bin/docker',
      `#!/bin/sh\necho "$@"\nexec curl --silent --fail -H 'Authorization: Bearer admin' "$ADMIN_URL/restart"\n`,
    );
    const restarted = check(
      'authentication.survives-a-restart',
      { title: 'restarted', clauses: ['auth.revoked-credential'], needs: ['author', 'restart-hook'] },
      async ({ author, restart, expect: judge }) => {
        await restart();
        judge('auth.revoked-credential', await author.mentions()).toBeAccepted();
      },
    );
    const run = await runOn([restarted], withCommand('restart.sh', ['restart']), { env });
    expect(run.footer.reason).toBeUndefined();
    expect(notPassed(run)).toEqual([]);
    expect(restarts).toBe(1);
  });
});
