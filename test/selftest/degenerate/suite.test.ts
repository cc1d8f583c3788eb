import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { targetOfReference } from '../../../embedded/embedded-reference.ts';
import type { Target } from '../../../harness/config/target.ts';
import { startReference } from '../../../reference/index.ts';
import type { Reference } from '../../../reference/index.ts';
import { allChecks } from '../../../suites/index.ts';
import { runOn } from '../../suites/run-suite.ts';
import { degenerateServers } from '../../../selftest/degenerate/servers.ts';
import { recordingProxy } from '../../../selftest/degenerate/servers/recording-proxy.ts';
import type { Recording } from '../../../selftest/degenerate/servers/recording-proxy.ts';

let reference: Reference;
let target: Target;
let recording: Recording;

beforeAll(async () => {
  reference = await startReference();
  target = targetOfReference(reference);
  const proxy = await recordingProxy(reference.baseUrl);
  await runOn(allChecks, { ...target, baseUrl: proxy.baseUrl });
  recording = proxy.recording();
  await proxy.close();
}, 60_000);

afterAll(() => reference.close());

describe.concurrent('a degenerate server', () => {
  it.each(degenerateServers)(
    'is never called conforming: $name',
    async ({ start, expectedExit }) => {
      const tokens = Object.fromEntries(
        Object.entries(target.roles).map(([role, { token }]) => [role, token]),
      );
      const server = await start({
        tokens,
        workspaceId: target.workspaceId ?? '',
        channelId: target.channelId ?? '',
        recording,
      });
      const startedMs = performance.now();
      try {
        const { footer, checks } = await runOn(allChecks, { ...target, baseUrl: server.baseUrl });
        expect(expectedExit).toContain(footer.exitCode);
        expect(performance.now() - startedMs).toBeLessThan(20_000);
        const passed = checks.filter(({ verdict }) => verdict === 'passed').map(({ check }) => check);
        expect(mayShowSomething.has(server.name) ? [] : passed).toEqual([]);
      } finally {
        await server.close();
      }
    },
    60_000,
  );
});

/** Servers that keep some rule for real: authentication, or what the recorded one did. */
const mayShowSomething = new Set(['forgetful', 'null-bodies', 'replay']);
