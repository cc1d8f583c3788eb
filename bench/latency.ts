// `npm run bench`: how long a default run takes, near and far. A slow proxy adds its delay to every request; what it adds
// to the run is the delay times the requests that had to follow one another. Away from the embedded reference the settle
// time is the default one, and a run waits: so it does at servers that show nothing.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { startChaos } from '../front/chaos.ts';
import { byRote } from '../selftest/degenerate/by-rote.ts';
import { separateReference } from '../test/cli/conform.ts';
import { printLoad, tableOf } from './table.ts';
import { timedRun, type TimedRun } from './timed-run.ts';

interface Served {
  readonly baseUrl: string;
  readonly close: () => Promise<void>;
}

interface Case {
  readonly name: string;
  /** Added to every request, in ms. */
  readonly delayMs: number;
  /** What stands before a reference in a process of its own; the embedded one when `undefined`. */
  readonly server?: (upstream: string, delayMs: number) => Promise<Served>;
  /** The settle time is what a run takes by itself, and the hooks are left out. */
  readonly isDefault?: true;
  /** Longest that the run may take, in s; `undefined` for one that others are compared with. */
  readonly goalSeconds?: number;
  /** The same as a multiple of the embedded run. */
  readonly goalRatio?: number;
}

/** A proxy that does nothing but take its time. */
const proxied = (baseUrl: string, latencyMs: number): Promise<Served> =>
  startChaos(
    { baseUrl },
    { seed: 1, cut: 0, limited: 0, retryAfterSeconds: 0, unavailable: 0, delayMs: 0, latencyMs },
  );

const latencyCases: readonly Case[] = [
  { name: 'embedded', delayMs: 0, goalSeconds: 5 },
  { name: 'proxy', delayMs: 0, server: proxied },
  { name: 'default settle', delayMs: 0, server: proxied, isDefault: true, goalRatio: 1.5 },
  {
    name: 'constant 200',
    delayMs: 0,
    server: () => byRote['constant-200-bare'].start('constant 200'),
    isDefault: true,
    goalSeconds: 12,
  },
  {
    name: 'empty pages',
    delayMs: 0,
    server: () => byRote['empty-page-any'].start('empty pages'),
    isDefault: true,
    goalSeconds: 12,
  },
  { name: 'proxy + 50 ms', delayMs: 50, server: proxied, goalSeconds: 12 },
  { name: 'proxy + 200 ms', delayMs: 200, server: proxied, goalSeconds: 35 },
];

const latencyFolder = mkdtempSync(join(tmpdir(), 'latency-'));
const printLatency = tableOf([16, 7, 7, 7, 5, 9, 9, 9, 17, 0]);
try {
  printLatency([
    'case',
    'run s',
    'goal s',
    '',
    'exit',
    'waited s',
    'requests',
    'in a row',
    'delay in a row s',
    'messages',
  ]);
  let embeddedSeconds: number | undefined;
  for (const each of latencyCases) {
    // Side by side they would slow one another down.
    const run = await measureCase(each);
    embeddedSeconds ??= run.seconds;
    const { goalRatio, goalSeconds = goalRatio && goalRatio * embeddedSeconds } = each;
    printCase(each, run, goalSeconds);
  }
  printLoad();
} finally {
  rmSync(latencyFolder, { recursive: true, force: true });
}

async function measureCase({ delayMs, server, isDefault }: Case): Promise<TimedRun> {
  if (server === undefined) return timedRun(latencyFolder);
  const reference = await separateReference();
  const target = parse(reference.targetFile) as { base_url: string; settle_ms?: number; hooks?: unknown };
  if (isDefault === true) {
    delete target.settle_ms;
    delete target.hooks;
  }
  const proxy = await server(target.base_url, delayMs);
  try {
    return await timedRun(latencyFolder, { ...target, base_url: proxy.baseUrl });
  } finally {
    await proxy.close();
    await reference.close();
  }
}

function printCase(
  { name, delayMs }: Case,
  { seconds, code, footer }: TimedRun,
  goalSeconds: number | undefined,
): void {
  const waitedMs = Object.values(footer.idleMs ?? {}).reduce((sum, ms) => sum + ms, 0);
  const { requests, longestChain = 0, longestChainIn = '', messages } = footer.footprint;
  printLatency([
    name,
    seconds.toFixed(1),
    goalSeconds?.toFixed(1) ?? '',
    verdictOf(seconds, goalSeconds),
    String(code),
    (waitedMs / 1000).toFixed(1),
    String(requests),
    `${longestChain}`,
    ((longestChain * delayMs) / 1000).toFixed(1),
    `${messages}  longest in ${longestChainIn}`,
  ]);
}

function verdictOf(seconds: number, goalSeconds: number | undefined): string {
  if (goalSeconds === undefined) return '';
  return seconds < goalSeconds ? 'kept' : 'missed';
}
