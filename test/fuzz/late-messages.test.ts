import { expect, it } from 'vitest';
import { everybody, foundBy, fuzzed } from './campaigns.ts';

/** What is only inferred: that an author finds at once what it has sent. */
const atOnce = 'channel-read.reads-own-writes warned';

it('is no loss that a message shows only three settle times after its answer', async () => {
  const outcome = await fuzzed(
    { statusOfSend: () => 202, commitDelayMs: () => 1_200 },
    { only: ['send'], maxCases: 400, target: everybody },
  );
  expect(foundBy(outcome).filter((each) => each !== atOnce)).toEqual([]);
  expect(outcome.readBack.compared).toBeGreaterThan(0);
});
