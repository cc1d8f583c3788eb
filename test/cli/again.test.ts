import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ownFolder } from '../fixtures/folder.ts';
import { keepStream } from '../fixtures/stream.ts';
import { check, clause, finding, header, runs } from '../reporters/events.ts';
import { conform } from './conform.ts';

const folder = ownFolder('again-');

describe('conform run --failed', () => {
  it('runs what failed in kept results, and nothing else', async () => {
    const failed = check('send.plain-message-is-accepted-and-stored-once', 'a title', [
      clause('send.content.required', { verdict: 'failed' }),
    ]);
    const passed = check('file.download-is-intact', 'a title', [clause('file.download-is-intact')]);
    const found = finding({ check: failed.check, exchanges: [] });
    const file = keepStream(join(folder, 'failed.ndjson'), [header(), failed, passed, found]);
    const { code, stdout } = await conform(['--failed', file, '--trace', failed.check, '--reference']);
    expect(code).toBe(0);
    expect(stdout).not.toContain('file.download-is-intact');
    expect(stdout).toContain(`TRACE  ${failed.check}: `);
  });

  it('says so where nothing failed', async () => {
    const file = keepStream(join(folder, 'passed.ndjson'), runs['all passed']);
    const none = await conform(['--reference', '--failed', file]);
    expect(none.code).toBe(3);
    expect(none.stdout).toContain('nothing to run again');
  });
});

it('conform run --trace prints every exchange of a check, each with its command line', async () => {
  const id = 'auth.send-without-a-credential-is-401';
  const { code, stdout } = await conform(['--check', id, '--trace', id]);
  expect(code).toBe(0);
  expect(stdout.trimEnd().split('\n').at(-1)).toMatch(/^conforms in what was selected: .*\(exit 0\)$/);
  const trace = stdout.slice(stdout.indexOf('TRACE'), stdout.indexOf('TALLY'));
  const count = Number(/TRACE {2}\S+ (\d+) exchanges/.exec(trace)?.[1]);
  expect(trace.match(/^ {4}exchange /gm)).toHaveLength(count);
  expect(trace.match(/^ {4}\$ curl /gm)).toHaveLength(count);
});
