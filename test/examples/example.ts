import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { hookNames } from '../../harness/config/target.ts';
import { packageFile } from '../../spec/package-file.ts';
import { UserFolder } from '../package/user-folder.ts';
import { ExamplePage } from './page.ts';
import { Shell } from './shell.ts';

/** An example server, and what its tests know of it. */
export interface Example {
  /** Says what this machine lacks to run it, or gets ready what the page has typed before the start. */
  readonly prepare: (folder: string) => string | undefined;
  /** Must clauses that stay inconclusive for what it does not have. */
  readonly mostInconclusive: number;
}

/** What is left by whoever tried it in a clone. */
export const leftOver =
  /^(?:\.venv|__pycache__|node_modules|conform\.yaml.*|messaging\..+|fuzz-results|results\.xml)$/;

/** What is only for the suite. */
const suiteOnly = /^under_?test\//;

function isSource(file: string): boolean {
  return /\.(?:py|go)$/.test(file) && !/^(?:\.venv|node_modules)\//.test(file);
}

const startMs = 20_000;

/** Runs a tool to its end; `output` has both its streams. */
export function tool(
  program: string,
  args: readonly string[],
  { cwd, env = {} }: { readonly cwd?: string; readonly env?: Readonly<Record<string, string>> } = {},
): { readonly isDone: boolean; readonly output: string } {
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    cwd,
    env: { ...process.env, ...withoutFetching, ...env },
    encoding: 'utf8',
  });
  return { isDone: status === 0, output: error?.message ?? `${stdout}${stderr}` };
}

/** What is not there is not fetched: neither a package by npx nor another Go. */
export const withoutFetching = { npm_config_offline: 'true', GOTOOLCHAIN: 'local' };

/**
 * The tests that every example has to pass: its page is typed by somebody who has the package, and no clone. The night types all of it as it
 * stands; `npm test` a run of two areas, no campaign, and one rule to break.
 */
export function describeExample(
  name: string,
  { prepare, mostInconclusive }: Example,
  { isWhole = false } = {},
): void {
  const page = new ExamplePage(name);

  describe(`the page of the example in ${name}`, () => {
    const user = new UserFolder();
    const folder = join(user.path, name);
    const shells: Shell[] = [];
    let lacks: string | undefined;

    beforeAll(() => {
      cpSync(packageFile(`examples/${name}`), folder, {
        recursive: true,
        filter: (path) => !leftOver.test(basename(path)),
      });
      lacks = prepare(folder);
    }, 180_000);

    afterAll(async () => {
      await Promise.all(shells.map((shell) => shell.stop()));
      user.remove();
    });

    const type = (script: string): Shell => {
      const shell = new Shell(script, folder, { ...user.env, ...withoutFetching });
      shells.push(shell);
      return shell;
    };

    /** Starts a server, and resolves once its target file is there. */
    const serve = async (script: string, server: string): Promise<void> => {
      const target = join(folder, `${server}.yaml`);
      await until(type(script), () => existsSync(target) || undefined);
    };

    it('installs the package of this version', () => {
      const { name: own, version } = user.manifest;
      expect(page.install).toBe(`npm install --no-save --prefix . ./${own}-${version}.tgz`);
    });

    it('lists every file that stays, says how long they are, and lists the folder that does not', () => {
      const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(isSource);
      const kept = sources.filter((file) => !suiteOnly.test(file));
      const gone = new Set(sources.filter((file) => suiteOnly.test(file)).map((file) => `${dirname(file)}/`));
      expect(page.files.toSorted()).toEqual([...kept, ...gone].toSorted());
      const lines = kept.map((file) => readFileSync(join(folder, file), 'utf8').split('\n').length - 1);
      const hundreds = Math.round(lines.reduce((sum, count) => sum + count, 0) / 100);
      expect(page.lines).toBe((hundreds * 100).toLocaleString('en-US'));
    });

    it('has a gate that is green in a strict run with every hook', { timeout: 120_000 }, async ({ skip }) => {
      if (lacks !== undefined) skip(lacks);
      expect(page.gate('ci')).toContain(`\n${page.judge('ci')} `);
      const gate = type(page.gate('ci').replace('--strict', isWhole ? '$&' : '$& --only errors,overview'));
      const code = await gate.ended();
      const { hooks } = parse(readFileSync(join(folder, 'ci.yaml'), 'utf8')) as { hooks: object };
      expect(Object.keys(hooks).toSorted()).toEqual(hookNames.toSorted());
      expect(gate.stdout).toMatch(isWhole ? /^conforms: /m : /^conforms in what was selected: /m);
      expect(gate.stdout).toMatch(/^conforms[^:]*: nothing failed/m);
      const [, shown, all] = /(\d+) of (\d+) must clauses shown/.exec(gate.stdout) ?? [];
      expect(isWhole ? Number(all) - Number(shown) : 0).toBeLessThanOrEqual(mostInconclusive);
      expect(readFileSync(join(folder, 'results.xml'), 'utf8')).toContain('<testsuites');
      expect(code).toBe(0);
    });

    describe.concurrent('has', { timeout: 120_000 }, () => {
      it.for(isWhole ? ['fuzzed'] : [])('a campaign that finds nothing: %s', async (server, { skip }) => {
        if (lacks !== undefined) skip(lacks);
        await serve(page.start(server), server);
        // By number: on a busy machine a short time is over before the first case.
        const campaign = type(page.fuzz(server).replace('--time 2m', '--cases 1000'));
        const code = await campaign.ended();
        expect(campaign.stdout + campaign.stderr).toMatch(/^0 failed, 0 warned/m);
        expect(code).toBe(0);
      });

      it.for(page.rules.filter(({ rule }) => isWhole || rule === page.typedRule))(
        'a flag that breaks "$rule", and $clause is named',
        async ({ rule, clause }, { skip }) => {
          if (lacks !== undefined) skip(lacks);
          await serve(page.startBroken(rule, rule), rule);
          const command = page.judgeClause(rule, clause);
          // What npx finds is first in the path as well: half a second less for each but the rule that the page types.
          const judged = type(rule === page.typedRule ? command : command.replace(/^npx /, ''));
          const code = await judged.ended();
          expect(/^F1 +(\S+) +must\b/m.exec(judged.stdout)?.[1]).toBe(clause);
          expect(code).toBe(1);
        },
      );

      it('a row for every rule that can be broken', async ({ skip }) => {
        if (lacks !== undefined) skip(lacks);
        const refused = type(page.startBroken('none', 'none'));
        expect(await refused.ended()).not.toBe(0);
        const [, names = ''] = /(?:choose from|takes) ([\w', ]+)/.exec(refused.stderr) ?? [];
        expect(page.rules.map(({ rule }) => rule).toSorted()).toEqual(names.match(/\w+/g)?.toSorted());
      });
    });

    it('leaves a server when what is for the suite is thrown away', async ({ skip }) => {
      if (lacks !== undefined) skip(lacks);
      const server = type(page.alone.replace('8000', '0'));
      const [address] = await until(server, () => /127\.0\.0\.1:\d+/.exec(server.stderr) ?? undefined);
      expect((await fetch(`http://${address}/health`)).status).toBe(200);
      expect((await fetch(`http://${address}/v0/mentions`)).status).toBe(401);
    });
  });
}

/** Waits until a server that was just started shows something. */
async function until<Seen>(server: Shell, look: () => Seen | undefined): Promise<Seen> {
  const deadline = performance.now() + startMs;
  for (;;) {
    const seen = look();
    if (seen !== undefined) return seen;
    if (server.hasEnded || performance.now() > deadline)
      throw new Error(`the example did not start: ${server.stderr}`);
    await wait(20);
  }
}
