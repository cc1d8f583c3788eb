import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ResultEvent } from '../../harness/results/generated/events.ts';
import { writeEvent } from '../../harness/results/stream.ts';
import { ownFolder } from '../fixtures/folder.ts';
import { runs } from '../reporters/events.ts';
import { conform } from './conform.ts';

/** The run as it was before anything broke. */
const kept = runs['one failed with two exchanges']
  .filter(({ type }) => type !== 'finding')
  .map((event): ResultEvent => {
    if (event.type === 'footer')
      return {
        ...event,
        exitCode: 0,
        checks: { ...event.checks, passed: event.checks.passed + 1, failed: 0 },
      };
    if (event.type !== 'check') return event;
    return {
      ...event,
      verdict: 'passed',
      clauses: event.clauses.map((each) => ({ ...each, verdict: 'passed' })),
    };
  });

const folder = ownFolder('compare-');
let good = '';
let bad = '';
beforeAll(() => {
  good = join(folder, 'good.ndjson');
  bad = join(folder, 'bad.ndjson');
  writeFileSync(good, kept.map(writeEvent).join(''));
  writeFileSync(bad, runs['one failed with two exchanges'].map(writeEvent).join(''));
});

describe('conform compare', () => {
  it('lists what passed in the first and fails in another, and ends with 1 where that is asked for', async () => {
    const plain = await conform(['compare', good, bad]);
    expect(plain).toMatchObject({ code: 0, stderr: '' });
    expect(plain.stdout).toMatch(/REGRESSIONS SINCE A: 1 CLAUSE\n.*\n {2}mentions\.limit +passed {2}FAILED/);
    expect((await conform(['compare', good, bad, '--fail-on', 'regressions'])).code).toBe(1);
    const back = await conform(['compare', bad, good, '--fail-on', 'regressions']);
    expect(back.code).toBe(0);
    expect(back.stdout).toContain('FIXED SINCE A: 1 CLAUSE');
  });

  it('writes a page', async () => {
    const file = join(folder, 'page.html');
    expect(await conform(['compare', good, bad, '--format', 'html', '--out', file])).toMatchObject({
      code: 0,
    });
    expect(readFileSync(file, 'utf8')).toMatch(/^<!doctype html>/);
  });
});
