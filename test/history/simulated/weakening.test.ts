import { describe, expect, it } from 'vitest';
import { judgeHistory } from '../../../history/judges/index.ts';
import type { History } from '../../../history/operation.ts';
import { Random } from '../../../selftest/histories/base/random.ts';
import { historyMutants } from '../../../selftest/histories/mutants/index.ts';
import { simulate } from '../../../selftest/histories/simulate.ts';
import { simulateMutant, upTo } from './judged.ts';
import { weakenings } from './weakened.ts';

/** What may take each other's name when less is known. */
const families: readonly (readonly string[])[] = [
  ['poll-skip', 'late-commit', 'newest-page-hole', 'long-poll-disagrees', 'resurrection'],
  // A number that is given out again is a message lost, and the loss is what fewer reads show.
  ['vanished', 'lost-write', 'silent-drop', 'lost-across-restart', 'inconsistent-offsets', 'sequence-reuse'],
  ['has-more-false', 'stale-read', 'read-your-writes', 'monotonic-reads'],
  ['late-insert', 'nonmonotonic-send'],
  ['mutated', 'feed-channel-disagree'],
  ['receipt-order', 'receipts-shrink'],
];

function familiesIn(history: History): ReadonlySet<string> {
  const names = judgeHistory(history).anomalies.map(({ name }) => name);
  return new Set(names.map((name) => families.find((family) => family.includes(name))?.[0] ?? name));
}

describe.each(Object.entries(weakenings))('knowing less (%s)', (name, weaken) => {
  const part = Object.keys(weakenings).indexOf(name);

  it('makes no conforming service break anything', () => {
    const alarms = upTo(25).flatMap((seed) => {
      const { history, choices } = simulate({ seed });
      const { anomalies } = judgeHistory(weaken(history, new Random(seed)));
      const said = anomalies.filter(({ clause }) => !choices.mayWarn.includes(clause));
      return said.map(({ name, clause }) => `seed ${seed}: ${name} (${clause})`);
    });
    expect(alarms).toEqual([]);
  });

  it('makes no broken service break more', () => {
    const added = historyMutants.flatMap((mutant, index) => {
      if (index % 4 !== part) return [];
      const { history } = simulateMutant(mutant, 1);
      const before = familiesIn(history);
      const after = familiesIn(weaken(history, new Random(index)));
      return [...after].filter((each) => !before.has(each)).map((each) => `${mutant.id}: ${each}`);
    });
    expect(added).toEqual([]);
  });
});
