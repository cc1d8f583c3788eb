import { campaignFooter } from '../../../fuzz/campaign/campaign-footer.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { ids } from '../../history/fixtures.ts';
import type { CampaignTotals, ResultEvent } from '../../../harness/results/generated/events.ts';
import { type AnswerHook, startReference } from '../../../reference/index.ts';
import { mutantNamed } from '../../../selftest/mutants/index.ts';
import {
  alone,
  CaseLog,
  type CampaignWishes,
  everybody,
  foundBy,
  fuzzed,
  fuzzedAt,
  fuzzedBehind,
  summaryOf,
  targetFor,
} from '../campaigns.ts';

/** The cases of a campaign that reads; the first forty are boundaries. */
async function casesOf(wishes: CampaignWishes): Promise<CaseLog> {
  const log = new CaseLog();
  await fuzzed({}, { only: ['overview'], maxCases: 300, ...wishes, onCase: log.onCase });
  return log;
}

let whole: CaseLog;
beforeAll(async () => {
  whole = await casesOf({ concurrency: 40 });
});

describe('a campaign', () => {
  it('finds nothing at a server that keeps the contract, and sees messages back', async () => {
    const left: (number | undefined)[] = [];
    const outcome = await fuzzed(
      {},
      {
        maxCases: 260,
        target: everybody,
        onEvent: (event) => event.type === 'progress' && left.push(event.leftCases),
      },
    );
    expect(left[0]).toBe(260);
    expect(left.at(-1)).toBeLessThan(130);
    expect(foundBy(outcome)).toEqual([]);
    expect(outcome.leftOut).toEqual({});
    expect(outcome.result).toMatchObject({ end: 'complete', cases: 260, judged: 260, inconclusive: 0 });
    expect(outcome.result?.kept.accepted).toBeGreaterThan(20);
    expect(outcome.result?.kept.refused).toBeGreaterThan(20);
    expect(outcome.readBack.compared).toBeGreaterThan(10);
    expect(outcome.readBack.absent).toBeGreaterThan(10);
    expect(outcome.readBack.inconclusive).toBe(0);
  });

  it('fills a feed whose oldest and newest pages show what a message can carry', async () => {
    await using reference = await startReference();
    const { baseUrl, roles } = targetFor(reference);
    await fuzzedAt(reference, { only: ['overview'], maxCases: 4, target: everybody });
    const headers = { authorization: `Bearer ${roles.author?.token}` };
    for (const query of ['after=0&limit=50', 'limit=50']) {
      const listed = await (await fetch(`${baseUrl}/v0/mentions?${query}`, { headers })).text();
      for (const provider of ['provider_a', 'provider_b', 'provider_c', 'provider_d'])
        expect(listed, query).toContain(`"${provider}"`);
      expect(listed, query).toContain('"agent_host":"fuzzer"');
    }
  });

  it.each([
    ['a chapter is turned over', {}, 'overview'],
    ['a failure is tried again', { maxLimit: () => 101 }, 'mentions'],
  ] as const)('ends with a mistake of our own while %s', async (_, broken, family) => {
    let [hasBegun, hasFailed] = [false, false];
    const ended = fuzzed(broken, {
      only: [family],
      maxCases: 4_000,
      target: everybody,
      onCase: () => (hasBegun = true),
      onFailure: () => (hasFailed = true),
      onHistoryLines: (line) => {
        // No case of the overview reads the feed of the peer, but every chapter does.
        const isTurning = family === 'overview' && hasBegun && line.includes('"stream":"feed peer"');
        if (hasFailed || isTurning) throw new Error('no such line');
      },
    });
    await expect(ended).rejects.toThrow('no such line');
  });

  it('sends the same cases whatever is in flight at once', async () => {
    const one = await casesOf({ concurrency: 1 });
    expect(one.digests.size).toBe(300);
    expect(whole.sorted).toEqual(one.sorted);
  });

  it('sends other cases under another seed, but for the boundaries', async () => {
    const other = await casesOf({ seed: 2 });
    const differing = whole.sorted.filter(([index, digest]) => other.digests.get(index) !== digest);
    expect(differing.length).toBeGreaterThan(50);
    expect(differing.every(([index]) => index > 30)).toBe(true);
  });

  it('is parted by shards: nothing comes twice, nothing is left out', async () => {
    const parts: CaseLog[] = [];
    for (const index of [0, 1, 2]) parts.push(await casesOf({ shard: { index, count: 3 } }));
    const together = parts.flatMap(({ sorted }) => sorted).toSorted(([one], [other]) => one - other);
    expect(together).toEqual(whole.sorted);
  });

  it('ends within its time', async () => {
    const startedMs = performance.now();
    const outcome = await fuzzed({}, { maxCases: undefined, timeMs: 4_000, only: ['mentions', 'send'] });
    expect(performance.now() - startedMs).toBeLessThan(4_000 + 2_000);
    expect(outcome.result?.end).toBe('complete');
    expect(outcome.result?.cases).toBeGreaterThan(50);
  });

  it('hands back what it has when it is interrupted', async () => {
    const interrupted = new AbortController();
    const outcome = await fuzzed(
      { maxLimit: () => 101 },
      {
        maxCases: undefined,
        only: ['mentions'],
        signal: interrupted.signal,
        onFinding: () => interrupted.abort(),
      },
    );
    expect(outcome.result?.end).toBe('interrupted');
    expect(foundBy(outcome)).toEqual(['mentions.limit.max failed']);
  });

  it('says that the server is gone, and holds nothing against it', async () => {
    const reference = await startReference();
    const outcome = await fuzzedAt(reference, {
      only: ['mentions'],
      maxCases: 20_000,
      onCase: (index) => {
        if (index === 40) void reference.close();
      },
    });
    expect(outcome.result?.end).toBe('server-gone');
    expect(foundBy(outcome)).toEqual([]);
  });

  it('sees that the server was gone by the end, though all its cases had been answered', async () => {
    const reference = await startReference();
    const outcome = await fuzzedAt(reference, {
      only: ['mentions'],
      maxCases: 300,
      concurrency: 1,
      onCase: (index) => {
        if (index === 299) void reference.close();
      },
    });
    expect(outcome.result?.end).toBe('server-gone');
    expect(foundBy(outcome)).toEqual([]);
    expect(outcome.footer.exitCode).toBe(3);
  });

  it('says that the server stopped answering, and proves nothing then', async () => {
    let answers = 0;
    const outcome = await fuzzed(
      {},
      { only: ['mentions', 'send'], maxCases: undefined, timeMs: 60_000, silentAfterMs: 1_000 },
      { answer: (given) => ((answers += 1) > 400 ? { ...given, ending: 'silent' } : given) },
    );
    expect(outcome.result?.end).toBe('server-silent');
    expect(outcome.result?.cases).toBeGreaterThan(100);
    expect(outcome.result?.durationMs).toBeLessThan(20_000);
    expect(foundBy(outcome)).toEqual([]);
    expect(outcome.footer.exitCode).toBe(3);
    expect(summaryOf(outcome)).toContain('the server stopped answering');
  });

  it('is not passed where a server never answers again shortly before its end', async () => {
    const timeMs = 9_000;
    const startedMs = performance.now();
    const outcome = await fuzzedBehind(
      { delayMs: () => (performance.now() - startedMs > timeMs / 2 ? 60_000 : 0) },
      { only: ['mentions'], maxCases: undefined, timeMs },
    );
    expect(outcome.result?.end).toBe('server-silent');
    expect(outcome.result?.durationMs).toBeLessThan(timeMs + 2_000);
    expect(outcome.footer.exitCode).toBe(3);
  });

  it('proves nothing when many of its cases stay without an answer', async () => {
    let sends = 0;
    const outcome = await fuzzed(
      {},
      { only: ['send'], maxCases: 60 },
      {
        answer: (given, { route }) =>
          route === 'send' && (sends += 1) > 8 && sends % 3 === 0 ? { ...given, ending: 'truncated' } : given,
      },
    );
    expect(outcome.result?.end).toBe('complete');
    expect(outcome.result?.unanswered).toBeGreaterThan(10);
    expect(outcome.footer.exitCode).toBe(3);
    expect(summaryOf(outcome)).toContain('were not answered');
  });

  it.each([
    {
      what: 'goes on with what reads, and is not passed, once nothing more can be written',
      wishes: { only: ['send', 'mentions'], maxCases: 1_000 },
      maxBytes: 10_000,
      said: /^all after .* no more than 10000 bytes; --max-bytes allows more$/,
      cases: { least: 400, most: 999 },
      came: { end: 'out-of-bytes', exitCode: 3 },
    },
    {
      what: 'ends when all that it has left writes',
      wishes: { only: ['send', 'wire'], maxCases: undefined, timeMs: 60_000 },
      maxBytes: 20_000,
      said: /^all after /,
      cases: { least: 10, most: 2_000 },
      came: { end: 'out-of-bytes', exitCode: 3 },
    },
    {
      what: 'says that its largest cases were not sent',
      wishes: { only: ['send'], maxCases: 100 },
      maxBytes: 400_000,
      said: /^the largest: /,
      cases: { least: 50, most: 99 },
      came: { end: 'complete', exitCode: 0 },
    },
  ] as const)('where little may be written: $what', async ({ wishes, maxBytes, said, cases, came }) => {
    const target: CampaignWishes['target'] = (given) => {
      const one = alone(given);
      return { ...one, limits: { ...one.limits, maxBytes } };
    };
    const { result, leftOut, footer } = await fuzzed({}, { ...wishes, target });
    expect(leftOut).toEqual({ 'cases that write': expect.stringMatching(said) as string });
    expect({ end: result?.end, exitCode: footer.exitCode }).toEqual(came);
    // What was not sent is no case.
    expect(result?.cases).toBeGreaterThanOrEqual(cases.least);
    expect(result?.cases).toBeLessThanOrEqual(cases.most);
    expect(result?.answers).not.toHaveProperty('withheld');
    expect(result?.durationMs).toBeLessThan(30_000);
  });

  it('proves nothing when none of what it sent could be read back', async () => {
    const last = 2 ** 40;
    const conflict = { error: { code: 'conflict', message: 'beyond the watermark' } };
    const endless: AnswerHook = (given, { route, query }) => {
      if (route !== 'read' || given.status !== 200) return undefined;
      const after = Number(query['after'] ?? 0);
      if (after >= last) return { ...given, status: 409, body: conflict };
      const page = { next_after: after + 1, has_more: true, high_watermark: last };
      return { ...given, body: { messages: [], page } };
    };
    const outcome = await fuzzed({}, { only: ['send'], maxCases: 60 }, { answer: endless });
    expect(foundBy(outcome)).toEqual([]);
    expect(outcome.footer.exitCode).toBe(3);
    expect(summaryOf(outcome)).toContain('nothing that was sent could be read back: the channel has no end');
  });

  it.each([
    { what: 'none of it is ever listed', isListed: false, found: ['service.sent-is-readable failed'] },
    { what: 'nothing of it is left in what is listed', isListed: true, found: [] },
  ])('is not passed where $what', async ({ isListed, found }) => {
    const other = {
      author: { id: ids.other, display_name: 'b', human_user: null, machine: null },
      content: '*',
    };
    const forgetful: AnswerHook = (given, { route, query }) => {
      if (given.status >= 400 || (route !== 'read' && route !== 'send')) return undefined;
      if (route === 'send') return { ...given, body: {} };
      const { messages, page } = given.body as {
        readonly messages: readonly object[];
        readonly page: object;
      };
      const nothing = {
        messages: [],
        page: { ...page, next_after: Number(query['after'] ?? 0), has_more: false },
      };
      const spoiled = messages.map((each) => ({ ...each, ...other, size_bytes: 1 }));
      return { ...given, body: isListed ? { messages: spoiled, page } : nothing };
    };
    const outcome = await fuzzed({}, { only: ['send'], maxCases: 60 }, { answer: forgetful });
    expect(foundBy(outcome)).toEqual(found);
    expect(outcome.footer.exitCode).toBe(isListed ? 3 : 1);
    expect(summaryOf(outcome)).toContain(
      isListed ? 'nothing that was sent could be read back: no read shows any of it' : '0 messages read back',
    );
  });

  it('says so where the time was over before all could be read', async () => {
    // A page holds a single message, and takes its time.
    const outcome = await fuzzedBehind(
      { delayMs: ({ call }) => (call === 'read' ? 100 : 0) },
      { only: ['send'], maxCases: undefined, timeMs: 4_000 },
      { settings: { historyBytes: 1 } },
    );
    expect(outcome.footer.exitCode).toBe(3);
    expect(summaryOf(outcome)).toContain('could be read back: no look at all of them came to an end');
  });

  it('proves nothing where of most of what it sent nobody knows what came of it, or nothing was taken', async () => {
    await using reference = await startReference();
    const { footer } = await fuzzedAt(reference, { only: ['send'], maxCases: 60 });
    const { campaign } = footer;
    if (campaign === undefined) throw new Error('a campaign has totals');
    const endWith = (totals: Partial<CampaignTotals>): readonly [number, string | undefined] => {
      const { exitCode, reason } = campaignFooter(
        {
          totals: { ...campaign, ...totals },
          findings: [],
          staleBaseline: [],
          footprint: footer.footprint,
          durationMs: 0,
          reason: undefined,
        },
        { isStrict: false },
      );
      return [exitCode, reason];
    };
    const readBack = { compared: 20, absent: 10 };
    expect(endWith({ readBack: { ...readBack, inconclusive: 60 } })).toEqual([0, undefined]);
    expect(endWith({ readBack: { ...readBack, inconclusive: 61 } })[0]).toBe(3);
    expect(endWith({ judged: 0 })).toEqual([3, 'none of 60 cases came to a judgement']);
    expect(endWith({ kept: { accepted: 0, refused: 50 } })).toEqual([
      3,
      'nothing that has to be accepted was accepted, in 60 cases: then a refusal proves nothing either',
    ]);
  });

  it('names the request that decides', async () => {
    const events: ResultEvent[] = [];
    await using reference = await startReference(mutantNamed('every-fourth-send-is-forgotten').options());
    await fuzzedAt(reference, { only: ['send'], maxCases: 120, onEvent: (event) => events.push(event) });
    const lost = events.filter((event) => event.type === 'finding');
    expect(lost.map(({ clause }) => clause)).toContain('service.sent-is-readable');
    for (const { exchanges, decidedBy, actual } of lost.filter(({ actual }) => actual.includes('nowhere'))) {
      const [decides] = exchanges.filter(({ id }) => id === decidedBy);
      expect(decides?.request.method, actual).toBe('GET');
    }
  });

  it('takes a limit that is reached for trouble on the way', async () => {
    let [second, requests] = [0, 0];
    const outcome = await fuzzed(
      {
        secondsToWait: () => {
          const now = Math.floor(performance.now() / 1000);
          requests = now === second ? requests + 1 : 1;
          second = now;
          return requests > 60 ? 1 : null;
        },
      },
      { maxCases: 150, only: ['mentions', 'send', 'authentication'], target: everybody },
    );
    expect(foundBy(outcome)).toEqual([]);
    expect(outcome.footer.footprint.requests).toBeGreaterThan(170);
    // Cases of several requests are left out there.
    expect(outcome.result?.judged).toBeGreaterThan(130);
  });
});
