import { isCampaign, isStrictRun } from '../run-so-far.ts';
import { printable, widthOf } from '../../harness/output/printable.ts';
import { type Column, columnNames } from '../../harness/results/column.ts';
import type { CallLatency } from '../../harness/results/generated/events.ts';
import { conclude } from '../conclusion.ts';
import { inline, table } from '../formats/markdown-text.ts';
import { headOf, pageStyle } from '../page/frame.ts';
import { html, type Markup, tableParts } from '../page/markup.ts';
import { profileInWords } from '../profile.ts';
import { countOf } from '../quantities.ts';
import {
  openClauses,
  undecidedRuns,
  type ClauseDifference,
  type Comparison,
  type NamedRun,
  type RunDifference,
} from './comparison.ts';
import type { ComparisonFormat } from './formats.ts';

/** A comparison in a form; nothing in it that a terminal or a browser obeys. */
export function renderComparison(
  comparison: Comparison,
  format: Exclude<ComparisonFormat, 'comment'>,
): string {
  const sections = sectionsOf(comparison).map(shownSection);
  const summary = printable(comparisonInWords(comparison));
  if (format === 'text') return `${sections.map(textTable).join('\n\n')}\n\n${summary}\n`;
  if (format === 'markdown')
    return `# Comparison\n\n${inline(summary)}\n\n${sections.map(markdownTable).join('\n\n')}\n`;
  return comparisonPage(summary, sections).text;
}

function shownSection({ title, head, rows }: Section): Section {
  return { title: printable(title), head, rows: rows.map((row) => row.map(printable)) };
}

/** A table that is wider is shown row by row: most terminals are no wider. */
const mostColumns = 100;

function textTable({ title, head, rows }: Section): string {
  const widths = head.map((_, column) =>
    Math.max(...[head, ...rows].map((row) => widthOf(row[column] ?? ''))),
  );
  const wide = widths.slice(0, -1).reduce((sum, width) => sum + width + 2, 0);
  const lines =
    wide > mostColumns
      ? rows.flatMap((row) => tallRow(head, row))
      : [head, ...rows].map((row) => aligned(row, widths));
  return [title.toUpperCase(), ...lines.map((line) => `  ${line.trimEnd()}`)].join('\n');
}

function aligned(row: readonly string[], widths: readonly number[]): string {
  return row.map((cell, column) => paddedTo(cell, widths[column] ?? 0)).join('  ');
}

function tallRow(head: readonly string[], [subject = '', ...cells]: readonly string[]): readonly string[] {
  const width = Math.max(...head.slice(1).map(widthOf));
  return [subject, ...cells.map((cell, index) => `  ${paddedTo(head[index + 1] ?? '', width)}  ${cell}`)];
}

function paddedTo(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - widthOf(text)));
}

function markdownTable({ title, head, rows }: Section): string {
  const cells = rows.map((row) => row.map(inline));
  return `## ${inline(title)}\n\n${table(head.map(inline), cells)}`;
}

function comparisonPage(summary: string, sections: readonly Section[]): Markup {
  return html`<!doctype html>
    <html lang="en">
      ${headOf({ title: 'Comparison', style: { text: pageStyle() } })}
      <body>
        <main>
          <h1>Comparison</h1>
          <p class="conclusion">${summary}</p>
          ${sections.map(comparedSection)}
        </main>
      </body>
    </html> `;
}

function comparedSection({ title, head, rows }: Section): Markup {
  return html`<h2>${title}</h2>
    <div class="wide" tabindex="0">
      <table>
        ${tableParts(head, rows.map(comparedRow))}
      </table>
    </div> `;
}

function comparedRow([subject = '', ...cells]: readonly string[]): Markup {
  return html`<tr>
    <td><code>${subject}</code></td>
    ${cells.map((cell) => html`<td>${cell}</td>`)}
  </tr> `;
}

/** A part of a comparison: a table, as every form of it shows one. */
interface Section {
  readonly title: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

const inWords: Readonly<Record<Column, string>> = {
  ...columnNames,
  failed: 'FAILED',
  known: 'known failure',
};
/** A longer name makes columns too wide. */
const mostOfName = 16;
/** For what a run says nothing of. */
const nothing = '–';

/** A comparison as tables, what matters most first; tables without rows are left out. */
function sectionsOf(comparison: Comparison): readonly Section[] {
  const { runs, regressions, fixed, otherwise, observations, latencies } = comparison;
  const labels = labelsOf(runs);
  const [first = 'A'] = labels;
  const clauses = (title: string, each: readonly ClauseDifference[]): Section => ({
    title: `${title}: ${countOf(each.length, 'clause')}`,
    head: ['clause', ...labels, 'got'],
    rows: each.map(({ subject, values, restates, got = '' }) => [
      subject,
      ...values.map((column, index) => columnInWords(column, runs[index])),
      restates === undefined ? got : `says the same as ${restates}`,
    ]),
  });
  const all: readonly Section[] = [
    {
      title: 'Runs',
      head: ['', 'server', 'result', 'profile', 'results in'],
      rows: runs.map(({ name, run }, index) => [
        labels[index] ?? '',
        run.header?.baseUrl ?? nothing,
        conclude(run, isStrictRun(run)).text,
        profileInWords(run) || nothing,
        name,
      ]),
    },
    clauses(`Regressions since ${first}`, regressions),
    clauses(`Fixed since ${first}`, fixed),
    clauses('Otherwise different', otherwise),
    {
      title: `Observations that differ: ${observations.length}`,
      head: ['observation', ...labels],
      rows: observations.map(({ subject, values }) => [subject, ...values.map((value = nothing) => value)]),
    },
    {
      title: 'Latency, p50 and p95 in ms',
      head: ['call', ...labels],
      rows: latencies.map((each) => [each.subject, ...latencyCells(each)]),
    },
  ];
  return all.filter(({ rows }) => rows.length > 0);
}

/** What a comparison comes to, in one sentence: that there is no regression says only who has a verdict of all that the first kept. */
function comparisonInWords(comparison: Comparison): string {
  const { runs, regressions, fixed, otherwise } = comparison;
  const partial = runs.filter(({ run }) => run.footer?.end !== 'complete');
  const others = undecidedRuns(comparison).filter((each) => !partial.includes(each));
  const open = openClauses(comparison).length;
  const isSure = partial.length + others.length + open === 0;
  const named = (these: readonly NamedRun[]): string => these.map(({ name }) => name).join(', ');
  const parts = [
    regressions.length > 0
      ? countOf(regressions.length, 'regression')
      : isSure
        ? 'no regression'
        : 'no regression found',
    `${fixed.length} fixed`,
    `${otherwise.length} otherwise different`,
    ...(partial.length === 0 ? [] : [`incomplete and so without a say in much: ${named(partial)}`]),
    ...(others.length === 0 ? [] : [`without a whole result: ${named(others)}`]),
    ...(open === 0 ? [] : [`${countOf(open, 'clause')} that the first kept without a verdict in another`]),
  ];
  return parts.join('; ');
}

function latencyCells({ values }: RunDifference<CallLatency>): readonly string[] {
  return values.map((each) =>
    each === undefined ? nothing : `${Math.round(each.p50Ms)}, ${Math.round(each.p95Ms)}`,
  );
}

function columnInWords(column: Column | undefined, of: NamedRun | undefined): string {
  if (column !== undefined) return inWords[column];
  return of !== undefined && isCampaign(of.run) ? 'not found broken' : nothing;
}

/** Names that somebody gave, where all are short and differ; else letters. */
function labelsOf(runs: Comparison['runs']): readonly string[] {
  const names = runs.map(({ name }) => name);
  const areShort = names.every((name) => widthOf(name) <= mostOfName && !/[/\\.]/.test(name));
  if (areShort && new Set(names).size === names.length) return names;
  return runs.map((_, index) => (index < 26 ? String.fromCharCode(65 + index) : `R${index + 1}`));
}
