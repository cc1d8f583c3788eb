import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { mutants } from '../../selftest/mutants/index.ts';
import { comparing, mutantsApart, reasonAgainst, reasonsAgainst } from '../../selftest/fuzz/stateless.ts';
import { wantedShare } from '../../selftest/fuzz/fuzz-report.ts';
import { clauseOf, packageFile } from '../../spec/index.ts';

/** Making the table takes hours: it may be of a few mutants more or fewer than there are now, as a share of them. */
const mayLag = 0.02;

describe('the mutants that single requests show', () => {
  it('are all but those that one of the reasons speaks against', () => {
    const reasons = mutants.flatMap((mutant) => reasonAgainst(mutant) ?? []);
    expect(new Set(reasons)).toEqual(new Set(Object.keys(reasonsAgainst)));
    // What the register itself keeps from single requests is nobody's list.
    const givenByHand = ['several answers', 'unknown to the target', 'preflight'];
    const against = reasons.filter((reason) => givenByHand.includes(reason));
    const single = mutants.filter((mutant) => reasonAgainst(mutant) === undefined);
    expect(against.length).toBeLessThan((against.length + single.length) / 4);
  });

  it('are not listed against twice, nor against what is no mutant', () => {
    // That a good credential is refused is a reason of the mutant, and not of its clause.
    const withoutTables = mutants.filter(
      ({ clause, id, refuses }) => !comparing.has(clause) && !(id in mutantsApart) && refuses === undefined,
    );
    const derived = withoutTables.filter(
      (mutant) => ![undefined, 'one cell'].includes(reasonAgainst(mutant)),
    );
    const derivedClauses = new Set(derived.map(({ clause }) => clause));
    const clauses = new Set(mutants.map(({ clause }) => clause));
    expect([...comparing].filter((clause) => !clauses.has(clause) || derivedClauses.has(clause))).toEqual([]);
    const ids = new Map(mutants.map((mutant) => [mutant.id, mutant]));
    const idle = Object.keys(mutantsApart).filter((id) => {
      const clause = ids.get(id)?.clause;
      return clause === undefined || comparing.has(clause) || derivedClauses.has(clause);
    });
    expect(idle).toEqual([]);
  });

  it('hold the operator against nothing that the register needs no hook for', () => {
    const wrong = mutants.filter(
      (mutant) =>
        reasonAgainst(mutant) === 'operator' &&
        !clauseOf(mutant.clause).needs.some((need) => need.endsWith('-hook')),
    );
    expect(wrong).toEqual([]);
  });

  it('leave no rule of a schema out, but of files, and of receipts that nobody reported', () => {
    const leftOut = mutants.filter((mutant) => 'schema' in mutant && reasonAgainst(mutant) !== undefined);
    const areas = new Set(leftOut.map(({ clause }) => clause.split('.')[0]));
    expect(areas).toEqual(new Set(['file', 'message', 'receipts', 'service']));
  });

  it('are hardly others than the kept table was made of, and enough of those were found', () => {
    const kept = readFileSync(packageFile('docs/fuzz-mutants.md'), 'utf8').replaceAll(/ +/g, ' ');
    const stateless = mutants.filter((mutant) => reasonAgainst(mutant) === undefined);
    const [, measured] = /mutants that single requests show \| ([0-9]+) of/.exec(kept) ?? [];
    expect(Math.abs(Number(measured) - stateless.length)).toBeLessThanOrEqual(mayLag * stateless.length);
    const [, found] = /found within 20,000 cases \(seed 1\) \| ([0-9]+),/.exec(kept) ?? [];
    expect(Number(found)).toBeGreaterThanOrEqual(Number(measured) * wantedShare);
  });
});
