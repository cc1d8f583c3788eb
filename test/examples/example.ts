import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { tmpdir } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { hookNames } from '../../harness/config/target.ts';
import { packageFile } from '../../spec/index.ts';
import { conform } from '../cli/conform.ts';

/** How an example is started. */
interface Start {
  readonly program: string;
  readonly args: readonly string[];
}

/** An example server, and what its tests know of it. */
interface Example {
  /**
   * Makes it ready in a folder that is thrown away, and says how it is started so that its target is in `target`, with its
   * data at `data`. A text says what this machine lacks.
   */
  readonly prepare: (folder: string) => ((paths: { target: string; data: string }) => Start) | string;
  /** Must clauses that stay open for what it does not have. */
  readonly mostInconclusive: number;
  readonly breakFlag: string;
  readonly breaks: readonly BrokenRule[];
}

/** A rule that it can be told to break. */
interface BrokenRule {
  readonly rule: string;
  /** What narrows the run: whole areas, where they are quick. */
  readonly selection: readonly string[];
  /** The clause that is named first. */
  readonly clause: string;
}

/** The folder of an example. */
export function exampleFolder(name: string): string {
  return join(dirname(packageFile('package.json')), 'examples', name);
}

/** Runs a tool to its end; `output` has both its streams. */
export function tool(
  program: string,
  args: readonly string[],
  cwd?: string,
): { readonly isDone: boolean; readonly output: string } {
  // What is not there is not fetched.
  const env = { ...process.env, GOTOOLCHAIN: 'local' };
  const { status, stdout, stderr, error } = spawnSync(program, args, { cwd, env, encoding: 'utf8' });
  return { isDone: status === 0, output: error?.message ?? `${stdout}${stderr}` };
}

/** The tests that every example has to pass: kept, and with a rule broken at a time. */
export function describeExample(
  name: string,
  { prepare, mostInconclusive, breakFlag, breaks }: Example,
): void {
  describe(`the example in ${name}`, () => {
    let folder: string;
    let command: ReturnType<Example['prepare']>;
    const servers: ExampleServer[] = [];

    beforeAll(() => {
      folder = mkdtempSync(join(tmpdir(), `example-${name}-`));
      command = prepare(folder);
    }, 180_000);

    afterAll(async () => {
      await Promise.all(servers.map((server) => server.close()));
      rmSync(folder, { recursive: true, force: true });
    });

    const started = async (skip: (note: string) => never, flags: readonly string[] = []): Promise<string> => {
      if (typeof command === 'string') return skip(command);
      const target = join(folder, `${servers.length}.yaml`);
      const data = join(folder, `${servers.length}.data`);
      const server = new ExampleServer(command({ target, data }), flags, target);
      servers.push(server);
      await server.ready();
      return target;
    };

    it('keeps the contract in a strict run with every hook', async ({ skip }) => {
      const target = await started(skip);
      const { hooks } = parse(readFileSync(target, 'utf8')) as { hooks: object };
      expect(Object.keys(hooks).toSorted()).toEqual(hookNames.toSorted());
      const { code, stdout } = await conform(['--target', target, '--strict']);
      expect(stdout).toMatch(/^conforms: nothing failed/m);
      const [, shown, all] = /(\d+) of (\d+) must clauses shown/.exec(stdout) ?? [];
      expect(Number(all) - Number(shown)).toBeLessThanOrEqual(mostInconclusive);
      expect(code).toBe(0);
    }, 120_000);

    it('gives a campaign nothing to find', async ({ skip }) => {
      const target = await started(skip);
      const { code, stdout, stderr } = await conform(
        [
          'fuzz',
          '--target',
          target,
          '--time',
          '8s',
          '--max-bytes',
          '100000000',
          '--out',
          `${target}.results`,
        ],
        { cwd: folder },
      );
      expect(stdout + stderr).toMatch(/^0 failed, 0 warned/m);
      expect(code).toBe(0);
    }, 120_000);

    it.for(breaks)(
      'with the rule "$rule" broken is found out by $clause',
      { timeout: 120_000 },
      async ({ rule, selection, clause }, { skip }) => {
        const target = await started(skip, [breakFlag, rule]);
        const { code, stdout } = await conform(['--target', target, ...selection]);
        expect(/^F1 +(\S+) +must$/m.exec(stdout)?.[1]).toBe(clause);
        expect(code).toBe(1);
      },
    );
  });
}

const stopMs = 8_000;
const startMs = 20_000;

class ExampleServer {
  readonly #child: ChildProcess;
  readonly #target: string;
  #errors = '';

  constructor({ program, args }: Start, flags: readonly string[], target: string) {
    this.#target = target;
    this.#child = spawn(program, [...args, ...flags], { stdio: ['ignore', 'ignore', 'pipe'] });
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => (this.#errors += text));
  }

  /** Resolves once the target file is whole. */
  async ready(): Promise<void> {
    const deadline = performance.now() + startMs;
    while (!existsSync(this.#target) || !/hooks/.test(readFileSync(this.#target, 'utf8'))) {
      if (this.#child.exitCode !== null || performance.now() > deadline)
        throw new Error(`the example did not start: ${this.#errors}`);
      await wait(20);
    }
  }

  async close(): Promise<void> {
    if (this.#child.exitCode !== null) return;
    const closed = once(this.#child, 'close');
    this.#child.kill('SIGTERM');
    const killer = setTimeout(() => this.#child.kill('SIGKILL'), stopMs);
    await closed;
    clearTimeout(killer);
  }
}
