import { describe, expect, it } from 'vitest';
import type { Target } from '../../../harness/config/target.ts';
import { checkOf } from '../../fixtures/check.ts';
import { alone, fuzzedBehind } from '../../fuzz/campaigns.ts';
import { errorOf, startAilingServer } from '../../suites/ailing-server.ts';
import { runOn } from '../../suites/run-suite.ts';

describe('the requests that a footer tells', () => {
  it('are all that reached the server, preflight included', async () => {
    let reached = 0;
    await using server = await startAilingServer((count) => {
      reached = count;
      return 'pass';
    });
    const lone = checkOf('mentions.lone', { needs: ['author'] }, async ({ author }) => {
      await author.mentions({ limit: 1 });
    });
    const { footer } = await runOn([lone], server.target);
    expect(footer.footprint.requests).toBe(reached);
  });

  it('are those of preflight where nothing else was asked', async () => {
    let reached = 0;
    await using server = await startAilingServer((count) => {
      reached = count;
      return errorOf(401, 'who are you?');
    });
    const { footer } = await runOn([checkOf('mentions.lone')], server.target);
    expect(footer.exitCode).toBe(3);
    expect(reached).toBeGreaterThan(0);
    expect(footer.footprint.requests).toBe(reached);
  });

  it('are all of a campaign, those included that learn its workspace', async () => {
    let reached = 0;
    const counting = {
      instead: ({ number }: { readonly number: number }): undefined => {
        reached = Math.max(reached, number);
      },
    };
    const target = (given: Target): Target => ({ ...alone(given), workspaceId: undefined });
    const { footer } = await fuzzedBehind(counting, { maxCases: 4, target });
    expect(footer.footprint.requests).toBe(reached);
  });
});
