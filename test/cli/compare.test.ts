import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { writeEvent } from '../../harness/results/stream.ts';
import { ownFolder } from '../fixtures/folder.ts';
import { check, footer, runs } from '../reporters/events.ts';
import { conform } from './conform.ts';

const folder = ownFolder('compare-');
const [good, bad] = [join(folder, 'good.ndjson'), join(folder, 'bad.ndjson')];

beforeAll(() => {
  const failed = runs['one failed with two exchanges'];
  // The run as it was before anything broke.
  const kept = failed
    .filter(({ type }) => type !== 'finding')
    .map((event) =>
      event.type === 'check'
        ? check(
            event.check,
            event.title,
            event.clauses.map((each) => ({ ...each, verdict: 'passed' })),
          )
        : event.type === 'footer'
          ? footer()
          : event,
    );
  writeFileSync(good, kept.map(writeEvent).join(''));
  writeFileSync(bad, failed.map(writeEvent).join(''));
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
