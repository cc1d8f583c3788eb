import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { conform } from './conform.ts';

let folder = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'judge-'));
});

afterAll(() => rmSync(folder, { recursive: true }));

describe('conform judge', () => {
  it('judges what a run has kept, without its server and without its secrets', async () => {
    const file = join(folder, 'history.ndjson');
    const run = await conform(['--only', 'channel-read', '--history', file]);
    expect(run.code).toBe(0);
    const judged = await conform(['judge', file]);
    expect(judged).toMatchObject({ code: 0, stderr: '' });
    expect(judged.stdout).toMatch(/nothing is broken\n$/);
    expect(readFileSync(file, 'utf8')).not.toMatch(/Bearer/);
  }, 30_000);

  it('says what is wrong with a file, and where', async () => {
    const file = join(folder, 'other.ndjson');
    writeFileSync(file, '{"type":"header"}\n');
    const judged = await conform(['judge', file]);
    expect(judged.code).toBe(2);
    expect(judged.stderr).toContain(`${file}, line 1: not a history`);
    const missing = await conform(['judge', join(folder, 'none')]);
    expect(missing.code).toBe(2);
    expect(missing.stderr).toContain('cannot be read (ENOENT)');
  });
});
