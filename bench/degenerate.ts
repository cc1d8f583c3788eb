// `npm run bench:degenerate [-- name …]`: how long a run takes at each server that must prove nothing, with the settle time
// that a run takes by itself and without hooks. Ends with 1 when one took longer than the goal or ended as no liar should.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import type { FooterEvent } from '../harness/results/generated/events.ts';
import { recordingProxy } from '../selftest/degenerate/recording-proxy.ts';
import { degenerateServers } from '../selftest/degenerate/servers.ts';
import type { DegenerateEntry, DegenerateOptions } from '../selftest/degenerate/servers.ts';
import { conform, separateReference } from '../test/cli/conform.ts';

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

const names = process.argv.slice(2);
const chosen = degenerateServers.filter(({ name }) => names.length === 0 || names.includes(name));
const folder = mkdtempSync(join(tmpdir(), 'degenerate-'));
const reference = await separateReference();
try {
  const target = parse(reference.targetFile) as TargetFile;
  delete target.settle_ms;
  delete target.hooks;
  const options: DegenerateOptions = {
    tokens: target.roles,
    workspaceId: target.workspace,
    channelId: target.channel,
    ...(chosen.some(({ needs }) => needs === 'recording') && { recording: await recorded(target) }),
  };
  print(['server', 'run s', '', 'exit', 'waited s', 'requests', 'what was waited for']);
  for (const entry of chosen) {
    // Side by side they would slow one another down.
    await measure(entry, options, target);
  }
  process.stdout.write(`load ${loadavg()[0]?.toFixed(1)} on ${availableParallelism()} processors\n`);
} finally {
  await reference.close();
  rmSync(folder, { recursive: true, force: true });
}

async function recorded(target: TargetFile): Promise<NonNullable<DegenerateOptions['recording']>> {
  const proxy = await recordingProxy(target.base_url);
  await runAt(proxy.baseUrl, target);
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
  const { seconds, code, footer } = await runAt(server.baseUrl, target);
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

async function runAt(
  baseUrl: string,
  target: TargetFile,
): Promise<{ seconds: number; code: number | null; footer: FooterEvent }> {
  const file = join(folder, 'target.yaml');
  const out = join(folder, 'out.ndjson');
  writeFileSync(file, stringify({ ...target, base_url: baseUrl }));
  const { code, durationMs } = await conform(['--target', file, '--out', out]);
  const last = readFileSync(out, 'utf8').trim().split('\n').at(-1) ?? '';
  return { seconds: durationMs / 1000, code, footer: JSON.parse(last) as FooterEvent };
}

function print(cells: readonly string[]): void {
  const widths = [24, 7, 7, 5, 9, 9, 0];
  process.stdout.write(
    `${cells
      .map((cell, index) => cell.padEnd(widths[index] ?? 0))
      .join(' ')
      .trimEnd()}\n`,
  );
}
