// `npm run bench:degenerate [-- name …]`: how long a run takes at each server that must prove nothing, with the settle time
// that a run takes by itself and without hooks. Ends with 1 when one took longer than the goal or ended as no liar should.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { recordingProxy } from '../selftest/degenerate/recording-proxy.ts';
import { degenerateServers } from '../selftest/degenerate/servers.ts';
import type { DegenerateEntry, DegenerateOptions } from '../selftest/degenerate/servers.ts';
import { separateReference } from '../test/cli/conform.ts';
import { printLoad, tableOf } from './table.ts';
import { timedRun } from './timed-run.ts';

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

const print = tableOf([24, 7, 7, 5, 9, 9, 0]);
const askedNames = process.argv.slice(2);
const chosen = degenerateServers.filter(({ name }) => askedNames.length === 0 || askedNames.includes(name));
const degenerateFolder = mkdtempSync(join(tmpdir(), 'degenerate-'));
const reference = await separateReference();
try {
  const target = parse(reference.targetFile) as TargetFile;
  delete target.settle_ms;
  delete target.hooks;
  const options: DegenerateOptions = {
    upstream: target.base_url,
    ...(chosen.some(({ needs }) => needs === 'recording') && { recording: await recorded(target) }),
  };
  print(['server', 'run s', '', 'exit', 'waited s', 'requests', 'what was waited for']);
  for (const entry of chosen) {
    // Side by side they would slow one another down.
    await measure(entry, options, target);
  }
  printLoad();
} finally {
  await reference.close();
  rmSync(degenerateFolder, { recursive: true, force: true });
}

async function recorded(target: TargetFile): Promise<NonNullable<DegenerateOptions['recording']>> {
  const proxy = await recordingProxy(target.base_url);
  await timedRun(degenerateFolder, { ...target, base_url: proxy.baseUrl });
  const recording = proxy.recording();
  await proxy.close();
  return recording;
}

async function measure(
  { name, start, expectedExit }: DegenerateEntry,
  options: DegenerateOptions,
  target: TargetFile,
): Promise<void> {
  const server = await start(options);
  const { seconds, code, footer } = await timedRun(degenerateFolder, { ...target, base_url: server.baseUrl });
  await server.close();
  const isKept = seconds < goalSeconds && expectedExit.some((expected) => expected === code);
  if (!isKept) process.exitCode = 1;
  const idle = Object.entries(footer.idleMs ?? {});
  print([
    name,
    seconds.toFixed(1),
    isKept ? 'kept' : 'missed',
    String(code),
    (idle.reduce((sum, [, ms]) => sum + ms, 0) / 1000).toFixed(1),
    String(footer.footprint.requests),
    idle.map(([kind, ms]) => `${kind} ${(ms / 1000).toFixed(1)}`).join(', '),
  ]);
}
