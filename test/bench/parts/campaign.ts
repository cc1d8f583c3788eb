import { randomUUID } from 'node:crypto';
import { type Dispatcher, Pool } from 'undici';
import { addressOf } from '../../../spec/calls/index.ts';
import { runFuzz } from '../../../fuzz/campaign/run-fuzz.ts';
import { type CaseRequest, type Places, resolve } from '../../../fuzz/cases/case-request.ts';
import { Markers } from '../../../fuzz/cases/markers.ts';
import type { Target } from '../../../harness/config/target.ts';
import { separateReference } from '../../cli/conform.ts';
import { fuzzedTarget } from '../fuzzed-target.ts';
import { medianOf, type Part } from '../row.ts';

const cases = 12_000;
const rounds = 5;
const concurrency = 32;

interface Measured {
  readonly requests: number;
  readonly perSecond: number;
}

/** A campaign against a bare pool of connections. */
export const campaignRate: Part = {
  name: 'campaign',
  how: `Requests a second of a campaign of ${cases} cases in its random phase, against those of a bare pool that sends the same requests in the
same order to the same reference in a process of its own, ${concurrency} at a time. Medians of ${rounds} rounds, in turn: a machine that others use as
well is never as fast twice.`,
  isQuick: true,
  measure: async () => {
    await using reference = await separateReference(['--keep', '20000']);
    const target = fuzzedTarget(reference.targetFile);
    const measured: { readonly campaign: number; readonly bare: number }[] = [];
    while (measured.length < rounds) {
      const sent: CaseRequest[] = [];
      const [campaign, bare] = [await runCampaign(target, sent), await runBarePool(target, sent)];
      measured.push({ campaign: campaign.perSecond, bare: bare.perSecond });
    }
    const share = medianOf(measured.map(({ campaign, bare }) => (100 * campaign) / bare));
    return [
      {
        what: 'campaign, requests a second',
        value: medianOf(measured.map((each) => each.campaign)),
        unit: '',
      },
      {
        what: 'bare pool, requests a second',
        value: medianOf(measured.map((each) => each.bare)),
        unit: '',
      },
      { what: 'campaign, of the bare pool', value: share, unit: '%', goal: { atLeast: 60 } },
    ];
  },
};

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
