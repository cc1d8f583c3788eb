import type { ResultEvent, TimelineOperation } from '../../../harness/results/generated/events.ts';
import { check, clause, finding, footer, header, tally } from '../events.ts';

/** A campaign of an older suite, which found nothing. */
export const campaign: readonly ResultEvent[] = [
  header({ checks: 0, campaign: { seed: 7, shards: ['1/1'] } }),
  {
    type: 'footer',
    end: 'complete',
    exitCode: 0,
    checks: { passed: 0, failed: 0, warned: 0, inconclusive: 0 },
    clauses: {
      must: { passed: 0, failed: 0, warned: 0, inconclusive: 404 },
      inferred: { passed: 0, failed: 0, warned: 0, inconclusive: 61 },
      silent: 73,
      untestable: 14,
    },
    alsoSeenBy: {},
    footprint: { requests: 3062, messages: 748, bytesWritten: 16_339_180 },
    durationMs: 12_361,
    campaign: {
      end: 'complete',
      cases: 2896,
      judged: 2896,
      inconclusive: 0,
      unanswered: 0,
      kept: { accepted: 669, refused: 894 },
      readBack: { compared: 451, absent: 653, inconclusive: 3 },
      answers: { '200': 228, '201': 637, '400 invalid': 1647 },
      byFamily: { send: 835, authentication: 408 },
      leftOut: {},
      fixed: [],
      seen: {},
    },
  },
];

const shown = { root: 'r', label: 'l', phase: 'random', calls: [], isInCorpus: false, file: 'f' } as const;
const found = [9_000, 1_500].map((firstMs, index) =>
  finding({ id: `F${index + 1}`, case: { ...shown, firstMs } }),
);
const pace = {
  sliceMs: 2_000,
  slices: [
    { judged: 100, answers: { '2xx': 60, '4xx': 40 } },
    { judged: 200, answers: { '4xx': 200, none: 50 } },
  ],
};
const leftOut = { attachments: 'the target names no file' };
const boundaries = { 'mentions limit': { declared: 172, judged: 43 } };

/** A campaign that tells when it did what; it found the second of its findings first. */
export const campaignOverTime: readonly ResultEvent[] = campaign.flatMap((event): readonly ResultEvent[] =>
  event.type === 'footer' && event.campaign !== undefined
    ? [...found, { ...event, exitCode: 1, campaign: { ...event.campaign, pace, boundaries, leftOut } }]
    : [event],
);

function operation(at: number, overrides: Partial<TimelineOperation> = {}): TimelineOperation {
  const times = { startMs: 5 * at, endMs: 5 * at + 7 };
  return { client: `client ${at % 12}`, outcome: 'accepted', ...times, text: `#${at}  reads`, ...overrides };
}

/** What concurrent clients did, with a restart and two operations that show a finding. */
export const stressRun: readonly ResultEvent[] = [
  header({ checks: 1, profile: { strict: false, readOnly: false, selection: ['stress'] } }),
  finding({
    exchanges: [],
    timeline: {
      operations: [
        ...Array.from({ length: 60 }, (_, at) => operation(at)),
        operation(20, { outcome: 'change', client: 'operator', text: 'restart' }),
        operation(22, { letter: 'A' }),
        operation(31, { letter: 'B', outcome: 'indeterminate' }),
      ],
    },
  }),
  check('stress.mentions.limit', 'under concurrent clients', [
    clause('mentions.limit', { verdict: 'failed' }),
  ]),
  footer({
    exitCode: 1,
    checks: tally(0, 1),
    clauses: { must: tally(0, 1), inferred: tally(0), silent: 0, untestable: 0 },
  }),
];
