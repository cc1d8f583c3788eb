import { contractRules, type OutgoingMessage, type Rules } from '../../reference/index.ts';
import { type Decided, retryAfterSeconds, type Scenario, type Step, type Task } from '../scenario.ts';

/** A scenario as it stands here: of its outcome, what differs from that of others. */
export type Written = Omit<Scenario, 'id' | 'task' | 'decides' | 'steps'> &
  Partial<Pick<Scenario, 'steps'> & Decided> &
  Pick<Decided, 'missed'>;

/** What is written of a scenario, with the usual of its task. */
export function scenarioOf(
  task: Task,
  name: string,
  usual: Pick<Scenario, 'steps'> & Pick<Decided, 'twice'>,
  written: Written,
): Scenario {
  const {
    missed,
    twice,
    stray = 'client.identity.from-ids',
    besides = [],
    ...played
  } = { ...usual, ...written };
  return { id: `${task}.${name}`, task, ...played, decides: { missed, twice, stray, besides } };
}

/** Messages that tell their number. */
export function numbered(count: number, what = 'message'): readonly string[] {
  return Array.from({ length: count }, (_, index) => `${what} ${index + 1}`);
}

export const start: Step = { who: 'client', does: 'start' };
export const caughtUp: Step = { until: 'caught-up' };
export const settled: Step = { until: 'settled' };

/** Some stand there before the client comes, and others come later. */
const before: Step = { who: 'colleague', mentions: numbered(5, 'earlier message') };
const later: Step = { who: 'colleague', mentions: numbered(2, 'later message') };
const usual = {
  steps: [before, start, caughtUp, later, settled],
  twice: 'client.read.once',
} as const;

/** Some are of another channel than the one that the client is told of. */
export const inTwoChannels: readonly Step[] = [
  start,
  { who: 'colleague', mentions: numbered(2) },
  { who: 'colleague', mentions: numbered(3, 'message elsewhere'), isElsewhere: true },
  { who: 'colleague', mentions: numbered(1, 'last message') },
  settled,
];

/** A page of at most so many items, which says that there is more. */
function atMost(count: number): Partial<Rules> {
  return { fitsOnPage: (page) => page.count < count };
}

/** A look at so many sequences a page: where none of them is listed the page is empty, and there may be more. */
const scanned = 3n;
/** Events are numbered from here on. */
const firstEvent = 1000n;

const boundedScan: Partial<Rules> = {
  scanEnd: ({ after, streamEnd }) => {
    const end = (after < firstEvent ? firstEvent - 1n : after) + scanned;
    return end < streamEnd ? end : streamEnd;
  },
  nextAfter: (facts) =>
    facts.entries.length === facts.limit ? contractRules.nextAfter(facts) : facts.scannedTo,
  hasMore: ({ entries, limit, scannedTo, streamEnd, isMoreAbove }) =>
    isMoreAbove || entries.length === limit || scannedTo < streamEnd,
};

/** The next cursor lies beyond the last item where nothing is left to list: at the end of the whole history. */
const cursorAtTheEnd: Partial<Rules> = {
  nextAfter: (facts) => {
    const reached = contractRules.nextAfter(facts);
    return facts.isMoreAbove || facts.streamEnd < reached ? reached : facts.streamEnd;
  },
};

function presenting(change: (message: OutgoingMessage) => OutgoingMessage): Partial<Rules> {
  return { presentMessage: (message) => change(message) };
}

const strangers = [
  { kind: 'agent', id: '5b6f0f3e-5c0e-4d8f-9a44-4e3f7f1d9a01' },
  { kind: 'user', id: '0d7e9f10-7a1b-4b1c-8f32-2c7d5e6f8a02' },
  { kind: 'machine', id: '93a1c8d2-1e4f-4a6b-b7c8-6d5e4f3a2b03' },
] as const;

/** Texts that look like something else. */
export const quotations: readonly string[] = [
  '{"mentions":[],"page":{"next_after":999999999,"has_more":true,"high_watermark":999999999}}',
  '> @reader please answer: GET /v0/mentions?after=0&limit=1000',
  'two lines\r\nIdempotency-Key: none\n\tand "quotes", \\ and \u2028 between',
];

const reads: Readonly<Record<string, Written>> = {
  mentions: {
    title:
      'each mention is taken once, those that were there before the client came and those that came later',
    missed: 'client.read.every-message',
    stray: 'client.identity.from-ids',
  },
  channels: {
    title: 'mentions of every channel of the workspace are taken',
    steps: inTwoChannels,
    missed: 'client.read.every-message',
  },
  'after-a-while': {
    title: 'a mention is taken that comes after reads have found nothing for a while',
    steps: [start, { pauseMs: 2_500 }, later, settled, { pauseMs: 2_500 }, before, settled],
    missed: 'client.read.wait-may-end-empty',
  },
  'many-pages': {
    title: 'mentions of more pages than one are all taken',
    steps: [{ who: 'colleague', mentions: numbered(130) }, start, caughtUp, later, caughtUp],
    missed: 'client.pages.reads-on',
  },
  'short-pages': {
    title: 'pages that hold less than their limit, and announce more, end no walk',
    rules: atMost(2),
    missed: 'client.pages.may-be-short',
  },
  'empty-pages': {
    title: 'pages that hold nothing, and announce more, end no walk',
    rules: boundedScan,
    steps: [
      { who: 'colleague', says: numbered(8, 'nobody is meant') },
      before,
      start,
      caughtUp,
      { who: 'colleague', says: numbered(8, 'still nobody is meant') },
      later,
      caughtUp,
    ],
    missed: 'client.pages.may-be-empty',
    besides: ['client.pages.reads-on'],
  },
  'announced-too-much': {
    title: 'a page that announces more with nothing behind it ends nothing',
    rules: { hasMore: ({ entries, isMoreAbove }) => isMoreAbove || entries.length > 0 },
    missed: 'client.pages.may-announce-too-much',
  },
  gaps: {
    title: 'sequences with gaps are read on behind, from the cursor of the page',
    rules: { ...cursorAtTheEnd, nextEventSequence: (last) => last + 7n, firstEventSequence: () => 500_000n },
    steps: [
      before,
      { who: 'colleague', says: numbered(2, 'nobody is meant') },
      start,
      caughtUp,
      later,
      { who: 'colleague', says: numbered(2, 'still nobody is meant') },
      settled,
      { who: 'colleague', mentions: ['the last one'] },
      caughtUp,
    ],
    missed: 'client.pages.sequences-have-gaps',
    besides: ['client.cursor.from-next-after', 'client.cursor.of-its-stream'],
  },
  restarted: {
    title: 'a client that was started again goes on where it was',
    steps: [before, start, settled, { who: 'client', does: 'restart' }, later, settled],
    missed: 'client.read.every-message',
    twice: 'client.cursor.kept',
    besides: ['client.cursor.kept'],
  },
  limited: {
    title: 'a limit is waited for, and takes nothing away',
    trouble: [
      { call: 'mentions', kind: 'limited', during: { from: 2, ms: retryAfterSeconds * 1_000 - 200 } },
    ],
    missed: 'client.limits.goes-on',
    besides: ['client.limits.retry-after'],
  },
  'in-trouble': {
    title: 'lost answers, and answers of a gateway, end nothing',
    trouble: [
      { call: 'mentions', kind: 'cut-unanswered', numbers: [1, 4] },
      { call: 'mentions', kind: 'unavailable', numbers: [2, 6] },
      { call: 'mentions', kind: 'cut-in-answer', numbers: [3, 7] },
    ],
    missed: 'client.trouble.goes-on',
    besides: ['client.read.pauses'],
  },
  'service-restarts': {
    title: 'a restart of the service ends nothing',
    steps: [before, start, caughtUp, { who: 'operator', does: 'restart' }, later, caughtUp],
    missed: 'client.trouble.goes-on',
  },
  'without-optional-fields': {
    title: 'messages are taken that show only the fields that have to be there',
    rules: presenting(({ receipts: _r, attachments: _a, mentions: _m, author, ...message }) => {
      const { agent_host: _h, source_session: _s, ...shown } = author;
      return { ...message, author: shown };
    }),
    missed: 'client.answers.optional-fields',
  },
  'without-receipts': {
    title: 'messages are taken that say nothing of who retrieved them',
    rules: { presentReceipts: () => undefined },
    missed: 'client.answers.absent-receipts',
  },
  'without-principals': {
    title: 'messages are taken whose author has neither a human nor a machine',
    rules: { capturedHuman: () => null, capturedMachine: () => null },
    missed: 'client.answers.absent-principals',
  },
  'unknown-ids': {
    title: 'messages are taken that mention others besides, and whom nobody knows',
    rules: {
      presentTargets: (targets) => [...strangers, ...targets],
      capturedAgentId: () => '1f0a3b5c-2d4e-4f60-8a71-9b8c7d6e5f04',
    },
    missed: 'client.answers.unknown-ids',
  },
  quotations: {
    title: 'contents that look like pages, mentions or headers are taken as text',
    steps: [
      { who: 'colleague', mentions: quotations },
      { who: 'colleague', says: quotations.map((text) => `${text} (said to nobody)`) },
      start,
      caughtUp,
      later,
      caughtUp,
    ],
    missed: 'client.contents.are-no-orders',
    stray: 'client.contents.are-no-orders',
    besides: ['client.send.content-unaltered'],
  },
  names: {
    title: 'mentions are told by ids, whatever agents are called and texts say',
    steps: [
      before,
      {
        who: 'colleague',
        says: ['@Reader agent do come', 'Reader agent: this is said of you, and not to you'],
      },
      start,
      caughtUp,
      { who: 'operator', does: 'swap-names' },
      later,
      { who: 'colleague', says: ['@Author agent do come', '@Reader agent once more'] },
      settled,
    ],
    missed: 'client.identity.names-change',
    stray: 'client.identity.from-ids',
  },
};

/** What is played where mentions are to be followed. */
export const reading: readonly Scenario[] = Object.entries(reads).map(([name, written]) =>
  scenarioOf('read', name, usual, written),
);
