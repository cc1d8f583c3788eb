import { describe, expect, it } from 'vitest';
import { currentIds, missingFrom, readPinnedIds } from '../../../suites/release/pinned-ids.ts';
import { readRequirementSet, requirementSetNames } from '../../../suites/release/requirement-sets.ts';

describe('the ids of checks and clauses', () => {
  it('that were pinned are all still there: none is ever renamed', () => {
    expect(missingFrom(currentIds(), readPinnedIds())).toEqual({ checks: [], clauses: [] });
  });

  it('are all pinned: `npm run pin` adds new ones', () => {
    expect(missingFrom(readPinnedIds(), currentIds())).toEqual({ checks: [], clauses: [] });
  });

  it('occur once each', () => {
    const { checks, clauses } = currentIds();
    expect([new Set(checks).size, new Set(clauses).size]).toEqual([checks.length, clauses.length]);
  });
});

describe.each(requirementSetNames())('the requirements of %s', (name) => {
  const { checks, isFrozen } = readRequirementSet(name);
  const current = currentIds().checks;

  it('name only checks that there are', () => {
    expect([...checks].filter((id) => !current.includes(id))).toEqual([]);
  });

  it.skipIf(isFrozen)('name every check while they are not frozen: `npm run pin` adds new ones', () => {
    expect(current.filter((id) => !checks.has(id))).toEqual([]);
  });
});
