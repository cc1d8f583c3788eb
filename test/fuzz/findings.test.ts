import { addressOf } from '../../spec/calls/index.ts';
import { describe, expect, it, vi } from 'vitest';
import { failureFileOf, requestOf } from '../../fuzz/campaign/failure-file.ts';
import type { Finding } from '../../fuzz/campaign/finding.ts';
import { contractRules, type ReferenceOptions } from '../../reference/index.ts';
import { mutantNamed } from '../../selftest/mutants/index.ts';
import { randomFrom } from '../../selftest/variants/base/random.ts';
import { everybody, foundBy, fuzzed, summaryOf, until } from './campaigns.ts';

// Each is a campaign that is read back chapter by chapter, beside those of other files.
vi.setConfig({ testTimeout: 180_000 });

function contentOf(finding: Finding | undefined): unknown {
  const body = finding?.request.body;
  return typeof body === 'string' ? (JSON.parse(body) as { content?: unknown }).content : undefined;
}

describe('findings', () => {
  it('are two where two limits are broken, each as small as it gets', async () => {
    const outcome = await fuzzed(
      { minLimit: () => 0, maxLimit: () => 101 },
      { only: ['mentions'], maxCases: 300 },
    );
    expect(foundBy(outcome)).toEqual(['mentions.limit.max failed', 'mentions.limit.min failed']);
    expect(outcome.result?.findings.map(({ request }) => addressOf(request)).toSorted()).toEqual([
      '/v0/mentions?limit=0',
      '/v0/mentions?limit=101',
    ]);
    expect(outcome.result?.findings.map(({ repeats }) => repeats)).toEqual([
      { times: 3, of: 3 },
      { times: 3, of: 3 },
    ]);
    expect(outcome.result?.findings.every(({ sightings }) => sightings > 0)).toBe(true);
  });

  it('are told of more targets than there are, where nobody need be one', async () => {
    const isWanted = ({ failure }: Finding): boolean => failure.clause === 'send.mentions-over-limit';
    const outcome = await fuzzed(
      { maxMentions: () => 1_000, acceptsTarget: () => true },
      { only: ['send'], maxCases: 1_000, ...until(isWanted) },
    );
    expect(outcome.result?.findings.filter(isWanted).map(({ label }) => label)).toEqual([
      expect.stringMatching(/targets\//),
    ]);
  });

  it('are one where a header is missing everywhere', async () => {
    const outcome = await fuzzed({ challenge: () => null }, { only: ['authentication'], maxCases: 250 });
    expect(foundBy(outcome)).toEqual(['auth.www-authenticate failed']);
    expect(outcome.result?.findings[0]?.sightings).toBeGreaterThan(50);
  });

  it.for([
    ['as long as it is there', false, { times: 2, of: 2 }],
    ['and not once it is gone', true, { times: 0, of: 1 }],
  ] as const)('are looked at again at the end, and seen %s', async ([, isMended, again]) => {
    let most = 101;
    const outcome = await fuzzed(
      { maxLimit: () => most },
      { only: ['mentions'], maxCases: 300, onFinding: () => (most = isMended ? 100 : 101) },
    );
    expect(outcome.result?.findings.map((each) => [each.repeats, each.again])).toEqual([
      [{ times: 3, of: 3 }, again],
    ]);
    expect(outcome.footer.campaign?.seen['F1']?.again).toEqual(again);
  });

  it('are looked at alone at the end: an error of reads that meet is not seen then', async () => {
    const { answer = () => undefined } = mutantNamed('reads-at-once-are-500').options();
    const wishes = { only: ['read', 'authentication'], maxCases: 400, target: everybody } as const;
    const outcome = await fuzzed({}, wishes, { answer });
    const findings = outcome.result?.findings ?? [];
    const certain = findings.filter(({ repeats: { times, of } }) => times > 0 && times === of);
    expect(findings).not.toEqual([]);
    expect(certain.map(({ again }) => again?.times)).toEqual(certain.map(() => 0));
  });

  // On a busy machine a key may be forgotten before the other send is stored.
  it('print no line that shows nothing when it is sent alone', { retry: 2 }, async () => {
    const outcome = await fuzzed(
      { pauseBeforeCommitMs: () => 40, onKeyInFlight: () => 'ignore' },
      { only: ['send'], maxCases: 400 },
    );
    const readBack = outcome.result?.findings.filter(({ failure }) => failure.seenIn === 'readBack') ?? [];
    const reasons = readBack.flatMap(({ exchanges }) => exchanges.map(({ whyNoCurl }) => whyNoCurl));
    expect(reasons).toContain('sent again it was answered with 409');
  });

  it('show what is known of messages that are lost once, for whoever looks it up', async () => {
    let sends = 0;
    const lost = new Set<unknown>();
    type Shown = { readonly id?: unknown; readonly message?: Shown };
    const idOf = (shown: unknown): unknown => (shown as Shown).message?.id ?? (shown as Shown).id;
    const outcome = await fuzzed(
      {},
      { only: ['send'], maxCases: 200 },
      {
        answer: (given, { route }) => {
          if (given.status >= 300) return undefined;
          if (route === 'send' && (sends += 1) > 60 && sends <= 66) lost.add(idOf(given.body));
          if (route !== 'read') return undefined;
          const body = given.body as { readonly messages: readonly unknown[] };
          return {
            ...given,
            body: { ...body, messages: body.messages.filter((each) => !lost.has(idOf(each))) },
          };
        },
      },
    );
    const finding = outcome.result?.findings.find(
      ({ failure }) => failure.clause === 'service.sent-is-readable',
    );
    expect(finding?.repeats).toEqual({ times: 0, of: 3 });
    const [sent, ...reads] = finding?.exchanges ?? [];
    expect(sent).toMatchObject({
      request: { method: 'POST', headers: { 'idempotency-key': expect.any(String) } },
      response: {
        status: 201,
        body: { text: expect.stringMatching(/^message [0-9a-f-]+, sequence \d+$/) },
      },
      whyNoCurl: expect.stringMatching(
        /^no try of it alone showed this again; it was sent at [0-9T:.-]+Z, and the answer had message [0-9a-f-]+, sequence \d+$/,
      ),
    });
    expect(reads.map(({ request }) => request.method)).toContain('GET');
  });

  it('shrink to the limit of contents, half a megabyte in a few lines of a file', async () => {
    const over = await fuzzed({ maxContentBytes: () => 500_001 }, { only: ['send'], maxCases: 150 });
    expect(foundBy(over)).toEqual(['send.content-bytes failed']);
    const [finding] = over.result?.findings ?? [];
    expect(contentOf(finding)).toBe('a'.repeat(500_001));
    const file = failureFileOf(finding as Finding, { seed: 1 });
    expect(JSON.stringify(file).length).toBeLessThan(2_000);
    expect(requestOf(file).body).toBe(JSON.stringify({ content: 'a'.repeat(500_001) }));
    const under = await fuzzed({ maxContentBytes: () => 499_999 }, { only: ['send'], maxCases: 150 });
    expect(foundBy(under)).toEqual(['send.content-bytes failed']);
    expect(contentOf(under.result?.findings[0])).toBe('a'.repeat(500_000));
  });

  it('shrink to the one character that is wrong', async () => {
    const outcome = await fuzzed({ acceptsNul: () => true }, { only: ['send'], maxCases: 480 });
    expect(foundBy(outcome)).toEqual(['send.nul-refused failed']);
    expect(contentOf(outcome.result?.findings[0])).toBe('\0');
  });

  it('are intermittent where they do not always show', async () => {
    let left = 3;
    const outcome = await fuzzed(
      {
        readLimit: (text, min, max, route) =>
          contractRules.readLimit(text, min, text === '101' && (left -= 1) > 0 ? 101 : max, route),
      },
      { only: ['mentions'], maxCases: 300, concurrency: 1 },
    );
    const [finding] = outcome.result?.findings ?? [];
    expect(finding?.failure.clause).toBe('mentions.limit.max');
    expect(finding?.repeats.times).toBeLessThan(3);
  });
});

describe.concurrent('a list that no other case needs', () => {
  it.for([
    ['channels-list-is-500', 'channels', ['channels-list.answers failed']],
    ['channels-list-is-501', 'channels', ['channels-list.answers failed']],
    ['receipts-list-is-500', 'receipts', ['receipts-list.answers failed']],
    // A server that keeps no receipts has no list of them.
    ['receipts-list-is-501', 'receipts', []],
  ] as const)('is said to be skipped, and why: %s', async ([mutant, what, found], { expect }) => {
    const { rules, ...options } = mutantNamed(mutant).options();
    const outcome = await fuzzed(
      rules ?? {},
      { only: ['authentication'], maxCases: 60, target: everybody },
      options,
    );
    expect(foundBy(outcome)).toEqual(found);
    expect(summaryOf(outcome)).toContain(
      `skipped: the list of ${what}: its baseline request is not accepted: GET /v0/channels`,
    );
  });

  it('is not blamed for an error that does not come again', async ({ expect }) => {
    let asked = 0;
    const outcome = await fuzzed(
      {},
      { only: ['authentication'], maxCases: 60, target: everybody },
      {
        answer: (_given, { route }) =>
          route === 'channels' && (asked += 1) === 1
            ? {
                status: 500,
                headers: { 'content-type': 'application/json' },
                body: { error: { code: 'hiccup', message: 'm' } },
              }
            : undefined,
      },
    );
    expect(foundBy(outcome)).toEqual([]);
    expect(summaryOf(outcome)).toContain('skipped: the list of channels');
  });
});

describe.concurrent('a server error that does not come every time', () => {
  const error = { status: 500, headers: { 'content-type': 'application/json' } } as const;
  const body = { error: { code: 'hiccup', message: 'a map that threads share' } };
  type Where = (request: { readonly route: string | null; readonly accepted: number }) => boolean;
  const errors = (at: Where): Pick<ReferenceOptions, 'answer'> => {
    const accepted = new Map<string | null, number>();
    return {
      answer: (given, { route }) => {
        if (given.status >= 300) return undefined;
        accepted.set(route, (accepted.get(route) ?? 0) + 1);
        return at({ route, accepted: accepted.get(route) ?? 0 }) ? { ...error, body } : undefined;
      },
    };
  };

  it.for([
    ['read', 'service.served-requests-stay-served warned'],
    ['mentions', 'mentions.error-statuses failed'],
  ] as const)('and comes again is one finding: of %s', async ([family, found], { expect }) => {
    const every = errors((asked) => asked.route === family && asked.accepted % 13 === 12);
    const outcome = await fuzzed({}, { only: [family], maxCases: 400 }, every);
    expect(foundBy(outcome)).toEqual([found]);
    const [finding] = outcome.result?.findings ?? [];
    expect(finding?.failure.actual).toMatch(
      /^status 500 to (?:[2-9]|\d\d+) of \d+ requests \([a-z-]+\), the first [\d.]+ s and the last [\d.]+ s after the first request$/,
    );
    expect(finding?.repeats.times).toBeLessThan(finding?.repeats.of ?? 0);
  });

  it('is no finding where it comes once', async ({ expect }) => {
    const once = errors(({ route, accepted }) => route === 'send' && accepted === 60);
    const outcome = await fuzzed({}, { only: ['send'], maxCases: 300 }, once);
    expect(foundBy(outcome)).toEqual([]);
  });

  it('is no finding of a call of which nothing says that there is none', async ({ expect }) => {
    const random = randomFrom(7);
    const outcome = await fuzzed(
      {},
      { only: ['authentication', 'overview'], maxCases: 600, target: everybody },
      {
        answer: (_given, { route }) =>
          route === 'overview' && random() < 0.3 ? { ...error, body } : undefined,
      },
    );
    expect(foundBy(outcome)).toEqual([]);
    expect(outcome.result?.answers['500 hiccup']).toBeGreaterThan(20);
  });

  it('is the same to requests that are to be refused', async ({ expect }) => {
    let asked = 0;
    const outcome = await fuzzed(
      {},
      { only: ['send'], maxCases: 400 },
      {
        answer: (_given, { route }) =>
          route === 'send' && (asked += 1) > 100 && asked % 13 === 0 ? { ...error, body } : undefined,
      },
    );
    expect(foundBy(outcome)).toEqual(['service.served-requests-stay-served warned']);
  });

  it('leaves one that an input draws every time to the clause of that input', async ({ expect }) => {
    const outcome = await fuzzed(
      {
        maxContentBytes: () => 499_999,
        statusOfRefusal: (kind, route) =>
          kind === 'invalid' && route === 'send' ? 500 : contractRules.statusOfRefusal(kind, route),
      },
      { only: ['send'], maxCases: 420 },
      errors(({ route, accepted }) => route === 'send' && accepted % 11 === 10),
    );
    expect(foundBy(outcome)).toContain('service.served-requests-stay-served warned');
    expect(foundBy(outcome)).toContain('send.content-bytes failed');
  });
});
