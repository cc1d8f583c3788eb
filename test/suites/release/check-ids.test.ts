import { describe, expect, it } from 'vitest';
import { checkIds, goneFrom, unpinnedIn } from '../../../suites/release/check-ids.ts';
import { readRequirementSet, requirementSetNames } from '../../../suites/release/requirement-sets.ts';

it('the ids of checks occur once each', () => {
  expect(new Set(checkIds()).size).toBe(checkIds().length);
});

describe.each(requirementSetNames())('the ids that %s pins', (name) => {
  it('are all still there: none is ever renamed', () => {
    expect(goneFrom(readRequirementSet(name), checkIds())).toEqual([]);
  });

  it('are those of every check while the set is not frozen: `npm run pin` adds new ones', () => {
    expect(unpinnedIn(readRequirementSet(name), checkIds())).toEqual([]);
  });
});

describe.each([true, false])('a requirement set whose being frozen is %s', (isFrozen) => {
  const set = { name: '1', isFrozen, checks: new Set(['a.stays', 'a.goes']) };

  it('misses a check that was deleted or renamed', () => {
    expect(goneFrom(set, ['a.stays', 'b.comes'])).toEqual(['a.goes']);
  });

  it('wants a new check only while it is not frozen', () => {
    expect(unpinnedIn(set, ['a.stays', 'b.comes'])).toEqual(isFrozen ? [] : ['b.comes']);
  });
});
