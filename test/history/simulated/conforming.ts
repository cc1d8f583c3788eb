import { describe, expect, it } from 'vitest';
import { judges } from '../../../history/judges/index.ts';
import { Random } from '../../../selftest/histories/base/random.ts';
import { drawFreedoms } from '../../../selftest/histories/choices/freedoms.ts';
import { clauseOf } from '../../../spec/index.ts';
import { judgeClean } from './clean.ts';
import { conformingSeeds, upTo } from './judged.ts';

const { alarms, opportunities } = await judgeClean(conformingSeeds);

describe('the judges, at conforming services', () => {
  it('say nothing', () => {
    expect(alarms).toEqual([]);
  });

  it('put every clause of theirs to the test', () => {
    const clauses = [...new Set(judges.flatMap((judge) => judge.clauses))];
    expect(clauses.filter((clause) => !((opportunities.get(clause) ?? 0) > 0))).toEqual([]);
  });
});

describe('what a conforming service may be wondered at', () => {
  const drawn = upTo(300).map((seed) =>
    drawFreedoms(new Random(seed)).flatMap(({ mayWarn = [] }) => mayWarn),
  );

  it('is never a clause that fails it', () => {
    const levels = drawn.flatMap((mayWarn) => mayWarn.map((clause) => clauseOf(clause).level));
    expect(new Set(levels)).toEqual(new Set(['inferred']));
  });

  it('is nothing in many cases', () => {
    expect(drawn.filter(({ length }) => length === 0).length).toBeGreaterThan(40);
  });
});
