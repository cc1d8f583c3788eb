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
  it.each<[string, Partial<Selection>, readonly string[]]>([
    ['nothing takes everything', {}, everything],
    ['a check takes it', { checks: ['send.under-a-key'] }, ['send.under-a-key']],
    [
      'a pattern of checks takes what it matches',
      { checks: ['send.*'] },
      ['send.at-the-limit', 'send.under-a-key'],
    ],
    ['a pattern may stand for the middle', { checks: ['mentions.*-cursor'] }, ['mentions.without-a-cursor']],
    [
      'a clause takes the checks that decide it',
      { clauses: ['mentions.ascending'] },
      ['mentions.pages-ascend'],
    ],
    [
      'a restating clause takes those of the clause that it restates',
      { clauses: ['limits.content-max'] },
      ['send.at-the-limit'],
    ],
    ['several areas take the checks of each', { areas: ['send', 'mentions'] }, everything],
    ['lists narrow one another', { areas: ['send'], clauses: ['*.content*'] }, ['send.at-the-limit']],
    [
      'a clause of form takes everything, since any answer may show it',
      { clauses: ['auth.www-authenticate'] },
      everything,
    ],
    [
      'what watches takes everything of an area',
      { checks: ['wire.auth'], areas: ['send'] },
      ['send.at-the-limit', 'send.under-a-key'],
    ],
    [
      'a pattern that matches clauses of form too keeps to the others',
      { clauses: ['mentions.*'] },
      ['mentions.pages-ascend', 'mentions.without-a-cursor'],
    ],
    [
      'a pattern that matches clauses of form alone takes everything',
      { clauses: ['author.id.*'] },
      everything,
    ],
    ['the area of what watches takes everything', { areas: ['wire'] }, everything],
  ])('%s', (_, selection, ids) => {
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

  it.each<[string, Partial<Selection>, RegExp]>([
    [
      'an unknown check',
      { checks: ['send.under-a-kay'] },
      /no check "send\.under-a-kay"; did you mean send\.under-a-key\?/,
    ],
    ['an unknown area', { areas: ['sent'] }, /no area "sent"; did you mean send\?/],
    ['a pattern that matches nothing', { checks: ['send.x*'] }, /no check matches "send\.x\*"/],
    ['lists that leave nothing', { areas: ['mentions'], checks: ['send.*'] }, /no check matches/],
  ])('of %s is refused', (_, selection, message) => {
    expect(() => selected(selection)).toThrow(message);
  });
});
