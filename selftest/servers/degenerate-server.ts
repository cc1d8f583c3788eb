import { targetOfReference } from '../../embedded/reference-hooks.ts';
import type { Target } from '../../harness/config/target.ts';
import { runChecks } from '../../harness/run/run-checks.ts';
import { startReference } from '../../reference/index.ts';
import { allChecks } from '../../suites/index.ts';
import { recordedWhile } from '../degenerate/replay.ts';
import type { DegenerateEntry } from '../degenerate/servers.ts';
import type { Server } from './server.ts';

/** A server that keeps no contract, and what a run against it may end with. */
export interface ServedDegenerate extends Server, Pick<DegenerateEntry, 'name' | 'expectedExit'> {}

/** The target of a reference whose address is the degenerate server's: credentials and ids are right, the answers are not. */
export function degenerateServer(entry: DegenerateEntry): ServedDegenerate {
  const open: Server['open'] = async () => {
    const reference = await startReference();
    const target = targetOfReference(reference);
    const recording =
      entry.needs === 'recording' ? await recordedWhile(target.baseUrl, runAt(target)) : undefined;
    const server = await entry.start({ upstream: target.baseUrl, ...(recording && { recording }) });
    const close = async (): Promise<void> => {
      await Promise.all([server.close(), reference.close()]);
    };
    return { target: { ...target, baseUrl: server.baseUrl }, close };
  };
  return { id: `degenerate ${entry.name}`, name: entry.name, expectedExit: entry.expectedExit, open };
}

/** A good run. */
function runAt(target: Target): (baseUrl: string) => Promise<unknown> {
  return (baseUrl) => runChecks(allChecks, { ...target, baseUrl }, { onEvent: () => undefined });
}
