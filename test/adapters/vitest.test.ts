import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { packageFile } from '../../spec/index.ts';
import { conform } from '../cli/conform.ts';
import { UsedReference } from '../cli/use-reference.ts';
import { checksIn } from '../cli/verdicts-in.ts';

interface HostReport {
  readonly testResults: readonly {
    readonly assertionResults: readonly {
      readonly title: string;
      readonly status: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

const { folder } = new UsedReference();

/** Runs the host as a vitest user would, and gives `check status` of every test. */
async function host(env: Readonly<Record<string, string>>): Promise<Map<string, string>> {
  const root = dirname(packageFile('package.json'));
  const report = join(folder, 'host.json');
  const args = [
    'node_modules/vitest/vitest.mjs',
    'run',
    '--config',
    'vitest.adapter.config.ts',
    '--reporter=json',
    `--outputFile.json=${report}`,
  ];
  const clean = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(?:VITEST|CONFORM_)/.test(name)),
  );
  const child = spawn(process.execPath, args, { cwd: root, env: { ...clean, ...env }, stdio: 'ignore' });
  await once(child, 'close');
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as HostReport;
  return new Map(
    testResults.flatMap(({ assertionResults }) =>
      assertionResults.map(({ title, status }): [string, string] => [
        title.slice(0, title.indexOf(':')),
        status,
      ]),
    ),
  );
}

const statusOf = { passed: 'passed', warned: 'passed', failed: 'failed', inconclusive: 'skipped' } as const;

describe('the vitest host', () => {
  it('shows the same verdicts as the command line', async () => {
    const out = join(folder, 'cli.ndjson');
    await conform(['--target', join(folder, 'conform.yaml'), '--out', out]);
    const checks = checksIn(out).map(({ check, verdict }) => `${check} ${statusOf[verdict]}`);
    const expected = [...checks, 'run passed'];
    const hosted = await host({ CONFORM_TARGET: join(folder, 'conform.yaml') });
    const shown = [...hosted].map(([check, status]) => `${check} ${status}`);
    expect(shown.toSorted()).toEqual(expected.toSorted());
  }, 120_000);

  it('fails every test with the reason when the server is down', async () => {
    const hosted = await host({ CONFORM_BASE_URL: 'http://127.0.0.1:9' });
    expect(new Set(hosted.values())).toEqual(new Set(['failed']));
  }, 60_000);
});
