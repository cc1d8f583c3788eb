import { areaOf } from '../../harness/check/check.ts';
import type { Mutant } from '../mutants/index.ts';
import { type Row, tableInMarkdown } from '../run/proof.ts';
import { grouped } from '../../spec/groups.ts';
import type { FuzzedMutant } from '../servers/campaigns.ts';
import { reasonAgainst, type ReasonAgainst, reasonsAgainst } from './stateless.ts';

/** Share of the stateless mutants that a campaign has to find. */
export const wantedShare = 0.95;

/** What campaigns against mutants came to. */
export interface FuzzReport {
  readonly results: readonly { readonly mutant: Mutant; readonly fuzzed: FuzzedMutant }[];
  readonly maxCases: number;
  readonly seed: number;
}

/** How many were found, and the median of the cases that it took. */
export function figuresOf({ results }: Pick<FuzzReport, 'results'>): {
  readonly found: number;
  readonly of: number;
  readonly median: number;
  readonly most: number;
  /** Over all cases that were sent, to those too that were not found. */
  readonly perTenThousand: number;
  readonly isEnough: boolean;
} {
  const counts = results
    .flatMap(({ fuzzed }) => fuzzed.casesToFind ?? [])
    .toSorted((one, other) => one - other);
  return {
    found: counts.length,
    of: results.length,
    median: counts[Math.floor(counts.length / 2)] ?? 0,
    most: counts.at(-1) ?? 0,
    perTenThousand: (10_000 * counts.length) / Math.max(1, casesOf(results)),
    isEnough: counts.length >= results.length * wantedShare,
  };
}

function casesOf(results: FuzzReport['results']): number {
  return results.reduce((sum, { fuzzed }) => sum + (fuzzed.casesToFind ?? fuzzed.cases), 0);
}

/** The figures, as `docs/fuzz-mutants.md` keeps them; `day` is that of the measurement's end. */
export function fuzzPageOf(report: FuzzReport, leftOut: readonly Mutant[], day: string): string {
  const { found, of, median, most } = figuresOf(report);
  const missed = report.results.filter(({ fuzzed }) => fuzzed.casesToFind === undefined);
  const byArea = grouped(report.results, ({ mutant }) => areaOf({ id: mutant.clause }));
  return `# What a campaign finds

The figures of the last whole run of \`npm run fuzz-selftest\`, finished on ${day}: which mutants a campaign of single requests
names the broken clause of. \`selftest/fuzz/stateless.ts\` says which mutants one request can show, and why the others cannot;
they are in \`.conform/fuzz-mutants.md\` after a run. It takes hours: mutants may have come and gone since, one in fifty at most.

${tableInMarkdown(
  ['mutants that single requests show', `${of} of ${of + leftOut.length}`],
  [
    [
      `found within ${thousands(report.maxCases)} cases (seed ${report.seed})`,
      `${found}, ${((100 * found) / Math.max(of, 1)).toFixed(1)} %`,
    ],
    ['median cases to find one', thousands(median)],
    ['most cases that one took', thousands(most)],
  ],
)}

${tableInMarkdown(
  ['area', 'mutants', 'found', 'median cases'],
  [...byArea].map(([area, results]) => rowOf(area, results)),
)}

Not found:

${missed.length === 0 ? 'None.' : missed.map(({ mutant, fuzzed }) => missedLine(mutant, fuzzed)).join('\n')}
`;
}

/** The mutants that single requests do not show, by the reason against each. */
export function leftOutPageOf(leftOut: readonly Mutant[]): string {
  return `# Left out of the campaigns against mutants

${Object.entries(byReason(leftOut))
  .map(([reason, mutants]) => sectionOf(reason as ReasonAgainst, mutants))
  .join('\n\n')}
`;
}

function rowOf(area: string, results: FuzzReport['results']): Row {
  const { found, of, median } = figuresOf({ results });
  return [area, of, found, found === 0 ? '' : thousands(median)];
}

function missedLine({ clause, id, what }: Mutant, { alsoNamed }: FuzzedMutant): string {
  const others =
    alsoNamed.length === 0 ? '' : `; named instead: ${alsoNamed.map((each) => `\`${each}\``).join(', ')}`;
  return `- \`${clause}\`: ${what} (\`${id}\`)${others}`;
}

function byReason(leftOut: readonly Mutant[]): Readonly<Record<string, readonly Mutant[]>> {
  return Object.fromEntries(grouped(leftOut, (mutant) => reasonAgainst(mutant) ?? ''));
}

function sectionOf(reason: ReasonAgainst, mutants: readonly Mutant[]): string {
  const byClause = grouped(mutants, ({ clause }) => clause);
  const lines = [...byClause].map(
    ([clause, each]) => `- \`${clause}\`: ${each.map(({ id }) => id).join(', ')}`,
  );
  return `## ${reason}: ${mutants.length}\n\nLeft out because ${reasonsAgainst[reason]}.\n\n${lines.join('\n')}`;
}

function thousands(number: number): string {
  return number.toLocaleString('en');
}
