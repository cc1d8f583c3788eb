import { areaOf } from '../../harness/check/check.ts';
import type { DegenerateResult } from './judge-degenerate.ts';
import type { MutantResult } from './judge-mutant.ts';
import type { VariantResult } from './judge-variant.ts';
import { decidableClauses, type SelftestReport } from './run-selftest.ts';
import { type Row, tableInMarkdown } from './proof.ts';
import { grouped } from '../../spec/groups.ts';

/** The figures by area, as `docs/selftest.md` keeps them; `day` is that of the run. */
export function summaryPageOf(report: SelftestReport, day: string): string {
  const { results, variants, degenerates, profiles, faults, durationMs } = report;
  const { alone, combined } = partsOf(variants);
  const areas = grouped(decidableClauses(), (clause) => areaOf(clause));
  const tried = (what: string, all: number, good: number): Row => [what, all, good];
  return `# The self-test

The figures of the last whole run of \`npm run selftest\`, which wrote them on ${day} after ${(durationMs / 60_000).toFixed(0)} minutes. What each kind of
server is, and which other proofs there are: [selftest/README.md](../selftest/README.md). The table by clause and by server
is \`.conform/selftest.md\`; the nightly workflow keeps it with its run.

${tableInMarkdown(
  ['tried', 'servers', 'judged rightly'],
  [
    tried('mutants, each killed by a check of its clause', results.length, killedIn(results).length),
    tried(
      'mutants, whose history alone comes to no more than their run',
      results.length,
      results.length - faults.hiding.length,
    ),
    tried('variants, without an alarm', alone.length, alone.filter(isQuiet).length),
    tried('combinations of variants, without an alarm', combined.length, combined.filter(isQuiet).length),
    tried(
      'degenerate servers, which prove nothing',
      degenerates.length,
      degenerates.length - faults.escapes.length,
    ),
  ],
)}

${profiles.length} checks, of which ${faults.idleChecks.length} killed nothing.

## By area of the clause

${tableInMarkdown(
  ['area', 'clauses', 'mutants', 'killed'],
  [...areas].map(([area, clauses]): Row => {
    const ofArea = results.filter(({ mutant }) => areaOf({ id: mutant.clause }) === area);
    return [area, clauses.length, ofArea.length, killedIn(ofArea).length];
  }),
)}
`;
}

/** The whole: tables by clause, by variant, by combination and by degenerate server. */
export function documentOf({ results, variants, degenerates, profiles, faults }: SelftestReport): string {
  const byClause = grouped(results, ({ mutant }) => mutant.clause);
  const rows = decidableClauses().map(({ id, level }) => clauseRow(id, level, byClause.get(id) ?? []));
  const { alone, combined } = partsOf(variants);
  return `# The self-test

## Mutants

${killedIn(results).length} of ${results.length} mutants are killed; ${rows.length} clauses can be decided; ${profiles.length} checks; ${faults.idleChecks.length} checks killed nothing.

${tableInMarkdown(['clause', 'level', 'mutants', 'killed', 'by', 'survived'], rows)}

## Variants

${alone.filter(isQuiet).length} of ${alone.length} variants raise no alarm. Each is held against a part of the checks, drawn by its name.

${tableInMarkdown(['variant', 'what leaves it open', 'may warn', 'checks', 'verdict'], alone.map(variantRow))}

## Combinations

${combined.filter(isQuiet).length} of ${combined.length} combinations raise no alarm.

${tableInMarkdown(['combination', 'variants', 'checks', 'verdict'], combined.map(combinationRow))}

## Degenerate servers

${degenerates.length - faults.escapes.length} of ${degenerates.length} degenerate servers prove nothing.

${tableInMarkdown(['server', 'exit code', 'checks that passed', 'verdict'], degenerates.map(degenerateRow))}
`;
}

function partsOf(variants: readonly VariantResult[]): Record<'alone' | 'combined', readonly VariantResult[]> {
  return {
    alone: variants.filter(({ server }) => server.variants.length === 1),
    combined: variants.filter(({ server }) => server.variants.length > 1),
  };
}

function killedIn(results: readonly MutantResult[]): readonly MutantResult[] {
  return results.filter(({ killedBy }) => killedBy.length > 0);
}

function clauseRow(clause: string, level: string, results: readonly MutantResult[]): Row {
  const killed = killedIn(results);
  const checks = new Set(killed.flatMap(({ killedBy }) => killedBy)).size;
  const survived = results.filter(({ killedBy }) => killedBy.length === 0).map(({ mutant }) => mutant.id);
  return [`\`${clause}\``, level, results.length, killed.length, checks, survived.join(', ')];
}

function variantRow({ server, alarms, run }: VariantResult): Row {
  const [variant] = server.variants;
  const { id = '', words = '', mayWarn = [] } = variant ?? {};
  return [`\`${id}\``, words, mayWarn.join(', '), run, verdictOf(alarms)];
}

function combinationRow({ server, alarms, run }: VariantResult): Row {
  const ids = server.variants.map(({ id }) => id).join(', ');
  return [server.id, ids, run, verdictOf(alarms)];
}

function degenerateRow({ server, exitCode, passed, escapes }: DegenerateResult): Row {
  return [server.name, exitCode, passed.length, escapes.length === 0 ? 'proves nothing' : escapes.join('; ')];
}

function isQuiet({ alarms }: VariantResult): boolean {
  return alarms.length === 0;
}

function verdictOf(alarms: readonly string[]): string {
  return alarms.length === 0 ? 'no alarm' : alarms.join('; ').replaceAll('|', '\\|');
}
