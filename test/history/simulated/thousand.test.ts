import { describe, expect, it } from 'vitest';
import { historyMutants } from '../../../selftest/histories/mutants.ts';
import { judgeClean } from './clean.ts';
import { conformingSeeds, firstMutants, upTo } from './judged.ts';
import { describeKnowingLess } from './knowing-less.ts';
import { describeLacking } from './lacking-pages.ts';
import { describeFound } from './mutants-are-found.ts';
import { describeToldOtherwise } from './told-otherwise.ts';

const otherMutants = historyMutants.filter((each) => !firstMutants.includes(each));

describe('the judges, at a thousand conforming services more', () => {
  it.each(Array.from({ length: 10 }, (_, index) => conformingSeeds.length + 1 + index * 122))(
    'say nothing of seeds from %d on',
    async (from) => {
      const seeds = Array.from({ length: 122 }, (_, index) => from + index);
      expect((await judgeClean(seeds)).alarms).toEqual([]);
    },
  );
});

describeFound(otherMutants);
describeLacking(historyMutants, 2);
describeKnowingLess(otherMutants, upTo(100));
describeToldOtherwise(otherMutants);
