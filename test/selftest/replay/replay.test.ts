import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cellMutants } from '../../../selftest/mutants/index.ts';
import { openReplay } from '../../../selftest/replay/open-replay.ts';
import { recordPopulation } from '../../../selftest/replay/recorded.ts';
import { replayed, rulesBehind } from '../../../selftest/replay/replay.ts';

const ofPages = cellMutants.filter((mutant) => Object.keys(rulesBehind(mutant) ?? { other: 1 }).length === 0);

describe('the mutants of one cell', () => {
  it('are at least 150', () => {
    expect(cellMutants.length).toBeGreaterThan(150);
  });
});

describe('a replay', () => {
  let recorded: Awaited<ReturnType<typeof recordPopulation>>;
  beforeAll(async () => void (recorded = await recordPopulation()), 60_000);
  afterAll(() => recorded.close());

  it('names no clause where every page is given out as it was', () => {
    const clauses = [...new Set(ofPages.map(({ clause }) => clause))];
    expect(
      clauses.filter((clause) => replayed(recorded, { clause, options: () => ({}) }) !== undefined),
    ).toEqual([]);
  });

  it('names the clause of a mutant', () => {
    const some = ofPages.filter((_, index) => index % 20 === 0);
    expect(some.filter((mutant) => replayed(recorded, mutant) === undefined).map(({ id }) => id)).toEqual([]);
  });
});

describe('the situations that are declared', () => {
  it('all arise on the server of the contract', async () => {
    const replay = await openReplay(ofPages.slice(0, 2));
    await replay.close();
    expect(replay.missing).toEqual([]);
  }, 60_000);
});
