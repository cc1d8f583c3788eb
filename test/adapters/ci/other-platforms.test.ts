import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { type Reference, startReference, targetFileOf } from '../../../reference/index.ts';
import { packageFile } from '../../../spec/package-file.ts';
import { cleanEnv } from '../../cli/conform.ts';
import { ownFolder } from '../../fixtures/folder.ts';
import { showsAnyWorkspace } from './broken-rules.ts';
import { pipelineSchema, schemaErrors } from './closed-schemas.ts';

const pipeline = readFileSync(packageFile('adapters/ci/gitlab-ci.yml'), 'utf8');
const jenkins = readFileSync(packageFile('adapters/ci/Jenkinsfile'), 'utf8');

interface Job {
  readonly script: readonly string[];
  readonly artifacts: {
    readonly paths: readonly string[];
    readonly reports: Readonly<Record<'junit' | 'codequality', string>>;
  };
}

const { conform: job } = parse(pipeline) as { conform: Job };
const steps = [...jenkins.matchAll(/^\s*sh '(.*)'$/gm)].map(([, script = '']) => script);
const kept = [...jenkins.matchAll(/(?:testResults|artifacts): '([^']+)'/g)].flatMap(([, files = '']) =>
  files.split(', '),
);

const folder = ownFolder('conform-platforms-');
const servers: Reference[] = [];

beforeAll(async () => {
  // As in the image; one area is enough here.
  writeFileSync(
    join(folder, 'conform'),
    `#!/bin/sh\nexec '${process.execPath}' '${packageFile('dist/cli/main.js')}' "$@" --only overview\n`,
    { mode: 0o755 },
  );
  for (const [name, open] of Object.entries({ kept: {}, broken: showsAnyWorkspace })) {
    const server = await startReference({ rules: open });
    servers.push(server);
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, 'conform.yaml'), targetFileOf(server));
  }
});

afterAll(async () => {
  await Promise.all(servers.map((server) => server.close()));
});

/** Runs scripts as both platforms do, up to the first that fails; its exit code is that of the job. */
function runScripts(scripts: readonly string[], cwd: string): Promise<number> {
  const env = { ...cleanEnv, PATH: `${folder}:${process.env['PATH'] ?? ''}` };
  return new Promise((resolve) => {
    execFile('sh', ['-ec', scripts.join('\n')], { cwd: join(folder, cwd), env }, (error) =>
      resolve(error === null ? 0 : Number(error.code)),
    );
  });
}

it('the pipeline for GitLab has keys and values that GitLab knows', () => {
  expect(schemaErrors(pipelineSchema, parse(pipeline))).toEqual([]);
  expect(schemaErrors(pipelineSchema, parse(pipeline.replace('when: always', 'when: ever')))).not.toEqual([]);
  expect(schemaErrors(pipelineSchema, parse(pipeline.replace('script:', 'scripts:')))).not.toEqual([]);
});

describe.each([
  ['the pipeline for GitLab', job.script, [...job.artifacts.paths, job.artifacts.reports.junit]],
  ['the Jenkinsfile', steps, kept],
])('%s', (_, scripts, files) => {
  it('ends as the run does, and keeps what that wrote', async () => {
    expect(await runScripts(scripts, 'kept')).toBe(0);
    expect(files).toHaveLength(3);
    for (const file of files) {
      expect(statSync(join(folder, 'kept', file)).size).toBeGreaterThan(100);
      rmSync(join(folder, 'kept', file));
    }
    expect(await runScripts(scripts, 'broken')).toBe(1);
  });
});

it('the Jenkinsfile closes what it opens, and keeps results whatever happened', () => {
  let depth = 0;
  for (const [brace] of jenkins.replaceAll(/'[^']*'|\/\/.*/g, '').matchAll(/[{}]/g)) {
    depth += brace === '{' ? 1 : -1;
    expect(depth).toBeGreaterThanOrEqual(0);
  }
  expect(depth).toBe(0);
  expect(jenkins).toMatch(/post \{\s+always \{[^}]*junit /);
  expect(jenkins).not.toMatch(/_TOKEN = (?!credentials\()/);
});
