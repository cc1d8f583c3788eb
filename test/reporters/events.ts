import type {
  CheckEvent,
  ClauseVerdict,
  EvidenceExchange,
  FindingEvent,
  FooterEvent,
  HeaderEvent,
  ObservationEvent,
  PreflightEvent,
  ResultEvent,
  Tally,
} from '../../harness/results/generated/events.ts';
import { eventsOf, writeEvent } from '../../harness/results/stream.ts';
import { RunCollector } from '../../reporters/run-so-far.ts';

/** The run that has told these events. */
export function collected(events: readonly ResultEvent[], folder?: string): RunCollector {
  const run = new RunCollector(folder);
  for (const event of events) run.add(event);
  return run;
}

/** The same, as it would be read from a kept stream. */
export function readBack(events: readonly ResultEvent[]): RunCollector {
  const run = new RunCollector();
  for (const event of eventsOf(events.map(writeEvent))) run.add(event);
  return run;
}

export function header(overrides: Partial<HeaderEvent> = {}): HeaderEvent {
  return {
    type: 'header',
    format: 1,
    suiteVersion: '0.1.0',
    contractVersion: '0.1.0-preview',
    registerDigest: '4c1d'.repeat(16),
    baseUrl: 'http://127.0.0.1:4100',
    targetDigest: '9e02'.repeat(16),
    profile: { strict: false, readOnly: false, selection: [] },
    checks: 4,
    startedAt: '2026-03-01T09:30:00.125Z',
    ...overrides,
  };
}

export function preflight(overrides: Partial<PreflightEvent> = {}): PreflightEvent {
  return {
    type: 'preflight',
    isOk: true,
    lines: [{ severity: 'info', text: 'round trip 0.8 ms, settle time 400 ms' }],
    roundTripMs: 0.8,
    settleMs: 400,
    ...overrides,
  };
}

/** A clause that one check came to a verdict about. */
export function clause(name: string, overrides: Partial<ClauseVerdict> = {}): ClauseVerdict {
  return { clause: name, level: 'must', verdict: 'passed', judged: 12, ...overrides };
}

export function check(
  name: string,
  title: string,
  clauses: readonly ClauseVerdict[],
  overrides: Partial<CheckEvent> = {},
): CheckEvent {
  const order = ['failed', 'warned', 'inconclusive', 'passed'] as const;
  const verdict = order.find((each) => clauses.some((one) => one.verdict === each)) ?? 'inconclusive';
  return {
    type: 'check',
    check: name,
    title,
    area: name.split('.')[0] ?? name,
    verdict,
    ...(name.startsWith('wire.') ? {} : { file: `suites/${name.split('.')[0] ?? name}/a-file.ts` }),
    clauses,
    requests: 9,
    judged: clauses.reduce((sum, { judged }) => sum + judged, 0),
    attempts: verdict === 'failed' ? 2 : 1,
    durationMs: 46.2,
    ...overrides,
  };
}

export const ascend = check('mentions.pages-ascend', 'mentions ascend by their workspace-wide sequence', [
  clause('mentions.ascending'),
  clause('mentions.after-exclusive'),
]);

export const contentLimit = check(
  'send.content-over-the-limit-is-refused',
  'content one byte over 500,000 is refused and stores nothing',
  [clause('send.content-bytes')],
);

const unauthenticated = check(
  'auth.missing-credential-is-401',
  'a request without a credential draws 401 with a challenge',
  [clause('auth.missing-is-401'), clause('auth.challenge')],
);

const sizeBytes = check(
  'message.size-bytes-is-the-utf8-length',
  "a message's size_bytes is the number of UTF-8 bytes of its content",
  [clause('message.size-bytes-of-content', { level: 'inferred' })],
);

export const brokenLimit = check(
  'mentions.page-keeps-its-limit',
  'a page of mentions has no more items than its limit',
  [clause('mentions.limit', { verdict: 'failed' }), clause('mentions.ascending')],
);

const warnedSizeBytes = check(sizeBytes.check, sizeBytes.title, [
  clause('message.size-bytes-of-content', { level: 'inferred', verdict: 'warned' }),
]);

const token = 'Bearer <reader>';

const author = {
  id: '7f3e1c52-4a0b-4a57-9a51-8a7b7a4f6f10',
  display_name: 'Build agent',
  human_user: null,
  machine: { id: '0b6f6f0e-6a2c-4b0c-9d84-1d1f2a3b4c5d', display_name: 'runner-3' },
};

function mention(sequence: number): object {
  return {
    id: `5d0c9a4e-0000-4000-8000-0000000000${sequence}`,
    sequence,
    message: {
      id: `5d0c9a4e-0000-4000-8000-0000000000${sequence}`,
      workspace_id: 'b8e0f7de-3f55-4a39-8e4f-3f6a1f1a2b3c',
      channel_id: '1f0e5a6b-9f0d-4b53-8d6e-2c1a0b9f8e7d',
      sequence: sequence - 30,
      author,
      content_type: 'text/plain',
      content: `conform-7k2m mention ${sequence}`,
      size_bytes: 23,
      created_at: '2026-03-01T09:30:02.441Z',
    },
  };
}

const sendBody = JSON.stringify({
  content: 'conform-7k2m mention 43',
  content_type: 'text/plain',
  mentions: [{ kind: 'agent', id: '2a9d8c7b-6e5f-4d3c-8b2a-1f0e9d8c7b6a' }],
});

export const send: EvidenceExchange = {
  id: 117,
  actor: 'author',
  request: {
    method: 'POST',
    path: '/v0/channels/1f0e5a6b-9f0d-4b53-8d6e-2c1a0b9f8e7d/messages',
    headers: {
      authorization: 'Bearer <author>',
      'content-type': 'application/json',
      'idempotency-key': 'conform-7k2m-43',
    },
    body: { text: sendBody, totalBytes: sendBody.length, isCut: false },
  },
  response: {
    status: 201,
    headers: { 'content-type': ['application/json'], date: ['Sun, 01 Mar 2026 09:30:02 GMT'] },
    body: { text: '{"ok":true}', totalBytes: 11, isCut: false },
  },
  durationMs: 3.42,
  curl: `curl -sS -X POST 'http://127.0.0.1:4100/v0/channels/1f0e5a6b-9f0d-4b53-8d6e-2c1a0b9f8e7d/messages' -H "Authorization: Bearer $CONFORM_AUTHOR_TOKEN" -H 'content-type: application/json' -H 'idempotency-key: conform-7k2m-43' --data-raw '${sendBody}'`,
};

const pageBody = JSON.stringify({
  mentions: [mention(41), mention(42), mention(43)],
  page: { next_after: 43, has_more: false, high_watermark: 43 },
});

export const read: EvidenceExchange = {
  id: 118,
  actor: 'reader',
  request: { method: 'GET', path: '/v0/mentions?after=40&limit=2', headers: { authorization: token } },
  response: {
    status: 200,
    headers: {
      'content-type': ['application/json'],
      'x-service-agent-id': ['2a9d8c7b-6e5f-4d3c-8b2a-1f0e9d8c7b6a'],
      'set-cookie': ['a=1; Path=/', 'b=2; Path=/'],
    },
    body: { text: pageBody, totalBytes: pageBody.length, isCut: false },
  },
  durationMs: 1.9,
  curl: `curl -sS 'http://127.0.0.1:4100/v0/mentions?after=40&limit=2' -H "Authorization: Bearer $CONFORM_READER_TOKEN"`,
};

export function finding(overrides: Partial<FindingEvent> = {}): FindingEvent {
  return {
    type: 'finding',
    id: 'F1',
    clause: 'mentions.limit',
    level: 'must',
    verdict: 'failed',
    text: 'A page of mentions holds no more matching messages than limit says.',
    source: 'GET /v0/mentions (operation listMentions), row limit',
    check: 'mentions.page-keeps-its-limit',
    expected: 'at most 2 mentions',
    actual: '3 mentions, with the sequences 41, 42 and 43',
    seen: { times: 2, of: 2 },
    exchanges: [send, read],
    ...overrides,
  };
}

const objectAtFault = JSON.stringify({
  id: '5d0c9a4e-0000-4000-8000-000000000043',
  author,
  content: 'conform-7k2m mention 43',
  created_at: 1_772_357_402,
});

/** A number in place of a time, in a message that was sent with the file that has one too. */
const causedFinding = finding({
  clause: 'message.created-at.type',
  text: 'created_at of a message is a string.',
  source: 'Message, row created_at',
  check: 'wire.message',
  metIn: 'message.shows-the-files-it-was-sent-with',
  clauses: [
    {
      clause: 'message.created-at.type',
      level: 'must',
      verdict: 'failed',
      check: 'wire.message',
      decidedBy: 118,
    },
    {
      clause: 'file.uploaded-at.type',
      level: 'inferred',
      verdict: 'warned',
      check: 'wire.file',
      decidedBy: 305,
      exchange: { ...read, id: 305 },
    },
  ],
  places: [
    {
      clause: 'message.created-at.type',
      call: 'mentions',
      path: 'mentions[2].message.created_at',
      actual: 'should be string, is integer (at mentions[2].message.created_at)',
    },
    {
      clause: 'file.uploaded-at.type',
      call: 'channel-read',
      path: 'messages[0].attachments[0].uploaded_at',
      actual: 'should be string, is integer (at messages[0].attachments[0].uploaded_at)',
    },
  ],
  cause: { check: 'message.shows-the-files-it-was-sent-with', exchange: 117 },
  expected: 'created_at of a message is a string.',
  actual: 'should be string, is integer (at mentions[2].message.created_at)',
  seen: { times: 1_204, of: 1_310 },
  exchanges: [
    send,
    {
      ...read,
      response: {
        status: 200,
        headers: { 'content-type': ['application/json'] },
        body: {
          text: objectAtFault,
          path: 'mentions[2].message',
          totalBytes: pageBody.length,
          isCut: false,
        },
      },
    },
  ],
});

const sizeFinding = finding({
  id: 'F2',
  clause: 'message.size-bytes-of-content',
  level: 'inferred',
  verdict: 'warned',
  text: 'size_bytes of a message counts the UTF-8 bytes of its content.',
  source: 'Message, row size_bytes',
  check: 'message.size-bytes-is-the-utf8-length',
  expected: '23, the UTF-8 length of content',
  actual: '24',
  seen: { times: 1, of: 2 },
  exchanges: [read],
});

export const observations: readonly ObservationEvent[] = [
  observation('mentions.after-beyond-the-watermark', '409 with error.code "cursor_ahead"'),
  observation('send.content-over-the-limit', '413'),
  observation('send.content-over-the-limit', '413'),
  observation('send.replay-of-an-equal-body', '200 with the stored message, byte for byte the first answer'),
];

function observation(name: string, value: string): ObservationEvent {
  return { type: 'observation', check: name, name, clause: name, value };
}

/** Of so many passed, failed, warned and inconclusive. */
export function tally(passed: number, failed = 0, warned = 0, inconclusive = 0): Tally {
  return { passed, failed, warned, inconclusive };
}

export function footer(overrides: Partial<FooterEvent> = {}): FooterEvent {
  return {
    type: 'footer',
    end: 'complete',
    exitCode: 0,
    checks: tally(4),
    clauses: { must: tally(5), inferred: tally(1), silent: 41, untestable: 9 },
    alsoSeenBy: {},
    footprint: {
      requests: 36,
      longestChain: 9,
      longestChainIn: 'mentions.pages-ascend',
      messages: 14,
      bytesWritten: 1_500_322,
    },
    traffic: {
      limited: 0,
      serverErrors: 0,
      retries: 0,
      limits: [],
      latencies: [
        { call: 'send', requests: 14, p50Ms: 4.24, p95Ms: 31 },
        { call: 'mentions', requests: 12, p50Ms: 2.1, p95Ms: 6.04 },
      ],
      slowest: [
        { check: 'mentions.pages-ascend', durationMs: 1320, heldMs: 0 },
        { check: 'send.content-over-the-limit-is-refused', durationMs: 900, heldMs: 0 },
      ],
    },
    durationMs: 1843,
    ...overrides,
  };
}

const passed = [ascend, contentLimit, unauthenticated, sizeBytes];

const noReader = {
  verdict: 'inconclusive',
  judged: 0,
  reason: 'nobody there to be mentioned',
  enable: 'a second agent: roles.reader',
} as const;

const noRevoke = {
  verdict: 'inconclusive',
  judged: 0,
  reason: 'a credential cannot be revoked from here',
  enable: 'the hook `revoke`, or a credential that was revoked before: roles.revoked',
} as const;

const disturbed = {
  verdict: 'inconclusive',
  judged: 2,
  reason: '503 without an ApiError, three times in a row: trouble on the way',
} as const;

const knownReason = 'one entry too many since the new index; mended with the next release';

const knownLimit = check(brokenLimit.check, brokenLimit.title, [
  clause('mentions.limit', { verdict: 'failed', known: knownReason }),
  clause('mentions.ascending'),
]);

const notScoredSize: CheckEvent = { ...warnedSizeBytes, isScored: false };

const inconclusive = [
  check('mentions.pages-ascend', ascend.title, [
    clause('mentions.ascending', noReader),
    clause('mentions.after-exclusive', noReader),
  ]),
  check('mentions.self-authored-are-excluded', 'what an agent wrote itself is not among its mentions', [
    clause('mentions.not-self-authored', noReader),
    clause('mentions.ascending', noReader),
  ]),
  check('auth.revoked-credential-is-401', 'a revoked credential draws 401', [
    clause('auth.invalid-is-401', noRevoke),
    clause('auth.challenge', noRevoke),
  ]),
  check('read.long-poll-wakes', 'a waiting read answers when a message arrives', [
    clause('read.wait-wakes', { ...disturbed, level: 'inferred' }),
  ]),
  check('read.walk-is-complete', 'a walk from 0 meets every message once', [
    clause('read.ascending', disturbed),
  ]),
];

/** Runs as they happen, each a whole stream but where its name says otherwise. */
export const runs = {
  'all passed': [header(), preflight(), ...passed, ...observations, footer()],
  'one failed with two exchanges': [
    header(),
    preflight(),
    ascend,
    contentLimit,
    brokenLimit,
    finding(),
    unauthenticated,
    footer({
      exitCode: 1,
      checks: tally(3, 1),
      clauses: { must: tally(4, 1), inferred: tally(0, 0, 0, 1), silent: 41, untestable: 9 },
      alsoSeenBy: { F1: ['mentions.limit-boundaries', 'mentions.newest-page-without-after'] },
    }),
  ],
  'several clauses for one cause': [
    header(),
    preflight(),
    ascend,
    contentLimit,
    unauthenticated,
    check('wire.message', 'every answer keeps the form that the contract gives for message', [
      clause('message.created-at.type', { verdict: 'failed' }),
    ]),
    check('wire.file', 'every answer keeps the form that the contract gives for file', [
      clause('file.uploaded-at.type', { level: 'inferred', verdict: 'warned' }),
    ]),
    causedFinding,
    footer({
      exitCode: 1,
      checks: tally(3, 1, 1),
      clauses: { must: tally(4, 1), inferred: tally(0, 0, 1), silent: 41, untestable: 9 },
      alsoSeenBy: { F1: ['wire.file'] },
    }),
  ],
  warned: [
    header(),
    preflight({
      lines: [
        { severity: 'info', text: 'round trip 0.8 ms, settle time 400 ms' },
        {
          severity: 'warning',
          text: 'the clock of the server is 94 s ahead of this one; times are compared with that in mind',
        },
      ],
    }),
    ascend,
    contentLimit,
    unauthenticated,
    warnedSizeBytes,
    { ...sizeFinding, id: 'F1' },
    footer({
      checks: tally(3, 0, 1),
      clauses: { must: tally(5), inferred: tally(0, 0, 1), silent: 41, untestable: 9 },
    }),
  ],
  strict: [
    header({ profile: { strict: true, readOnly: false, selection: [] } }),
    preflight(),
    ascend,
    contentLimit,
    unauthenticated,
    warnedSizeBytes,
    { ...sizeFinding, id: 'F1' },
    footer({
      exitCode: 1,
      checks: tally(3, 0, 1),
      clauses: { must: tally(5), inferred: tally(0, 0, 1), silent: 41, untestable: 9 },
    }),
  ],
  'inconclusive mix': [
    header({
      checks: 6,
      profile: { strict: false, readOnly: false, selection: ['--only mentions,auth,read,send'] },
    }),
    preflight(),
    ...inconclusive,
    contentLimit,
    footer({
      checks: tally(1, 0, 0, 5),
      clauses: { must: tally(1, 0, 0, 212), inferred: tally(0, 0, 0, 31), silent: 41, untestable: 9 },
    }),
  ],
  'nothing decided': [
    header({ checks: 5 }),
    preflight(),
    ...inconclusive,
    footer({
      exitCode: 3,
      checks: tally(0, 0, 0, 5),
      clauses: { must: tally(0, 0, 0, 213), inferred: tally(0, 0, 0, 31), silent: 41, untestable: 9 },
      footprint: { requests: 36, messages: 0, bytesWritten: 0 },
    }),
  ],
  'known and not scored': [
    header({ profile: { ...header().profile, requirements: '0.1.0-preview' } }),
    preflight(),
    ascend,
    knownLimit,
    { ...finding(), known: knownReason },
    notScoredSize,
    { ...sizeFinding, id: 'F2', isScored: false },
    unauthenticated,
    footer({
      checks: { ...tally(2), known: 1, notScored: 1 },
      clauses: {
        must: { ...tally(4), known: 1 },
        inferred: { ...tally(0), notScored: 1 },
        silent: 41,
        untestable: 9,
      },
      snapshot: {
        file: 'observed.yaml',
        kept: 31,
        changes: [
          { check: 'send.answers', name: 'answer to a send', was: 'status 201', is: 'status 200' },
          { check: 'send.answers', name: 'a key of another agent', is: 'status 409' },
          { check: 'overview.words', name: 'kinds of channels', was: 'shared' },
        ],
      },
    }),
  ],
  'baseline does not hold': [
    header(),
    preflight(),
    ascend,
    knownLimit,
    { ...finding(), known: knownReason },
    unauthenticated,
    sizeBytes,
    footer({
      exitCode: 1,
      checks: { ...tally(3), known: 1 },
      clauses: { must: { ...tally(4), known: 1 }, inferred: tally(1), silent: 41, untestable: 9 },
      staleBaseline: [
        {
          place: 'known.yaml:4:3',
          check: 'mentions.pages-ascend',
          problem: 'passed',
          reason: 'the index is rebuilt by night',
        },
        {
          place: 'known.yaml:8:3',
          check: 'auth.missing-credential-is-401',
          clause: 'auth.challenge',
          problem: 'expired',
          reason: 'the gateway of the old network strips it',
          expires: '2026-02-28',
        },
      ],
      snapshot: { file: 'observed.yaml', kept: 31, changes: [] },
    }),
  ],
  'required and inconclusive': [
    header({ checks: 6 }),
    preflight(),
    ...inconclusive,
    contentLimit,
    footer({
      exitCode: 3,
      checks: tally(1, 0, 0, 5),
      clauses: { must: tally(1, 0, 0, 212), inferred: tally(0, 0, 0, 31), silent: 41, untestable: 9 },
      requiredInconclusive: [
        { clause: 'mentions.ascending', reason: noReader.reason, enable: noReader.enable },
        { clause: 'read.ascending', reason: disturbed.reason },
      ],
    }),
  ],
  'too slow': [
    header({ orderSeed: 4711 }),
    preflight(),
    ...passed,
    footer({
      exitCode: 1,
      latencyGates: [
        { call: 'mentions', maxP95Ms: 200, requests: 412, p95Ms: 312.4, verdict: 'failed' },
        { call: 'send', maxP95Ms: 100, requests: 96, p95Ms: 31, verdict: 'passed' },
        { call: 'overview', maxP95Ms: 50, requests: 0, verdict: 'inconclusive' },
      ],
    }),
  ],
  bailed: [
    header({ checks: 6 }),
    preflight(),
    ...passed.slice(0, 1),
    brokenLimit,
    finding(),
    footer({
      end: 'bailed',
      reason: '--bail 1: 1 check failed',
      exitCode: 1,
      checks: tally(1, 1),
      clauses: { must: tally(1, 1), inferred: tally(0), silent: 0, untestable: 0 },
    }),
  ],
  'limited and in trouble': [
    header({ checks: 4 }),
    preflight(),
    ...passed,
    footer({
      traffic: {
        limited: 1_240,
        serverErrors: 3,
        firstServerError: { request: 'GET /v0/mentions?after=0', status: 500, sinceMs: 4_210 },
        retries: 3,
        retriedAfter: [
          { what: 'connection reset', times: 2 },
          { what: 'no answer in time', times: 1 },
        ],
        limits: [
          { who: 'author', times: 1_231, ratePerSecond: 4.83, isEndless: false },
          { who: 'a caller without a valid credential', times: 8, ratePerSecond: 12.4, isEndless: false },
          { who: 'machine', times: 8, isEndless: true },
          { who: 'peer', times: 2, ratePerSecond: 5, isEndless: false },
          { who: 'author of fresh workspace 2', times: 1, isEndless: false },
        ],
        latencies: [{ call: 'send', requests: 14, p50Ms: 4.24, p95Ms: 31 }],
        slowest: [{ check: 'mentions.pages-ascend', durationMs: 91_320, heldMs: 90_000 }],
      },
      durationMs: 312_400,
    }),
  ],
  interrupted: [
    header({ checks: 214 }),
    preflight(),
    ascend,
    contentLimit,
    footer({
      end: 'interrupted',
      reason: 'SIGINT',
      exitCode: 130,
      checks: tally(2),
      clauses: { must: tally(3, 0, 0, 210), inferred: tally(0, 0, 0, 31), silent: 41, untestable: 9 },
    }),
  ],
  crashed: [
    header({ checks: 214 }),
    preflight(),
    brokenLimit,
    finding({ exchanges: [{ ...read, response: { status: 204, headers: {} } }] }),
    footer({
      end: 'crashed',
      reason: 'SUITE_BUG: a check asked for a role that it does not need',
      exitCode: 4,
      checks: tally(0, 1),
      clauses: { must: tally(0, 1, 0, 212), inferred: tally(0, 0, 0, 31), silent: 41, untestable: 9 },
    }),
  ],
  'without a footer': [header({ checks: 214 }), preflight(), brokenLimit, finding({ exchanges: [] })],
  'preflight failed': [
    header({ checks: 214, baseUrl: 'https://staging.example.org/messaging' }),
    {
      type: 'preflight',
      isOk: false,
      lines: [
        {
          severity: 'warning',
          text: 'roles.author: the token was given on the command line, where other processes can see it',
        },
        {
          severity: 'error',
          text: 'roles.author: the server refuses this credential with 401 (from env:CONFORM_AUTHOR_TOKEN)',
        },
      ],
    },
    footer({
      exitCode: 3,
      checks: tally(0),
      clauses: { must: tally(0, 0, 0, 213), inferred: tally(0, 0, 0, 31), silent: 41, untestable: 9 },
      footprint: { requests: 2, messages: 0, bytesWritten: 0 },
      durationMs: 61.3,
    }),
  ],
} satisfies Readonly<Record<string, readonly ResultEvent[]>>;
