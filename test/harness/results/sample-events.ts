import type {
  CheckEvent,
  FindingEvent,
  FooterEvent,
  ResultEvent,
} from '../../../harness/results/generated/events.ts';

/** Every field there, optional ones too: a field that is added to the types does not compile until it is here. */
type Full<T> = T extends readonly (infer Item)[]
  ? readonly Full<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]-?: Full<Exclude<T[Key], undefined>> }
    : T;

type FullEvents = {
  readonly [Type in ResultEvent['type']]: Full<Extract<ResultEvent, { type: Type }>>;
};

/** One event of each type that has all it can have; together, in this order, they are a stream. */
export const fullEvents: FullEvents = {
  header: {
    type: 'header',
    format: 1,
    suiteVersion: '0.1.0',
    contractVersion: '0.1.0-preview',
    registerDigest: 'a'.repeat(64),
    baseUrl: 'http://127.0.0.1:4100/base',
    command: ['run', '--target', 'conform.yaml'],
    targetDigest: 'b'.repeat(64),
    profile: {
      strict: false,
      readOnly: false,
      selection: ['--check mentions.*'],
      requirements: '0.1.0-preview',
    },
    checks: 1,
    campaign: { seed: 7, shards: ['2/8'] },
    orderSeed: 20_260_301,
    startedAt: '2026-03-01T09:30:00.125Z',
  },
  preflight: {
    type: 'preflight',
    isOk: true,
    lines: [{ severity: 'warning', text: 'the clock of the server is 3 s ahead' }],
    roundTripMs: 1.25,
    settleMs: 400,
  },
  check: {
    type: 'check',
    check: 'mentions.pages-ascend',
    title: 'mentions ascend by their workspace-wide sequence',
    area: 'mentions',
    file: 'suites/mentions/order.ts',
    verdict: 'failed',
    isScored: false,
    clauses: [
      {
        clause: 'mentions.ascending',
        level: 'must',
        verdict: 'failed',
        judged: 49,
        reason: 'reset on the way',
        enable: 'roles.reader',
        trouble: 'no-answer',
        known: 'the index is rebuilt by night',
        inapplicable: 'this server has no receipts',
      },
    ],
    requests: 4,
    judged: 49,
    attempts: 2,
    durationMs: 31.5,
  },
  progress: {
    type: 'progress',
    phase: 'random',
    cases: 900,
    elapsedMs: 4_000.5,
    leftMs: 56_000,
    leftCases: 4_100,
    requests: 1_100,
    answers: { '400 invalid': 410 },
    findings: 1,
  },
  finding: {
    type: 'finding',
    id: 'F1',
    clause: 'mentions.ascending',
    level: 'must',
    verdict: 'failed',
    text: 'Mentions of a page ascend by their workspace-wide sequence.',
    source: 'GET /v0/mentions (operation listMentions), paragraph 4',
    check: 'mentions.pages-ascend',
    case: {
      root: 'mentions.ascending | one answer',
      companions: ['service.reads-ascend | one answer'],
      label: 'limit/in-range',
      phase: 'random',
      calls: ['mentions'],
      isInCorpus: false,
      firstMs: 412.5,
      file: 'mentions.ascending-0123abcd.json',
    },
    metIn: 'mentions.pages-ascend',
    clauses: [
      {
        clause: 'mentions.ascending',
        level: 'must',
        verdict: 'failed',
        check: 'mentions.pages-ascend',
        known: 'rebuilt',
      },
      {
        clause: 'service.reads-ascend',
        level: 'inferred',
        verdict: 'warned',
        check: 'wire.service',
        known: 'rebuilt',
      },
    ],
    places: [
      {
        clause: 'mentions.ascending',
        call: 'mentions',
        path: 'mentions[3].sequence',
        actual: 'is 41',
      },
    ],
    cause: { check: 'send.content-alone-is-accepted', exchange: 7 },
    expected: 'a sequence above 42',
    actual: '41',
    seen: { times: 2, of: 2 },
    exchanges: [
      {
        id: 7,
        actor: 'reader',
        request: {
          method: 'GET',
          path: '/v0/mentions?after=0',
          headers: { authorization: 'Bearer <reader>' },
          body: { text: '{}', isOutline: true, path: 'page', totalBytes: 2, isCut: false },
        },
        response: {
          status: 200,
          headers: { 'content-type': ['application/json'] },
          body: {
            text: '{"mentions":[',
            isOutline: true,
            path: 'mentions[3].message',
            totalBytes: 9120,
            isCut: true,
          },
        },
        fault: 'gateway',
        startedAt: '2026-02-03T04:05:07.250Z',
        durationMs: 3.5,
        curl: 'curl -H "authorization: Bearer $CONFORM_READER_TOKEN" http://127.0.0.1:4100/base/v0/mentions?after=0',
        whyNoCurl: 'it takes a credential that was made for this run alone',
      },
    ],
    anomaly: 'late-commit',
    timeline: {
      operations: [
        {
          client: 'client 2',
          outcome: 'accepted',
          startMs: 0,
          endMs: 4.5,
          text: '#30 0.0-4.5 ms author sends cs-1. to channel c -> 201',
          letter: 'A',
          isCause: true,
        },
      ],
    },
    known: 'the index is rebuilt by night',
    showsAlone: false,
    isScored: false,
  },
  observation: {
    type: 'observation',
    check: 'mentions.after-beyond-the-watermark',
    name: 'mentions.after-beyond-the-watermark',
    clause: 'mentions.after-beyond-the-watermark',
    value: '409',
  },
  notice: {
    type: 'notice',
    severity: 'warning',
    text: 'messages of other agents have a provider that is none of the four',
  },
  footer: {
    type: 'footer',
    end: 'complete',
    reason: 'nothing left to say',
    exitCode: 1,
    checks: { passed: 0, failed: 0, warned: 0, inconclusive: 0, known: 0, notScored: 1, notApplicable: 0 },
    clauses: {
      must: { passed: 0, failed: 1, warned: 0, inconclusive: 120, known: 1, notScored: 0, notApplicable: 1 },
      inferred: {
        passed: 0,
        failed: 0,
        warned: 0,
        inconclusive: 30,
        known: 0,
        notScored: 1,
        notApplicable: 1,
      },
      silent: 41,
      untestable: 9,
    },
    alsoSeenBy: { F1: ['mentions.newest-page'] },
    footprint: {
      requests: 4,
      longestChain: 3,
      longestChainIn: 'mentions.pages-ascend',
      messages: 2,
      bytesWritten: 96,
    },
    traffic: {
      limited: 12,
      serverErrors: 2,
      firstServerError: { request: 'GET /v0/mentions', status: 500, sinceMs: 4_210 },
      retries: 1,
      limits: [{ who: 'author', times: 12, ratePerSecond: 4.8, isEndless: false }],
      latencies: [{ call: 'mentions', requests: 4, p50Ms: 3.2, p95Ms: 12.1 }],
      slowest: [{ check: 'mentions.pages-ascend', durationMs: 1200.5, heldMs: 900 }],
    },
    hooks: [{ hook: 'provision', calls: 3, durationMs: 310.5 }],
    idleMs: { settle: 410.25, arrival: 30, longPoll: 1, pause: 2, hook: 3 },
    durationMs: 1200.5,
    coverage: {
      situations: [
        {
          clause: 'mentions.ascending',
          along: ['reader', 'limit'],
          declared: 20,
          seen: 18,
          missing: ['reader peer, limit 99'],
        },
      ],
      bounds: [
        { of: 'limit of mentions', at: '101', side: 'forbidden', clause: 'mentions.limit.max', times: 2 },
      ],
    },
    trouble: {
      text: 'after 0.4 s of the run, GET /v0/mentions as reader: no connection; 90 of 110 must clauses that the target makes testable stayed inconclusive',
      atMs: 412.5,
      enabled: 110,
      open: 90,
      mostly: {
        text: 'GET /v0/mentions as reader: no connection',
        kind: 'no-answer',
        clauses: 90,
        exchange: {
          id: 9,
          actor: 'reader',
          request: {
            method: 'GET',
            path: '/v0/mentions',
            headers: { accept: 'application/json' },
            body: { text: '{}', isOutline: true, path: 'page', totalBytes: 2, isCut: false },
          },
          response: {
            status: 503,
            headers: { 'content-type': ['text/html'] },
            body: { isOutline: true, path: 'error', text: 'busy', totalBytes: 4, isCut: false },
          },
          fault: 'refused: connect ECONNREFUSED',
          startedAt: '2026-02-03T04:05:08Z',
          durationMs: 0.5,
          curl: 'curl http://127.0.0.1:4100/base/v0/mentions',
          whyNoCurl: 'its body is too long for a command line',
        },
      },
    },
    requiredInconclusive: [
      { clause: 'mentions.limit.max', reason: 'nobody to be mentioned', enable: 'roles.reader' },
    ],
    latencyGates: [{ call: 'mentions', maxP95Ms: 200, requests: 412, p95Ms: 312.4, verdict: 'failed' }],
    staleBaseline: [
      {
        place: 'known.yaml:3:3',
        check: 'mentions.pages-ascend',
        clause: 'mentions.ascending',
        problem: 'expired',
        reason: 'the index is rebuilt by night',
        expires: '2026-02-28',
      },
    ],
    snapshot: {
      file: 'observed.yaml',
      kept: 31,
      changes: [{ check: 'send.answers', name: 'answer to a send', was: '201', is: '200' }],
    },
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
      leftOut: { overview: 'the target has no machine' },
      fixed: ['limit/above-100'],
      seen: {
        F1: {
          sightings: 4,
          clauses: ['mentions.ascending'],
          calls: ['mentions'],
          known: 'rebuilt',
          again: { times: 1, of: 1 },
        },
      },
      pace: {
        sliceMs: 250,
        slices: [{ judged: 890, answers: { '429': 1, '2xx': 310, '4xx': 578, '5xx': 1, other: 2, none: 8 } }],
      },
      boundaries: { 'mentions limit': { declared: 24, judged: 20 } },
    },
  },
};

/** A check event of its own; it is scored, and nothing of it is known. */
export function checkEvent(overrides: Partial<CheckEvent> = {}): CheckEvent {
  const { isScored: _, ...scored } = fullEvents.check;
  const clauses = scored.clauses.map(({ known: __, trouble: ___, ...each }) => each);
  return { ...scored, clauses, ...overrides };
}

export function findingEvent(overrides: Partial<FindingEvent> = {}): FindingEvent {
  return { ...fullEvents.finding, ...overrides };
}

/** A footer of its own, which counts one failed check. */
export function footerEvent(overrides: Partial<FooterEvent> = {}): FooterEvent {
  const { trouble: _, ...whole } = fullEvents.footer;
  return {
    ...whole,
    checks: { passed: 0, failed: 1, warned: 0, inconclusive: 0 },
    ...overrides,
  };
}
