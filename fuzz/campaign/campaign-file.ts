import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { InvalidTarget } from '../../harness/errors.ts';
import type { StaleEntry } from '../../harness/results/events.ts';
import type { CampaignEnd, Finding } from './campaign.ts';
import { failureFileOf, readFailures, writeFailure } from './failure-file.ts';
import type { FailureFile } from './failure-file.ts';
import type { FuzzOutcome } from './run-fuzz.ts';

/** What a campaign leaves behind beside its failures; sums of several when it was merged. */
export interface CampaignFile {
  readonly format: 'conform-campaign/1';
  readonly seed: number;
  /** Shards as `i/n`, 1-based. */
  readonly shards: readonly string[];
  /** `out-of-time`: the time was over before the first case. */
  readonly end: CampaignEnd | 'not-run' | 'out-of-time';
  /** When the last case was let in, in ms, where a limit ended it. */
  readonly limitedFromMs?: number;
  readonly durationMs: number;
  readonly cases: number;
  readonly judged: number;
  readonly troubled: number;
  /** Those of the troubled to which no complete answer came. */
  readonly unanswered: number;
  readonly requests: number;
  readonly kept: { readonly accepted: number; readonly refused: number };
  readonly readBack: { readonly compared: number; readonly absent: number; readonly undecided: number };
  readonly answers: Readonly<Record<string, number>>;
  readonly byFamily: Readonly<Record<string, number>>;
  /** Families that were not asked for, or could not be, with the reason. */
  readonly leftOut: Readonly<Record<string, string>>;
  readonly fixed: readonly string[];
  /** Entries of the baseline that no longer hold. */
  readonly staleBaseline?: readonly StaleEntry[];
  readonly findings: readonly FoundRoot[];
}

/** A finding in the list of a campaign; its request is in a file of its own. */
export interface FoundRoot {
  readonly root: string;
  readonly weight: Finding['weight'];
  /** Clauses that the same answers break, and the calls that show it. */
  readonly clauses: Finding['clauses'];
  readonly calls: Finding['calls'];
  readonly label: string;
  readonly times: number;
  readonly of: number;
  readonly sightings: number;
  /** True for what the corpus knew already. */
  readonly isKnown: boolean;
  /** Why it may be, by the baseline: then it decides nothing. */
  readonly known?: string;
}

/** What a campaign file says beside the outcome. */
export interface CampaignFacts {
  readonly seed: number;
  readonly shard: string;
  /** Why a root may be found. */
  readonly reasonFor?: (root: string, clauses: readonly string[]) => string | undefined;
  readonly staleBaseline?: readonly StaleEntry[];
}

/** The file of an outcome. */
export function campaignFileOf(
  { result, whyNot, requests, leftOut, readBack }: FuzzOutcome,
  { seed, shard, reasonFor = () => undefined, staleBaseline = [] }: CampaignFacts,
): CampaignFile {
  return {
    format: 'conform-campaign/1',
    seed,
    shards: [shard],
    end: result?.end ?? whyNot ?? 'not-run',
    ...(result?.limitedFromMs === undefined ? {} : { limitedFromMs: Math.round(result.limitedFromMs) }),
    durationMs: Math.round(result?.durationMs ?? 0),
    cases: result?.cases ?? 0,
    judged: result?.judged ?? 0,
    troubled: result?.troubled ?? 0,
    unanswered: result?.unanswered ?? 0,
    requests,
    kept: result?.kept ?? { accepted: 0, refused: 0 },
    readBack,
    answers: result?.answers ?? {},
    byFamily: result?.byFamily ?? {},
    leftOut,
    fixed: result?.fixed ?? [],
    ...(staleBaseline.length === 0 ? {} : { staleBaseline }),
    findings: (result?.findings ?? []).map((finding) => {
      const rules = result?.roots.find(({ root }) => root === finding.root)?.clauses ?? finding.clauses;
      const known = reasonFor(finding.root, rules);
      return { ...foundRootOf(finding), ...(known === undefined ? {} : { known }) };
    }),
  };
}

function foundRootOf({ root, weight, clauses, calls, label, repeats, ...seen }: Finding): FoundRoot {
  const { sightings, isKnown } = seen;
  return { root, weight, clauses, calls, label, ...repeats, sightings, isKnown };
}

/** Writes a campaign and its failures into a folder; the paths of the failures come back. */
export function writeCampaign(
  folder: string,
  campaign: CampaignFile,
  findings: readonly Finding[],
): readonly string[] {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'campaign.json'), `${JSON.stringify(campaign, undefined, 2)}\n`);
  return findings.map((finding) =>
    writeFailure(join(folder, 'failures'), failureFileOf(finding, campaign.seed)),
  );
}

/**
 * Folds the folders of several campaigns, or of the shards of one, into one.
 * @throws InvalidTarget when one of them holds no campaign
 */
export function mergeCampaigns(folders: readonly string[], out: string): CampaignFile {
  const campaigns = folders.map(readCampaign);
  const failures = new Map<string, FailureFile>();
  for (const file of folders.flatMap((folder) => readFailures(join(folder, 'failures')))) {
    const known = failures.get(file.root);
    if (known === undefined || sizeOf(file) < sizeOf(known)) failures.set(file.root, file);
  }
  const merged = campaigns.reduce(addedUp);
  mkdirSync(out, { recursive: true });
  writeFileSync(join(out, 'campaign.json'), `${JSON.stringify(merged, undefined, 2)}\n`);
  for (const file of failures.values()) writeFailure(join(out, 'failures'), file);
  return merged;
}

function readCampaign(folder: string): CampaignFile {
  const path = join(folder, 'campaign.json');
  if (!existsSync(path))
    throw new InvalidTarget(`${folder} holds no campaign: there is no campaign.json in it`);
  const value = JSON.parse(readFileSync(path, 'utf8')) as CampaignFile;
  if (value.format !== 'conform-campaign/1') throw new InvalidTarget(`${path} is no campaign of this suite`);
  return value;
}

function sizeOf(file: FailureFile): number {
  return JSON.stringify(file.request).length;
}

function addedUp(one: CampaignFile, other: CampaignFile): CampaignFile {
  const ends = [one.end, other.end];
  return {
    ...one,
    shards: [...one.shards, ...other.shards],
    end: ends.find((end) => end !== 'complete') ?? 'complete',
    durationMs: Math.max(one.durationMs, other.durationMs),
    cases: one.cases + other.cases,
    judged: one.judged + other.judged,
    troubled: one.troubled + other.troubled,
    unanswered: one.unanswered + other.unanswered,
    requests: one.requests + other.requests,
    kept: summed(one.kept, other.kept),
    readBack: summed(one.readBack, other.readBack),
    answers: summed(one.answers, other.answers),
    byFamily: summed(one.byFamily, other.byFamily),
    leftOut: { ...one.leftOut, ...other.leftOut },
    fixed: [...new Set([...one.fixed, ...other.fixed])],
    ...staleOf([...(one.staleBaseline ?? []), ...(other.staleBaseline ?? [])]),
    findings: foldedFindings([...one.findings, ...other.findings]),
  };
}

function staleOf(entries: readonly StaleEntry[]): Pick<CampaignFile, 'staleBaseline'> {
  const byPlace = new Map(entries.map((entry) => [entry.place, entry]));
  return byPlace.size === 0 ? {} : { staleBaseline: [...byPlace.values()] };
}

function foldedFindings(all: readonly FoundRoot[]): readonly FoundRoot[] {
  const byRoot = new Map<string, FoundRoot>();
  for (const each of all) {
    const known = byRoot.get(each.root);
    const sightings = (known?.sightings ?? 0) + each.sightings;
    byRoot.set(each.root, {
      ...each,
      ...known,
      sightings,
      isKnown: each.isKnown && known?.isKnown !== false,
    });
  }
  return [...byRoot.values()];
}

function summed<T extends Readonly<Record<string, number>>>(one: T, other: T): T {
  const sum: Record<string, number> = { ...one };
  for (const [key, value] of Object.entries(other)) sum[key] = (sum[key] ?? 0) + value;
  return sum as T;
}
