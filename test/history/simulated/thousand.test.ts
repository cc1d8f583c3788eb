import { describe, expect, it } from 'vitest';
import { judgeClean } from './clean.ts';

describe('the judges, at a thousand conforming services more', () => {
  it.each(Array.from({ length: 10 }, (_, index) => 101 + index * 115))(
    'say nothing of seeds from %d on',
    async (from) => {
      const seeds = Array.from({ length: 115 }, (_, index) => from + index);
      expect((await judgeClean(seeds)).alarms).toEqual([]);
    },
  );
});
