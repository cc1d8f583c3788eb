import { suiteVersion } from '../../harness/results/suite-version.ts';
import type { RunSoFar } from '../run-so-far.ts';
import { findingLines, findingTitle } from '../story/story-text.ts';
import type { ReportFormat, ReportSettings } from './format.ts';
import { type ReportOutcome, reportCases, type ReportCase } from './report-case.ts';

/** Common Test Report Format: one JSON object that many platforms read. */
export const ctrf: ReportFormat = {
  name: 'ctrf',
  reader: 'tools that read the Common Test Report Format (JSON)',
  *write(runs, settings) {
    const cases = runs.flatMap(reportCases);
    const head = {
      reportFormat: 'CTRF',
      specVersion: '0.0.0',
      results: { tool: { name: 'conform', version: suiteVersion() }, summary: ctrfSummary(runs, cases) },
    };
    // The tests come one by one: there may be thousands, each with its evidence.
    yield `${JSON.stringify(head).slice(0, -2)},"tests":[`;
    for (const [index, each] of cases.entries())
      yield `${index === 0 ? '' : ','}\n${JSON.stringify(testOf(each, settings))}`;
    yield ']}}\n';
  },
};

const statuses: Readonly<Record<ReportOutcome, string>> = {
  passed: 'passed',
  warned: 'passed',
  failed: 'failed',
  error: 'failed',
  skipped: 'skipped',
};

function ctrfSummary(runs: readonly RunSoFar[], cases: readonly ReportCase[]): object {
  const count = (status: string): number =>
    cases.filter(({ outcome }) => statuses[outcome] === status).length;
  const starts = runs.map(({ header }) => Date.parse(header?.startedAt ?? '') || 0);
  const stops = runs.map(({ footer }, index) => (starts[index] ?? 0) + Math.round(footer?.durationMs ?? 0));
  return {
    tests: cases.length,
    passed: count('passed'),
    failed: count('failed'),
    skipped: count('skipped'),
    pending: 0,
    other: 0,
    start: Math.min(...starts),
    stop: Math.max(...stops),
  };
}

function testOf(each: ReportCase, settings: ReportSettings): object {
  const { run, suite, name, title, file, durationMs, outcome, reason, clauses, findings } = each;
  const [first] = findings;
  const message = reason ?? (first === undefined ? undefined : findingTitle(first));
  const trace = findings.map((finding) => findingLines(finding, run, settings).join('\n')).join('\n\n');
  return {
    name,
    status: statuses[outcome],
    rawStatus: outcome,
    duration: Math.round(durationMs),
    suite: [suite],
    ...(message === undefined ? {} : { message }),
    ...(trace === '' ? {} : { trace }),
    ...(file === undefined ? {} : { filePath: file }),
    ...(clauses.length === 0 ? {} : { tags: clauses }),
    extra: { title },
  };
}
