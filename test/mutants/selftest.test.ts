import { describe, expect, it } from 'vitest';
import { check, type Check } from '../../harness/engine/check.ts';
import { mutant, mutants, refusing, type Mutant, type MutantOptions } from '../../reference/mutants/index.ts';
import { observeHere } from '../../selftest/observe.ts';
import { summaryOf } from '../../selftest/report.ts';
import { isGreen, runSelftest, type SelftestReport } from '../../selftest/run-selftest.ts';
import { sampleOf } from '../../selftest/sample.ts';
import { allChecks } from '../../suites/index.ts';

const refusedMachine = (): MutantOptions =>
  mutants.find(({ id }) => id === 'overview-is-404')?.options() ?? {};

function named<Named extends { readonly id: string }>(
  list: readonly Named[],
  ...ids: readonly string[]
): Named[] {
  return list.filter(({ id }) => ids.includes(id));
}

/** A self-test of two mutants and the checks that catch them, with what is planted beside them. */
function selftestWith(planted: {
  mutants?: readonly Mutant[];
  checks?: readonly Check[];
}): Promise<SelftestReport> {
  return runSelftest({
    mutants: [...named(mutants, 'limit-ends-at-101', 'default-limit-is-49'), ...(planted.mutants ?? [])],
    checks: [
      ...allChecks.filter(({ clauses }) => clauses.some((clause) => clause.startsWith('mentions.limit.'))),
      ...(planted.checks ?? []),
    ],
    observe: observeHere,
    lanes: 4,
  });
}

const idleAmong = ({ faults }: SelftestReport, prefix: string): string[] =>
  faults.idleChecks.filter((id) => id.startsWith(prefix));

describe('the self-test', () => {
  it('counts a mutant as caught by a check of its clause', async () => {
    const { results, faults } = await selftestWith({});
    expect(results.map(({ killedBy }) => killedBy.length > 0)).toEqual([true, true]);
    expect(faults.survivors).toEqual([]);
    expect(faults.crashes).toEqual([]);
  });

  it('counts a mutant that refuses a good credential as caught by a run that names the role and judges nothing', async () => {
    const harmless = mutant('planted-harmless', 'overview.success-is-2xx', 'nothing is wrong', { rules: {} });
    const { results } = await selftestWith({
      mutants: [
        ...named(mutants, 'overview-is-404'),
        refusing('author', { ...harmless, id: 'planted-other-role', options: refusedMachine }),
        refusing('machine', harmless),
      ],
    });
    const killers = Object.fromEntries(results.map(({ mutant: { id }, killedBy }) => [id, killedBy]));
    expect(killers).toMatchObject({
      'overview-is-404': ['preflight'],
      'planted-other-role': [],
      'planted-harmless': [],
    });
  });

  it('is red when a mutant that changes nothing lives', async () => {
    const harmless = mutant('planted-harmless', 'mentions.limit.max', 'nothing is wrong', { rules: {} });
    const report = await selftestWith({ mutants: [harmless] });
    expect(report.faults.survivors.map(({ mutant: { id } }) => id)).toEqual(['planted-harmless']);
    expect(isGreen(report)).toBe(false);
    expect(summaryOf(report)).toContain('lives:     mentions.limit.max (must): planted-harmless');
  });

  it('is red when a check that can never fail catches nothing', async () => {
    const toothless = check(
      'planted.passes-always',
      { title: 'whatever happens', clauses: ['mentions.limit.max'], needs: ['author'] },
      async ({ expect: expectThat }) =>
        expectThat.holds('mentions.limit.max', true, { expected: '', actual: '' }),
    );
    const report = await selftestWith({ checks: [toothless] });
    expect(idleAmong(report, 'planted.')).toEqual(['planted.passes-always']);
    expect(isGreen(report)).toBe(false);
  });

  it('is red when the reference itself does not pass a check', async () => {
    const unhappy = check(
      'planted.fails-always',
      { title: 'nothing is right', clauses: ['mentions.limit.max'], needs: ['author'] },
      async ({ expect: expectThat }) =>
        expectThat.holds('mentions.limit.max', false, { expected: 'a', actual: 'b' }),
    );
    const { faults } = await selftestWith({ checks: [unhappy] });
    expect(faults.unhealthyChecks.map(({ check: { id }, trouble }) => `${id}: ${trouble ?? ''}`)).toEqual([
      'planted.fails-always: mentions.limit.max failed',
    ]);
  });

  it('is red when a clause has neither a mutant nor a reason', async () => {
    const { faults } = await selftestWith({});
    const left = faults.clausesWithoutMutant.map(({ id }) => id);
    expect(left).toContain('mentions.limit.min');
    expect(left).not.toContain('mentions.limit.max');
  });
});

describe('a sample of the mutants', () => {
  it('covers every area, and is the same each time', () => {
    const areas = (list: readonly Mutant[]): string[] =>
      [...new Set(list.map(({ clause }) => clause.split('.')[0] ?? ''))].toSorted();
    expect(areas(sampleOf(mutants))).toEqual(areas(mutants));
    expect(
      sampleOf(mutants.toReversed())
        .map(({ id }) => id)
        .toSorted(),
    ).toEqual(
      sampleOf(mutants)
        .map(({ id }) => id)
        .toSorted(),
    );
  });
});
