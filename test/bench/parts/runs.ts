import { parse } from 'yaml';
import { startChaos } from '../../../harness/front/chaos.ts';
import type { Front } from '../../../harness/front/front.ts';
import { byRote } from '../../../selftest/degenerate/by-rote.ts';
import { separateReference } from '../../cli/conform.ts';
import type { Part, Row } from '../row.ts';
import { timedRun, type TimedRun } from '../timed-run.ts';

interface Case {
  readonly name: string;
  /** Added to every request, in ms. */
  readonly delayMs: number;
  /** What stands before a reference in a process of its own; the embedded one when `undefined`. */
  readonly server?: (upstream: string, delayMs: number) => Promise<Front>;
  /** The settle time is what a run takes by itself, and the hooks are left out. */
  readonly isDefault?: true;
  /** Longest that the run may take, in s. */
  readonly goalSeconds?: number;
  /** Most that it may take as a multiple of its chain: the requests that follow one another, times the delay. */
  readonly goalOfChain?: number;
}

/** A proxy that does nothing but take its time. */
const proxied = (baseUrl: string, latencyMs: number): Promise<Front> =>
  startChaos(
    { baseUrl },
    { seed: 1, cut: 0, limited: 0, retryAfterSeconds: 0, unavailable: 0, delayMs: 0, latencyMs },
  );

const cases: readonly Case[] = [
  { name: 'embedded', delayMs: 0, goalSeconds: 5 },
  { name: 'a reference apart', delayMs: 0, server: proxied },
  { name: 'with the settle time that a run takes itself', delayMs: 0, server: proxied, isDefault: true },
  {
    name: 'at 200 and no body, always',
    delayMs: 0,
    server: () => byRote['constant-200-bare'].start(),
    isDefault: true,
    goalSeconds: 12,
  },
  {
    name: 'at empty pages, always',
    delayMs: 0,
    server: () => byRote['empty-page-any'].start(),
    isDefault: true,
    goalSeconds: 12,
  },
  { name: '+ 50 ms', delayMs: 50, server: proxied, goalSeconds: 9, goalOfChain: 1.8 },
  { name: '+ 200 ms', delayMs: 200, server: proxied, goalSeconds: 20, goalOfChain: 1.5 },
];

/** Default runs, near and far. */
export const defaultRuns: Part = {
  name: 'runs',
  how: `A default run as a process, at the embedded reference, and at one in a process of its own behind a proxy that adds its delay to
each request. The chain is the longest row of requests that had to follow one another; what it takes at least is its length times
the delay.`,
  isQuick: true,
  measure: async (folder) => {
    const rows: Row[] = [];
    for (const each of cases) rows.push(...rowsOf(each, await measureCase(each, folder)));
    return rows;
  },
};

async function measureCase({ delayMs, server, isDefault }: Case, folder: string): Promise<TimedRun> {
  if (server === undefined) return timedRun(folder);
  await using reference = await separateReference();
  const target = parse(reference.targetFile) as { base_url: string; settle_ms?: number; hooks?: unknown };
  if (isDefault === true) {
    delete target.settle_ms;
    delete target.hooks;
  }
  await using proxy = await server(target.base_url, delayMs);
  return await timedRun(folder, { ...target, base_url: proxy.baseUrl });
}

function rowsOf(
  { name, delayMs, goalSeconds, goalOfChain }: Case,
  { seconds, code, footer }: TimedRun,
): Row[] {
  const waitedMs = Object.values(footer.idleMs ?? {}).reduce((sum, ms) => sum + ms, 0);
  const { requests, longestChain = 0, longestChainIn = '' } = footer.footprint;
  const note = `exit ${code}, ${requests} requests, ${(waitedMs / 1000).toFixed(1)} s waited`;
  const goal = goalSeconds === undefined ? {} : { goal: { atMost: goalSeconds } };
  const rows: Row[] = [{ what: `run, ${name}`, value: seconds, unit: 's', ...goal, note }];
  if (goalOfChain === undefined) return rows;
  const chainSeconds = (longestChain * delayMs) / 1000;
  rows.push({
    what: `run, ${name}, of its chain`,
    value: seconds / chainSeconds,
    unit: '×',
    goal: { atMost: goalOfChain },
    note: `${longestChain} in a row, in ${longestChainIn}`,
  });
  return rows;
}
