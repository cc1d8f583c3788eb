import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CampaignFile } from '../../fuzz/campaign/campaign-file.ts';
import { conform } from './conform.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'fuzz-cli-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function campaignIn(out: string): CampaignFile {
  return JSON.parse(readFileSync(join(out, 'campaign.json'), 'utf8')) as CampaignFile;
}

describe.concurrent('conform fuzz', () => {
  it('runs against the embedded reference and finds nothing', async () => {
    const out = join(folder, 'clean');
    const { code, stdout, stderr } = await conform([
      'fuzz',
      '--cases',
      '150',
      '--seed',
      '1',
      '--shard',
      '1/2',
      '--out',
      out,
    ]);
    expect(stderr).toBe('');
    expect(code).toBe(0);
    expect(stdout).toContain('seed 1, shard 1/2');
    expect(stdout).toContain('0 failed, 0 warned');
    expect(campaignIn(out)).toMatchObject({ cases: 75, end: 'complete', shards: ['1/2'] });
  });

  it('writes what it has when it is interrupted', async () => {
    const out = join(folder, 'interrupted');
    const { code, stdout } = await conform(['fuzz', '--time', '40s', '--only', 'mentions', '--out', out], {
      onStart: (child) =>
        void child.stdout.on('data', (text: string) => {
          if (text.includes('shard 1/1')) setTimeout(() => child.kill('SIGINT'), 1_500);
        }),
    });
    expect(code).toBe(130);
    expect(stdout).toContain('interrupted: this is what ran');
    expect(campaignIn(out).end).toBe('interrupted');
  });

  it.for([
    [['--shard', '3/2'], '--shard takes i/n'],
    [['--only', 'nothing'], '--only takes send, read'],
    [['--time', 'soon'], '--time takes a duration'],
    [['--fail-on', 'some'], '--fail-on takes new or any'],
    [['--base-url', 'https://service.example', '--author-token', 'env:PATH'], '--max-bytes'],
  ] as const)('says what is wrong with %s', async ([args, words], { expect }) => {
    const { code, stderr } = await conform(['fuzz', ...args, '--cases', '1', '--out', join(folder, 'wrong')]);
    expect(stderr).toContain(words);
    expect(code).toBe(2);
  });
});
