import { appendFileSync, cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runWideChecks } from '../../harness/judging/run-wide-checks.ts';
import { packageFile } from '../../spec/package-file.ts';
import { allChecks } from '../../suites/index.ts';
import { type SeparateReference, separateReference } from '../cli/conform.ts';
import { UserFolder } from './user-folder.ts';

/** A test as its runner tells of it: what came of it, and what is said of that. */
interface Told {
  readonly name: string;
  readonly status: 'passed' | 'failed' | 'skipped';
  readonly text: string;
}

/** A runner of another language. */
interface Runner {
  readonly name: string;
  readonly program: string;
  readonly args: readonly string[];
  /** What this machine lacks to run it; `undefined` where it has all. */
  readonly lacks: (user: UserFolder) => Promise<string | undefined>;
  readonly read: (stdout: string, folder: string) => readonly Told[];
}

const leastGoMinor = 24;

const runners: readonly Runner[] = [
  {
    name: 'pytest',
    program: 'pytest',
    args: ['-p', 'no:cacheprovider', '--junitxml=results.xml'],
    lacks: async (user) =>
      (await outputOf(user, 'pytest', '--version')) === undefined ? 'pytest is not installed' : undefined,
    read: (_, folder) => pytestCases(readFileSync(join(folder, 'results.xml'), 'utf8')),
  },
  {
    name: 'go-test',
    program: 'go',
    args: ['test', '-count=1', '-json', '.'],
    lacks: async (user) => {
      const version = await outputOf(user, 'go', 'version');
      const minor = Number(/go1\.(\d+)/.exec(version ?? '')?.[1]);
      return minor >= leastGoMinor ? undefined : `go 1.${leastGoMinor} is not installed: ${version}`;
    },
    read: goTests,
  },
];

const names = [...allChecks, ...runWideChecks].map(({ id }) => id).toSorted();
const broken = ['mentions.limit-above-a-hundred-is-refused', 'mentions.limit-of-101-is-refused'];

/** The examples of both runners, each at a server that keeps the contract and at one that breaks it, or, with every change, at one of them. */
export function describeRunners({ isWhole }: { readonly isWhole: boolean }): void {
  describe.each(runners)('the checks as tests of $name', ({ name, program, args, lacks, read }) => {
    const user = new UserFolder();
    const folder = join(user.path, name);
    const references: SeparateReference[] = [];
    let lack: string | undefined;

    beforeAll(async () => {
      lack = await lacks(user);
      cpSync(packageFile(`examples/${name}`), folder, { recursive: true });
    });

    afterAll(async () => {
      await Promise.all(references.map((reference) => reference.close()));
      user.remove();
    });

    /** Runs the example against a reference that is started so; read-only, which is quick. */
    async function told(flags: readonly string[]) {
      const reference = await separateReference(flags);
      references.push(reference);
      writeFileSync(join(folder, 'conform.yaml'), reference.targetFile);
      appendFileSync(join(folder, 'conform.yaml'), 'limits: { read_only: true }\n');
      const { code, stdout } = await user.run(program, args, { cwd: name, env: { GOTOOLCHAIN: 'local' } });
      const tests = read(stdout, folder);
      const ofRun = tests.find(({ name: id }) => id === 'run');
      return { code, ofRun, tests: tests.filter((test) => test !== ofRun) };
    }

    it.for(isWhole || name === 'pytest' ? [name] : [])(
      'are green at a server that keeps the contract, and say why they are skipped: %s',
      async (_, { skip }) => {
        if (lack !== undefined) skip(lack);
        const { code, tests, ofRun } = await told([]);
        expect(tests.map((test) => test.name).toSorted()).toEqual(names);
        expect(tests.filter(({ status }) => status === 'failed')).toEqual([]);
        expect(tests.filter(({ status }) => status === 'passed').length).toBeGreaterThan(30);
        const skipped = tests.filter(({ status }) => status === 'skipped');
        expect(skipped.filter(({ text }) => text.includes('the run is read-only')).length).toBeGreaterThan(
          100,
        );
        expect(skipped.filter(({ text }) => text.trim() === '')).toEqual([]);
        expect([ofRun?.status, code]).toEqual(['passed', 0]);
      },
    );

    it.for(isWhole || name === 'go-test' ? [name] : [])(
      'are red where it breaks a clause, with the evidence: %s',
      async (_, { skip }) => {
        if (lack !== undefined) skip(lack);
        const { code, tests, ofRun } = await told(['--mutant', 'limit-ends-at-101']);
        const failed = tests.filter(({ status }) => status === 'failed');
        expect(failed.map((test) => test.name).toSorted()).toEqual(broken);
        for (const test of failed) {
          expect(test.text).toContain('expected refused (any 4xx) to a request with limit=101');
          expect(test.text).toMatch(/got status 200\s+curl .*limit=101/);
          expect(test.text).toContain(`npx conform --check ${test.name}`);
        }
        expect(ofRun?.text).toMatch(/does not conform: 2 clauses failed/);
        expect([ofRun?.status, code]).toEqual(['failed', 1]);
      },
    );

    it('are not green where the run does not begin', async ({ skip }) => {
      if (lack !== undefined) skip(lack);
      writeFileSync(join(folder, 'conform.yaml'), 'base_ulr: nowhere\n');
      const { code, stdout } = await user.run(program, args, { cwd: name });
      expect(read(stdout, folder).find((test) => test.name === 'run')).toMatchObject({
        status: 'failed',
        text: expect.stringContaining('base_ulr') as string,
      });
      expect(code).toBe(1);
    });
  });
}

/** What a program of this machine prints; `undefined` where it is not there, or does not work. */
async function outputOf(user: UserFolder, ...command: readonly string[]): Promise<string | undefined> {
  const { code, stdout, stderr } = await user.run('sh', ['-c', command.join(' ')]);
  return code === 0 ? stdout + stderr : undefined;
}

/** The tests of a JUnit report as pytest writes it. */
function pytestCases(xml: string): readonly Told[] {
  const cases = xml.matchAll(
    /<testcase [^>]*? name="test_(?:check\[([^"]*)\]|([^"]*))"[^>]*?(?:\/>|>([\s\S]*?)<\/testcase>)/g,
  );
  return Array.from(cases, ([, check, other = '', inner = '']) => ({
    name: check ?? other,
    status: inner.includes('<failure') ? 'failed' : inner.includes('<skipped') ? 'skipped' : 'passed',
    text: inner.replaceAll('&#10;', '\n'),
  }));
}

/** The subtests that `go test -json` tells of; the test around them is the run. */
function goTests(stdout: string): readonly Told[] {
  const events = stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as { Action: string; Test?: string; Output?: string });
  const statuses = { pass: 'passed', fail: 'failed', skip: 'skipped' } as const;
  return events.flatMap(({ Action: action, Test: test }) => {
    const status = statuses[action as keyof typeof statuses];
    if (test === undefined || status === undefined) return [];
    const output = events.flatMap((each) =>
      each.Test === test && each.Action === 'output' ? (each.Output ?? '') : [],
    );
    return {
      name: test.replace(/^TestConformance\/?/, '') || 'run',
      status,
      text: output.slice(1, -1).join(''),
    };
  });
}
