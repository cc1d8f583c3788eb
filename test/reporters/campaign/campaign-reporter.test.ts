import { describe, expect, it } from 'vitest';
import type { ProgressEvent, ResultEvent } from '../../../harness/results/generated/events.ts';
import { campaignReporter } from '../../../reporters/run/campaign-reporter.ts';
import * as events from '../events.ts';

/** What a log shows of some events. */
function logOf(...events: readonly ResultEvent[]): string {
  let log = '';
  const reporter = campaignReporter(
    { write: (text: string) => (log += text) },
    {
      folder: 'results',
      replayCommand: (file) => `conform replay ${file}`,
      rerunCommand: () => 'conform fuzz',
    },
  );
  for (const event of events) reporter(event);
  return log;
}

const header = events.header({ campaign: { seed: 7, shards: ['2/8'] } });
const progress: ProgressEvent = {
  type: 'progress',
  phase: 'random',
  cases: 900,
  elapsedMs: 4_000.5,
  leftMs: 56_000,
  leftCases: 4_100,
  requests: 1_100,
  answers: { '400 invalid': 410 },
  findings: 1,
};
const finding = events.finding({
  clause: 'mentions.ascending',
  case: {
    root: 'mentions.ascending | one answer',
    label: 'limit/in-range',
    phase: 'random',
    calls: ['mentions'],
    isInCorpus: false,
    file: 'mentions.ascending-0123abcd.json',
  },
});
const footer = events.footer({
  campaign: {
    end: 'complete',
    cases: 900,
    judged: 890,
    inconclusive: 10,
    unanswered: 4,
    kept: { accepted: 300, refused: 580 },
    readBack: { compared: 120, absent: 90, inconclusive: 1 },
    answers: { '400 invalid': 410 },
    byFamily: { mentions: 900 },
    leftOut: {},
    fixed: [],
    seen: { F1: { sightings: 4, clauses: ['mentions.ascending'], calls: ['mentions'], known: 'rebuilt' } },
  },
});

describe('the log of a campaign', () => {
  it('says how far it is every 15 seconds', () => {
    const at = [0, 250, 15_000, 15_250, 30_000].map((elapsedMs) => ({ ...progress, elapsedMs }));
    expect(logOf(...at).match(/^[0-9]+ s/gm)).toEqual(['15 s', '30 s']);
  });

  it('says what is left: time or cases, whichever ends it first as things go', () => {
    const { leftMs: _, leftCases: __, ...endless } = { ...progress, cases: 100, elapsedMs: 15_000 };
    const left = (more: { leftMs?: number; leftCases?: number }): string =>
      logOf({ ...endless, ...more }).split(' | ')[0] ?? '';
    expect(left({ leftMs: 45_000 })).toBe('15 s, 45 s left');
    expect(left({ leftMs: 86_000_000, leftCases: 300 })).toBe('15 s, 300 cases left (about 45 s)');
    expect(left({ leftMs: 20_000, leftCases: 300 })).toBe('15 s, 20 s left');
    expect(left({ leftCases: 1 })).toBe('15 s, 1 case left (about 1 s)');
    expect(left({})).toBe('15 s');
  });

  it('shows a finding as it comes, and at the end why it was known', () => {
    expect(logOf(header, finding)).toMatch(
      /^seed 7, shard 2\/8\nfailed: mentions\.ascending by limit\/in-range \(2\/2\)\n/,
    );
    const log = logOf(finding, footer);
    expect(log).toContain('known: mentions.ascending | one answer: rebuilt\n');
    expect(log).toContain('0 failed, 0 warned, 1 known; results in results\n');
    expect(log).toContain('  conform replay results/failures/mentions.ascending-0123abcd.json\n');
  });

  it('calls known only what does not count, and says of what does that the corpus has it', () => {
    const inCorpus = { ...finding, case: { ...finding.case, isInCorpus: true } } as typeof finding;
    expect(logOf(inCorpus)).toMatch(/^failed \(in the corpus\): mentions\.ascending by/);
    expect(logOf({ ...inCorpus, known: 'the corpus holds it' })).toMatch(/^failed \(known\): /);
  });

  it.each([
    { seen: { times: 1, of: 3 }, often: '1/3, intermittent' },
    { seen: { times: 0, of: 3 }, often: '0/3, not reproduced when tried alone' },
    { seen: { times: 0, of: 0 }, often: 'not tried again' },
  ])('says of a finding how often it came again: $often', ({ seen, often }) => {
    expect(logOf({ ...finding, seen })).toContain(`by limit/in-range (${often})\n`);
  });

  it('ends with what it came to, and the exit code', () => {
    expect(logOf(header, footer)).toMatch(/\n\nnothing failed in 890 cases \(exit 0\)\n$/);
    const failing = { ...footer, exitCode: 1, campaign: { ...footer.campaign, seen: {} } } as typeof footer;
    expect(logOf(header, finding, failing)).toMatch(
      /\n\ndoes not conform: 1 clause failed: mentions\.ascending \(exit 1\)\n$/,
    );
  });

  it('says of known failures what a run says of them', () => {
    const { clauses } = footer;
    const known = { ...footer, clauses: { ...clauses, must: { ...clauses.must, known: 1 } } };
    const only = 'only known failures';
    expect(logOf(header, finding, known)).toMatch(
      new RegExp(`\\n\\n${only}: nothing else failed in 890 cases \\(exit 0\\)\\n$`),
    );
    const stopped = { ...known, end: 'interrupted', reason: 'a reason', exitCode: 3 } as const;
    expect(logOf(header, finding, stopped)).toContain(
      `\nincomplete run: ${only} in 890 cases; a reason (exit 3)\n`,
    );
  });

  it('obeys nothing that a server sent', () => {
    expect(logOf({ ...finding, actual: '\u001b[2J' })).toContain('\\u001b[2J');
  });

  it.each([
    ['interrupted', 'interrupted: this is what ran', 130, 329],
    ['out-of-time', 'time ran out before the first case (--time)', 3, 0],
    ['server-gone', 'the server is gone', 3, 1],
  ] as const)(
    'says of one that ended as %s its cases, and nothing of checks',
    (end, reason, exitCode, judged) => {
      const totals = { ...footer.campaign, end, judged, seen: {} } as NonNullable<typeof footer.campaign>;
      const cases = judged === 1 ? '1 case' : `${judged} cases`;
      const log = logOf(header, { ...footer, end: 'interrupted', reason, exitCode, campaign: totals });
      expect(log).toContain(`\nincomplete run: nothing failed in ${cases}; ${reason} (exit ${exitCode})\n`);
      expect(log).not.toMatch(/checks? ended/);
    },
  );
});
