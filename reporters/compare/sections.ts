import { columnNames } from '../../harness/results/column.ts';
import type { Column } from '../../harness/results/column.ts';
import type { CallLatency } from '../../harness/results/generated/events.ts';
import { conclude } from '../conclusion.ts';
import { countOf } from '../quantities.ts';
import type { ClauseDifference, Comparison, Difference } from './comparison.ts';

/** A part of a comparison: a table, as every form of it shows one. */
export interface Section {
  readonly title: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

const inWords: Readonly<Record<Column, string>> = {
  ...columnNames,
  failed: 'FAILED',
  known: 'known failure',
};
/** For what a run says nothing of. */
const nothing = '–';

/** A comparison as tables, what matters most first; tables without rows are left out. */
export function sectionsOf(comparison: Comparison): readonly Section[] {
  const { runs, regressions, fixed, otherwise, observations, latencies } = comparison;
  const letters = runs.map((_, index) => letterOf(index));
  const [first = 'A'] = letters;
  const clauses = (title: string, each: readonly ClauseDifference[]): Section => ({
    title: `${title}: ${countOf(each.length, 'clause')}`,
    head: ['clause', ...letters, 'got'],
    rows: each.map(({ subject, values, got = '' }) => [subject, ...values.map(columnInWords), got]),
  });
  const all: readonly Section[] = [
    {
      title: 'Runs',
      head: ['', 'server', 'result', 'results in'],
      rows: runs.map(({ name, run }, index) => [
        letterOf(index),
        run.header?.baseUrl ?? nothing,
        conclude(run, run.header?.profile.strict === true).text,
        name,
      ]),
    },
    clauses(`Regressions since ${first}`, regressions),
    clauses(`Fixed since ${first}`, fixed),
    clauses('Otherwise different', otherwise),
    {
      title: `Observations that differ: ${observations.length}`,
      head: ['observation', ...letters],
      rows: observations.map(({ subject, values }) => [subject, ...values.map((value = nothing) => value)]),
    },
    {
      title: 'Latency, p50 and p95 in ms',
      head: ['call', ...letters],
      rows: latencies.map((each) => [each.subject, ...latencyCells(each)]),
    },
  ];
  return all.filter(({ rows }) => rows.length > 0);
}

/** What a comparison comes to, in one sentence. */
export function comparisonInWords({ runs, regressions, fixed, otherwise }: Comparison): string {
  const partial = runs.filter(({ run }) => run.footer?.end !== 'complete');
  const parts = [
    regressions.length === 0 ? 'no regression' : countOf(regressions.length, 'regression'),
    `${fixed.length} fixed`,
    `${otherwise.length} otherwise different`,
    ...(partial.length === 0
      ? []
      : [`incomplete and so without a say in much: ${partial.map(({ name }) => name).join(', ')}`]),
  ];
  return parts.join('; ');
}

function latencyCells({ values }: Difference<CallLatency>): readonly string[] {
  return values.map((each) =>
    each === undefined ? nothing : `${Math.round(each.p50Ms)}, ${Math.round(each.p95Ms)}`,
  );
}

function columnInWords(column: Column | undefined): string {
  return column === undefined ? nothing : inWords[column];
}

function letterOf(index: number): string {
  return index < 26 ? String.fromCharCode(65 + index) : `R${index + 1}`;
}
