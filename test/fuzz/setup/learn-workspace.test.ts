import { describe, expect, it } from 'vitest';
import type { Target } from '../../../harness/config/target.ts';
import { fuzzed } from '../campaigns.ts';

/** A target that does not name its workspace. */
function unnamed(target: Target): Target {
  return { ...target, workspaceId: undefined };
}

describe('a campaign whose target names no workspace', () => {
  it('learns it from a message, in a channel that was empty too', async () => {
    const { result, leftOut } = await fuzzed({}, { only: ['overview'], maxCases: 4, target: unnamed });
    expect(leftOut).toEqual({});
    expect(result?.cases).toBeGreaterThan(0);
    expect(result?.findings).toEqual([]);
  });

  it('says what is lacking where no message names it', async () => {
    const target = (given: Target): Target => ({
      ...unnamed(given),
      limits: { ...given.limits, isReadOnly: true },
    });
    const { leftOut } = await fuzzed({}, { only: ['overview'], maxCases: 4, target });
    expect(leftOut['overview']).toMatch(/^no message of the channel names its workspace; add `workspace`/);
  });
});
