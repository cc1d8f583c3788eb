import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packageFile } from '../../spec/package-file.ts';
import type { Ended } from '../cli/conform.ts';
import { alteredSend } from '../fuzz/altered-send.ts';
import type { UserFolder } from './user-folder.ts';

/** A command of an installed package, and what it prints. */
type Command = readonly [args: readonly string[], output: RegExp];

/** References served by an installed package, until all of them are closed. */
class Served {
  readonly #children: ChildProcess[] = [];

  /** Serves one more by the command `conform` of an environment, with its target file in `folder`. */
  async start(folder: string, env: NodeJS.ProcessEnv): Promise<void> {
    const child = spawn('conform', ['reference'], { stdio: 'pipe', env });
    this.#children.push(child);
    let targetFile = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (targetFile += text));
    // The listening line comes once the target file is out.
    await once(child.stderr, 'data');
    writeFileSync(join(folder, 'conform.yaml'), targetFile);
  }

  /** Stops all of them. */
  async close(): Promise<void> {
    await Promise.all(
      this.#children.map(async (child) => {
        if (child.exitCode !== null) return;
        const closed = once(child, 'close');
        child.kill('SIGTERM');
        await closed;
      }),
    );
  }
}

/** The programs of a page in a language, in their order. */
function programsOf(page: string, language: string): string[] {
  const text = readFileSync(packageFile(`docs/${page}`), 'utf8');
  const programs = text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'));
  return Array.from(programs, ([, program = '']) => program);
}

const programs = programsOf('library.md', 'ts');

const junit = ['--test-reporter=junit'];

/**
 * The tests that an installed package has to pass: its commands, the checks as tests of other runners, and the library. With `isWhole` every
 * command, and all checks with one of those runners; without it each run there is read-only, which is quick.
 */
export function describePackage(user: UserFolder, { isWhole = false } = {}): void {
  const served = new Served();
  const conform = (...args: string[]): Promise<Ended> => user.run('conform', args);
  const at = (path: string): string => join(user.path, path);

  /** What takes seconds each, side by side: a run of an area, and the checks as tests of other runners. */
  const runs: Partial<Record<'conform' | 'vitest' | 'node-test', Promise<Ended>>> = {};

  beforeAll(async () => {
    user.link('node_modules/vitest', 'node_modules/@types/node', 'node_modules/undici-types');
    user.linkCommand('vitest');
    for (const name of ['vitest', 'node-test'])
      cpSync(packageFile(`examples/${name}`), at(name), { recursive: true });
    // As beside this repository's own: the example is run by its settings alone.
    writeFileSync(at('vitest.config.js'), "export default { test: { include: ['test/**'] } };\n");
    await Promise.all(['.', 'vitest', 'node-test'].map((folder) => served.start(at(folder), user.env)));
    writeFileSync(at('failure.json'), JSON.stringify(failure));
    for (const name of isWhole ? ['vitest'] : ['vitest', 'node-test'])
      appendFileSync(at(`${name}/conform.yaml`), 'limits: { read_only: true }\n');
    runs.conform = conform(
      '--only',
      'channel-read',
      '--target',
      'conform.yaml',
      '--out',
      'results.ndjson',
      '--history',
      'history.ndjson',
    );
    runs.vitest = tests('vitest', ['--reporter=json', '--outputFile=results.json']);
    runs['node-test'] = tests('node-test', [...junit, '--test-reporter-destination=results.xml']);
  });

  afterAll(async () => {
    await served.close();
    user.remove();
  });

  /** Runs the tests of an example as its manifest says. */
  function tests(cwd: string, args: readonly string[], env: Record<string, string> = {}): Promise<Ended> {
    return user.run('npm', ['test', '--silent', '--', ...args], { cwd, env });
  }

  function started(name: string): Promise<Ended> {
    const run = runs[name as keyof typeof runs];
    if (run === undefined) throw new Error(`${name} was not started`);
    return run;
  }

  describe('the installed command', () => {
    it('is run by the Node that these tests are about', async () => {
      const { stdout } = await user.run('node', ['--version']);
      expect(stdout).toBe(`${user.nodeVersion}\n`);
    });

    it('tests a server, and says how to do so again where it is installed', async () => {
      const { code, stdout } = await started('conform');
      expect(stdout).toMatch(/^conforms in what was selected: nothing failed/m);
      expect(code).toBe(0);
      const shown = await user.run('npx', ['--offline', 'conform', 'show', 'send.content-bytes']);
      expect(shown.stdout).toContain('\n  npx conform --clause send.content-bytes\n');
    });

    const quick: readonly Command[] = [
      [['--version'], /^0\.1\.0\n$/],
      [['init', 'mine.yaml'], /^ {2}npx conform doctor --target mine\.yaml$/m],
      [['doctor', '--target', 'conform.yaml'], /must clauses/],
    ];
    const others: readonly Command[] = [
      [['clauses', '--unchecked'], /^0 clauses/m],
      [['reference', '--list'], /^--mutant limit-ends-at-101 {2}[^]*^--variant texts-are-escaped {2}/m],
      [['replay', 'failure.json', '--target', 'conform.yaml'], /^fixed/m],
      [['stress', '--time', '1s', '--clients', '4', '--reference'], /./],
    ];

    it.concurrent.each([...quick, ...(isWhole ? others : [])])('runs %j', async (args, output) => {
      const { code, stdout, stderr } = await conform(...args);
      expect(stdout + stderr).toMatch(output);
      expect(code).toBe(0);
    });

    const readers: readonly Command[] = [
      [['report', 'results.ndjson', '--format', 'html'], /<\/html>/],
      [['compare', 'results.ndjson', '--site', 'site'], /1 run of 1 server: /],
      [['compare', 'results.ndjson', 'results.ndjson'], /channel-read/],
      [['report', 'results.ndjson', '--format', 'junit'], /<testsuites/],
      [['judge', 'history.ndjson'], /./],
    ];

    it.concurrent.each(isWhole ? readers : readers.slice(0, 2))(
      'reads what others left: %j',
      async (args, output) => {
        await started('conform');
        const { code, stdout } = await conform(...args);
        expect(stdout).toMatch(output);
        expect(code).toBe(0);
      },
    );

    it.concurrent.each(isWhole ? ['night'] : [])(
      'fuzzes, and merges what campaigns leave in %s',
      async (folder) => {
        const campaign = await conform('fuzz', '--cases', '60', '--out', folder);
        expect(campaign.stdout).toMatch(/^0 failed, 0 warned; results in night$/m);
        const merged = await conform('merge', folder, '--out', 'merged');
        expect(merged.stdout).toMatch(/^0 failed, 0 warned; results in merged$/m);
        expect(campaign.code).toBe(0);
        expect(merged.code).toBe(0);
      },
    );
  });

  describe('the checks as tests', () => {
    let names: readonly string[] = [];
    beforeAll(async () => {
      // As somebody else would load it: the sources take longer.
      const library = at('node_modules/messaging-conformance/dist/index.js');
      const { allChecks } = (await import(library)) as typeof import('../../index.ts');
      names = allChecks.map(({ id, title }) => `${id}: ${title}`).toSorted();
    });
    /** Those of single checks: the others watch the whole run. */
    const ofChecks = (shown: readonly string[]): readonly string[] =>
      shown.filter((name) => !/^(?:wire|history)\.|^run: /.test(name)).toSorted();

    it('of `node --test` have the names of the checks, and pass', async () => {
      const { code } = await started('node-test');
      const results = junitCases(readFileSync(at('node-test/results.xml'), 'utf8'));
      const shown = results.map(({ name }) => name);
      expect(ofChecks(shown)).toEqual(names);
      expect(shown).toContain('run: ends with exit code 0');
      const statuses = new Set(results.map(({ status }) => status));
      expect(statuses).toEqual(new Set(isWhole ? ['passed'] : ['passed', 'skipped']));
      expect(code).toBe(0);
    });

    it('of vitest have the names of the checks, and those are skipped that a read-only run does not decide', async () => {
      const { code } = await started('vitest');
      const { testResults } = JSON.parse(readFileSync(at('vitest/results.json'), 'utf8')) as VitestReport;
      const results = testResults.flatMap(({ assertionResults }) => assertionResults);
      expect(ofChecks(results.map(({ title }) => title))).toEqual(names);
      const withStatus = (wanted: string): number => results.filter(({ status }) => status === wanted).length;
      expect(withStatus('passed')).toBeGreaterThan(30);
      expect(withStatus('skipped')).toBeGreaterThan(100);
      expect(withStatus('passed') + withStatus('skipped')).toBe(results.length);
      expect(code).toBe(0);
    });

    it.each(isWhole ? ['http://127.0.0.1:9'] : [])(
      'all fail with the reason where no server is: %s',
      async (baseUrl) => {
        await started('node-test');
        const env = { CONFORM_BASE_URL: baseUrl };
        const { code } = await tests('node-test', [...junit, '--test-reporter-destination=down.xml'], env);
        const results = junitCases(readFileSync(at('node-test/down.xml'), 'utf8'));
        expect(new Set(results.map(({ status }) => status))).toEqual(new Set(['failure']));
        expect(readFileSync(at('node-test/down.xml'), 'utf8')).toContain('ECONNREFUSED');
        expect(code).toBe(1);
      },
    );
  });

  describe('the library', () => {
    const compiled = programs.map((_, index) => `library/${index}.js`);

    beforeAll(async () => {
      mkdirSync(at('library'));
      for (const [index, program] of programs.entries()) writeFileSync(at(`library/${index}.ts`), program);
      writeFileSync(at('library/tsconfig.json'), JSON.stringify({ compilerOptions: strictest }));
    });

    it('has types for the programs of its page, in the strictest mode and with its own declarations checked', async () => {
      const compiler = packageFile('node_modules/typescript/bin/tsc');
      const { stdout, code } = await user.run('node', [compiler, '-p', 'library']);
      expect(stdout).toBe('');
      expect(code).toBe(0);
    });

    it('does what its page says', async () => {
      await started('conform');
      expect(compiled).toHaveLength(5);
      const isTests = (index: number): boolean => programs[index]?.includes('describeChecks') === true;
      const ends = await Promise.all(
        compiled.filter((_, index) => !isTests(index)).map((file) => user.run('node', [file])),
      );
      expect(ends.map(({ stderr, code }) => ({ stderr, code }))).toEqual(
        ends.map(() => ({ stderr: '', code: 0 })),
      );
      const [run, reference, contract, judged] = ends.map(({ stdout }) => stdout);
      expect(run).toMatch(/^0 [1-9]\d*\n$/);
      expect(reference).toMatch(/^http:\/\/127\.0\.0\.1:\d+ [-0-9a-f]{36} \[/);
      expect(contract).toContain('limit/');
      expect(judged).toMatch(/^\[/);
    });

    it('gives its schemas to another validator', async () => {
      const [program = ''] = programsOf('schemas.md', 'js');
      writeFileSync(at('schemas.js'), program);
      const { stdout, stderr, code } = await user.run('node', ['schemas.js']);
      expect(stdout).toMatch(/^false data must have required property/);
      expect(stderr).toBe('');
      expect(code).toBe(0);
    });
  });
}

/** A user's compiler with everything on. */
const strictest = {
  target: 'es2022',
  module: 'nodenext',
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: false,
  types: ['node'],
};

/** A failure that a campaign kept, of a server that altered a message. */
const failure = alteredSend('{"content":"{the-mark-of-it} x"}', 'message.content.unaltered');

interface VitestReport {
  readonly testResults: readonly {
    readonly assertionResults: readonly { readonly title: string; readonly status: string }[];
  }[];
}

/** The tests of a JUnit report as Node writes it. */
function junitCases(xml: string): { readonly name: string; readonly status: string }[] {
  const cases = xml.matchAll(/<testcase name="([^"]*)"[^>]*?(?:\/>|>\s*<(\w+))/g);
  return Array.from(cases, ([, name = '', inner]) => ({ name: plainText(name), status: inner ?? 'passed' }));
}

function plainText(xml: string): string {
  const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' };
  return xml.replaceAll(/&(\w+);/g, (all, name: string) => entities[name] ?? all);
}
