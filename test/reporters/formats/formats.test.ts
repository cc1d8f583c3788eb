import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { parseV2 } from 'test-results-parser';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { brokenClauses } from '../../../harness/results/broken-clauses.ts';
import type { FindingEvent, ResultEvent } from '../../../harness/results/events.ts';
import { shownLines } from '../../../harness/output/printable.ts';
import { reportFormats } from '../../../reporters/formats/index.ts';
import { formatNames } from '../../../reporters/formats/names.ts';
import { exchangeLines } from '../../../reporters/run/exchange-lines.ts';
import { finding, header, read, runs } from '../events.ts';
import { hostile } from '../hostile-text.ts';
import { reportOn } from './report.ts';
import { problemsOf } from './schemas.ts';

const all = Object.entries<readonly ResultEvent[]>(runs);
let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'formats-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What a reader of JUnit files sees in one. */
function readJunit(text: string) {
  const file = join(folder, 'junit.xml');
  writeFileSync(file, text);
  const { result, errors } = parseV2({ type: 'junit', files: [file] }) as unknown as {
    readonly errors: readonly unknown[];
    readonly result: {
      readonly failed: number;
      readonly suites: readonly {
        readonly name: string;
        readonly cases: readonly {
          readonly name: string;
          readonly status: string;
          readonly failure: string;
        }[];
      }[];
    };
  };
  expect(errors).toEqual([]);
  return { ...result, cases: result.suites.flatMap((suite) => suite.cases) };
}

function findingsOf(events: readonly ResultEvent[]): readonly FindingEvent[] {
  return events.filter((event) => event.type === 'finding');
}

describe.each(all)('reports on a run "%s"', (_name, events) => {
  it('are valid by the schema of their format', () => {
    expect(problemsOf.ctrf(reportOn('ctrf', events))).toEqual([]);
    expect(problemsOf.sarif(reportOn('sarif', events))).toEqual([]);
    expect(problemsOf.har(reportOn('har', events))).toEqual([]);
  });

  it('have the same failures in every format of test results', () => {
    const junit = readJunit(reportOn('junit', events));
    const ctrf = JSON.parse(reportOn('ctrf', events)) as {
      readonly results: { readonly tests: readonly { readonly name: string; readonly status: string }[] };
    };
    const failed = ctrf.results.tests.filter(({ status }) => status === 'failed').map(({ name }) => name);
    const failedInJunit = junit.cases.filter(({ status }) => ['FAIL', 'ERROR'].includes(status));
    expect(failedInJunit.map(({ name }) => name)).toEqual(failed);
    expect(junit.cases).toHaveLength(ctrf.results.tests.length);
  });

  it('name every broken clause, in whatever format', () => {
    for (const finding of findingsOf(events)) {
      for (const { clause } of brokenClauses(finding)) {
        for (const format of ['junit', 'ctrf', 'sarif', 'markdown', 'html'])
          expect(reportOn(format, events)).toContain(clause);
      }
    }
  });

  it('are as golden files have them', async () => {
    const file = `golden/${_name.replaceAll(' ', '-')}`;
    await expect(reportOn('markdown', events)).toMatchFileSnapshot(`${file}.md`);
    await expect(reportOn('junit', events)).toMatchFileSnapshot(`${file}.xml`);
    await expect(reportOn('github', events)).toMatchFileSnapshot(`${file}.github.txt`);
  });
});

describe('a report', () => {
  it('can be made in each format that has a name', () => {
    expect(reportFormats.map(({ name }) => name)).toEqual([...formatNames]);
  });

  it('on a run that was stopped is nowhere green', () => {
    const stopped = runs['all passed'].filter(({ type }) => type !== 'footer');
    expect(readJunit(reportOn('junit', stopped)).cases.at(-1)).toMatchObject({
      name: 'run.is-whole',
      status: 'FAIL',
    });
    expect(reportOn('ctrf', stopped)).toContain('"failed":1');
    expect(reportOn('sarif', stopped)).toContain('"executionSuccessful":false');
    expect(reportOn('markdown', stopped)).toContain('Incomplete run');
    expect(reportOn('html', stopped)).toContain('<h1>Incomplete run</h1>');
    expect(reportOn('badge', stopped)).toContain('inconclusive');
    expect(reportOn('badge-json', stopped)).toContain('"message":"inconclusive"');
  });

  it('on several runs has all of them, and the badge of the worst', () => {
    const both = [runs['all passed'], runs['one failed with two exchanges']] as const;
    const counts = both.map((events) => readJunit(reportOn('junit', events)).cases.length);
    expect(readJunit(reportOn('junit', ...both)).cases).toHaveLength((counts[0] ?? 0) + (counts[1] ?? 0));
    expect(problemsOf.sarif(reportOn('sarif', ...both))).toEqual([]);
    expect(problemsOf.ctrf(reportOn('ctrf', ...both))).toEqual([]);
    expect(problemsOf.har(reportOn('har', ...both))).toEqual([]);
    expect(reportOn('badge-json', ...both)).toContain('"color":"red"');
  });

  it('stays well-formed whatever a server sent', () => {
    const [sample] = findingsOf(runs['one failed with two exchanges']);
    if (sample === undefined) throw new Error('no finding to change');
    fc.assert(
      fc.property(hostile, hostile, (expected, actual) => {
        const events = runs['one failed with two exchanges'].map((event) =>
          event === sample ? { ...sample, expected: `]]> ${expected}`, actual: `"'<&--> ${actual}` } : event,
        );
        expect(readJunit(reportOn('junit', events)).failed).toBe(1);
        expect(problemsOf.sarif(reportOn('sarif', events))).toEqual([]);
        expect(problemsOf.ctrf(reportOn('ctrf', events))).toEqual([]);
        const lines = reportOn('github', events).trimEnd().split('\n');
        expect(lines.every((line) => line.startsWith('::'))).toBe(true);
        for (const { name } of reportFormats) {
          const text = reportOn(name, events);
          expect(shownLines(text)).toBe(text);
        }
      }),
      { numRuns: 40 },
    );
  });
});

describe('an outline of a page', () => {
  const text = 'messages: 100 items with the sequences 1-98 ⟦100⟧ ⟦99⟧';
  const body = { text, isOutline: true, isCut: true, totalBytes: 71_855 } as const;
  const outlined = { ...read, response: { status: 200, headers: {}, body } };

  it('is no body in HAR, and is said to stand for items elsewhere', () => {
    const sent = { ...outlined, request: { ...outlined.request, body } };
    const events = [header(), finding({ exchanges: [sent] })];
    interface Shown {
      readonly text?: string;
      readonly comment?: string;
    }
    const har = JSON.parse(reportOn('har', events)) as {
      log: { entries: { request: { postData: Shown }; response: { content: Shown } }[] };
    };
    const { request, response } = har.log.entries[0] ?? {};
    expect(response?.content.text).toBe(undefined);
    expect(response?.content.comment).toBe(`parts left out: ${text}`);
    // The format wants a text there.
    expect(request?.postData).toMatchObject({ text: '', comment: `parts left out: ${text}` });
    expect(reportOn('html', events)).toContain('… parts left out; the whole body has 71,855 bytes');
    const lines = exchangeLines(outlined, 120).map((line) =>
      line.map((part) => (typeof part === 'string' ? part : part.text)).join(''),
    );
    expect(lines.join('\n')).toContain(`< ${text}`);
    expect(lines.join('\n')).toContain('… parts left out; the whole body has 71,855 bytes');
  });
});
