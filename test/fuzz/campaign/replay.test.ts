import { describe, expect, it } from 'vitest';
import { knownFailureOf, type FailureFile } from '../../../fuzz/campaign/failure-file.ts';
import { replayAt, type Replay } from '../../../fuzz/campaign/replay.ts';
import { runFuzz, type FuzzOutcome } from '../../../fuzz/campaign/run-fuzz.ts';
import { startReference } from '../../../reference/index.ts';
import { alone, campaignOptions, foundBy, targetFor } from '../campaigns.ts';
import { front, type FrontOptions, json } from '../../fixtures/front.ts';
import { alteredSend } from '../altered-send.ts';
import { KnownSecrets } from '../../../harness/output/known-secrets.ts';

const plain = alteredSend('{"content":"{the-mark-of-it} é"}', 'message.content.unaltered');
const openToChoice = alteredSend(
  '{"content":"{the-mark-of-it} x","content_type":"text/html"}',
  'message.content-type.kept',
);

/** Answers the sends of a replayed request, which have 16 characters of mark and a little more, as if all was lost. */
function answering(status: string, lengths: readonly number[]): FrontOptions {
  return {
    instead: ({ request: { method, headers } }) =>
      method === 'POST' && lengths.includes(Number(headers['content-length']))
        ? json(status, '{"error":{"code":"internal","message":"lost"}}')
        : undefined,
  };
}

const lengths = [plain, openToChoice].map(({ request: { body } }) =>
  body !== undefined && 'runs' in body ? Buffer.byteLength(body.runs[0]?.[0] ?? '') : 0,
);

async function at<T>(
  options: FrontOptions,
  run: (target: ReturnType<typeof targetFor>) => Promise<T>,
): Promise<T> {
  await using reference = await startReference();
  await using before = await front(options)(reference);
  return await run({ ...alone(targetFor(reference)), baseUrl: before.baseUrl });
}

const signal = new AbortController().signal;

function replayed(file: FailureFile, options: FrontOptions): Promise<Replay> {
  return at(options, (target) => replayAt(target, file, { signal, env: {}, secrets: new KnownSecrets() }));
}

describe('a replay', () => {
  it.each([
    ['what never showed by itself', { times: 0 }, 'it takes the campaign that found it'],
    [
      'what came and went',
      { times: 1 },
      'as at 2 of 4 tries of the campaign that found it: it may come again',
    ],
    ['what showed no more at the last look', { again: { times: 1, of: 2 } }, 'as at 1 of 5 tries'],
    ['what had no last look', { again: { times: 0, of: 0 } }, 'had no time to look at it again at its end'],
    ['what an older suite kept', { again: undefined }, 'does not say whether it showed at the end'],
  ] as const)('looks longer for %s, and does not call it fixed', async (_, changed, why) => {
    const found = { ...plain.found, ...changed } as FailureFile['found'];
    const file = { ...plain, failure: { ...plain.failure, seenIn: 'answer' }, found } as const;
    expect(await replayed(file, {})).toMatchObject({
      verdict: 'not shown',
      times: 0,
      of: 12,
      whyNotFixed: expect.stringContaining(why),
    });
  });

  it('says nothing of a request that is answered as it was when that was wrong', async () => {
    const failure = {
      ...plain.failure,
      seenIn: 'answer',
      actual: 'answered 201',
      isOutcome: true,
    } as const;
    const { verdict, of, steps } = await replayed({ ...plain, failure }, {});
    expect([verdict, of]).toEqual(['could not be run', 0]);
    expect(steps[0]?.now).toBe('answered 201 as then: the request, or what is expected of it, is another');
  });

  it('is fixed where the message is as it should be', async () => {
    expect(await replayed(plain, {})).toMatchObject({ verdict: 'fixed', times: 0, of: 3 });
  });

  it('still fails where a request that has to be taken now draws a 500', async () => {
    const { verdict, times, steps } = await replayed(plain, answering('500 Internal Server Error', lengths));
    expect([verdict, times]).toEqual(['still failing', 3]);
    expect(steps[0]?.now).toContain('answered 500 internal; expected: accepted');
  });

  it('could not be run where nobody owes the request anything but a 500 came', async () => {
    const { verdict, steps } = await replayed(openToChoice, answering('500 Internal Server Error', lengths));
    expect(verdict).toBe('could not be run');
    expect(steps[0]?.now).toBe('answered 500 internal, which is inconclusive');
  });

  it.each([
    ['let in no more', '401 Unauthorized', /credential of author is refused/],
    ['sent to a place without the service', '404 Not Found', /answered 404/],
    ['answered with nothing but errors', '500 Internal Server Error', /500/],
  ])('says nothing of a failure where everybody is %s', async (_, status, reason) => {
    const instead = () => json(status, '{"error":{"code":"no_entry","message":"not here"}}');
    const { failure } = plain;
    const refused = {
      ...plain,
      failure: { ...failure, seenIn: 'answer', clause: 'send.nul-refused' },
    } as const;
    for (const file of [plain, refused]) {
      const { verdict, reason: said } = await replayed(file, { instead });
      expect(verdict).toBe('could not be run');
      expect(said ?? '').toMatch(reason);
    }
  });

  it('could not be run where the request is redirected', async () => {
    const { verdict } = await replayed(openToChoice, answering('307 Temporary Redirect', lengths));
    expect(verdict).toBe('could not be run');
  });
});

describe('an entry of a corpus', () => {
  function campaign(options: FrontOptions, files = [plain, openToChoice]): Promise<FuzzOutcome> {
    const wishes = {
      corpus: files.map(knownFailureOf),
      only: ['overview'] as const,
      maxCases: 4,
    };
    return at(options, (target) => runFuzz(target, campaignOptions(wishes)));
  }

  it('is fixed where it passes', async () => {
    const { result } = await campaign({});
    expect(result?.fixed).toEqual([plain.root, openToChoice.root]);
    expect(result?.findings).toEqual([]);
  });

  it('is not fixed where it never showed each time', async () => {
    const files = [{ ...plain, found: { ...plain.found, times: 1 } }];
    const { result } = await campaign({}, files);
    expect([result?.fixed, result?.roots.map(({ state }) => state)]).toEqual([[], ['inconclusive']]);
  });

  it('is not fixed by a 500', async () => {
    const outcome = await campaign(answering('500 Internal Server Error', lengths));
    expect(outcome.result?.fixed).toEqual([]);
    expect(foundBy(outcome)).toEqual(['message.content.unaltered failed']);
  });
});
