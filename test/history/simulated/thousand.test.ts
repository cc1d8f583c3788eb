import { expect, it } from 'vitest';
import { type HistoryMutant, historyMutants } from '../../../selftest/histories/mutants.ts';
import { judgeClean } from './clean.ts';
import { fewMutants, firstMutants, upTo } from './judged.ts';
import { describeKnowingLess } from './knowing-less.ts';
import { describeLacking } from './lacking-pages.ts';
import { describeFound } from './mutants-are-found.ts';
import { describeToldOtherwise } from './told-otherwise.ts';

const notIn = (asked: readonly HistoryMutant[]): readonly HistoryMutant[] =>
  historyMutants.filter((each) => !asked.includes(each));

it.each(Array.from({ length: 10 }, (_, index) => 1 + index * 122))(
  'the judges say nothing at a thousand conforming services more, of seeds from %d on',
  async (from) => {
    const seeds = Array.from({ length: 122 }, (_, index) => from + index);
    expect((await judgeClean(seeds)).alarms).toEqual([]);
  },
);

describeFound(notIn(firstMutants));
describeLacking(historyMutants, 2);
describeKnowingLess(notIn(fewMutants), upTo(100));
describeToldOtherwise(notIn(fewMutants));
