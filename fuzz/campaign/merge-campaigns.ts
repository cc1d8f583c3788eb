import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { notAFile, readTextFile } from '../../harness/config/bounded-file.ts';
import { InvalidTarget } from '../../harness/errors.ts';
import type {
  BoundariesTried,
  CampaignTotals,
  FooterEvent,
  ResultEvent,
} from '../../harness/results/generated/events.ts';
import type { KnownSecrets } from '../../harness/output/known-secrets.ts';
import { InvalidStream, readStream, type RecordedRun } from '../../harness/results/stream.ts';
import { campaignFooter } from './campaign-footer.ts';
import { readFailures, showedEveryTime, writeFailure, type FailureFile } from './failure-file.ts';
import { mergedFindings, type KeptFailure } from './merged-findings.ts';
import { mergedPace } from './pace.ts';

/** Name of the stream in the folder of a campaign, and of the folder of its failures there. */
export const streamFile = 'campaign.ndjson';
export const failureFolder = 'failures';

/** A campaign keeps at most 200 findings of a few kilobytes each. */
const mostBytes = 64 * 1024 * 1024;

/** More shards than anybody has machines for are not looked for. */
const mostShards = 1_000;

type Written = Readonly<Record<'requests' | 'messages' | 'bytesWritten', number>>;

/** A campaign that came to its footer. */
interface Whole extends RecordedRun {
  readonly footer: FooterEvent & { readonly campaign: CampaignTotals };
}

/**
 * Folds the folders of several campaigns, or of the shards of one, into one: its failures are written to `out`, its stream
 * comes back.
 * @throws InvalidTarget when one of them holds no campaign
 */
export async function mergeCampaigns(
  folders: readonly string[],
  out: string,
  secrets: KnownSecrets,
): Promise<readonly ResultEvent[]> {
  const campaigns = await Promise.all(folders.map(readCampaign));
  refuseTwice(campaigns, folders);
  const failures = keptFailures(folders);
  for (const { file } of failures.values()) writeFailure(join(out, failureFolder), file, secrets);
  return mergedStream(campaigns, failures);
}

async function readCampaign(folder: string): Promise<Whole> {
  const path = join(folder, streamFile);
  if (!existsSync(path))
    throw new InvalidTarget(`${folder} is not a campaign folder: it has no ${streamFile}`);
  try {
    const stream = await readStream(textOf(path).split('\n'));
    if (isWhole(stream)) return stream;
  } catch (error) {
    if (error instanceof InvalidStream) throw new InvalidTarget(`${path}: ${error.message}`);
    throw error;
  }
  throw new InvalidTarget(`${path} is not a complete campaign`);
}

/** @throws InvalidTarget where two folders hold one campaign: what it tried would count twice */
function refuseTwice(campaigns: readonly Whole[], folders: readonly string[]): void {
  const places = new Map<string, string>();
  campaigns.forEach(({ header, footer }, at) => {
    const [name, folder = ''] = [JSON.stringify([header, footer]), folders[at]];
    const earlier = places.get(name);
    if (earlier !== undefined)
      throw new InvalidTarget(`${folder} holds the campaign that ${earlier} holds: name each once`);
    places.set(name, folder);
  });
}

function textOf(path: string): string {
  const fault = notAFile(path);
  const read = fault === undefined ? readTextFile(path, mostBytes) : { fault };
  if ('fault' in read) throw new InvalidTarget(`${path} ${read.fault}`);
  return read.text;
}

function isWhole(stream: RecordedRun): stream is Whole {
  return stream.footer?.campaign !== undefined;
}

/** One file a root: one that showed every time before others, and the smallest request of those. */
function keptFailures(folders: readonly string[]): ReadonlyMap<string, KeptFailure> {
  const kept = new Map<string, KeptFailure>();
  for (const [part, folder] of folders.entries()) {
    for (const file of readFailures(join(folder, failureFolder))) {
      const earlier = kept.get(file.root)?.file;
      if (earlier === undefined || isBetter(file, earlier)) kept.set(file.root, { file, part });
    }
  }
  return kept;
}

function mergedStream(
  campaigns: readonly Whole[],
  failures: ReadonlyMap<string, KeptFailure>,
): readonly ResultEvent[] {
  const [first] = campaigns;
  if (first === undefined) return [];
  const footers = campaigns.map(({ footer }) => footer);
  // What failed in a part fails in the whole.
  const isStrict = campaigns.some(({ header }) => header.profile.strict);
  const { findings, seen } = mergedFindings(campaigns, failures);
  const stale = new Map(
    footers.flatMap(({ staleBaseline = [] }) => staleBaseline.map((each) => [each.place, each])),
  );
  const footer = campaignFooter(
    {
      totals: { ...footers.map(({ campaign }) => campaign).reduce(addedUp), ...triedIn(campaigns), seen },
      findings,
      staleBaseline: [...stale.values()],
      footprint: footers.map(written).reduce(summed),
      durationMs: Math.max(...footers.map(({ durationMs }) => durationMs)),
      reason: footers.find(({ campaign: { end } }) => end !== 'complete')?.reason,
    },
    { isStrict, isMerged: true },
  );
  const shards = campaigns.flatMap(({ header }) => header.campaign?.shards ?? []);
  const { header } = first;
  const profile = { ...header.profile, strict: isStrict };
  return [
    { ...header, profile, campaign: { seed: header.campaign?.seed ?? 0, shards } },
    ...noticeOfServers(campaigns),
    ...noticeOfShards(campaigns),
    ...findings,
    footer,
  ];
}

/** Shards may each have started a server of their own: where they had several, what replays a finding has to be told which. */
function noticeOfServers(campaigns: readonly Whole[]): readonly ResultEvent[] {
  // The embedded reference listens elsewhere each time.
  const named = campaigns.filter(({ header }) => header.command?.includes('--reference') !== true);
  const urls = new Set(named.map(({ header }) => header.baseUrl));
  if (urls.size < 2) return [];
  const text = `these campaigns were of ${urls.size} servers (${[...urls].join(', ')}), and replay lines name the first: give --base-url for what another showed`;
  return [{ type: 'notice', severity: 'warning', text }];
}

/** What was split among several machines is whole only with every part of it. */
function noticeOfShards(campaigns: readonly Whole[]): readonly ResultEvent[] {
  const parts = campaigns.flatMap(({ header }) => header.campaign ?? []);
  return [...new Set(parts.map(({ seed }) => seed))].flatMap((seed) => {
    const shards = new Set(parts.flatMap((part) => (part.seed === seed ? part.shards : [])));
    const counts = new Set([...shards].map((shard) => Math.min(Number(shard.split('/')[1]), mostShards)));
    const all = [...counts].flatMap((count) =>
      Array.from({ length: count }, (_, at) => `${at + 1}/${count}`),
    );
    const missing = all.filter((each) => !shards.has(each));
    if (missing.length === 0) return [];
    const text = `of the campaign of seed ${seed} these shards are not among what was merged: ${missing.join(', ')}`;
    return [{ type: 'notice', severity: 'warning', text }];
  });
}

function isBetter(one: FailureFile, other: FailureFile): boolean {
  const isSure = showedEveryTime(one);
  return isSure === showedEveryTime(other) ? sizeOf(one) < sizeOf(other) : isSure;
}

function sizeOf(file: FailureFile): number {
  return JSON.stringify(file.request).length;
}

function addedUp(one: CampaignTotals, other: CampaignTotals): CampaignTotals {
  const untried = (one.untried ?? 0) + (other.untried ?? 0);
  return {
    end: [one.end, other.end].find((end) => end !== 'complete') ?? 'complete',
    cases: one.cases + other.cases,
    judged: one.judged + other.judged,
    inconclusive: one.inconclusive + other.inconclusive,
    unanswered: one.unanswered + other.unanswered,
    ...(untried > 0 && { untried }),
    kept: summed(one.kept, other.kept),
    readBack: summed(one.readBack, other.readBack),
    answers: summed(one.answers, other.answers),
    byFamily: summed(one.byFamily, other.byFamily),
    leftOut: { ...one.leftOut, ...other.leftOut },
    fixed: [...new Set([...one.fixed, ...other.fixed])],
    seen: {},
    ...paceOf(one, other),
  };
}

function paceOf(
  { pace: one }: CampaignTotals,
  { pace: other }: CampaignTotals,
): Pick<CampaignTotals, 'pace'> {
  const pace = mergedPace(one, other);
  return pace === undefined ? {} : { pace };
}

/** Shards of one campaign try other boundary values each, other campaigns the same ones again. */
function triedIn(campaigns: readonly Whole[]): Pick<CampaignTotals, 'boundaries'> {
  const shards = campaigns.flatMap(({ header }) => header.campaign?.shards ?? []);
  const counts = new Set(shards.map((shard) => shard.split('/')[1]));
  const areParts = counts.size === 1 && new Set(shards).size === shards.length;
  const all: Record<string, BoundariesTried> = {};
  for (const { footer } of campaigns) {
    for (const [input, { declared, judged }] of Object.entries(footer.campaign.boundaries ?? {})) {
      const before = all[input] ?? { declared, judged: 0 };
      all[input] = {
        declared: Math.max(before.declared, declared),
        judged: areParts ? before.judged + judged : Math.max(before.judged, judged),
      };
    }
  }
  return Object.keys(all).length === 0 ? {} : { boundaries: all };
}

function written({ footprint: { requests, messages, bytesWritten } }: FooterEvent): Written {
  return { requests, messages, bytesWritten };
}

function summed<T extends Readonly<Record<string, number>>>(one: T, other: T): T {
  const sum: Record<string, number> = { ...one };
  for (const [key, value] of Object.entries(other)) sum[key] = (sum[key] ?? 0) + value;
  return sum as T;
}
