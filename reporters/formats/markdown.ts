import { brokenClauses } from '../../harness/results/broken-clauses.ts';
import { columnOfCheck } from '../../harness/results/column.ts';
import type { Column } from '../../harness/results/column.ts';
import type { FindingEvent } from '../../harness/results/events.ts';
import { conclude } from '../conclusion.ts';
import { isCounted } from '../counted.ts';
import { inconclusiveGroups } from '../inconclusive.ts';
import { printable } from '../../harness/output/printable.ts';
import { countOf } from '../quantities.ts';
import type { RunSoFar } from '../run-so-far.ts';
import { findingLines } from './finding-text.ts';
import type { ReportFormat, ReportSettings } from './format.ts';

/** Findings with all they have; a page of a pull request takes no more than a megabyte. */
const mostInFull = 100;
const mostGroups = 20;
const columns: readonly Column[] = ['passed', 'failed', 'warned', 'inconclusive', 'known', 'notScored'];

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
  const { text, verdict, partial } = conclude(run, header?.profile.strict === true);
  const hasWarned = run.findings.some((finding) => isCounted(finding) && finding.verdict === 'warned');
  const title = titles[verdict === 'passed' && hasWarned ? 'warned' : verdict];
  yield `# ${inline(partial === undefined ? title : 'Incomplete run')}\n\n${inline(text)}\n\n`;
  if (header !== undefined)
    yield `${code(header.baseUrl)}, contract ${code(header.contractVersion)}, suite ${code(header.suiteVersion)}, ${inline(header.startedAt)}\n\n`;
  yield* findingSections(run, settings);
  yield* areaTable(run);
  yield* openTable(run);
  if (footer !== undefined)
    yield `${countOf(footer.footprint.requests, 'request')}, ${countOf(footer.footprint.messages, 'message')} written, ${(footer.durationMs / 1000).toFixed(1)} s\n`;
}

const titles = {
  passed: 'Conforms',
  failed: 'Does not conform',
  warned: 'Conforms, with warnings',
  inconclusive: 'Nothing could be concluded',
} as const;

function* findingSections(run: RunSoFar, settings: ReportSettings): Iterable<string> {
  const counted = run.findings.filter(isCounted);
  const groups = {
    Failed: counted.filter(({ verdict }) => verdict === 'failed'),
    Warned: counted.filter(({ verdict }) => verdict === 'warned'),
    'Known, or not scored': run.findings.filter((finding) => !isCounted(finding)),
  };
  for (const [title, findings] of Object.entries(groups))
    yield* findingSection(title, findings, (finding) => fenced(findingLines(finding, run, settings)));
}

function* findingSection(
  title: string,
  findings: readonly FindingEvent[],
  inFull: (finding: FindingEvent) => string,
): Iterable<string> {
  if (findings.length === 0) return;
  yield `## ${title}: ${findings.length}\n\n`;
  for (const [index, finding] of findings.entries()) {
    const heading = `${finding.id} ${brokenClauses(finding)
      .map(({ clause }) => code(clause))
      .join(', ')}`;
    if (index >= mostInFull) yield `- ${heading}\n`;
    else
      yield `<details${index < 3 ? ' open' : ''}><summary>${html(finding.id)} ${html(finding.clause)}: ${html(printable(finding.actual))}</summary>\n\n${heading}\n\n${inFull(finding)}\n\n</details>\n\n`;
  }
  if (findings.length > mostInFull) yield '\n';
}

function* areaTable({ checks }: RunSoFar): Iterable<string> {
  if (checks.length === 0) return;
  const used = columns.filter((column) => checks.some((check) => columnOfCheck(check) === column));
  yield `## Checks\n\n| area | ${used.map((column) => (column === 'notScored' ? 'not scored' : column)).join(' | ')} |\n`;
  yield `| --- |${used.map(() => ' ---: |').join('')}\n`;
  for (const area of new Set(checks.map((check) => check.area))) {
    const own = checks.filter((check) => check.area === area).map(columnOfCheck);
    yield `| ${inline(area)} | ${used.map((column) => own.filter((each) => each === column).length).join(' | ')} |\n`;
  }
  yield '\n';
}

function* openTable({ checks }: RunSoFar): Iterable<string> {
  const groups = inconclusiveGroups(checks);
  if (groups.length === 0) return;
  yield '## Inconclusive\n\n| clauses | why, or what would enable them |\n| ---: | --- |\n';
  for (const { kind, text, clauses } of groups.slice(0, mostGroups))
    yield `| ${clauses.length} | ${kind === 'enable' ? 'testable with ' : ''}${inline(text)} |\n`;
  if (groups.length > mostGroups) yield `| | and ${groups.length - mostGroups} more reasons |\n`;
  yield '\n';
}

/** Text within a line, none of it markup. */
function inline(text: string): string {
  return html(printable(text)).replaceAll(/[\\`*_[\]|~#]/g, String.raw`\$&`);
}

function html(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function code(text: string): string {
  return `\`${printable(text).replaceAll(/[`|]/g, "'")}\``;
}

/** Lines as they are, in a fence that none of them ends. */
function fenced(lines: readonly string[]): string {
  const longest = Math.max(
    2,
    ...lines.flatMap((line) => (line.match(/`+/g) ?? []).map(({ length }) => length)),
  );
  const fence = '`'.repeat(longest + 1);
  return [`${fence}text`, ...lines, fence].join('\n');
}
