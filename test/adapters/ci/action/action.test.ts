import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { NoOperationTraceWriter, parseWorkflow } from '@actions/workflow-parser';
import { parseAction } from '@actions/workflow-parser/actions/action-parser';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { startReference, targetFileOf } from '../../../../reference/index.ts';
import { packageFile } from '../../../../spec/package-file.ts';
import { ownFolder } from '../../../fixtures/folder.ts';
import { showsAnyWorkspace } from '../broken-rules.ts';
import { type EndedAction, removeRunners, runAction } from './step-runner.ts';

const root = dirname(packageFile('package.json'));
const text = readFileSync(packageFile('action.yml'), 'utf8');
const example = readFileSync(packageFile('adapters/ci/github.yml'), 'utf8');
const folder = ownFolder('conform-action-');
const [workspace, programs, installed, checkout] = ['workspace', 'programs', 'installed', 'checkout'].map(
  (name) => join(folder, name),
) as [string, string, string, string];

/** A program that stands in for `conform`: it says what it got, and ends as it is told to. */
const standIn = `import { writeFileSync } from 'node:fs';
const args = process.argv.slice(2);
console.log(JSON.stringify(args));
const out = args.findLast((each) => each.startsWith('--out=')).slice(6);
const checks = { passed: 3, failed: 1, warned: 2, inconclusive: 4 };
const exitCode = Number(process.env[args[0].toUpperCase() + '_CODE'] ?? 0);
if (args[0] === 'run' && process.env.HAS_NO_END === undefined)
  writeFileSync(out, JSON.stringify({ type: 'footer', end: 'complete', exitCode, checks, reason: process.env.REASON }) + '\\n');
if (process.env.IS_TORN !== undefined) writeFileSync(out, process.env.IS_TORN);
process.exitCode = exitCode;
`;

beforeAll(() => {
  for (const each of [workspace, programs, installed, join(checkout, 'dist/cli')])
    mkdirSync(each, { recursive: true });
  // Installing is not what this is about, nor, but for one test, the key of what would be.
  const isNothing = `#!/bin/sh\ncase "$1" in *install.js) exit 0;; esac\nexec '${process.execPath}' "$@"\n`;
  for (const path of [programs, installed])
    writeFileSync(join(path, 'npm'), '#!/bin/sh\necho "npm $*"\n', { mode: 0o755 });
  writeFileSync(join(installed, 'node'), isNothing, { mode: 0o755 });
  cpSync(join(root, 'adapters/ci/action'), join(checkout, 'adapters/ci/action'), { recursive: true });
  writeFileSync(join(checkout, 'package.json'), '{ "type": "module" }');
  mkdirSync(join(checkout, 'node_modules'));
  writeFileSync(join(checkout, 'dist/cli/main.js'), standIn);
});

afterAll(() => {
  removeRunners();
});

function run(
  inputs: Record<string, string>,
  env: Record<string, string> = {},
  { actionPath = checkout, first = installed } = {},
): Promise<EndedAction> {
  return runAction(text, { actionPath, workspace, programs: first, inputs, env });
}

/** The arguments of each call of the stand-in. */
function callsIn({ output }: EndedAction): string[][] {
  return output
    .split('\n')
    .filter((line) => line.startsWith('["'))
    .map((line) => JSON.parse(line) as string[]);
}

function actionErrors(content: string): string[] {
  const { context } = parseAction({ name: 'action.yml', content }, new NoOperationTraceWriter());
  return context.errors.getErrors().map(({ message }) => message);
}

/** The artefact's own action, by its commit. */
const upload = 'actions/upload-artifact@ea165f8d65b6e75b540449e92b4886f43607fa02';

describe('the action', () => {
  it('names actions of others by their commits', () => {
    const uses = [...text.matchAll(/uses: (\S+)/g)].map(([, name]) => name);
    expect(uses).toHaveLength(4);
    for (const name of uses) expect(name).toMatch(/@[0-9a-f]{40}$/);
  });

  it('has an artefact of another name each time, since a matrix uploads several', async () => {
    const names = await Promise.all([1, 2].map(() => run({ target: 'x' }, { GITHUB_JOB: 'contract' })));
    const [one, other] = names.map(({ used }) => used[upload]?.['name']);
    expect(one).toMatch(/^conform-contract-\w{6}$/);
    expect(one).not.toBe(other);
    const named = await run({ target: 'x', artifact: 'mine' });
    expect(named.used[upload]?.['name']).toBe('mine');
  });

  it('keeps what it installs under the digest of its sources', async () => {
    const { used } = await run({ target: 'x' }, {}, { first: programs });
    const { key = '', path = '' } = used['actions/cache@5a3ec84eff668545956fd18022155c47e93e2684'] ?? {};
    expect(key).toMatch(/^conform-\w+-\w+-node\d+-[0-9a-f]{40}$/);
    expect(path.trim().split(/\s+/)).toEqual([join(checkout, 'node_modules'), join(checkout, 'dist')]);
  });

  it.each([
    ['skips, and says so, a pull request of a fork without secrets', 'them/repo', '', 'skipped', 0],
    ['judges one that has them', 'them/repo', 'token', 'fails', 1],
    ['judges one of its own without them', 'us/repo', '', 'fails', 1],
  ])('%s', async (_, from, token, verdict, code) => {
    const event = join(folder, 'event.json');
    const of = (name: string) => ({ repo: { full_name: name } });
    writeFileSync(event, JSON.stringify({ pull_request: { head: of(from), base: of('us/repo') } }));
    const env = {
      GITHUB_EVENT_NAME: 'pull_request',
      GITHUB_EVENT_PATH: event,
      CONFORM_AUTHOR_TOKEN: token,
      RUN_CODE: '1',
    };
    const ended = await run({ target: 'x' }, env);
    expect([ended.outputs['verdict'], ended.codes.at(-1)]).toEqual([verdict, code]);
    expect(ended.output.includes('::notice title=conform::')).toBe(verdict === 'skipped');
    expect(callsIn(ended)).toHaveLength(verdict === 'skipped' ? 0 : 1);
  });

  it('keeps the schema of actions', () => {
    expect(actionErrors(text)).toEqual([]);
    expect(actionErrors(text.replace('shell: bash', 'shel: bash'))).not.toEqual([]);
    expect(actionErrors(text.replace('using: composite', 'using: composed'))).not.toEqual([]);
  });

  it('has no expression in a script, and hands every input to one', () => {
    const { inputs, runs } = parse(text) as {
      inputs: Record<string, { description: string }>;
      runs: { steps: { run?: string; env?: object; with?: object }[] };
    };
    expect(runs.steps.filter(({ run: script = '' }) => script.includes('${{'))).toEqual([]);
    const handed = JSON.stringify(runs.steps.map(({ env, with: given }) => ({ env, given })));
    for (const name of Object.keys(inputs)) expect(handed).toContain(`\${{ inputs.${name} }}`);
  });

  it('leaves tokens in the environment', () => {
    // That of the job alone, and for the comment alone.
    expect(text.match(/^.*token.*$/gim)?.map((line) => line.trim())).toEqual([
      'COMMENT_TOKEN: ${{ github.token }}',
    ]);
  });

  const hostile = `it's "x" $(touch pwned) \`touch pwned\`; touch pwned\n::error::x\n--out=pwned`;
  const named = ['base-url', 'target', 'channel', 'baseline', 'require', 'requirements'];

  it('hands on each input as one argument, whatever it holds', async () => {
    const inputs = Object.fromEntries([...named, 'fuzz-time'].map((name) => [name, hostile]));
    const ended = await run(inputs);
    const [gate = [], campaign = []] = callsIn(ended);
    for (const name of named) expect(gate).toContain(`--${name}=${hostile}`);
    expect(campaign).toContain(`--time=${hostile}`);
    expect(gate.filter((each) => each.startsWith('--out=')).map((each) => dirname(each))).toEqual([
      `--out=${ended.outputs['report']}`,
    ]);
    expect(readdirSync(workspace)).toEqual([]);
    expect(ended.codes).toEqual([0, 0, 0, 0]);
  });

  it('hands on more options word by word, and runs none of them', async () => {
    const args = `--only send --header 'X-Name: a b' --strict $(touch pwned) "\`touch pwned\`"\n--quiet`;
    const [gate] = callsIn(await run({ target: 'conform.yaml', args }));
    expect(gate?.slice(0, 10)).toEqual([
      'run',
      '--only',
      'send',
      '--header',
      'X-Name: a b',
      '--strict',
      '$(touch',
      'pwned)',
      '`touch pwned`',
      '--quiet',
    ]);
    expect(readdirSync(workspace)).toEqual([]);
  });

  it.each([
    ['conforms', {}, 0],
    ['fails', { RUN_CODE: '1' }, 1],
    ['misconfigured', { RUN_CODE: '2' }, 2],
    ['inconclusive', { RUN_CODE: '3' }, 3],
    ['suite-bug', { RUN_CODE: '4' }, 4],
    ['interrupted', { RUN_CODE: '130' }, 130],
    ['fails', { FUZZ_CODE: '1' }, 1],
    ['fails', { RUN_CODE: '1', FUZZ_CODE: '3' }, 1],
  ])('ends as %s by %j, after the reports were uploaded', async (verdict, env, code) => {
    const { outputs, codes, used } = await run({ target: 'conform.yaml', 'fuzz-time': '1s' }, env);
    expect(outputs).toMatchObject({ verdict, 'exit-code': String(code), passed: '3', inconclusive: '4' });
    expect(codes).toEqual([0, 0, 0, code]);
    expect(used[upload]).toEqual({ name: outputs['artifact'], path: outputs['report'] });
  });

  describe('with a comment', () => {
    const cache = 'actions/cache';
    const commit = '5a3ec84eff668545956fd18022155c47e93e2684';
    const inputs = { target: 'x', comment: 'my server, too' };
    const branch = {
      GITHUB_REF_TYPE: 'branch',
      GITHUB_REF_NAME: 'main',
      GITHUB_RUN_ID: '41',
      GITHUB_RUN_ATTEMPT: '2',
    };

    it('keeps the results of a branch, under its name and that of the comment', async () => {
      const { used, codes } = await run(inputs, branch);
      const { key, path = '' } = used[`${cache}/save@${commit}`] ?? {};
      expect(key).toBe('conform-results:my_server__too:main:41-2');
      expect(path).toMatch(/conform-before.my_server__too$/);
      expect(used).not.toHaveProperty([`${cache}/restore@${commit}`]);
      expect(codes).toEqual([0, 0, 0, 0]);
    });

    it.each([
      ['of a tag', { ...branch, GITHUB_REF_TYPE: 'tag' }, inputs],
      ['that came to nothing', { ...branch, RUN_CODE: '3' }, inputs],
      ['that trouble kept from being whole', { ...branch, RUN_CODE: '1', REASON: 'a hook' }, inputs],
      ['without an end', { ...branch, HAS_NO_END: '1' }, inputs],
      ['without the input', branch, { target: 'x' }],
    ])('keeps none %s', async (_, env, given) => {
      expect((await run(given, env)).used).not.toHaveProperty([`${cache}/save@${commit}`]);
    });

    it('looks in a pull request for those of its base branch, and ends as the run did', async () => {
      const event = join(folder, 'pull-request.json');
      writeFileSync(event, JSON.stringify({ pull_request: { number: 7 } }));
      const env = { GITHUB_EVENT_NAME: 'pull_request', GITHUB_EVENT_PATH: event, GITHUB_BASE_REF: 'main' };
      const { used, codes, output } = await run(inputs, { ...branch, ...env, RUN_CODE: '1' });
      const prefix = 'conform-results:my_server__too:main:';
      const restored = used[`${cache}/restore@${commit}`];
      expect([restored?.['key'], restored?.['restore-keys']]).toEqual([prefix, prefix]);
      expect(restored?.['path']).toMatch(/conform-before.my_server__too$/);
      expect(used).not.toHaveProperty([`${cache}/save@${commit}`]);
      expect(output).toContain('::notice title=conform::no comment: there are no results of main yet');
      expect(codes).toEqual([0, 0, 0, 0, 1]);
    });
  });

  it('does not fuzz a server after a run that came to nothing', async () => {
    expect(callsIn(await run({ target: 'x', 'fuzz-time': '1s' }, { RUN_CODE: '3' }))).toHaveLength(1);
  });

  it('lets no input be an output of its own', async () => {
    const { outputs } = await run({ target: 'x', artifact: 'mine\nexit-code=0' }, { RUN_CODE: '1' });
    expect([outputs['exit-code'], outputs['artifact']]).toEqual(['1', 'mine exit-code=0']);
  });

  it('fuzzes the server that both `args` and `fuzz-args` name', async () => {
    const calls = callsIn(await run({ args: '--target x', 'fuzz-time': '1s', 'fuzz-args': '--target=x' }));
    expect(calls).toHaveLength(2);
  });

  it.each([{ HAS_NO_END: '1' }, { IS_TORN: '{"type":"check","ch' }, { IS_TORN: '' }])(
    'gives no counts of a run without an end (%j)',
    async (env) => {
      const { outputs } = await run({ target: 'x' }, { ...env, RUN_CODE: '2' });
      expect([outputs['passed'], outputs['failed']]).toEqual(['', '']);
      expect(outputs['verdict']).toBe('misconfigured');
    },
  );

  it('does not take for a conforming server what was no run, as --help', async () => {
    const ended = await run({ target: 'x', args: '--help' }, { HAS_NO_END: '1' });
    expect(ended.outputs['verdict']).toBe('misconfigured');
    expect(ended.output).toContain('no run came of the input `args`');
    expect(ended.codes.at(-1)).toBe(2);
  });

  it.each([
    ['no server is named, since the reference would be tested', {}],
    ['a quote is not closed', { target: 'x', args: `--only 'send` }],
    [
      'the campaign would be one of another server than the run',
      { args: '--target x', 'fuzz-time': '1s', 'fuzz-args': '--cases 20' },
    ],
  ])('ends with exit code 2 where %s', async (_, inputs) => {
    const ended = await run(inputs);
    expect(callsIn(ended)).toEqual([]);
    expect(ended.outputs['verdict']).toBe('misconfigured');
    expect(ended.codes.at(-1)).toBe(2);
  });

  it('does not end green when its script cannot run', async () => {
    const { codes } = await run({ target: 'x' }, { NODE_OPTIONS: '--no-such-option' });
    expect(codes.at(-1)).not.toBe(0);
  });

  it.each([
    {
      what: 'passes a server that keeps the contract',
      open: {},
      campaign: { 'fuzz-time': '20s', 'fuzz-args': '--only send --cases 20' },
      verdict: 'conforms',
      code: 0,
      files: ['campaign.html', 'campaign.xml', 'campaign.sarif', 'campaign'],
    },
    {
      what: 'fails one that shows any workspace',
      open: showsAnyWorkspace,
      campaign: {},
      verdict: 'fails',
      code: 1,
      files: [],
    },
  ])('$what, with reports', async ({ open, campaign, verdict, code, files }) => {
    await using reference = await startReference({ rules: open });
    writeFileSync(join(workspace, 'conform.yaml'), targetFileOf(reference));
    const inputs = { target: 'conform.yaml', args: '--only overview', ...campaign };
    const { outputs, codes, output, summary } = await run(inputs, {}, { actionPath: root });
    rmSync(join(workspace, 'conform.yaml'));
    expect(codes).toEqual([0, 0, 0, code]);
    expect(outputs).toMatchObject({ verdict, 'exit-code': String(code) });
    expect(Number(outputs['passed'])).toBeGreaterThan(0);
    expect(Number(outputs['failed'])).toSatisfy((failed: number) => failed > 0 === (code === 1));
    expect(/^::error/m.test(output)).toBe(code === 1);
    expect(summary).toMatch(/^#+ /m);
    for (const file of ['report.html', 'junit.xml', 'conform.sarif', 'results.ndjson', ...files])
      expect(existsSync(join(outputs['report'] ?? '', file)), file).toBe(true);
    expect(readdirSync(workspace)).toEqual([]);
  });
});

it('the example of a workflow with the action keeps the schema of workflows, and gives inputs and reads outputs that the action has', () => {
  const { context } = parseWorkflow({ name: 'github.yml', content: example }, new NoOperationTraceWriter());
  expect(context.errors.getErrors().map(({ message }) => message)).toEqual([]);
  const { inputs, outputs } = parse(text) as { inputs: object; outputs: object };
  const { jobs } = parse(example) as { jobs: { conform: { steps: { uses?: string; with?: object }[] } } };
  const step = jobs.conform.steps.find(({ uses = '' }) => /\/messaging-conformance@v/.test(uses));
  expect(Object.keys(step?.with ?? {}).length).toBeGreaterThan(2);
  expect(Object.keys(inputs)).toEqual(expect.arrayContaining(Object.keys(step?.with ?? {})));
  const read = [...example.matchAll(/steps\.conform\.outputs\.([\w-]+)/g)].map(([, name]) => name);
  expect(Object.keys(outputs)).toEqual(expect.arrayContaining(read));
});
