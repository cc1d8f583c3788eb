import { describe, expect, it } from 'vitest';
import {
  hasId,
  isSameId,
  judgeFormer,
  judgeIsRequested,
  judgeSameWorkspace,
} from '../../../../spec/oracles/answers/overview.ts';

const own = '0b6d0c1f-6f4e-4d59-9d0f-3f0c3a527a11';
const other = '0b6d0c1f-6f4e-4d59-9d0f-3f0c3a527a12';

describe('the workspace shown', () => {
  it('is the one asked for, in either letter case', () => {
    expect(judgeIsRequested({ id: own.toUpperCase() }, own)).toEqual({ judged: 1, problems: [] });
    expect(judgeIsRequested({ id: other }, own)).toMatchObject({ judged: 1, problems: [{}] });
  });

  it('decides nothing when it shows no id', () => {
    expect(judgeIsRequested({}, own)).toEqual({ judged: 0, problems: [] });
    expect(judgeIsRequested({ id: null }, own)).toEqual({ judged: 0, problems: [] });
  });
});

describe('the parts of an overview', () => {
  it('name one workspace', () => {
    expect(judgeSameWorkspace([{ workspace_id: own }, { workspace_id: own }], own)).toEqual({
      judged: 2,
      problems: [],
    });
    expect(judgeSameWorkspace([{ workspace_id: own }, { workspace_id: other }], own).problems).toHaveLength(
      1,
    );
  });

  it('are compared only where they name one', () => {
    expect(judgeSameWorkspace([{}, { workspace_id: null }], own)).toEqual({ judged: 0, problems: [] });
  });
});

describe('the members listed', () => {
  it('are none of them former ones, which shows only where one is', () => {
    expect(judgeFormer([{ status: 'active' }, { status: 'active' }])).toEqual({
      judged: 0,
      problems: [],
    });
    expect(judgeFormer([{ status: 'active' }, { status: 'removed' }]).problems).toHaveLength(1);
  });

  it('decide nothing where no status is known to mean active', () => {
    expect(judgeFormer([{ status: 'active' }, { status: 'on_leave' }]).problems).toEqual([]);
    expect(judgeFormer([])).toEqual({ judged: 0, problems: [] });
    expect(judgeFormer([{}, { status: null }])).toEqual({ judged: 0, problems: [] });
    expect(judgeFormer([{ status: 'enabled' }, { status: 'enabled' }])).toEqual({
      judged: 0,
      problems: [],
    });
  });
});

it('an id is found in either letter case', () => {
  expect(isSameId(own, own.toUpperCase())).toBe(true);
  expect(hasId([{ id: 7 }, { id: own.toUpperCase() }], own)).toBe(true);
  expect(hasId([{ id: other }, {}], own)).toBe(false);
});

it('what is said of an overview names what was wanted and what is shown', () => {
  expect(judgeSameWorkspace([{ workspace_id: other }], own).problems).toEqual([
    { expected: `workspace_id ${own}`, actual: other },
  ]);
  expect(judgeIsRequested({ id: other }, own).problems).toEqual([
    { expected: `the workspace ${own}`, actual: `the workspace ${other}` },
  ]);
  expect(judgeFormer([{ status: 'active' }, { status: null }, { status: 'removed' }])).toEqual({
    judged: 1,
    problems: [{ expected: 'only members with status active', actual: 'status removed' }],
  });
});
