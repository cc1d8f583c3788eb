// `npm run bench:fuzz`: the rate of a campaign as a share of what a bare undici pool reaches with the same requests, in the
// same order, against the same server in a process of its own. They take turns, and the median of the rounds counts: a
// machine that others use as well is never as fast twice. An argument says how many cases a campaign has.

import { randomUUID } from 'node:crypto';
import { type Dispatcher, Pool } from 'undici';
import { addressOf } from '../calls/index.ts';
import { runFuzz } from '../fuzz/campaign/run-fuzz.ts';
import { type CaseRequest, type Places, resolve } from '../fuzz/cases/case-request.ts';
import { Markers } from '../fuzz/cases/markers.ts';
import type { Target } from '../harness/config/target.ts';
import { separateReference } from '../test/cli/conform.ts';
import { fuzzedTarget } from './fuzzed-target.ts';
import { medianOf, printLoad } from './table.ts';

const cases = Number(process.argv[2] ?? 12_000);
const fuzzRounds = 5;
const concurrency = 32;
const goalShare = 0.6;

interface Measured {
  readonly requests: number;
  readonly perSecond: number;
}

const fuzzedReference = await separateReference(['--keep', '20000']);
try {
  const target = fuzzedTarget(fuzzedReference.targetFile);
  const shares: number[] = [];
  while (shares.length < fuzzRounds) {
    const sent: CaseRequest[] = [];
    // Side by side they would slow one another down.
    const [campaign, bare] = [await runCampaign(target, sent), await runBarePool(target, sent)];
    shares.push(campaign.perSecond / bare.perSecond);
    printRound(shares, campaign, bare);
  }
  const share = medianOf(shares);
  const verdict = share >= goalShare ? 'kept' : 'missed';
  process.stdout.write(`share ${percent(share)}, goal ${percent(goalShare)}: ${verdict}\n`);
  printLoad();
} finally {
  await fuzzedReference.close();
}

async function runCampaign(target: Target, sent: CaseRequest[]): Promise<Measured> {
  const start = { atMs: 0, requests: 0 };
  let isRandom = false;
  const outcome = await runFuzz(target, {
    seed: 1,
    maxCases: cases,
    concurrency,
    onEvent: (event) => {
      if (event.type !== 'progress' || event.phase !== 'random' || isRandom) return;
      isRandom = true;
      Object.assign(start, { atMs: performance.now(), requests: event.requests });
    },
    onCase: (_index, { request }) => {
      if (isRandom) sent.push(request);
    },
  });
  const findings = outcome.result?.findings ?? [];
  if (findings.length > 0) throw new Error(`${findings.length} findings at a clean reference`);
  const requests = outcome.footer.footprint.requests - start.requests;
  return { requests, perSecond: (requests / (performance.now() - start.atMs)) * 1000 };
}

/** Nothing but the requests: answers are read to their end and thrown away. */
async function runBarePool(target: Target, requests: readonly CaseRequest[]): Promise<Measured> {
  const pool = new Pool(target.baseUrl, { connections: 128, pipelining: 1 });
  const places: Places = {
    channelId: target.channelId,
    secondChannelId: target.secondChannelId,
    workspaceId: target.workspaceId,
    tokenOf: (role) => target.roles[role]?.token,
    freshKey: () => randomUUID(),
    principalOf: () => undefined,
  };
  const marks = new Markers('fbare0').ofChapter();
  const ready = requests.flatMap((request) => resolve(request, places, () => marks.next())?.sent ?? []);
  const queue = ready.values();
  const startedMs = performance.now();
  const lane = async (): Promise<void> => {
    for (const { path, query, method, headers, body } of queue) {
      const answer = await pool
        .request({
          path: addressOf({ path, query }),
          method: method as Dispatcher.HttpMethod,
          headers,
          body: body ?? null,
        })
        // Some cannot be built; they are few, and no client could send them.
        .catch(() => undefined);
      await answer?.body.arrayBuffer();
    }
  };
  await Promise.all(Array.from({ length: concurrency }, lane));
  const seconds = (performance.now() - startedMs) / 1000;
  await pool.close();
  return { requests: ready.length, perSecond: ready.length / seconds };
}

function printRound(shares: readonly number[], campaign: Measured, bare: Measured): void {
  const rates = `campaign ${campaign.perSecond.toFixed(0)}/s, bare pool ${bare.perSecond.toFixed(0)}/s`;
  process.stdout.write(`round ${shares.length}: ${rates}, ${percent(shares.at(-1) ?? 0)}\n`);
}

function percent(share: number): string {
  return `${(share * 100).toFixed(0)} %`;
}
