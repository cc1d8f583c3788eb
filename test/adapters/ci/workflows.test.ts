import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { NoOperationTraceWriter, parseWorkflow } from '@actions/workflow-parser';
import { CronJob } from 'kubernetes-models/batch/v1';
import { PersistentVolumeClaim } from 'kubernetes-models/v1';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { fuzzCommand } from '../../../cli/fuzz.ts';
import { stressCommand } from '../../../cli/stress.ts';
import { mutants } from '../../../selftest/mutants/index.ts';
import { packageFile } from '../../../spec/index.ts';
import { ownFolder } from '../../fixtures/folder.ts';

const nightly = readFileSync(packageFile('.github/workflows/nightly-fuzz.yml'), 'utf8');
const proofs = readFileSync(packageFile('.github/workflows/nightly-proofs.yml'), 'utf8');
const job = readFileSync(packageFile('adapters/ci/fuzz-job.yaml'), 'utf8');

interface WorkflowStep {
  readonly run?: string;
  readonly uses?: string;
  readonly if?: string;
}

function workflowErrors(content: string): string[] {
  const { context } = parseWorkflow({ name: 'nightly-fuzz.yml', content }, new NoOperationTraceWriter());
  return context.errors.getErrors().map(({ message }) => message);
}

/** Validates each document of a manifest by the schema of its kind. */
function validate(manifest: string): void {
  const kinds = { CronJob, PersistentVolumeClaim };
  for (const document of parseAllDocuments(manifest)) {
    const resource: unknown = document.toJS();
    const { kind } = resource as { readonly kind: keyof typeof kinds };
    new kinds[kind](resource as never).validate();
  }
}

/** The long flags of the fuzz command in a text. */
function fuzzFlags(text: string): string[] {
  const [, command = ''] = /npm run fuzz --\s([^]*?)(?:\n\s*- |\n\s*volumeMounts)/.exec(text) ?? [];
  return [...command.matchAll(/--[a-z-]+/g)].map(([flag]) => flag);
}

describe('the nightly workflow', () => {
  it('keeps the schema of workflows', () => {
    expect(workflowErrors(nightly)).toEqual([]);
    expect(workflowErrors(nightly.replace('runs-on', 'runs-at'))).not.toEqual([]);
  });

  it('runs every shard that it divides the campaign into', () => {
    const { jobs } = parse(nightly) as { jobs: { fuzz: { strategy: { matrix: { shard: number[] } } } } };
    const { shard } = jobs.fuzz.strategy.matrix;
    expect(shard).toEqual(Array.from({ length: 8 }, (_, index) => index + 1));
    expect(nightly).toContain(`--shard \${{ matrix.shard }}/${shard.length}`);
  });
});

describe('what is kept for the next night', () => {
  const { jobs } = parse(nightly) as { jobs: { merge: { steps: readonly WorkflowStep[] } } };
  const steps = jobs.merge.steps.filter(({ run = '' }) => /merge|corpus/.test(run));

  /** Runs the steps as a runner does, in a folder with one shard; the step that merges ends like this, and writes these files. */
  function night(
    ended: number,
    merged: readonly string[],
    stream = '{"type":"footer"}',
  ): { isGreen: boolean; corpus: readonly string[] } {
    const folder = mkdtempSync(join(ownFolder('nightly-'), 'night-'));
    mkdirSync(join(folder, 'shards', 'shard-1', 'failures'), { recursive: true });
    writeFileSync(join(folder, 'shards', 'shard-1', 'failures', 'one.json'), 'of the shard');
    writeFileSync(join(folder, 'shards', 'shard-1', 'campaign.ndjson'), '');
    const write = merged.map((name) => `printf merged > merged/failures/${name}`);
    const all = ['mkdir -p merged/failures', ...write, `printf '%s' '${stream}' > merged/campaign.ndjson`];
    const node = `node() { ${[...all, `return ${ended}`].join('; ')}; }`;
    let isGreen = true;
    for (const { run = '', if: condition } of steps) {
      if (!isGreen && condition !== 'always()') continue;
      const { status } = spawnSync('bash', ['-e', '-c', `${node}\n${run}`], { cwd: folder });
      isGreen &&= status === 0;
    }
    const corpus = join(folder, 'corpus');
    const kept = readdirSync(corpus).map((name) => `${name}: ${readFileSync(join(corpus, name), 'utf8')}`);
    return { isGreen, corpus: kept.toSorted() };
  }

  it.each([
    ['of a night without failures', 0, [], true],
    ['of a night with failures, that are known or make a shard red', 1, ['one.json', 'two.json'], true],
    ['where a shard was cut off or proves nothing', 3, ['one.json', 'two.json'], false],
    ['where nothing could be merged', 2, [], false],
  ])('%s', (_, ended, merged, isGreen) => {
    const corpus = merged.length === 0 ? ['one.json: of the shard'] : merged.map((name) => `${name}: merged`);
    expect(night(ended, merged)).toEqual({ isGreen, corpus });
  });

  it('is not green where the command that merges broke', () => {
    expect(night(1, [], '')).toMatchObject({ isGreen: false });
  });

  it('is saved whatever came before, also when the night is run again', () => {
    const saves = jobs.merge.steps.filter(({ uses = '' }) => uses.startsWith('actions/cache/save@'));
    // What was saved under a key is never replaced.
    const key = expect.stringContaining('github.run_attempt') as string;
    expect(saves).toMatchObject([{ if: 'always()', with: { path: 'corpus', key } }]);
  });
});

describe('what others publish', () => {
  const files = [
    '.github/workflows/nightly-fuzz.yml',
    '.github/workflows/nightly-proofs.yml',
    'adapters/ci/github.yml',
  ];

  it.each(files)('is named by a digest in %s, with the version that it is', (file) => {
    const text = readFileSync(packageFile(file), 'utf8');
    const uses = [...text.matchAll(/uses: (.+)/g)].map(([, name = '']) => name);
    expect(uses.length).toBeGreaterThan(1);
    // The action itself is the reader's to choose.
    for (const name of uses.filter((each) => !each.startsWith('OWNER/')))
      expect(name).toMatch(/@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  it('is named by a digest in the image', () => {
    const bases = [...readFileSync(packageFile('Containerfile'), 'utf8').matchAll(/^FROM (\S+:\S+)/gm)];
    expect(bases).toHaveLength(3);
    for (const [, base] of bases) expect(base).toMatch(/^node:22-alpine@sha256:[0-9a-f]{64}$/);
  });
});

describe('the concurrent clients of the night', () => {
  it('get options that are there', () => {
    const [, command = ''] = /npm run conform -- stress\s([^]*?)\n\s*- /.exec(nightly) ?? [];
    const flags = [...command.matchAll(/--[a-z-]+/g)].map(([flag]) => flag);
    expect(flags).toContain('--time');
    const known = new Set(stressCommand().options.map(({ long }) => long));
    expect(flags.filter((flag) => !known.has(flag))).toEqual([]);
  });

  it('come after the campaign, whatever that found', () => {
    const { jobs } = parse(nightly) as { jobs: { stress: { needs: string; if: string } } };
    expect([jobs.stress.needs, jobs.stress.if]).toEqual(['merge', 'always()']);
  });
});

describe('the workflow of the nightly proofs', () => {
  it('keeps the schema of workflows', () => {
    expect(workflowErrors(proofs)).toEqual([]);
  });

  it('keeps the table that the self-test writes', () => {
    const steps = (parse(proofs) as { jobs: { selftest: { steps: WorkflowStep[] } } }).jobs.selftest.steps;
    const [, folder] = steps.flatMap(({ run = '' }) => /--report (\w+)\/\w+\.md/.exec(run) ?? []);
    const kept = steps.find(({ uses = '' }) => uses.startsWith('actions/upload-artifact@'));
    expect(kept).toMatchObject({ if: 'always()', with: { path: folder } });
  });

  it('runs scripts that are there', () => {
    const { scripts } = JSON.parse(readFileSync(packageFile('package.json'), 'utf8')) as { scripts: object };
    const run = [...proofs.matchAll(/npm run ([\w:-]+)/g)].map(([, script]) => script);
    expect(run).toEqual(['selftest', 'nightly', 'mutate:servers']);
    expect(Object.keys(scripts)).toEqual(expect.arrayContaining(run));
  });
});

describe('the site of the night', () => {
  const script = readFileSync(packageFile('examples/site.sh'), 'utf8');

  it('is made by a script that is there, and kept', () => {
    const steps = (parse(proofs) as { jobs: { site: { steps: WorkflowStep[] } } }).jobs.site.steps;
    const [, path] = steps.flatMap(({ run = '' }) => /^sh examples\/site\.sh (\w+)$/.exec(run) ?? []);
    expect(path).toBe('site');
    expect(steps.at(-1)).toMatchObject({ if: 'always()', with: { path } });
  });

  it.each(['go', 'python'])('has rules that the example in %s can break', (name) => {
    const page = readFileSync(packageFile(`examples/${name}/README.md`), 'utf8');
    const [, rules = ''] = new RegExp(`for rule in (.*); do\n +example 1 "${name}-`).exec(script) ?? [];
    expect(rules.split(' ').length).toBeGreaterThan(2);
    expect(rules.split(' ').filter((rule) => !page.includes(`| \`${rule}\``))).toEqual([]);
  });

  it('has mutants that the reference can be', () => {
    const [, names = ''] = /for mutant in (.*); do/.exec(script) ?? [];
    const known = new Set(mutants.map(({ id }) => id));
    expect(names.split(' ').filter((name) => !known.has(name))).toEqual([]);
  });
});

describe('the nightly job', () => {
  it('ends no shard for what another found', () => {
    const [, cron] = parseAllDocuments(job).map((document) => document.toJS() as unknown);
    const { spec } = (cron as { spec: { jobTemplate: { spec: Record<string, unknown> } } }).spec.jobTemplate;
    expect(spec).toMatchObject({ backoffLimitPerIndex: 0, maxFailedIndexes: spec['completions'] });
    expect(spec).not.toHaveProperty('backoffLimit');
  });

  it('keeps the schemas of its kinds', () => {
    expect(() => validate(job)).not.toThrow();
    expect(() => validate(job.replace('completions: 8', 'completions: eight'))).toThrow(/completions/);
    expect(() => validate(job.replace(/schedule: .*/, ''))).toThrow(/schedule/);
  });

  it('runs every shard that it divides the campaign into', () => {
    const [, count] = /name: SHARDS\n\s+value: '(\d+)'/.exec(job) ?? [];
    expect(job).toContain(`completions: ${count}\n`);
  });
});

it.each([
  ['workflow', nightly],
  ['job', job],
])('the nightly %s gives flags that the command has', (_, text) => {
  const known = fuzzCommand().options.map(({ long }) => long);
  const flags = fuzzFlags(text);
  expect(flags).toContain('--shard');
  expect(flags.filter((flag) => !known.includes(flag))).toEqual([]);
});
