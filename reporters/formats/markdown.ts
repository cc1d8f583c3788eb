import { printable } from '../../harness/output/printable.ts';
import { columnNames, columnOfCheck, columns } from '../../harness/results/column.ts';
import type { FindingEvent } from '../../harness/results/generated/events.ts';
import { clausesInFindings, shownClauses } from '../broken-ids.ts';
import { staleInWords, verdictOf } from '../conclusion.ts';
import { inapplicableGroups, inconclusiveGroups } from '../inconclusive.ts';
import { gateInWords } from '../latency-gates.ts';
import { profileInWords } from '../profile.ts';
import { countOf } from '../quantities.ts';
import { countedIn, type RunSoFar } from '../run-so-far.ts';
import { findingLines } from '../story/story-text.ts';
import type { ReportFormat, ReportSettings } from './format.ts';
import { code, fenced, markdownHtml, inline, table } from './markdown-text.ts';
import { areaOfCheck } from './report-case.ts';

/** Findings with all they have; a page of a pull request takes no more than a megabyte. */
const mostInFull = 100;
const mostGroups = 20;

/** Markdown, for a pull request or the summary of a job. */
export const markdown: ReportFormat = {
  name: 'markdown',
  reader: 'pull requests and job summaries',
  *write(runs, settings) {
    for (const run of runs) yield* pageOf(run, settings);
  },
};

function* pageOf(run: RunSoFar, settings: ReportSettings): Iterable<string> {
  const { header, footer } = run;
  const { title, text } = verdictOf(run);
  yield `# ${inline(title)}\n\n${inline(text)}\n\n`;
  if (header !== undefined)
    yield `${code(header.baseUrl)}, contract ${code(header.contractVersion)}, suite ${code(header.suiteVersion)}, ${inline(header.startedAt)}\n\n`;
  const profile = profileInWords(run);
  if (profile !== '') yield `Profile: ${inline(profile)}\n\n`;
  yield* findingSections(run, settings);
  yield* decidingLists(run);
  yield* latencyTable(run);
  yield* areaTable(run);
  yield* inapplicableTable(run);
  yield* openTable(run);
  if (footer !== undefined)
    yield `${countOf(footer.footprint.requests, 'request')}, ${countOf(footer.footprint.messages, 'message')} written, ${(footer.durationMs / 1000).toFixed(1)} s\n`;
}

function* findingSections(run: RunSoFar, settings: ReportSettings): Iterable<string> {
  const counted = countedIn(run);
  const isCounted = new Set(counted);
  const inFull = (finding: FindingEvent): string => fenced(findingLines(finding, run, settings));
  for (const [title, verdict] of [
    ['Failed', 'failed'],
    ['Warned', 'warned'],
  ] as const) {
    const findings = counted.filter((finding) => finding.verdict === verdict);
    yield* markdownFinding(`${title}: ${clausesInFindings(counted, verdict)}`, findings, inFull);
  }
  const apart = run.findings.filter((finding) => !isCounted.has(finding));
  yield* markdownFinding(`Known, or not scored: ${clausesInFindings(apart)}`, apart, inFull);
}

function* markdownFinding(
  title: string,
  findings: readonly FindingEvent[],
  inFull: (finding: FindingEvent) => string,
): Iterable<string> {
  if (findings.length === 0) return;
  yield `## ${title}\n\n`;
  for (const [index, finding] of findings.entries()) {
    const heading = `${finding.id} ${shownClauses(finding)
      .map(({ clause }) => code(clause))
      .join(', ')}`;
    if (index >= mostInFull) yield `- ${heading}\n`;
    else
      yield `<details${index < 3 ? ' open' : ''}><summary>${markdownHtml(finding.id)} ${markdownHtml(finding.clause)}: ${markdownHtml(printable(finding.actual))}</summary>\n\n${heading}\n\n${inFull(finding)}\n\n</details>\n\n`;
  }
  if (findings.length > mostInFull) yield '\n';
}

/** What counts beside findings. */
function* decidingLists({ footer }: RunSoFar): Iterable<string> {
  const { staleBaseline = [], requiredInconclusive = [] } = footer ?? {};
  const stale = staleBaseline.map((entry) => `- ${inline(staleInWords(entry))} (${inline(entry.place)})\n`);
  if (stale.length > 0) yield `## Baseline out of date\n\n${stale.join('')}\n`;
  const required = requiredInconclusive.map(
    ({ clause, reason, enable }) => `- ${code(clause)}: ${inline(enable ?? reason)}\n`,
  );
  if (required.length > 0) yield `## Required, and inconclusive\n\n${required.join('')}\n`;
}

function* areaTable({ checks }: RunSoFar): Iterable<string> {
  if (checks.length === 0) return;
  const used = columns.filter((column) => checks.some((check) => columnOfCheck(check) === column));
  const areas = [...new Set(checks.map(areaOfCheck))];
  const rows = areas.map((area) => {
    const own = checks.filter((check) => areaOfCheck(check) === area).map(columnOfCheck);
    const counts = used.map((column) => `${own.filter((each) => each === column).length}`);
    return [inline(area), ...counts];
  });
  const head = ['area', ...used.map((column) => columnNames[column])];
  yield `## Checks\n\n${table(head, rows, ['left', ...used.map(() => 'right' as const)])}\n\n`;
}

function* latencyTable({ footer }: RunSoFar): Iterable<string> {
  const gates = footer?.latencyGates ?? [];
  if (gates.length === 0) return;
  const rows = gates.map((gate) => [code(gate.call), gateVerdicts[gate.verdict], inline(gateInWords(gate))]);
  yield `## Latency\n\n${table(['call', '', 'how long 95 of 100 answers took'], rows)}\n\n`;
}

const gateVerdicts = { failed: '**too slow**', inconclusive: 'not measured', passed: 'fast enough' } as const;

function* inapplicableTable({ checks }: RunSoFar): Iterable<string> {
  const groups = inapplicableGroups(checks);
  if (groups.length === 0) return;
  const rows = groups.map(({ text, clauses }) => [
    `${clauses.length}`,
    inline(text),
    clauses.map((clause) => code(clause)).join(', '),
  ]);
  yield `## Does not apply\n\n${table(['clauses', 'why', 'which'], rows, ['right', 'left', 'left'])}\n\n`;
}

function* openTable({ checks }: RunSoFar): Iterable<string> {
  const groups = inconclusiveGroups(checks);
  if (groups.length === 0) return;
  const rows = groups
    .slice(0, mostGroups)
    .map(({ kind, text, clauses }) => [
      `${clauses.length}`,
      `${kind === 'enable' ? 'testable with ' : ''}${inline(text)}`,
    ]);
  const more = groups.length - mostGroups;
  if (more > 0) rows.push(['', `and ${more} more reasons`]);
  const head = ['clauses', 'why, or what would enable them'];
  yield `## Inconclusive\n\n${table(head, rows, ['right', 'left'])}\n\n`;
}
