import XmlBuilder from 'fast-xml-builder';
import { printable } from '../../harness/output/printable.ts';
import type { FindingEvent } from '../../harness/results/generated/events.ts';
import type { RunSoFar } from '../run-so-far.ts';
import { findingLines, findingTitle } from '../story/story-text.ts';
import type { ReportFormat, ReportSettings } from './format.ts';
import { type ReportOutcome, reportCases, type ReportCase } from './report-case.ts';

/** Attributes begin with `@`, texts are `#text`, as the builder of the XML takes them. */
type Element = Readonly<Record<string, unknown>>;

const builder = new XmlBuilder({
  attributeNamePrefix: '@',
  ignoreAttributes: false,
  suppressBooleanAttributes: false,
  suppressEmptyNode: true,
  format: true,
});

/** JUnit XML: a suite an area, a case a check, its clauses as properties. */
export const junit: ReportFormat = {
  name: 'junit',
  reader: 'CI platforms that show tests (XML)',
  *write(runs, settings) {
    const all = attributes({ name: 'conform', ...suiteCounts(runs.flatMap(timedCases)) });
    yield '<?xml version="1.0" encoding="UTF-8"?>\n';
    yield `<testsuites${all}>\n`;
    for (const run of runs) yield* suitesOf(run, settings);
    yield '</testsuites>\n';
  },
};

function* suitesOf(run: RunSoFar, settings: ReportSettings): Iterable<string> {
  const cases = timedCases(run);
  const server = run.header === undefined ? {} : { hostname: printable(run.header.baseUrl) };
  for (const suite of new Set(cases.map((each) => each.suite))) {
    const own = cases.filter((each) => each.suite === suite);
    yield `<testsuite${attributes({ name: suite, ...server, ...startAttributes(run), ...suiteCounts(own) })}>\n`;
    for (const each of own) yield builder.build({ testcase: caseElement(each, settings) }) as string;
    yield '</testsuite>\n';
  }
}

/**
 * Cases that take as long as the run took by the clock, taken together: checks run side by side, and readers add up what they find. The
 * last one, which is the run itself, has what is left.
 */
function timedCases(run: RunSoFar): readonly ReportCase[] {
  const cases = reportCases(run);
  const wallMs = run.footer?.durationMs;
  if (wallMs === undefined) return cases;
  const [own, whole] = [cases.slice(0, -1), cases.slice(-1)];
  const sumMs = own.reduce((sum, { durationMs }) => sum + durationMs, 0);
  const share = sumMs > wallMs ? wallMs / sumMs : 1;
  return [
    ...own.map((each) => ({ ...each, durationMs: share * each.durationMs })),
    ...whole.map((each) => ({ ...each, durationMs: Math.max(0, wallMs - share * sumMs) })),
  ];
}

function startAttributes({ header }: RunSoFar): Readonly<Record<string, string>> {
  return header === undefined ? {} : { timestamp: header.startedAt };
}

function suiteCounts(cases: readonly ReportCase[]): Readonly<Record<string, string | number>> {
  const count = (...outcomes: readonly ReportOutcome[]): number =>
    cases.filter(({ outcome }) => outcomes.includes(outcome)).length;
  const durationMs = cases.reduce((sum, each) => sum + each.durationMs, 0);
  return {
    tests: cases.length,
    failures: count('failed'),
    errors: count('error'),
    skipped: count('skipped'),
    time: seconds(durationMs),
  };
}

function caseElement(each: ReportCase, settings: ReportSettings): Element {
  const { run, suite, name, title, file, durationMs, clauses, findings, outcome } = each;
  const property = [
    { '@name': 'title', '@value': printable(title) },
    ...clauses.map((clause) => ({ '@name': 'clause', '@value': clause })),
  ];
  const warnings = outcome === 'warned' ? findings.map((finding) => textOf(finding, run, settings)) : [];
  return {
    '@classname': suite,
    '@name': printable(name),
    ...(file === undefined ? {} : { '@file': file }),
    '@time': seconds(durationMs),
    properties: { property },
    ...resultElement(each, settings),
    ...(warnings.length === 0 ? {} : { 'system-out': warnings.join('\n\n') }),
  };
}

function resultElement(
  { run, suite, outcome, reason, findings }: ReportCase,
  settings: ReportSettings,
): Element {
  const message = printable(reason ?? '');
  if (outcome === 'skipped') return { skipped: { '@message': message } };
  if (outcome === 'error') return { error: { '@message': message, '@type': 'run', '#text': message } };
  if (outcome !== 'failed') return {};
  if (findings.length === 0) return { failure: { '@message': message, '@type': suite, '#text': message } };
  // Readers take one of a case, and count cases.
  return {
    failure: {
      '@message': findings.map(findingTitle).join('; '),
      '@type': findings[0]?.clause,
      '#text': findings.map((finding) => textOf(finding, run, settings)).join('\n\n'),
    },
  };
}

function textOf(finding: FindingEvent, run: RunSoFar, settings: ReportSettings): string {
  return findingLines(finding, run, settings).join('\n');
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(3);
}

/** Attributes of an opening tag that is closed much later. */
function attributes(values: Readonly<Record<string, string | number>>): string {
  const prefixed = Object.fromEntries(Object.entries(values).map(([name, value]) => [`@${name}`, value]));
  const text = builder.build({ tag: prefixed }) as string;
  return text
    .trim()
    .replace(/^<tag/, '')
    .replace(/\s*\/>$|><\/tag>$/, '');
}
