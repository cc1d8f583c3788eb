import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ResultEvent } from '../../harness/results/generated/events.ts';
import { ownFolder } from '../fixtures/folder.ts';
import { keepStream } from '../fixtures/stream.ts';
import { check, footer, runs } from '../reporters/events.ts';
import { conform } from './conform.ts';

const folder = ownFolder('compare-');
const [good, bad] = [join(folder, 'good.ndjson'), join(folder, 'bad.ndjson')];

const failed = runs['one failed with two exchanges'];
const failedCheck = failed.flatMap((event) => (event.type === 'finding' ? event.check : []))[0];
/** The run as it was before anything broke. */
const keptRun = failed
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

keepStream(good, keptRun);
keepStream(bad, failed);

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

  it.each<[string, (events: readonly ResultEvent[]) => readonly ResultEvent[], number, RegExp]>([
    ['came to all that it came to before', (events) => events, 0, /^$/],
    [
      'has no verdict of a clause that the first kept',
      (events) =>
        events.map((event) =>
          event.type === 'check' && event.check === failedCheck
            ? check(
                event.check,
                event.title,
                event.clauses.map((each) => ({ ...each, verdict: 'inconclusive', reason: 'r' })),
              )
            : event.type === 'footer'
              ? footer({ checks: { ...event.checks, passed: 3, inconclusive: 1 } })
              : event,
        ),
      3,
      /1 clause that the first kept has no verdict in another: a regression cannot be excluded/,
    ],
    [
      'says nothing of a clause that the first kept',
      (events) =>
        events.flatMap((event) =>
          event.type === 'check' && event.check === failedCheck
            ? []
            : event.type === 'footer'
              ? footer({ checks: { ...event.checks, passed: 3 } })
              : event,
        ),
      3,
      /has no verdict in another/,
    ],
    [
      'lost a credential, and failed before it did',
      (events) =>
        events.map((event) =>
          event.type === 'footer'
            ? footer({
                exitCode: 1,
                trouble: { atMs: 1, enabled: 9, open: 1, text: 'the api-key was refused' },
              })
            : event,
        ),
      3,
      /came to no whole result/,
    ],
  ])('excludes a regression where the other run %s', async (_, changed, code, words) => {
    const other = join(folder, 'other.ndjson');
    keepStream(other, changed(keptRun));
    const ended = await conform(['compare', good, other, '--fail-on', 'regressions']);
    expect(ended.stderr).toMatch(words);
    expect(ended.code).toBe(code);
    // What cannot be excluded was only not found.
    expect(ended.stdout).toMatch(code === 0 ? /^no regression;/m : /^no regression found;/m);
  });

  it('writes a page', async () => {
    const file = join(folder, 'page.html');
    expect(await conform(['compare', good, bad, '--format', 'html', '--out', file])).toMatchObject({
      code: 0,
    });
    expect(readFileSync(file, 'utf8')).toMatch(/^<!doctype html>/);
  });
});
