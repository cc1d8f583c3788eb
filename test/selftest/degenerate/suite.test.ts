import { describe, expect, it } from 'vitest';
import { degenerateServers } from '../../../selftest/degenerate/servers.ts';
import { judgeDegenerate } from '../../../selftest/run/judge-degenerate.ts';
import { observeHere } from '../../../selftest/run/observe.ts';
import { degenerateServer } from '../../../selftest/servers/degenerate-server.ts';
import { allChecks } from '../../../suites/index.ts';

describe.concurrent('a degenerate server', () => {
  it.each(degenerateServers.map(degenerateServer))(
    'is never called conforming, and soon done with: $name',
    async (server) => {
      let idleMs = 0;
      const { escapes } = await judgeDegenerate(server, allChecks, async (...asked) => {
        const observation = await observeHere(...asked);
        ({ idleMs } = observation);
        return observation;
      });
      expect(escapes).toEqual([]);
      // How long the rest takes is for the machine to say, and for `npm run bench -- degenerate`.
      expect(idleMs).toBeLessThan(12_000);
    },
    // One of them first records a whole run.
    120_000,
  );
});
