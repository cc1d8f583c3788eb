import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ownFolder } from '../fixtures/folder.ts';
import { conform } from './conform.ts';

const folder = ownFolder('judge-');
const header = '{"history":1,"runId":"x","settleMs":1}';

describe('conform judge', () => {
  it('judges what a run has kept, without its server and without its secrets', async () => {
    const file = join(folder, 'history.ndjson');
    const run = await conform(['--only', 'channel-read', '--history', file]);
    expect(run.code).toBe(0);
    const judged = await conform(['judge', file]);
    expect(judged).toMatchObject({ code: 0, stderr: '' });
    expect(judged.stdout).toMatch(/nothing failed, \d+ of \d+ must clauses shown; .*\(exit 0\)\n$/);
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

  it.each([
    ['an empty file', '', 'line 1: it is empty'],
    ['a line that is no JSON', `${header}\nhello\n{"kind":"read"}\n`, 'line 2: not a JSON object'],
    ['a last line that breaks off', `${header}\n{"kind":"read","star`, 'line 2: it breaks off, as when'],
    ['another version', '{"history":7,"runId":"x","settleMs":1}\n', 'line 1: a history of version 7'],
    [
      'a line without an end',
      `${header}\n${'x'.repeat(17_000_000)}`,
      'line 2: longer than 16000000 characters',
    ],
    ['bytes that are no text', Buffer.from([0x1f, 0x8b, 0, 255, 10]), 'line 1: not a JSON object'],
  ])('says in one line what is wrong with %s, and what to do', async (what, text, message) => {
    const file = join(folder, 'bad.ndjson');
    writeFileSync(file, text);
    const judged = await conform(['judge', file]);
    expect(judged, what).toMatchObject({ code: 2, stdout: '' });
    expect(judged.stderr).toContain(`${file}, ${message}`);
    expect(judged.stderr.trimEnd().split('\n')).toHaveLength(1);
  });

  it('refuses a file that its memory cannot hold, and says how to give it more', async () => {
    const file = join(folder, 'large.ndjson');
    writeFileSync(file, `${header}\n`);
    truncateSync(file, 100_000_000_000);
    const judged = await conform(['judge', file]);
    expect(judged.code).toBe(2);
    expect(judged.stderr).toMatch(/takes about 300000 MB .* NODE_OPTIONS=--max-old-space-size=300000\n$/);
  });

  it('refuses a folder', async () => {
    const judged = await conform(['judge', folder]);
    expect(judged.code).toBe(2);
    expect(judged.stderr).toContain('cannot be read (EISDIR)');
  });
});
