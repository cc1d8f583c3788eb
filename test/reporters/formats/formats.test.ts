import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { parseV2 } from 'test-results-parser';
import { describe, expect, it } from 'vitest';
import { shownLines } from '../../../harness/output/printable.ts';
import { brokenClauses } from '../../../harness/results/broken-clauses.ts';
import type { FindingEvent, ResultEvent } from '../../../harness/results/generated/events.ts';
import { formatNames } from '../../../reporters/formats/format.ts';
import { reportFormats } from '../../../reporters/formats/index.ts';
import { exchangeLines } from '../../../reporters/run/exchange-lines.ts';
import type { ClauseId } from '../../../spec/index.ts';
import { ownFolder } from '../../fixtures/folder.ts';
import { finding, footer, header, read, runs } from '../events.ts';
import { shown } from '../screen.ts';
import { hostile } from '../hostile-text.ts';
import { fullRun } from '../page/full-run.ts';
import { campaign } from '../page/other-runs.ts';
import { reportAt, reportOn } from './report.ts';
import { problemsOf } from './schemas.ts';

const all = Object.entries<readonly ResultEvent[]>(runs);
const folder = ownFolder('formats-');

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

describe('the numbers of clauses', () => {
  const warned = findingsOf(runs.warned);
  const events = runs['several clauses for one cause'].flatMap((event): readonly ResultEvent[] =>
    event.type === 'footer' ? [...warned.map((each) => ({ ...each, id: 'F2' })), event] : [event],
  );
  const plainText = (text: string): string => text.replaceAll(/<[^>]*>|[#:]/g, '').replaceAll(/\s+/g, ' ');

  it.each(['markdown', 'html'])('in the headings of %s are those of the tally', (format) => {
    const text = plainText(reportOn(format, events));
    expect(text).toContain('Failed 2 clauses in 1 finding ');
    expect(text).toContain('Warned 1 clause, and 1 more under what failed ');
  });

  it('on the terminal are those of the tally', () => {
    const text = plainText(shown(events));
    expect(text).toContain('FAILED 2 clauses in 1 finding ');
    expect(text).toMatch(/WARNED 2 clauses .*; 1 of them under what failed /);
  });

  it('have one failure a case in JUnit, as many as its counts say', () => {
    const [first] = findingsOf(events);
    const twice = events.flatMap((event) =>
      event === first ? [event, { ...event, id: 'F3', clause: 'message.id.type' }] : [event],
    );
    const text = reportOn('junit', twice);
    expect(text.match(/<failure /g)).toHaveLength(1);
    expect(text).toMatch(/<testsuites [^>]*failures="1"/);
    expect(text).toMatch(/<failure message="message\.created-at\.type[^"]*; message\.id\.type/);
  });
});

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

  it('on a run that lost a credential is of no whole run, though it failed', () => {
    const text = 'after 3 s of the run, GET /v0/mentions as peer: status 401';
    const troubled = runs['one failed with two exchanges'].map((event) =>
      event.type === 'footer' ? { ...event, trouble: { atMs: 3_000, enabled: 9, open: 1, text } } : event,
    );
    const last = readJunit(reportOn('junit', troubled)).cases.at(-1);
    expect(last).toMatchObject({ name: 'run.is-whole', status: 'FAIL' });
    expect(reportOn('junit', troubled)).toContain(text);
    expect(reportOn('sarif', troubled)).toContain('"executionSuccessful":false');
  });

  it('has what counts against a run beside its findings: entries of a baseline that no longer hold', () => {
    const events = runs['baseline does not hold'];
    const place = { uri: 'conform.yaml', line: 1 };
    for (const text of [reportOn('sarif', events), reportAt(place, 'codequality', events)]) {
      expect(text).toContain('mentions.pages-ascend passed: remove the entry (known.yaml:4:3)');
      expect(text).toContain('auth.challenge expired on 2026-02-28');
    }
  });

  it('suppresses in SARIF what is not scored, and has the level of an error where a warning fails a strict run', () => {
    const resultsOf = (events: readonly ResultEvent[]) =>
      (
        JSON.parse(reportOn('sarif', events)) as {
          readonly runs: readonly {
            readonly results: readonly {
              readonly level: string;
              readonly properties: { readonly isScored?: boolean };
              readonly suppressions?: readonly { readonly justification: string }[];
            }[];
          }[];
        }
      ).runs.flatMap(({ results }) => results);
    const unscored = resultsOf(runs['known and not scored']).filter(
      ({ properties }) => properties.isScored === false,
    );
    expect(unscored.map(({ suppressions }) => suppressions?.[0]?.justification)).toEqual(['not scored']);
    expect(new Set(resultsOf(runs.strict).map(({ level }) => level))).toEqual(new Set(['error']));
    expect(resultsOf(runs.warned).map(({ level }) => level)).toContain('warning');
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

  it('has one badge on several runs, in whatever order they are given', () => {
    const broken = (...clauses: readonly ClauseId[]) => fullRun({ broken: clauses });
    const messageOf = (...streams: readonly (readonly ResultEvent[])[]): string =>
      (JSON.parse(reportOn('badge-json', ...streams)) as { readonly message: string }).message;
    const sameOf = (...streams: readonly (readonly ResultEvent[])[]): string => {
      const message = messageOf(...streams);
      expect(messageOf(...streams.toReversed())).toBe(message);
      return message;
    };
    const [ascending, both] = [
      broken('mentions.ascending'),
      broken('mentions.ascending', 'send.conflict-is-refused'),
    ];
    expect(messageOf(ascending)).toBe('1 broken');
    expect(sameOf(ascending, both)).toBe(messageOf(both));
    // What each of them broke.
    expect(sameOf(ascending, broken('send.conflict-is-refused'))).toBe(messageOf(both));
    expect(sameOf(runs['without a footer'], runs['too slow'])).toBe('1 broken');
    expect(sameOf(campaign, runs['all passed'])).toBe(messageOf(runs['all passed']));
    // The one that leaves more open.
    expect(sameOf(runs['all passed'], broken())).toBe(messageOf(broken()));
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

describe('a report on code quality', () => {
  const place = { uri: 'my%20targets/conform.yaml', line: 4 };
  const issuesOf = (...streams: readonly (readonly ResultEvent[])[]) =>
    JSON.parse(reportAt(place, 'codequality', ...streams)) as readonly {
      readonly check_name: string;
      readonly fingerprint: string;
      readonly severity: string;
      readonly location: object;
    }[];

  it.each(all)(
    'on a run "%s" is what GitLab reads, and empty where no file names the server',
    (_, events) => {
      expect(problemsOf.codequality(reportAt(place, 'codequality', events))).toEqual([]);
      expect(reportOn('codequality', events)).toBe('[]\n');
    },
  );

  it('has each finding that counts in the line that names the server', () => {
    const location = { path: 'my targets/conform.yaml', lines: { begin: 4 } };
    expect(issuesOf(runs['one failed with two exchanges'])).toMatchObject([
      { check_name: 'mentions.limit', severity: 'critical', location },
    ]);
    expect(issuesOf(runs['all passed'])).toEqual([]);
    expect(issuesOf(runs.warned).map(({ severity }) => severity)).toEqual(['minor']);
    expect(issuesOf(runs['known and not scored'])).toEqual([]);
  });

  it('has what is too slow, and a run that came to no result', () => {
    expect(issuesOf(runs['too slow']).map((each) => each.check_name)).toEqual(['latency.mentions']);
    expect(issuesOf(runs['nothing decided']).map((each) => each.check_name)).toEqual(['run.is-whole']);
  });

  it('tells an issue by the same words from run to run, and two runs of one report apart', () => {
    const once = issuesOf(runs['one failed with two exchanges']);
    const twice = issuesOf(runs['one failed with two exchanges'], runs['one failed with two exchanges']);
    expect(twice[0]?.fingerprint).toBe(once[0]?.fingerprint);
    expect(twice[1]?.fingerprint).not.toBe(once[0]?.fingerprint);
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

describe('the times of a JUnit report', () => {
  const timesIn = (text: string, tag: string): readonly number[] =>
    [...text.matchAll(new RegExp(`<${tag} [^>]*?time="([\\d.]+)"`, 'g'))].map(([, time]) => Number(time));
  const slow = runs['one failed with two exchanges'].map((event) =>
    event.type === 'check' ? { ...event, durationMs: 90_000 } : event,
  );

  it.each([
    ['of checks that ran side by side', slow],
    ['of checks that took less than the run', runs['one failed with two exchanges']],
  ])('add up to the time by the clock, %s', (_what, events) => {
    const text = reportOn('junit', events);
    const footer = events.find((event) => event.type === 'footer');
    const wall = (footer?.durationMs ?? 0) / 1000;
    for (const tag of ['testsuites', 'testsuite', 'testcase']) {
      const sum = timesIn(text, tag).reduce((total, time) => total + time, 0);
      expect(Math.abs(sum - wall)).toBeLessThan(0.01);
    }
  });
});

describe('the places of a SARIF report', () => {
  const events = runs['several clauses for one cause'];
  interface Log {
    readonly runs: readonly {
      readonly automationDetails: { readonly id: string };
      readonly tool: {
        readonly driver: { readonly rules: readonly { readonly fullDescription?: object }[] };
      };
      readonly results: readonly {
        readonly locations: readonly { readonly physicalLocation?: object }[];
        readonly partialFingerprints: Readonly<Record<string, string>>;
      }[];
    }[];
  }

  it('are a line of the target file, and no file that is not there', () => {
    const place = { uri: 'conform.yaml', line: 7 };
    const text = reportAt(place, 'sarif', events);
    expect(problemsOf.sarif(text)).toEqual([]);
    const [located] = (JSON.parse(text) as Log).runs;
    const [nowhere] = (JSON.parse(reportOn('sarif', events)) as Log).runs;
    expect(located?.results.flatMap(({ locations }) => locations)).toMatchObject([
      {
        physicalLocation: {
          artifactLocation: { uri: 'conform.yaml', uriBaseId: '%SRCROOT%' },
          region: { startLine: 7 },
        },
      },
    ]);
    expect(nowhere?.results.every(({ locations: [first] }) => first?.physicalLocation === undefined)).toBe(
      true,
    );
    expect(located?.tool.driver.rules.every(({ fullDescription }) => fullDescription !== undefined)).toBe(
      true,
    );
    expect(located?.results.every(({ partialFingerprints: by }) => 'primaryLocationLineHash' in by)).toBe(
      true,
    );
  });

  it('are told apart by run, as a platform asks for', () => {
    const { runs: both } = JSON.parse(reportOn('sarif', events, events)) as Log;
    expect(both.map(({ automationDetails }) => automationDetails.id)).toEqual([
      'conform/run/',
      'conform/run-2/',
    ]);
  });
});

describe('the entries of a HAR report', () => {
  interface Archive {
    readonly log: {
      readonly entries: readonly { readonly startedDateTime: string; readonly comment: string }[];
    };
  }

  it('begin when their exchanges did, in that order, with that of trouble among them', () => {
    const at = (second: number) => `2026-03-01T09:30:0${second}.000Z`;
    const [later, earlier] = [7, 8].map((id) => ({ ...read, id, startedAt: at(10 - id) }));
    const trouble = { ...read, id: 9, startedAt: at(5) };
    const events = [
      header(),
      finding({ exchanges: [later, earlier].filter((each) => each !== undefined) }),
      footer({
        trouble: {
          atMs: 1,
          enabled: 3,
          open: 1,
          mostly: { text: 'no answer', kind: 'no-answer', clauses: 1, exchange: trouble },
        },
        checks: { passed: 0, failed: 0, warned: 0, inconclusive: 0 },
      }),
    ];
    const { entries } = (JSON.parse(reportOn('har', events)) as Archive).log;
    expect(entries.map(({ startedDateTime }) => startedDateTime)).toEqual([at(2), at(3), at(5)]);
    expect(entries.at(-1)?.comment).toMatch(/^no answer, as /);
  });
});
