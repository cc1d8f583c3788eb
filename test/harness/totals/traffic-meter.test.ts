import { expect, it } from 'vitest';
import { checkOf } from '../../fixtures/check.ts';
import { startAilingServer } from '../../suites/ailing-server.ts';
import { runOn } from '../../suites/run-suite.ts';

it('a request that is answered at the second try is as slow as the wait for the first', async () => {
  const reading = checkOf('mentions.lone', { needs: ['author'] }, async ({ author, expect: judge }) => {
    const seen = await author.mentions({ limit: 7 });
    judge.holds('send.content-bytes', true, { expected: 'x', actual: 'y' }, seen);
  });
  let met = 0;
  await using server = await startAilingServer((_, { url = '' }) =>
    url.includes('limit=7') && (met += 1) === 1 ? 'hang' : 'pass',
  );
  const { footer } = await runOn([reading], server.target, {
    latencyLimits: [{ call: 'mentions', maxP95Ms: 1_000 }],
  });
  expect(met).toBe(2);
  expect(footer.traffic?.latencies).toMatchObject([{ call: 'mentions', requests: 2 }]);
  expect(footer.latencyGates).toMatchObject([{ call: 'mentions', verdict: 'failed' }]);
  expect(footer.exitCode).toBe(1);
}, 30_000);
