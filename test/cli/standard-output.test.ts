import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readStream } from '../../harness/results/stream.ts';
import { runFolder } from '../run-folder.ts';
import { conform } from './conform.ts';

describe('`--out -`', () => {
  it('writes the stream alone to standard output, and the report to standard error', async () => {
    const args = ['--reference', '--only', 'discovery', '--verbose', '--trace', 'discovery.*', '--out', '-'];
    const { code, stdout, stderr } = await conform(args, { isAlone: true });
    const { isWhole, footer } = await readStream(stdout.trimEnd().split('\n'));
    expect([isWhole, footer?.exitCode, code]).toEqual([true, 0, 0]);
    expect(stderr).toMatch(/^conform [\d.]+: testing/m);
    expect(stderr).toMatch(/^conforms in what was selected: .* \(exit 0\)$/m);
  });

  it('is where a report goes too, with all else on standard error', async () => {
    const args = ['--reference', '--only', 'discovery', '--report', 'badge-json=-'];
    const { code, stdout, stderr } = await conform(args, { isAlone: true });
    expect(JSON.parse(stdout)).toMatchObject({ label: 'contract' });
    expect(stderr).toMatch(/^conforms in what was selected: .* \(exit 0\)$/m);
    expect(code).toBe(0);
    expect(existsSync(join(runFolder(), '-'))).toBe(false);
  });

  it('leaves a run that is quiet its line, and nothing where the command line is wrong', async () => {
    const quiet = ['--reference', '--only', 'discovery', '--quiet', '--out', '-'];
    const run = await conform(quiet, { isAlone: true });
    expect(run.stderr).toMatch(/^conforms in what was selected: .*\n$/);
    const wrong = await conform([...quiet, '--target', 'nowhere.yaml'], { isAlone: true });
    expect([wrong.stdout, wrong.code]).toEqual(['', 2]);
  });
});
