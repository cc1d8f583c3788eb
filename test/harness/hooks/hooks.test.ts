import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { HookAnswer, HookInputs } from '../../../harness/hooks/hook-protocol.ts';
import { callHook } from '../../../harness/hooks/hooks.ts';
import type { Hook, HookName } from '../../../harness/config/target.ts';
import { refusalOf, token, useHooks } from './use-hooks.ts';

const { path, surroundings, revoke } = useHooks();

/** The process that a command has left behind; it ends with the test. */
function leftBehind(): number {
  const pid = Number(readFileSync(join(path(), 'pid'), 'utf8'));
  onTestFinished(() => void process.kill(pid));
  return pid;
}

/** A hook that is a script for `node -e`. */
function node(script: string, timeoutMs = 5_000): Hook {
  return { command: [process.execPath, '-e', script], timeoutMs, cwd: path() };
}

function sh(script: string, timeoutMs = 5_000): Hook {
  return { command: ['sh', '-c', script], timeoutMs, cwd: path() };
}

describe('a command', () => {
  it('finds name, base URL and input in its environment, flattened too, and prints its output', async () => {
    const print = `process.stdout.write(JSON.stringify({ unsupported: JSON.stringify(Object.entries(process.env).filter(([n]) => n.startsWith('CONFORM_')).sort()) }))`;
    const input = { kind: 'access', agent_id: 'a "1"', workspace_id: 'w', active: false } as const;
    const env = {
      PATH: process.env['PATH'],
      CONFORM_INPUT_TOKEN: 'of another call',
      CONFORM_AUTHOR_TOKEN: 'kept',
    };
    const answer = await callHook('deactivate', node(print), input, surroundings({ env }));
    expect(JSON.parse('unsupported' in answer ? answer.unsupported : '')).toEqual([
      ['CONFORM_AUTHOR_TOKEN', 'kept'],
      ['CONFORM_BASE_URL', 'http://127.0.0.1:9/prefix'],
      ['CONFORM_HOOK', 'deactivate'],
      ['CONFORM_INPUT', JSON.stringify(input)],
      ['CONFORM_INPUT_ACTIVE', 'false'],
      ['CONFORM_INPUT_AGENT_ID', 'a "1"'],
      ['CONFORM_INPUT_KIND', 'access'],
      ['CONFORM_INPUT_WORKSPACE_ID', 'w'],
    ]);
  });

  it('finds null as an empty variable, and a text with NUL in the whole input only', async () => {
    const limit = { kind: 'requests', token, per_second: null } as const;
    const isSet = sh('[ "${CONFORM_INPUT_PER_SECOND-unset}" = "" ]');
    expect(await callHook('limit', isSet, limit, surroundings())).toEqual({ output: {} });
    const rename = { kind: 'agent', id: 'a', display_name: 'x\0y' } as const;
    const isUnset = sh('[ "${CONFORM_INPUT_DISPLAY_NAME-unset}" = unset ] && [ "$CONFORM_INPUT_ID" = a ]');
    expect(await callHook('rename', isUnset, rename, surroundings())).toEqual({ output: {} });
  });

  it('runs in the folder of its target file, without a shell', async () => {
    await revoke({ command: ['touch', 'a b; touch c'], timeoutMs: 5_000, cwd: path() });
    expect(existsSync(join(path(), 'a b; touch c'))).toBe(true);
    expect(existsSync(join(path(), 'c'))).toBe(false);
  });

  it.each([
    ['nothing has done what it is for', '', { output: {} }],
    ['whitespace has, too', ' \n', { output: {} }],
    ['an empty object has, too', '{}\n', { output: {} }],
    ['so has nothing to offer', '{"unsupported": "no such thing"}', { unsupported: 'no such thing' }],
  ])('that prints %s', async (_, printed, answer) => {
    expect(await revoke(sh(`printf '%s' '${printed}'`))).toEqual(answer);
  });

  it('may leave a server running that holds its output open', async () => {
    const startedMs = performance.now();
    expect(await revoke(sh('sleep 3 & echo $! > pid; echo "{}"'))).toEqual({ output: {} });
    expect(performance.now() - startedMs).toBeLessThan(1_500);
    expect(isAlive(leftBehind())).toBe(true);
  });
});

describe('the output of a command', () => {
  /** Keeps this process from hearing of anything for a while, as a busy machine does. */
  function holdUp(durationMs: number): void {
    const untilMs = performance.now() + durationMs;
    while (performance.now() < untilMs);
  }

  const provision = (hook: Hook): Promise<HookAnswer> => callHook('provision', hook, {}, surroundings());
  const workspace = '5b6d5e0c-2f0e-4f6c-9a35-1d3c8f6f2a10';

  it.each([0, 20, 60, 120])(
    'is read to its end though this process is held up for half a second, %i ms after the start',
    async (delayMs) => {
      const call = provision(sh(`sleep 0.15; echo '{"workspace": "${workspace}"}'`));
      await sleep(delayMs);
      holdUp(500);
      expect(await call).toEqual({ output: { workspace } });
    },
  );

  it('is read to its end though something that the command started keeps the pipe', async () => {
    const large = 'x'.repeat(300_000);
    const script = `sleep 3 & echo $! > pid; printf '{"workspace": "'; head -c 300000 /dev/zero | tr '\\0' x; echo '"}'`;
    const call = provision(sh(script));
    await sleep(50);
    holdUp(400);
    expect(await call).toEqual({ output: { workspace: large } });
    leftBehind();
  });

  it('that is owed may come from what the command started and left behind', async () => {
    const call = provision(sh(`(sleep 0.3; echo '{"workspace": "${workspace}"}') & exit 0`));
    expect(await call).toEqual({ output: { workspace } });
  });

  it('that is owed and never comes is waited for as long as a call may take', async () => {
    const startedMs = performance.now();
    const message = await refusalOf(provision(sh('sleep 3 & echo $! > pid; exit 0', 400)));
    expect(message).toContain('hooks.provision: its output is empty; expected the fields of a target');
    expect(performance.now() - startedMs).toBeLessThan(2_000);
    leftBehind();
  });

  it('of a server that it left running neither fills this process nor ends the server', async () => {
    const logs = `while :; do head -c 100000 /dev/zero; sleep 0.01; done & echo $! > pid; exit 0`;
    expect(await revoke(sh(logs.replace('head', 'sleep 0.2; head')))).toEqual({ output: {} });
    await sleep(700);
    expect(isAlive(leftBehind())).toBe(true);
  });

  it('counts though this process hears of the end only after the time limit', async () => {
    const call = revoke(sh('echo "{}"', 300));
    await sleep(100);
    holdUp(600);
    expect(await call).toEqual({ output: {} });
  });
});

describe('a command that does not work', () => {
  const shape = 'expected {} or nothing';
  it.each<[string, () => Hook, string]>([
    ['exits with a status', () => sh('exit 3'), 'it exited with status 3'],
    [
      'says why on stderr',
      () => sh('for i in 1 2 3 4 5 6; do echo "line $i of $CONFORM_INPUT_TOKEN" >&2; done; exit 1'),
      'it exited with status 1; the end of its stderr: line 2 of <redacted> | line 3 of <redacted> | line 4 of <redacted> | line 5 of <redacted> | line 6 of <redacted>',
    ],
    ['is killed', () => sh('kill -KILL $$'), 'it was killed by SIGKILL'],
    [
      'takes too long',
      () => sh('sleep 30', 200),
      'it took longer than 200 ms and was ended (`hooks.revoke.timeout_ms` allows more)',
    ],
    [
      'is not there',
      () => ({ command: ['./nothing'], timeoutMs: 1_000 }),
      '`./nothing` cannot be started (ENOENT)',
    ],
    [
      'has NUL in its name',
      () => ({ command: ['a\0b'], timeoutMs: 1_000 }),
      '`a\0b` cannot be started (ERR_INVALID_ARG_VALUE)',
    ],
    [
      'prints no JSON',
      () => sh('echo done; echo "$CONFORM_INPUT_TOKEN"'),
      'its output is not JSON; stdout takes one JSON object or nothing, and logs belong on stderr',
    ],
    ['prints two objects', () => sh('echo "{}"; echo "{}"'), 'its output is not JSON'],
    ['prints no UTF-8', () => sh(String.raw`printf '"\377"'`), 'its output is not JSON'],
    ['prints a list', () => sh('echo "[]"'), `its output is not a JSON object; ${shape}`],
    ['prints a text', () => sh(`echo '"ok"'`), `its output is not a JSON object; ${shape}`],
    [
      'prints an unknown field',
      () => sh(`echo '{"error": "no"}'`),
      `its output has an unknown field \`error\`; ${shape}`,
    ],
    [
      'prints a secret as a field',
      () => sh(`echo "{\\"$CONFORM_INPUT_TOKEN!\\": 1}"`),
      `its output has an unknown field; ${shape}`,
    ],
    [
      'prints without end',
      () => sh('yes'),
      'it printed more than 1000000 bytes and was ended; stdout takes one JSON object or nothing',
    ],
  ])('and %s is named, with what is wrong', async (_, hook, message) => {
    expect(await refusalOf(revoke(hook()))).toContain(`hooks.revoke: ${message}`);
  });

  it('is quoted in a bounded way, without control characters', async () => {
    const noisy = node(`process.stderr.write('\\x1b[31m' + 'x'.repeat(100000)); process.exitCode = 1`);
    const message = await refusalOf(revoke(noisy));
    expect(message.length).toBeLessThan(700);
    expect(message).not.toMatch(/\p{Cc}/u);
  });

  it('and uploads without an id is told the shape', async () => {
    const upload: HookInputs['file'] = {
      action: 'upload',
      filename: 'a',
      content_type: 'text/plain',
      content_base64: '',
      agent_token: token,
    };
    const file = (hook: Hook, input: HookInputs['file']) =>
      refusalOf(callHook('file', hook, input, surroundings()));
    expect(await file(sh('echo "{}"'), upload)).toBe(
      'hooks.file: its output lacks `id`; expected {"id": "<id of the file>"}',
    );
    expect(await file(sh(`echo '{"id": 7}'`), upload)).toBe(
      'hooks.file: `id` of its output must be string; expected {"id": "<id of the file>"}',
    );
    expect(await file(sh(`echo '{"id": "7"}'`), { action: 'delete', id: '7' })).toBe(
      'hooks.file: its output has an unknown field `id`; expected {} or nothing',
    );
  });
});

describe('the process group of a command', () => {
  const family = `sh -c 'trap "" TERM; echo $$ > grandchild; while :; do sleep 0.1; done' & trap "" TERM; echo $$ > child; wait`;

  it('is gone after a timeout, also whoever ignores the request to end', async () => {
    await refusalOf(revoke(sh(family, 300)));
    expect(await survivors()).toEqual([]);
  });

  it('is gone after an abort, which is no fault of the hook', async () => {
    const controller = new AbortController();
    const call = revoke(sh(family), { signal: controller.signal });
    const outcome = call.catch((error: unknown) => error);
    await untilStarted();
    controller.abort();
    expect(await outcome).toMatchObject({ isInterrupted: true });
    expect(await survivors()).toEqual([]);
  });

  it('is never started after an abort', async () => {
    await expect(revoke(sh('touch started'), { signal: AbortSignal.abort() })).rejects.toMatchObject({
      isInterrupted: true,
    });
    expect(existsSync(join(path(), 'started'))).toBe(false);
  });

  async function untilStarted(): Promise<void> {
    while (!existsSync(join(path(), 'grandchild'))) await sleep(20);
    await sleep(20);
  }

  async function survivors(): Promise<number[]> {
    const pids = ['child', 'grandchild'].map((name) => Number(readFileSync(join(path(), name), 'utf8')));
    expect(pids.every((pid) => pid > 1)).toBe(true);
    for (let tries = 0; tries < 40 && pids.some(isAlive); tries += 1) await sleep(25);
    return pids.filter(isAlive);
  }
});

describe('a function', () => {
  it('is held against the same shapes', async () => {
    const returning = (value: unknown): Hook => ({ call: () => Promise.resolve(value) });
    expect(await revoke(returning(undefined))).toEqual({ output: {} });
    expect(await refusalOf(revoke(returning('ok')))).toContain(
      'hooks.revoke: its output is not a JSON object',
    );
    expect(await refusalOf(revoke({ call: () => Promise.reject(new Error(`no ${token}`)) }))).toBe(
      'hooks.revoke: it threw Error: no <redacted>',
    );
  });

  it.each<[output: object, place: string]>([
    [{ agents: ['a b'] }, 'agents/0'],
    [{ without: { human: '' } }, 'without/human'],
    [{ without: { machine: 'é' } }, 'without/machine'],
    [{ without: { human_name: 'a\n' } }, 'without/human_name'],
    [{ sharing: { human: ' a' } }, 'sharing/human'],
    [{ sharing: { machine: 'a\t' } }, 'sharing/machine'],
    [{ second_api_key: 'a b' }, 'second_api_key'],
    [{ author_machine: 'a b' }, 'author_machine'],
    [{ short_lived: { token: 'a b', seconds: 3 } }, 'short_lived/token'],
    [{ second_workspace: 'next' }, 'second_workspace'],
  ])('that gives %j, which no header can hold as a token, is told where', async (output, place) => {
    const call = callHook('provision', { call: () => Promise.resolve(output) }, {}, surroundings());
    expect(await refusalOf(call)).toContain(`\`${place}\` of its output must match pattern`);
  });

  it('is given up on after an abort', async () => {
    const controller = new AbortController();
    const call = revoke({ call: () => new Promise(() => undefined) }, { signal: controller.signal });
    controller.abort();
    await expect(call).rejects.toMatchObject({ isInterrupted: true, code: 'HOOK_FAILED' });
  });
});

it('every hook may return an empty object, but an upload', async () => {
  const inputs: { readonly [N in HookName]: HookInputs[N] } = {
    provision: {},
    revoke: { token },
    expire: { token },
    rename: { kind: 'user', id: 'a', display_name: 'b' },
    deactivate: { kind: 'machine', machine_id: 'm', workspace_id: 'w', active: true },
    file: { action: 'delete', id: 'f' },
    restart: {},
    limit: { kind: 'requests', token, per_second: 1 },
  };
  for (const [name, input] of Object.entries(inputs)) {
    const call = callHook(
      name as HookName,
      { call: () => Promise.resolve({}) },
      input as never,
      surroundings(),
    );
    await expect(call).resolves.toEqual({ output: {} });
  }
});

/** A process that has ended and waits to be reaped is gone too. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  const stat = `/proc/${pid}/stat`;
  return !existsSync(stat) || !/\) Z /.test(readFileSync(stat, 'utf8'));
}
