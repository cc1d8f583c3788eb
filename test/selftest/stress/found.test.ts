import { describe, expect, it } from 'vitest';
import { startable } from '../../../selftest/mutants/base/mutant.ts';
import { allConcurrencyMutants, type ConcurrencyMutant, findMutant } from '../../../selftest/stress/index.ts';
import { SendsInHand } from '../../../selftest/stress/sends-in-hand.ts';

const brief = { clients: 8, timeMs: 5_000, firstChapterMs: 600 };

/** One of sends, one of reads, one of restarts; the nightly proofs look for all. */
const few = ['two-sends-one-sequence', 'item-left-out-beside-a-send', 'restart-counts-again'];

describe('concurrent clients', () => {
  it.each(few)('find %s', async (id) => {
    const mutant = allConcurrencyMutants.find((each) => each.id === id) as ConcurrencyMutant;
    const firstChapterMs = mutant.isOfRestart ? 1_500 : brief.firstChapterMs;
    const { isFound, names } = await findMutant(mutant, { ...brief, firstChapterMs });
    expect({ isFound, names }).toMatchObject({ isFound: true });
  });

  it('find nothing where commits take their time and nothing is wrong', async () => {
    const slow: ConcurrencyMutant = {
      id: 'slow',
      what: 'commits take their time',
      shows: [],
      isOfRestart: true,
      ...startable(() => new SendsInHand().overlay({})),
    };
    const { names, result } = await findMutant(slow, { ...brief, timeMs: 1_500 });
    expect(names).toEqual([]);
    expect(result.trouble).toBeUndefined();
    expect(result.exercised.restarts).toBeGreaterThan(0);
    const clauses = result.judged.checks().flatMap((check) => check.clauses);
    expect(clauses.filter(({ verdict }) => verdict === 'passed').length).toBeGreaterThan(30);
  });
});

it('the concurrency mutants are at least fifteen, each named once', () => {
  const ids = allConcurrencyMutants.map(({ id }) => id);
  expect(ids.length).toBeGreaterThanOrEqual(15);
  expect(new Set(ids).size).toBe(ids.length);
});
