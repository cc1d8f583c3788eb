import { describe, expect, it } from 'vitest';
import { selectChecks, type Selection } from '../../../harness/gate/select-checks.ts';
import { checkOf } from '../../fixtures/check.ts';

const checks = [
  checkOf('send.at-the-limit'),
  checkOf('send.under-a-key', { clauses: ['send.conflict-is-refused'] }),
  checkOf('mentions.pages-ascend', { clauses: ['mentions.ascending'] }),
  checkOf('mentions.without-a-cursor', { clauses: ['mentions.newest-page'] }),
];

const selected = (selection: Partial<Selection>): string[] =>
  selectChecks(checks, { checks: [], clauses: [], areas: [], ...selection }).map(({ id }) => id);

const everything = checks.map(({ id }) => id);

describe('a selection', () => {
  const both = (area: string): string[] => everything.filter((id) => id.startsWith(area));

  it.each<[string, Partial<Selection>, readonly string[]]>([
    ['nothing: everything', {}, everything],
    ['a check: it alone', { checks: ['send.under-a-key'] }, ['send.under-a-key']],
    ['a pattern of checks: what it matches', { checks: ['send.*'] }, both('send')],
    ['a pattern for the middle', { checks: ['mentions.*-cursor'] }, ['mentions.without-a-cursor']],
    ['a clause: what decides it', { clauses: ['mentions.ascending'] }, ['mentions.pages-ascend']],
    ['a restating clause: as the restated', { clauses: ['limits.content-max'] }, ['send.at-the-limit']],
    ['several areas: all of each', { areas: ['send', 'mentions'] }, everything],
    ['lists: each narrows', { areas: ['send'], clauses: ['*.content*'] }, ['send.at-the-limit']],
    ['a clause of form: any answer may show it', { clauses: ['auth.www-authenticate'] }, everything],
    ['what watches: all of an area', { checks: ['wire.auth'], areas: ['send'] }, both('send')],
    ['a pattern with clauses of form: the others', { clauses: ['mentions.*'] }, both('mentions')],
    ['a pattern of clauses of form alone', { clauses: ['author.id.*'] }, everything],
    ['the area of what watches', { areas: ['wire'] }, everything],
  ])('by %s', (_, selection, ids) => {
    expect(selected(selection)).toEqual(ids);
  });

  it('beside others lacks what needs the server to itself', () => {
    const alone = checkOf('send.alone', { isExclusive: true });
    const restarting = checkOf('send.restarting', { needs: ['restart-hook'] });
    const whole = { checks: [], clauses: [], areas: ['send'] };
    const some = [...checks.slice(0, 1), alone, restarting];
    expect(selectChecks(some, whole)).toEqual(some);
    expect(selectChecks(some, { ...whole, isBesideOthers: true })).toEqual(checks.slice(0, 1));
  });

  it.each<[Partial<Selection>, string]>([
    [{ checks: ['send.under-a-kay'] }, 'no check "send.under-a-kay"; did you mean send.under-a-key?'],
    [{ areas: ['sent'] }, 'no area "sent"; did you mean send?'],
    [{ checks: ['send.x*'] }, 'no check matches "send.x*"'],
    [{ areas: ['mentions'], checks: ['send.*'] }, 'no check matches'],
  ])('of %j is refused', (selection, message) => {
    expect(() => selected(selection)).toThrow(message);
  });
});
