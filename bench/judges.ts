// `npm run bench:judges [-- operations …]`: how long the judges take for synthetic histories of 10^4, 10^5 and 10^6 operations, how
// much memory, and how the time grows. Each history is read back from a file by a process of its own, as `conform judge` does. Ends
// with 1 when the largest took longer than the goal, or the time grows faster than n log n allows.

import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readHistory } from '../cli/judge/read-history.ts';
import { judgeHistory } from '../history/judges/index.ts';
import { HistoryLines } from '../history/ndjson.ts';
import { syntheticHistory } from './synthetic-history.ts';
import { printLoad, tableOf } from './table.ts';

/** Of 10^6 operations on one core. */
const judgeGoalSeconds = 10;
const goalMegabytes = 2048;
/** Of 10 times the operations: n log n gives 12 at most, and a busy machine measures no closer. */
const mostGrowth = 20;
/** Of the fewer operations the median of so many rounds counts. */
const judgeRounds = 3;

/** What one process measured. */
interface MeasuredJudging {
  readonly operations: number;
  readonly items: number;
  readonly readSeconds: number;
  /** What the collector does on other cores counts as well: on a busy machine no other clock says the same twice. */
  readonly seconds: number;
  readonly wallSeconds: number;
  /** The most that the process ever held, reading included. */
  readonly megabytes: number;
  readonly anomalies: number;
}

const printJudges = tableOf([12, 12, 8, 9, 8, 9, 7, 11, 0]);
const [mode, ...rest] = process.argv.slice(2);
if (mode === 'write') writeSynthetic(Number(rest[0]), String(rest[1]));
else if (mode === 'judge') process.stdout.write(JSON.stringify(measureJudging(String(rest[0]))));
else report([mode, ...rest].flatMap((each) => (each === undefined ? [] : Number(each))));

function report(sizes: readonly number[]): void {
  printJudges(['operations', 'items', 'read s', 'judge s', 'growth', 'wall s', 'MB', 'anomalies', '']);
  const folder = mkdtempSync(join(tmpdir(), 'judges-'));
  let before: MeasuredJudging | undefined;
  for (const size of sizes.length > 0 ? sizes : [10_000, 100_000, 1_000_000]) {
    const file = join(folder, `${size}.ndjson`);
    inProcess('write', String(size), file);
    const all = Array.from({ length: size > 500_000 ? 1 : judgeRounds }, () =>
      JSON.parse(inProcess('judge', file)),
    );
    before = reportSize(size, all as MeasuredJudging[], before);
  }
  rmSync(folder, { recursive: true });
  printLoad();
}

function reportSize(
  size: number,
  all: MeasuredJudging[],
  before: MeasuredJudging | undefined,
): MeasuredJudging {
  all.sort((one, other) => one.seconds - other.seconds);
  const median = all[all.length >> 1];
  if (median === undefined) throw new Error('nothing was measured');
  const { seconds, megabytes } = median;
  const growth = before === undefined ? undefined : seconds / before.seconds;
  const tenfold = before === undefined ? 1 : size / before.operations / 10;
  const isKept =
    seconds < judgeGoalSeconds * Math.max(1, size / 1_000_000) &&
    megabytes < goalMegabytes &&
    (growth ?? 0) < mostGrowth * tenfold;
  if (!isKept) process.exitCode = 1;
  printJudges([
    median.operations.toLocaleString('en'),
    median.items.toLocaleString('en'),
    median.readSeconds.toFixed(2),
    seconds.toFixed(2),
    growth === undefined ? '' : `×${growth.toFixed(1)}`,
    median.wallSeconds.toFixed(2),
    megabytes.toFixed(0),
    String(median.anomalies),
    isKept ? 'kept' : 'missed',
  ]);
  return median;
}

function inProcess(...args: readonly string[]): string {
  return execFileSync(process.execPath, [fileURLToPath(import.meta.url), ...args], { encoding: 'utf8' });
}

function writeSynthetic(size: number, path: string): void {
  const { facts, operations } = syntheticHistory(size);
  const lines = new HistoryLines();
  const file = openSync(path, 'w');
  writeSync(file, lines.header(facts));
  for (let from = 0; from < operations.length; from += 1000)
    writeSync(
      file,
      operations
        .slice(from, from + 1000)
        .map((each) => lines.operation(each))
        .join(''),
    );
  closeSync(file);
}

function measureJudging(file: string): MeasuredJudging {
  const atStart = process.cpuUsage();
  const history = readHistory(file);
  const readSeconds = secondsSince(atStart);
  const startedMs = performance.now();
  const before = process.cpuUsage();
  const { anomalies } = judgeHistory(history);
  return {
    operations: history.operations.length,
    items: history.operations.reduce((sum, each) => sum + (each.kind === 'read' ? each.items.length : 0), 0),
    readSeconds,
    seconds: secondsSince(before),
    wallSeconds: (performance.now() - startedMs) / 1000,
    megabytes: process.resourceUsage().maxRSS / 1000,
    anomalies: anomalies.length,
  };
}

function secondsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}
