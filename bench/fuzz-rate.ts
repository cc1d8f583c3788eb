// `npm run bench:fuzz`: the rate of a campaign as a share of what a bare undici pool reaches with the same requests, in the
// same order, against the same server in a process of its own. Both are run twice, in turn.
import { randomUUID } from 'node:crypto';
import { availableParallelism, loadavg } from 'node:os';
import { Pool } from 'undici';
import type { Dispatcher } from 'undici';
import type { Progress } from '../fuzz/campaign.ts';
import type { CaseRequest, Places } from '../fuzz/case-request.ts';
import { resolve } from '../fuzz/case-request.ts';
import { Marks } from '../fuzz/marks.ts';
import { runFuzz } from '../fuzz/run-fuzz.ts';
import type { Target } from '../harness/target/target.ts';
import { separateReference } from '../test/cli/conform.ts';
import { fuzzedTarget } from './fuzzed-target.ts';

const cases = Number(process.argv[2] ?? 16_000);
const concurrency = 32;
const goalShare = 0.6;

interface Measured {
  readonly requests: number;
  readonly perSecond: number;
}

const reference = await separateReference(['--keep', '20000']);
try {
  const target = fuzzedTarget(reference.targetFile);
  const sent: CaseRequest[] = [];
  const campaigns = [await campaign(target, sent)];
  const bare = [await barePool(target, sent)];
  campaigns.push(await campaign(target, []));
  bare.push(await barePool(target, sent));
  for (const [index, each] of campaigns.entries()) print(`campaign ${index + 1}`, each);
  for (const [index, each] of bare.entries()) print(`bare pool ${index + 1}`, each);
  const share = rate(campaigns) / rate(bare);
  const verdict = share >= goalShare ? 'kept' : 'missed';
  process.stdout.write(`share ${(share * 100).toFixed(0)} %, goal ${goalShare * 100} %: ${verdict}\n`);
  process.stdout.write(`load ${loadavg()[0]?.toFixed(1)} on ${availableParallelism()} processors\n`);
} finally {
  await reference.close();
}

async function campaign(target: Target, sent: CaseRequest[]): Promise<Measured> {
  const start = { atMs: 0, requests: 0 };
  let progress: (() => Progress) | undefined;
  let isRandom = false;
  const outcome = await runFuzz(target, {
    seed: 1,
    maxCases: cases,
    concurrency,
    shard: { index: 0, count: 1 },
    timeMs: undefined,
    corpus: [],
    noveltyShare: 0,
    only: [],
    env: {},
    signal: new AbortController().signal,
    onStart: (look) => {
      progress = look;
    },
    onPhase: (phase) => {
      isRandom = phase === 'random';
      if (isRandom) Object.assign(start, { atMs: performance.now(), requests: progress?.().requests ?? 0 });
    },
    onCase: (_index, { request }) => {
      if (isRandom) sent.push(request);
    },
  });
  const findings = outcome.result?.findings ?? [];
  if (findings.length > 0) throw new Error(`${findings.length} findings at a clean reference`);
  const requests = outcome.requests - start.requests;
  return { requests, perSecond: (requests / (performance.now() - start.atMs)) * 1000 };
}

/** Nothing but the requests: answers are read to their end and thrown away. */
async function barePool(target: Target, requests: readonly CaseRequest[]): Promise<Measured> {
  const pool = new Pool(target.baseUrl, { connections: 128, pipelining: 1 });
  const places: Places = {
    channelId: target.channelId,
    secondChannelId: target.secondChannelId,
    workspaceId: target.workspaceId,
    tokenOf: (role) => target.roles[role]?.token,
    freshKey: () => randomUUID(),
    principalOf: () => undefined,
  };
  const marks = new Marks('fbare000');
  const ready = requests.flatMap((request) => resolve(request, places, () => marks.next())?.sent ?? []);
  const queue = ready.values();
  const startedMs = performance.now();
  const lane = async (): Promise<void> => {
    for (const { path, method, headers, body } of queue) {
      // A lane sends one request after the other.
      // oxlint-disable-next-line no-await-in-loop
      const answer = await pool
        .request({ path, method: method as Dispatcher.HttpMethod, headers, body: body ?? null })
        // Some cannot be built; they are few, and no client could send them.
        .catch(() => undefined);
      // oxlint-disable-next-line no-await-in-loop
      await answer?.body.arrayBuffer();
    }
  };
  await Promise.all(Array.from({ length: concurrency }, lane));
  const seconds = (performance.now() - startedMs) / 1000;
  await pool.close();
  return { requests: ready.length, perSecond: ready.length / seconds };
}

function rate(runs: readonly Measured[]): number {
  return runs.reduce((sum, { perSecond }) => sum + perSecond, 0) / runs.length;
}

function print(name: string, { requests, perSecond }: Measured): void {
  process.stdout.write(`${name.padEnd(12)} ${requests} requests, ${perSecond.toFixed(0)}/s\n`);
}
