import { describe, expect, it } from 'vitest';
import { excused, linesBy, typedElsewhere } from '../docs/excused.ts';
import { fencedLines } from '../docs/pages.ts';
import { describeFenced, isLong, shortLines } from './fenced.ts';

const { run, elsewhere, excused: notRun } = linesBy;
const nightly = run.filter(isLong);

describe(`fenced commands: ${fencedLines.length}; run here as they stand ${run.length - nightly.length}, every night ${nightly.length}, by other tests ${elsewhere.length}, excused ${notRun.length}`, () => {
  describeFenced(shortLines, { areSideBySide: true });

  it.each([...typedElsewhere, ...excused].map(({ why, page, line }) => [why, page, line] as const))(
    'are excused by what is still there: %s',
    (_, page, line) => {
      const meant = fencedLines.filter((each) => page.test(each.page) && line.test(each.line));
      expect(meant).not.toEqual([]);
    },
  );
});
