// `npm run bench`: how long a default run takes, near and far. A slow proxy adds its delay to every request; what it adds
// to the run is the delay times the requests that had to follow one another.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import type { FooterEvent } from '../harness/results/events.ts';
import { conform, separateReference } from '../test/cli/conform.ts';
import { startSlowProxy } from '../test/degenerate/slow-proxy.ts';

interface Case {
  readonly name: string;
  /** Added to every request, in ms. */
  readonly delayMs: number;
  /** Straight at the reference, or through the proxy. */
  readonly isProxied: boolean;
  /** Longest that the run may take, in s; `undefined` for one that others are compared with. */
  readonly goalSeconds?: number;
}

const cases: readonly Case[] = [
  { name: 'embedded', delayMs: 0, isProxied: false, goalSeconds: 5 },
  { name: 'proxy', delayMs: 0, isProxied: true },
  { name: 'proxy + 50 ms', delayMs: 50, isProxied: true, goalSeconds: 30 },
  { name: 'proxy + 200 ms', delayMs: 200, isProxied: true, goalSeconds: 90 },
];

interface Measured {
  readonly seconds: number;
  readonly code: number | null;
  readonly footer: FooterEvent;
}

const folder = mkdtempSync(join(tmpdir(), 'latency-'));
try {
  print(['case', 'run s', 'goal s', '', 'exit', 'requests', 'in a row', 'delay in a row s', 'messages']);
  for (const each of cases) {
    // Side by side they would slow one another down.
    // oxlint-disable-next-line no-await-in-loop
    printCase(each, await measure(each));
  }
  process.stdout.write(`load ${loadavg()[0]?.toFixed(1)} on ${availableParallelism()} processors\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function measure({ delayMs, isProxied }: Case): Promise<Measured> {
  const out = join(folder, 'out.ndjson');
  if (!isProxied) return measured(await conform(['--out', out]), out);
  const reference = await separateReference();
  const target = parse(reference.targetFile) as { base_url: string };
  const proxy = await startSlowProxy(target.base_url, { delayMs });
  const file = join(folder, 'target.yaml');
  writeFileSync(file, stringify({ ...target, base_url: proxy.baseUrl }));
  try {
    return measured(await conform(['--target', file, '--out', out]), out);
  } finally {
    await proxy.close();
    await reference.close();
  }
}

function measured({ code, durationMs }: { code: number | null; durationMs: number }, out: string): Measured {
  const last = readFileSync(out, 'utf8').trim().split('\n').at(-1) ?? '';
  return { seconds: durationMs / 1000, code, footer: JSON.parse(last) as FooterEvent };
}

function printCase({ name, delayMs, goalSeconds }: Case, { seconds, code, footer }: Measured): void {
  const { requests, longestChain = 0, longestChainIn = '', messages } = footer.footprint;
  print([
    name,
    seconds.toFixed(1),
    String(goalSeconds ?? ''),
    verdictOf(seconds, goalSeconds),
    String(code),
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

function print(cells: readonly string[]): void {
  const widths = [16, 7, 7, 7, 5, 9, 9, 17, 0];
  process.stdout.write(
    `${cells
      .map((cell, index) => cell.padEnd(widths[index] ?? 0))
      .join(' ')
      .trimEnd()}\n`,
  );
}
