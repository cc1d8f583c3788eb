import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startReference } from '../../reference/index.ts';
import { writeFailure } from '../../fuzz/campaign/failure-file.ts';
import { KnownSecrets } from '../../harness/output/known-secrets.ts';
import { ownFolder } from '../fixtures/folder.ts';
import { runIn } from '../fixtures/stream.ts';
import { alteredSend } from '../fuzz/altered-send.ts';
import { conform } from './conform.ts';

const folder = ownFolder('fuzz-cli-');

describe.concurrent('conform fuzz', () => {
  it('runs against the embedded reference and finds nothing', async () => {
    const out = join(folder, 'clean');
    const args = 'fuzz --cases 150 --seed 1 --shard 1/2 --out'.split(' ');
    const { code, stdout, stderr } = await conform([...args, out]);
    expect(stderr).toBe('');
    expect(code).toBe(0);
    expect(stdout).toContain('seed 1, shard 1/2');
    expect(stdout).toContain('0 failed, 0 warned');
    const { header, footer, isWhole } = await runIn(join(out, 'campaign.ndjson'));
    expect([header.campaign, isWhole]).toEqual([{ seed: 1, shards: ['1/2'] }, true]);
    expect(footer).toMatchObject({ exitCode: 0, campaign: { cases: 75, end: 'complete' } });
  });

  it('ends as its cases did where its history is too large to be judged as a whole, or no file', async () => {
    const out = join(folder, 'not-judged');
    const args = ['--cases', '8', '--only', 'mentions', '--history', '/dev/null', '--out', out];
    const { code, stdout, stderr } = await conform(['fuzz', ...args]);
    expect(stdout).toMatch(/nothing failed in 8 cases \(exit 0\)\n$/);
    expect(stderr).toMatch(/^conform: not judged as a whole: the history \/dev\/null is a pipe or a device/m);
    expect(code).toBe(0);
  });

  it.for([
    [['--budget-ms', '5000'], true],
    [['--budget-ms', '60000', '--time', '5s'], false],
  ] as const)(
    'sends all cases that it is asked for, or proves nothing: %s',
    async ([limit, isCut], { expect }) => {
      const out = join(folder, `budget-${isCut}`);
      const args = ['fuzz', '--cases', '500000', '--only', 'overview', '--out', out];
      const ended = await conform([...args, ...limit]);
      const why = 'the time was over before all of its 500000 cases (--cases) were sent';
      expect(ended.stdout.includes(why)).toBe(isCut);
      if (isCut) expect(ended.code).toBe(3);
    },
  );

  it('tries nothing of a corpus that sends where it may only read, and says so', async ({ expect }) => {
    const corpus = join(folder, 'sends');
    const sent = alteredSend('{"content":"{the-mark-of-it}"}', 'message.content.unaltered');
    writeFailure(corpus, sent, new KnownSecrets());
    const out = join(folder, 'read-only');
    const args = ['fuzz', '--read-only', '--cases', '8', '--only', 'read', '--corpus', corpus, '--out', out];
    const { code, stdout } = await conform(args);
    expect(stdout).toContain(
      'skipped: corpus: 1 of 1 entries could not be tried, so whether they still fail is',
    );
    expect(stdout).toContain('content (a read-only campaign sends nothing)');
    expect(code).toBe(0);
  });

  it('says that nothing can be tried without a credential', async () => {
    await using reference = await startReference();
    const where = ['--base-url', reference.baseUrl, '--out', join(folder, 'nobody')];
    const { code, stdout } = await conform(['fuzz', '--time', '5s', ...where]);
    expect(stdout).toMatch(/skipped: authentication: add `roles\.author`/);
    expect(stdout).toMatch(
      /nothing failed in 0 cases; no kind of case can be run at this target \(exit 3\)\n$/,
    );
    expect(code).toBe(3);
  });

  it('keeps the failures of an earlier campaign where it tried nothing', async () => {
    const out = join(folder, 'gone');
    const kept = alteredSend('{}', 'message.content.unaltered');
    const earlier = writeFailure(join(out, 'failures'), kept, new KnownSecrets());
    const { code } = await conform(['fuzz', '--base-url', 'http://127.0.0.1:9', '--out', out]);
    expect(code).toBe(3);
    expect(existsSync(earlier)).toBe(true);
    const whole = await conform(['fuzz', '--cases', '8', '--only', 'mentions', '--out', out]);
    expect(whole.code).toBe(0);
    expect(existsSync(earlier)).toBe(false);
  });

  it.each(['SIGINT', 'SIGHUP'] as const)('writes what it has when it is interrupted: %s', async (signal) => {
    const out = join(folder, signal);
    const { code, stdout } = await conform(['fuzz', '--time', '40s', '--only', 'mentions', '--out', out], {
      onStart: (child) =>
        void child.stdout.on('data', (text: string) => {
          if (text.includes('shard 1/1')) setTimeout(() => child.kill(signal), 1_500);
        }),
    });
    expect(code).toBe(130);
    expect(stdout).toContain('interrupted: this is what ran');
    expect((await runIn(join(out, 'campaign.ndjson'))).footer).toMatchObject({
      end: 'interrupted',
      exitCode: 130,
    });
  });
});
