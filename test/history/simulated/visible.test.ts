import { describe, expect, it } from 'vitest';
import { judgeHistory } from '../../../history/judges/index.ts';
import type { History } from '../../../history/operation.ts';
import { historyMutants } from '../../../selftest/histories/mutants/index.ts';
import { simulate } from '../../../selftest/histories/simulate.ts';
import { simulateMutant, upTo } from './judged.ts';
import { lackingIn } from './lacking.ts';

const passingOver: ReadonlySet<string> = new Set([
  'poll-skip',
  'late-commit',
  'newest-page-hole',
  'resurrection',
]);

/** What the judges find of what pages lack, and what there is to be found. */
function compared(history: History) {
  const names = judgeHistory(history).anomalies.map(({ name }) => name);
  const { passedOver, denied } = lackingIn(history);
  return {
    found: [names.some((name) => passingOver.has(name)), names.includes('has-more-false')],
    isThere: [passedOver.length > 0, denied.length > 0],
  };
}

describe('what a page lacks', () => {
  const seen = { passedOver: 0, denied: 0 };

  it.each(historyMutants)('is found in a history of $id whenever it is visible, and only then', (mutant) => {
    for (const seed of upTo(2)) {
      const { history } = simulateMutant(mutant, seed);
      const { found, isThere } = compared(history);
      seen.passedOver += Number(isThere[0]);
      seen.denied += Number(isThere[1]);
      // Where an agent was deactivated, whose feed it is is not asked here: the judges may know more.
      const mayKnowMore = history.operations.some(
        (each) => each.kind === 'change' && each.change === 'deactivate',
      );
      const least = mayKnowMore ? found.map((isFound, at) => isFound && isThere[at]) : found;
      expect(least, `seed ${seed}`).toEqual(isThere);
    }
  });

  it('was visible in many histories, so that finding it says something', () => {
    expect(seen.passedOver).toBeGreaterThan(12);
    expect(seen.denied).toBeGreaterThan(2);
  });

  it('is nothing in histories of a conforming service', () => {
    for (const seed of upTo(20))
      expect(lackingIn(simulate({ seed }).history), `seed ${seed}`).toEqual({ passedOver: [], denied: [] });
  });
});
