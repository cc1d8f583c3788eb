// `npm run soak`: a long campaign against the reference in a process of its own, with retention. Minute by minute it
// says what was sent and how much memory the campaign takes. It fails for a finding, for memory that grows, and for a
// campaign that falls behind or does not end in time. An argument says how many minutes; ten when there is none.

import { availableParallelism, loadavg } from 'node:os';
import { runFuzz } from '../fuzz/campaign/run-fuzz.ts';
import { separateReference } from '../test/cli/conform.ts';
import { fuzzedTarget } from './fuzzed-target.ts';

const minutes = Number(process.argv[2] ?? 10);
const goals = {
  requestsPerMinute: 50_000,
  /** Later than this after its time is up a campaign may not end, in ms. */
  overtimeMs: 2_000,
  /** Most that the memory of the last minutes may exceed that of the first ones, once a minute has gone by. */
  growth: 1.25,
};
const sampleEveryMs = 2_000;

interface Minute {
  readonly requests: number;
  /** Resident memory, in MB. */
  readonly mean: number;
  readonly most: number;
}

const ending = new AbortController();
process.once('SIGINT', () => ending.abort());
const soakedReference = await separateReference(['--keep', '20000']);
try {
  process.exitCode = await soak();
} finally {
  await soakedReference.close();
}

async function soak(): Promise<number> {
  const done: Minute[] = [];
  let samples: number[] = [];
  let sent = 0;
  const sampler = setInterval(() => samples.push(process.memoryUsage.rss() / 1e6), sampleEveryMs);
  const minuteHand = setInterval(() => {
    const minute = {
      requests: sent,
      mean: meanOf(samples),
      most: Math.max(...samples),
    };
    done.push(minute);
    samples = [];
    const memory = `${minute.mean.toFixed(0)} MB, at most ${minute.most.toFixed(0)}`;
    process.stdout.write(`minute ${done.length}: ${minute.requests} requests, ${memory}\n`);
  }, 59_900);
  const { result, footer } = await runFuzz(fuzzedTarget(soakedReference.targetFile), {
    seed: Math.floor(Math.random() * 2 ** 31),
    timeMs: minutes * 60_000,
    concurrency: 32,
    signal: ending.signal,
    onEvent: (event) => {
      if (event.type === 'progress') sent = event.requests;
    },
    onFinding: ({ root, label }) => void process.stdout.write(`found ${root} by ${label}\n`),
  });
  sent = footer.footprint.requests;
  clearInterval(sampler);
  clearInterval(minuteHand);

  const overtimeMs = Math.max(0, (result?.durationMs ?? 0) - minutes * 60_000);
  const growth = growthOf(done);
  const verdicts = [
    verdictOf('ended', result?.end ?? 'not run', result?.end === 'complete'),
    verdictOf('findings', result?.findings.length ?? 0, result?.findings.length === 0),
    verdictOf('requests', sent, sent >= goals.requestsPerMinute * minutes),
    verdictOf('overtime ms', overtimeMs.toFixed(0), overtimeMs <= goals.overtimeMs),
    verdictOf('memory grew by', growth?.toFixed(2) ?? 'too short to say', (growth ?? 1) <= goals.growth),
  ];
  for (const { line } of verdicts) process.stdout.write(`${line}\n`);
  process.stdout.write(`load ${loadavg()[0]?.toFixed(1)} on ${availableParallelism()} processors\n`);
  return verdicts.every(({ isKept }) => isKept) ? 0 : 1;
}

/** Memory of the last minutes as a multiple of the first ones, the very first left out; `undefined` for under four. */
function growthOf(done: readonly Minute[]): number | undefined {
  const warm = done.slice(1).map(({ mean }) => mean);
  const part = Math.floor(warm.length / 3);
  return part === 0 ? undefined : meanOf(warm.slice(-part)) / meanOf(warm.slice(0, part));
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}

function verdictOf(name: string, value: number | string, isKept: boolean): { line: string; isKept: boolean } {
  return { line: `${name} ${value}: ${isKept ? 'kept' : 'MISSED'}`, isKept };
}
