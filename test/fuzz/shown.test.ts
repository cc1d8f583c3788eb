import { describe, it } from 'vitest';
import { mutantNamed } from '../../selftest/mutants/index.ts';
import { startReference } from '../../reference/index.ts';
import { runFuzz } from '../../fuzz/campaign/run-fuzz.ts';
import { alone, campaignOptions, foundBy, fuzzed, fuzzedAt, targetFor } from './campaigns.ts';
import { describeShown } from './shown.ts';

describeShown((index) => index % 12 === 0);

describe.concurrent('a baseline request that is refused', () => {
  it('is a finding, and nothing else is held against the server for it', async ({ expect }) => {
    await using reference = await startReference(mutantNamed('after-is-needed').options());
    const outcome = await fuzzedAt(reference, { only: ['mentions'], maxCases: 300 });
    expect(foundBy(outcome)).toEqual(['mentions.after.optional failed']);
  });
});

describe.concurrent('a baseline request that is not answered as it should be for another reason', () => {
  const error = { error: { code: 'later', message: 'not now' } };

  it.for([
    ['a limit', 429],
    ['a missing permission', 403],
    ['a channel that takes nothing at present', 409],
    ['a mistake of the server', 500],
    ['an outage', 503],
  ] as const)('is no finding: %s', async ([, status], { expect }) => {
    const headers = { 'content-type': 'application/json', ...(status === 429 ? { 'retry-after': '0' } : {}) };
    const outcome = await fuzzed(
      {},
      { only: ['send'], maxCases: 20 },
      { answer: (given, { route }) => (route === 'send' ? { status, headers, body: error } : given) },
    );
    expect(foundBy(outcome)).toEqual([]);
    expect(outcome.leftOut['send']).toContain(String(status));
  });

  it('is no finding where the target names a channel that is not there', async ({ expect }) => {
    await using reference = await startReference();
    const elsewhere = { ...alone(targetFor(reference)), channelId: '00000000-0000-4000-8000-0000000000aa' };
    const outcome = await runFuzz(elsewhere, campaignOptions({ only: ['send', 'read'], maxCases: 20 }));
    expect(foundBy(outcome)).toEqual([]);
  });
});
