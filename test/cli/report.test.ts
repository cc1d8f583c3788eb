import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { writeEvent } from '../../harness/results/stream.ts';
import { ownFolder } from '../fixtures/folder.ts';
import { runs } from '../reporters/events.ts';
import { conform } from './conform.ts';

const folder = ownFolder('report-');

function kept(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

const failed = runs['one failed with two exchanges'].map(writeEvent).join('');

describe('conform report', () => {
  it('writes kept results in the format that is asked for', async () => {
    const file = join(folder, 'out.xml');
    const run = await conform(['report', kept('failed.ndjson', failed), '--format', 'junit', '--out', file]);
    expect(run).toMatchObject({ code: 0, stdout: '', stderr: '' });
    expect(readFileSync(file, 'utf8')).toContain('mentions.limit');
  });

  it('makes a report, marked as partial, of a stream that breaks off in any line', async () => {
    const cut = kept('cut.ndjson', failed.slice(0, Math.floor(failed.length * 0.7)));
    const { code, stdout } = await conform(['report', cut]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/incomplete run/i);
  });
});

describe('conform run --report', () => {
  const alone = ['--check', 'auth.send-without-a-credential-is-401'];

  it('writes what is asked for, and what the platform shows', async () => {
    const [junit, sarif, summary] = [
      join(folder, 'a.xml'),
      join(folder, 'a.sarif'),
      join(folder, 'summary.md'),
    ];
    const env = { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: summary };
    const run = await conform([...alone, '--report', `junit=${junit}`, `sarif=${sarif}`], { env });
    expect(run.code).toBe(0);
    expect(readFileSync(junit, 'utf8')).toContain('auth.send-without-a-credential-is-401');
    expect(readFileSync(sarif, 'utf8')).toContain('"executionSuccessful":true');
    expect(readFileSync(summary, 'utf8')).toMatch(/^# Conforms/);
  });
});
