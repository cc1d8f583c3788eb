import { describe, expect, it } from 'vitest';
import { catalogue, type Judged, judgeHistory } from '../../../history/judges/index.ts';
import { type HistoryMutant, historyMutants } from '../../../selftest/histories/mutants.ts';
import type { Simulated } from '../../../selftest/histories/simulate.ts';
import { findIn, type Found, onlyWith, simulateMutant, upTo } from './judged.ts';

/** Histories of one mutant that are tried before it counts as not found. */
const attempts = 8;

interface Attempt extends Found {
  readonly simulated: Simulated;
}

/** What the first history of a mutant shows that shows its anomaly; of the last one tried if none does. */
async function firstFound(mutant: HistoryMutant): Promise<Attempt> {
  let attempt: Attempt | undefined;
  for (const seed of upTo(attempts)) {
    const simulated = await simulateMutant(mutant, seed);
    attempt = { simulated, ...findIn(mutant, simulated) };
    if (attempt.own.length > 0) return attempt;
  }
  if (attempt === undefined) throw new RangeError('no seeds');
  return attempt;
}

const known = new Map<HistoryMutant, Promise<Attempt>>();

/** Simulated once for all that is asked of it. */
function attemptOf(mutant: HistoryMutant): Promise<Attempt> {
  const attempt = known.get(mutant) ?? firstFound(mutant);
  known.set(mutant, attempt);
  return attempt;
}

it('a mutant of the simulated service exists for every anomaly of the catalogue', () => {
  const planted = new Set<string>(historyMutants.map(({ anomaly }) => anomaly));
  expect(Object.keys(catalogue).filter((name) => !planted.has(name))).toEqual([]);
});

/** Holds the judges against mutants: they name what each shows, and nothing else. */
export function describeFound(mutants: readonly HistoryMutant[]): void {
  describe('a mutant of the simulated service', () => {
    it.each(mutants)(
      '$id is found by its name and clause, and by no name that is not declared',
      async (mutant) => {
        const { own, others } = await attemptOf(mutant);
        expect(own.length, 'own findings').toBeGreaterThan(0);
        expect(others).toEqual([]);
      },
    );

    it.each(mutants)(
      '$id has small witnesses that show the same by themselves, each read needed',
      async (mutant) => {
        const { own, simulated } = await attemptOf(mutant);
        const { history } = simulated;
        for (const { name, clause, root, witness } of own.slice(0, 3)) {
          const isShown = (operations: typeof witness): boolean =>
            judgeHistory(onlyWith(history, operations)).anomalies.some(
              (each) => each.name === name && each.clause === clause && each.root === root,
            );
          expect(witness.length).toBeLessThanOrEqual(6);
          expect(isShown(witness), 'the witness alone').toBe(true);
          // The first operation is the cause, and so is the send of a message, even where others show it as well.
          const without = witness.filter(
            ({ kind }, place) => place > 0 && kind !== 'send' && isShown(witness.toSpliced(place, 1)),
          );
          expect(without, 'operations of the witness without which it shows all the same').toEqual([]);
        }
      },
    );

    it('would not be found by judges that say nothing', async () => {
      const silent = (): Judged => ({
        opportunities: new Map(),
        anomalies: [],
        breaches: new Map(),
        untold: [],
      });
      for (const mutant of mutants) {
        const { simulated } = await attemptOf(mutant);
        expect(findIn(mutant, simulated, silent).own, mutant.id).toEqual([]);
      }
    });
  });
}
