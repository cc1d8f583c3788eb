import { describe, expect, it } from 'vitest';
import { contractRules } from '../../../reference/index.ts';
import { mutants, writtenMutants } from '../../../selftest/mutants/index.ts';
import { decidableClauses } from '../../../selftest/run/run-selftest.ts';

describe('the mutants', () => {
  it('have ids of their own, which are slugs', () => {
    const ids = mutants.map(({ id }) => id);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
    expect(ids.filter((id) => !/^[a-z0-9]+(-[a-z0-9]+)*$/i.test(id))).toEqual([]);
  });

  it('are many, most of them written by hand', () => {
    expect(writtenMutants.length).toBeGreaterThan(250);
  });

  it('break clauses that a run can decide', () => {
    const decidable = new Set<string>(decidableClauses().map(({ id }) => id));
    expect(
      mutants.filter(({ clause }) => !decidable.has(clause)).map(({ id, clause }) => `${id}: ${clause}`),
    ).toEqual([]);
  });

  it('break every clause that a run can decide', () => {
    const broken = new Set<string>(mutants.map(({ clause }) => clause));
    const left = decidableClauses()
      .map(({ id }) => id)
      .filter((id) => !broken.has(id));
    expect(left).toEqual([]);
  });

  it('refuse a good credential only where taking it is the very clause', () => {
    const refusing = mutants.filter(({ refuses }) => refuses !== undefined);
    expect(refusing.length).toBeGreaterThan(0);
    const clauses = new Set(refusing.map(({ clause, refuses }) => `${refuses}: ${clause}`));
    expect([...clauses].toSorted()).toEqual([
      'api-key: auth.api-key-accepted',
      'machine: overview.success-is-2xx',
    ]);
  });

  it('change something, and begin again at each start', () => {
    for (const { id, options } of mutants) {
      const [first, second] = [options(), options()];
      const changed = Object.entries(first.rules ?? {}).filter(
        ([name, rule]) => contractRules[name as keyof typeof contractRules] !== rule,
      );
      expect(changed.length > 0 || first.answer !== undefined || first.settings !== undefined, id).toBe(true);
      expect(first, id).not.toBe(second);
    }
  });
});
