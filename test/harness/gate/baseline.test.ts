import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { InvalidTarget } from '../../../harness/errors.ts';
import { baselineText, findingsText } from '../../../harness/gate/baseline-text.ts';
import type { Baseline, Decider } from '../../../harness/gate/baseline.ts';
import { readBaseline } from '../../../harness/gate/read-baseline.ts';
import type { CheckEvent, ClauseVerdict } from '../../../harness/results/generated/events.ts';
import { ownFolder } from '../../fixtures/folder.ts';
import { check, clause } from '../../reporters/events.ts';

const deciders: readonly Decider[] = [
  { id: 'mentions.pages-ascend', clauses: ['mentions.ascending', 'mentions.after.exclusive'] },
  { id: 'mentions.walk', clauses: ['mentions.ascending'] },
  { id: 'send.at-the-limit', clauses: ['send.content-bytes'] },
  { id: 'wire.auth', clauses: ['auth.www-authenticate'] },
  { id: 'history.send', clauses: ['send.stored-once'] },
  { id: 'client.requests', clauses: ['client.requests.limit-in-range'] },
];

const folder = ownFolder('baseline-');

function read(text: string, today = '2026-03-01'): Baseline {
  writeFileSync(join(folder, 'known.yaml'), text);
  return readBaseline({ file: 'known.yaml', cwd: folder, deciders, today });
}

type Part = readonly [id: string, verdict: ClauseVerdict['verdict'], enable?: string];

function ended(id: string, ...parts: readonly Part[]): CheckEvent {
  const clauses = parts.map(([each, verdict, enable]) =>
    clause(each, { verdict, ...(enable === undefined ? {} : { enable }) }),
  );
  return check(id, id, clauses);
}

const pages = (verdict: ClauseVerdict['verdict'], enable?: string): CheckEvent =>
  ended(
    'mentions.pages-ascend',
    enable === undefined ? ['mentions.ascending', verdict] : ['mentions.ascending', verdict, enable],
  );
const walk = (verdict: ClauseVerdict['verdict']): CheckEvent =>
  ended('mentions.walk', ['mentions.ascending', verdict]);

const whole = { isNarrowed: false };
const byClause = '- clause: mentions.ascending\n  reason: a slow index\n';
const byCheck = '- check: mentions.pages-ascend\n  reason: a slow index\n';

describe('a baseline', () => {
  it('knows a failure by its check, by its clause, or by both', () => {
    expect(read(byCheck).reasonFor('mentions.pages-ascend', 'mentions.after.exclusive')).toBe('a slow index');
    expect(read(byCheck).reasonFor('mentions.walk', 'mentions.ascending')).toBeUndefined();
    expect(read(byClause).reasonFor('mentions.walk', 'mentions.ascending')).toBe('a slow index');
    const both = read('- check: mentions.walk\n  clause: mentions.ascending\n  reason: x\n');
    expect(both.reasonFor('mentions.walk', 'mentions.ascending')).toBe('x');
    expect(both.reasonFor('mentions.pages-ascend', 'mentions.ascending')).toBeUndefined();
  });

  it('knows a clause also under the name of one that restates it', () => {
    const baseline = read('- clause: limits.content-max\n  reason: x\n');
    expect(baseline.reasonFor('send.at-the-limit', 'send.content-bytes')).toBe('x');
  });

  it('holds on the last day of an entry, and not on the next', () => {
    const text = `${byClause}  expires: 2026-03-01\n`;
    const events = [walk('failed')];
    expect(read(text).reasonFor('mentions.walk', 'mentions.ascending')).toBe('a slow index');
    expect(read(text).staleIn(events, whole)).toEqual([]);
    const next = read(text, '2026-03-02');
    expect(next.reasonFor('mentions.walk', 'mentions.ascending')).toBeUndefined();
    expect(next.staleIn(events, whole)).toMatchObject([{ problem: 'expired', place: 'known.yaml:1:3' }]);
  });

  it.each<[string, string, readonly CheckEvent[], readonly string[]]>([
    ['fails', byCheck, [pages('failed')], []],
    ['warns', byCheck, [pages('warned')], []],
    ['passed', byCheck, [pages('passed')], ['passed']],
    ['is inconclusive', byCheck, [pages('inconclusive')], []],
    ['was not run', byCheck, [walk('passed')], []],
    ['passed in one check and fails in another', byClause, [walk('passed'), pages('failed')], []],
    [
      'passed in one check while the other was disturbed',
      byClause,
      [walk('passed'), pages('inconclusive')],
      [],
    ],
    [
      'passed in one check while the other is out of reach of this target',
      byClause,
      [walk('passed'), pages('inconclusive', 'a reader')],
      ['passed'],
    ],
    ['passed in a part of its checks', byClause, [walk('passed')], []],
  ])('of something that %s is stale or not', (_, text, events, problems) => {
    expect(
      read(text)
        .staleIn(events, whole)
        .map(({ problem }) => problem),
    ).toEqual(problems);
  });

  it('takes a narrowed run as evidence only about the checks that it names, and never about the wire, the history or recorded clients', () => {
    const narrowed = { isNarrowed: true };
    const passed = ended(
      'mentions.pages-ascend',
      ['mentions.ascending', 'passed'],
      ['mentions.after.exclusive', 'passed'],
    );
    expect(read(byCheck).staleIn([passed], narrowed)).toHaveLength(1);
    expect(read(byClause).staleIn([passed, walk('passed')], narrowed)).toEqual([]);
    for (const [id, decided] of [
      ['wire.auth', 'auth.www-authenticate'],
      ['history.send', 'send.stored-once'],
      ['client.requests', 'client.requests.limit-in-range'],
    ] as const) {
      const baseline = read(`- check: ${id}\n  reason: x\n`);
      expect(baseline.staleIn([ended(id, [decided, 'passed'])], narrowed)).toEqual([]);
      expect(baseline.staleIn([ended(id, [decided, 'passed'])], whole)).toHaveLength(1);
    }
  });

  it.each(['', '# nothing is known to fail\n', '[]\n'])('may be empty: %j', (text) => {
    expect(read(text).staleIn([], whole)).toEqual([]);
  });

  it.each(
    Object.entries({
      '- check: mentions.pages-ascent\n  reason: x\n':
        '1:10: there is no check "mentions.pages-ascent"; did you mean mentions.pages-ascend?',
      '- clause: mentions.ascendin\n  reason: x\n':
        '1:11: there is no clause "mentions.ascendin"; did you mean mentions.ascending?',
      '- clause: send.key-lifetime\n  reason: x\n':
        '1:11: send.key-lifetime is only observed and cannot fail',
      '- clause: mentions.newest-page\n  reason: x\n': '1:11: no check decides mentions.newest-page',
      '- check: mentions.walk\n  clause: send.content-bytes\n  reason: x\n':
        '2:11: mentions.walk does not decide send.content-bytes',
      '- check: mentions.walk\n': '1:3: an entry needs `reason`: why may it fail?',
      "- check: mentions.walk\n  reason: ''\n": '2:11: say why it may fail',
      '- reason: x\n': '1:3: an entry needs `check`, `clause` or `finding`',
      '- check: mentions.walk\n  raeson: x\n': '2:3: there is no field `raeson`; did you mean reason?',
      '- check: mentions.walk\n  reason: x\n  expires: 2026-02-30\n':
        '3:12: must be a date such as 2026-01-31',
      '- check: mentions.walk\n  reason: x\n- check: mentions.walk\n  reason: y\n':
        '3:3: the same entry is at known.yaml:1:3; keep one',
      'check: mentions.walk\n': '1:1: a baseline is a list: each entry starts with `- `',
      '- mentions.walk\n': '1:3: an entry has fields: `check`, `clause` or `finding`, and `reason`',
      '- check: "x\n': '2:1: something is missing here',
      '- finding: mentions.limit.max\n  reason: x\n':
        '1:12: `finding` is a clause and a part of it, as a campaign prints them',
      '- finding: mentions.limit.mux | a\n  reason: x\n': '1:12: there is no clause "mentions.limit.mux"',
      '- finding: mentions.limit.max | a\n  clause: mentions.limit.max\n  reason: x\n':
        '1:12: `finding` names its clause itself: leave out `check` and `clause`',
      '- finding: mentions.limit.max | a\n': '1:3: an entry needs `reason`: why may it fail?',
    }),
  )('is refused by line and column where it holds %j', (text, message) => {
    expect(() => read(text)).toThrow(InvalidTarget);
    expect(() => read(text)).toThrow(`known.yaml:${message}`);
  });

  it('that is not there is refused by name', () => {
    const source = { file: 'nowhere.yaml', cwd: folder, deciders, today: '2026-03-01' };
    expect(() => readBaseline(source)).toThrow('nowhere.yaml: the baseline does not exist');
  });
});

describe('a written baseline', () => {
  const events = [ended('send.at-the-limit', ['send.content-bytes', 'warned']), walk('failed')];

  it('has an entry for each check and clause that failed, without a reason', () => {
    const text = baselineText(events, { isStrict: false });
    expect(text).toContain('- check: mentions.walk\n  clause: mentions.ascending\n  reason: ""\n');
    expect(text).not.toContain('send.');
    expect(() => read(text)).toThrow(/say why it may fail/);
  });

  it('is read once its reasons are given, and keeps those that were', () => {
    const known = events.map((event) => ({
      ...event,
      clauses: event.clauses.map((each) => ({ ...each, known: 'old' })),
    }));
    const baseline = read(baselineText(known, { isStrict: true }));
    expect(baseline.reasonFor('mentions.walk', 'mentions.ascending')).toBe('old');
    expect(baseline.reasonFor('send.at-the-limit', 'send.content-bytes')).toBe('old');
  });

  it('has no entry when nothing failed, and can be read: a gate starts with it', () => {
    const text = baselineText([walk('passed')], { isStrict: true });
    expect(text).toMatch(/^# Known failures[^]*\n\[\]\n$/);
    expect(read(text).reasonFor('mentions.walk', 'mentions.ascending')).toBeUndefined();
  });
});

describe('a baseline of a campaign', () => {
  const root = 'mentions.limit.max | limit: accepted';
  const clauses = ['mentions.limit.max'];
  const byRoot = `- finding: '${root}'\n  reason: the gateway clamps\n`;

  it('knows what was found by its root, or by its clause', () => {
    expect(read(byRoot).reasonForRoot({ root, clauses })).toBe('the gateway clamps');
    expect(read(byRoot).reasonForRoot({ root: 'mentions.limit.max | other', clauses })).toBeUndefined();
    const byItsClause = read(byClause);
    expect(
      byItsClause.reasonForRoot({
        root: 'service.reads-ascend | one answer',
        clauses: ['mentions.ascending'],
      }),
    ).toBe('a slow index');
    expect(byItsClause.reasonForRoot({ root, clauses })).toBeUndefined();
  });

  it('leaves runs alone, and is left alone by what names a check', () => {
    expect(read(byRoot).reasonFor('mentions.walk', 'mentions.limit.max')).toBeUndefined();
    expect(read(byRoot).staleIn([walk('passed')], whole)).toEqual([]);
    expect(read(byCheck).reasonForRoot({ root, clauses: ['mentions.ascending'] })).toBeUndefined();
  });

  it.each([
    ['fails', ['fails'], []],
    ['passed', ['passed'], ['passed']],
    ['could not be tried', ['inconclusive'], []],
    ['was not seen', [], []],
  ] as const)('says that an entry which %s is stale or not', (_what, states, problems) => {
    const seen = states.map((state) => ({ root, clauses, state }));
    expect(
      read(byRoot)
        .staleByRoots(seen)
        .map(({ problem }) => problem),
    ).toEqual(problems);
  });

  it('keeps an entry about a clause whatever became of some findings of it: others may be in no corpus', () => {
    const baseline = read('- clause: mentions.ascending\n  reason: x\n');
    const seen = (['passed', 'inconclusive'] as const).map((state, index) => ({
      root: `mentions.ascending | ${index}`,
      clauses: ['mentions.ascending'],
      state,
    }));
    expect(baseline.staleByRoots(seen)).toEqual([]);
    expect(baseline.staleByRoots(seen.slice(0, 1))).toEqual([]);
  });

  it('excuses nothing by an entry that has expired, which is stale', () => {
    const expired = read(`${byRoot}  expires: 2026-02-28\n`);
    expect(expired.reasonForRoot({ root, clauses })).toBeUndefined();
    expect(expired.staleByRoots([])).toMatchObject([{ problem: 'expired', clause: root }]);
  });

  it('says of which findings nothing was seen', () => {
    expect(read(byRoot).unseenRoots([])).toEqual([`known.yaml:1:3  ${root}`]);
    expect(read(byRoot).unseenRoots([{ root, clauses, state: 'fails' }])).toEqual([]);
  });

  it('is written with a reason to be filled in', () => {
    const text = findingsText([{ root }, { root: 'auth.www-authenticate | a', known: 'soon' }]);
    expect(text).toContain('- finding: auth.www-authenticate | a\n  reason: soon\n');
    expect(text).toContain(`- finding: "${root}"\n  reason: ""\n`);
    expect(findingsText([])).toMatch(/\n\[\]\n$/);
  });
});
