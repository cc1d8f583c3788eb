import { mkdtempSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { startFront } from '../fuzz/front.ts';
import type { Front, FrontOptions } from '../fuzz/front.ts';
import { conform } from './conform.ts';
import { UsedReference } from './use-reference.ts';
import { alteredSend } from '../fuzz/altered-send.ts';

const used = new UsedReference();
const { folder } = used;
const fronts: Front[] = [];

afterAll(() => Promise.all(fronts.map((front) => front.close())).then(() => {}));

/** A target file for a server in front of the reference; `asked` is called at each request. */
async function targetBehind(options: FrontOptions, asked = () => {}): Promise<string> {
  const silent = () => {
    asked();
    return options.silent?.() ?? false;
  };
  const front = await startFront(used.target.base_url, { ...options, silent });
  fronts.push(front);
  const file = join(mkdtempSync(join(folder, 'target-')), 'conform.yaml');
  writeFileSync(file, stringify({ ...used.target, hooks: {}, base_url: front.baseUrl }));
  return file;
}

/** A channel of empty pages, each of which promises more after it. */
const endless: FrontOptions = {
  changed: (body, { url = '', method }: IncomingMessage) => {
    if (method !== 'GET' || !url.includes('/messages')) return body;
    const after = Number(/[?&]after=([0-9]+)/.exec(url)?.[1] ?? 0);
    const page = { next_after: after + 1, has_more: true, high_watermark: 2 ** 40 };
    return JSON.stringify({ messages: [], page });
  },
};

/** Takes connections and never answers on them after the first few. */
function falling(answers: number): FrontOptions {
  let left = answers;
  // Nothing at all, and the connection stays.
  return { silent: () => (left -= 1) < 0 };
}

const failure = alteredSend('{"content":"{the-mark-of-it} x"}', 'message.content.unaltered');

function failureFile(): string {
  const file = join(folder, 'failure.json');
  writeFileSync(file, JSON.stringify(failure));
  return file;
}

/** Each command that speaks to a server, with a budget in seconds. */
function commandsWithin(seconds: number): readonly (readonly [string, readonly string[]])[] {
  return [
    ['replay', ['replay', failureFile(), '--budget-ms', `${seconds * 1000}`]],
    ['doctor', ['doctor', '--budget-ms', `${seconds * 1000}`]],
    ['fuzz', ['fuzz', '--time', `${seconds}s`, '--out', join(folder, 'out')]],
  ];
}

/** What it takes to start the program and to end it, where nothing answers: on a busy machine that is seconds. */
let startMs: number;
beforeAll(async () => {
  const nowhere = ['--base-url', 'http://127.0.0.1:1', '--author-token', 'env:PATH', '--channel', 'x'];
  const { durationMs } = await conform(['replay', failureFile(), ...nowhere]);
  startMs = Math.max(1_500, 1.5 * durationMs);
});

describe.each([
  ['a channel without an end', () => endless],
  ['a server that falls silent', () => falling(30)],
] as const)('at %s', (_name, optionsOf) => {
  it.each(['replay', 'doctor', 'fuzz'])('%s ends within its budget', async (name) => {
    const target = await targetBehind(optionsOf());
    const [, args] = commandsWithin(3).find(([each]) => each === name) ?? ['', []];
    const ended = await conform([...args, '--target', target]);
    expect(ended.durationMs).toBeLessThan(3_000 + 2_000 + startMs);
    expect(ended.stderr).toBe('');
    expect([1, 3]).toContain(ended.code);
  });

  it.each(['replay', 'doctor', 'fuzz'])('%s ends soon after Ctrl-C', async (name) => {
    let underWay = () => {};
    const firstRequest = new Promise<void>((resolve) => (underWay = resolve));
    const target = await targetBehind(optionsOf(), underWay);
    const [, args] = commandsWithin(60).find(([each]) => each === name) ?? ['', []];
    let killedMs = 0;
    const { code } = await conform([...args, '--target', target], {
      onStart: (child) =>
        // A process that has only just started hears no signal yet; one that asks a server does.
        void firstRequest.then(async () => {
          await setTimeout(1_000);
          killedMs = performance.now();
          child.kill('SIGINT');
        }),
    });
    expect(performance.now() - killedMs).toBeLessThan(2_000);
    expect(code).toBe(130);
  });
});

describe('a replay', () => {
  it('could not be run at a channel without an end', async () => {
    const { stdout, code } = await conform([
      'replay',
      failureFile(),
      '--target',
      await targetBehind(endless),
    ]);
    expect(stdout).toContain('could not be run');
    expect(code).toBe(3);
  });
});
