import { parse } from 'yaml';
import { recordedWhile } from '../../../selftest/degenerate/replay.ts';
import {
  type DegenerateEntry,
  type DegenerateOptions,
  degenerateServers,
} from '../../../selftest/degenerate/servers.ts';
import { separateReference } from '../../cli/conform.ts';
import type { Part, Row } from '../row.ts';
import { timedRun } from '../timed-run.ts';

/** Longest that a run may take, in s. */
const goalSeconds = 12;

interface TargetFile {
  readonly base_url: string;
  readonly workspace: string;
  readonly channel: string;
  /** Tokens. */
  readonly roles: Readonly<Record<string, string>>;
  settle_ms?: number;
  hooks?: unknown;
}

/** Runs at servers that keep no contract. */
export const degenerateRuns: Part = {
  name: 'degenerate',
  how: `A default run at each server that must prove nothing, with the settle time that a run takes by itself and without hooks. One that
ends as it should not counts as an hour.`,
  isQuick: false,
  measure: async (folder) => {
    await using reference = await separateReference();
    const target = parse(reference.targetFile) as TargetFile;
    delete target.settle_ms;
    delete target.hooks;
    const options: DegenerateOptions = {
      upstream: target.base_url,
      recording: await recordedWhile(target.base_url, (baseUrl) =>
        timedRun(folder, { ...target, base_url: baseUrl }),
      ),
    };
    const rows: Row[] = [];
    for (const entry of degenerateServers) rows.push(await measure(entry, options, { target, folder }));
    return rows;
  },
};

async function measure(
  { name, start, expectedExit }: DegenerateEntry,
  options: DegenerateOptions,
  { target, folder }: { readonly target: TargetFile; readonly folder: string },
): Promise<Row> {
  await using server = await start(options);
  const { seconds, code, footer } = await timedRun(folder, { ...target, base_url: server.baseUrl });
  const isExpected = expectedExit.some((expected) => expected === code);
  const idle = Object.entries(footer.idleMs ?? {});
  const waited = idle.map(([kind, ms]) => `${kind} ${(ms / 1000).toFixed(1)} s`).join(', ');
  return {
    what: `run at ${name}`,
    value: isExpected ? seconds : 3600,
    unit: 's',
    goal: { atMost: goalSeconds },
    note: `exit ${code}, ${footer.footprint.requests} requests; waited: ${waited || 'nothing'}`,
  };
}
