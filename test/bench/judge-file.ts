// Writes a synthetic history, or judges one and says as JSON what that took: in a process of its own, for `npm run bench -- judges`.

import { closeSync, openSync, writeSync } from 'node:fs';
import { readHistory } from '../../cli/judge/read-history.ts';
import { judgeHistory } from '../../history/judges/index.ts';
import { HistoryLines } from '../../history/ndjson.ts';
import { peakMegabytes } from './peak-memory.ts';
import { syntheticHistory } from './synthetic-history.ts';

/** What one process measured. */
export interface MeasuredJudging {
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

const [mode, path, size] = process.argv.slice(2);
if (mode === 'write') writeSynthetic(Number(size), String(path));
else process.stdout.write(JSON.stringify(measureJudging(String(path))));

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
    megabytes: peakMegabytes(),
    anomalies: anomalies.length,
  };
}

function secondsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}
