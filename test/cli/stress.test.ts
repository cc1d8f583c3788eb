import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { HistoryReader } from '../../history/ndjson-reader.ts';
import { startReference, targetFileOf } from '../../reference/index.ts';
import { startForgetful, startNullBodies, startWithoutItems } from '../../selftest/degenerate/forgetful.ts';
import { ownFolder } from '../fixtures/folder.ts';
import { conform } from './conform.ts';

const folder = ownFolder('conform-stress-test-');

describe('conform stress', () => {
  it('finds nothing wrong with the embedded reference, says what it exercised, and writes the history', async () => {
    const file = join(folder, 'history.ndjson');
    const { stdout, stderr, code } = await conform([
      ...'stress --time 1s --clients 6 --seed 4 --restarts 1 --history'.split(' '),
      file,
    ]);
    expect(stderr.replaceAll(/^stress: \d+ s so far, .*\n/gm, '')).toBe('');
    expect(stdout).toContain('testing the embedded reference at http://127.0.0.1:');
    expect(stdout).toMatch(
      /chapter 1: \d+ plans?, \d+ operations in [\d.]+ s, nothing broken in its history/,
    );
    expect(stdout).toMatch(/\d+ sends \(\d+ beside another\), \d+ reads/);
    expect(stdout).toMatch(/1 restarts, crossed by \d+ operations/);
    expect(stdout).toMatch(/nothing failed, \d{3} of \d+ must clauses shown/);
    expect(code).toBe(0);
    const reader = new HistoryReader();
    for (const line of readFileSync(file, 'utf8').split('\n')) reader.add(line);
    expect(reader.history().operations.length).toBeGreaterThan(50);
  });

  it('kills a reference that has its data in a file, and finds that it lost and doubled nothing', async () => {
    const data = join(folder, 'data.sqlite');
    const args = 'stress --time 1500ms --clients 6 --restarts 1 --seed 5 --data'.split(' ');
    const { stdout, stderr, code } = await conform([...args, data, '--keep', folder]);
    expect(stderr.replaceAll(/^stress: \d+ s so far, .*\n/gm, '')).toBe('');
    expect(stdout).toMatch(/1 restarts, crossed by [1-9]/);
    expect(stdout).toMatch(/nothing failed, \d{3} of \d+ must clauses shown/);
    expect(code).toBe(0);
  });

  it.each([
    ['null alone', startNullBodies, 'mentions.body-is-an-object', 1],
    ['empty pages', startForgetful, 'service.sent-is-readable', 1],
    ['pages that end where they should', startWithoutItems, 'no read showed anything that was sent', 3],
  ] as const)('calls no answers conforming that show nothing: %s', async (what, start, says, exitCode) => {
    await using reference = await startReference();
    const liar = await start(reference.baseUrl);
    const file = join(folder, `${what}.yaml`);
    writeFileSync(file, targetFileOf(reference).replace(reference.baseUrl, liar.baseUrl));
    const { code, stdout } = await conform(['stress', '--time', '1s', '--clients', '4', '--target', file]);
    await liar.close();
    expect(stdout).toContain(says);
    expect(code).toBe(exitCode);
  });

  it('says in a few lines why it could not begin, and nothing of a target that would not help', async () => {
    const { stdout, code } = await conform(
      ['stress', '--base-url', 'http://127.0.0.1:9', '--time', '1s', '--channel', randomUUID()],
      { env: { CONFORM_AUTHOR_TOKEN: 'a-token-of-nobody' } },
    );
    const lines = stdout.trim().split('\n');
    expect(lines.length).toBeLessThan(8);
    expect(stdout).not.toMatch(/NEXT|INCONCLUSIVE|not put to the test/);
    expect(stdout).toContain('nothing could be concluded: http://127.0.0.1:9 cannot be reached');
    expect(code).toBe(3);
  });

  it.each([
    ['20000', 'warning: ended after', 0],
    ['20', 'no agent could send a message to the channel: --max-bytes is used up', 3],
  ])('blames no server for what it may not write: --max-bytes %s', async (most, says, exitCode) => {
    const args = 'stress --reference --time 40s --clients 4 --seed 1 --max-bytes'.split(' ');
    const { code, stdout } = await conform([...args, most]);
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(says);
    expect(code).toBe(exitCode);
  });

  it('ends when its time limit is over', async () => {
    const { code, stdout } = await conform(['stress', '--time', '60s', '--budget-ms', '700']);
    expect(stdout).toContain('0.7 s were not enough (--budget-ms)');
    expect(code).toBe(3);
  });
});
