import { join } from 'node:path';
import { InvalidTarget } from '../../harness/errors.ts';
import type {
  BoundariesTried,
  CampaignTotals,
  FindingEvent,
  FooterEvent,
  ResultEvent,
  StaleEntry,
} from '../../harness/results/generated/events.ts';
import type { KnownSecrets } from '../../harness/output/known-secrets.ts';
import { exitCodes } from '../../harness/verdict/exit-code.ts';
import { campaignFooter } from '../campaign/campaign-footer.ts';
import { removeEarlierFailures } from '../campaign/earlier-failures.ts';
import { failureFolder, readPart, totalsOf, whyNotWhole, type Part, type Unbegun } from './campaign-part.ts';
import { readFailures, showedEveryTime, writeFailure, type FailureFile } from '../campaign/failure-file.ts';
import { mergedFindings, type KeptFailure } from './merged-findings.ts';
import { mergedPace } from '../campaign/pace.ts';

/** More shards than anybody has machines for are not looked for. */
const mostShards = 1_000;

type Written = Readonly<Record<'requests' | 'messages' | 'bytesWritten', number>>;

/**
 * Folds the folders of several campaigns, or of the shards of one, into one: its failures are written to `out`, its stream
 * comes back. One that was cut off counts with what it had found.
 * @throws InvalidTarget when one of them holds no campaign
 */
export async function mergeCampaigns(
  folders: readonly string[],
  out: string,
  secrets: KnownSecrets,
): Promise<readonly ResultEvent[]> {
  const all = await Promise.all(folders.map(readPart));
  const parts = all.filter((part) => part.header !== undefined);
  if (parts.length === 0) throw new InvalidTarget('each of these campaigns was cut off before it had begun');
  refuseTwice(parts);
  const lacking = all.flatMap((part) => {
    const why = whyNotWhole(part);
    return why === undefined ? [] : [`${part.folder}: ${why}`];
  });
  const { failures, ofEarlier } = keptFailures(all);
  const folder = join(out, failureFolder);
  const written = [...failures.values()].map(({ file }) => writeFailure(folder, file, secrets));
  const whyLeft = removeEarlierFailures(folder, { written: new Set(written) });
  const [header, ...events] = mergedStream(parts, [...lacking, ...missingShards(parts)], failures);
  const warnings = [...ofEarlier, ...(whyLeft === undefined ? [] : [whyLeft])].map(warning);
  return [...(header ? [header] : []), ...warnings, ...events];
}

/** @throws InvalidTarget where two folders hold one campaign: what it tried would count twice */
function refuseTwice(parts: readonly Part[]): void {
  const places = new Map<string, string>();
  for (const { folder, header, footer } of parts) {
    const name = JSON.stringify([header, footer]);
    const earlier = places.get(name);
    if (earlier !== undefined)
      throw new InvalidTarget(`${folder} holds the campaign that ${earlier} holds: name each once`);
    places.set(name, folder);
  }
}

/** The files of parts by their roots, and of which folders some are of earlier campaigns. */
interface KeptFailures {
  readonly failures: ReadonlyMap<string, KeptFailure>;
  readonly ofEarlier: readonly string[];
}

/** One file a root: one that showed every time before others, and the smallest request of those. */
function keptFailures(parts: readonly (Part | Unbegun)[]): KeptFailures {
  const failures = new Map<string, KeptFailure>();
  const ofEarlier: string[] = [];
  for (const part of parts) {
    const { folder } = part;
    const all = readFailures(join(folder, failureFolder));
    const own = all.filter((file) => isOfPart(file, part));
    if (own.length < all.length)
      ofEarlier.push(
        `${folder}: ${all.length - own.length} of the ${all.length} failures there are of an earlier campaign, and left out`,
      );
    for (const file of own) {
      const earlier = failures.get(file.root)?.file;
      if (earlier === undefined || isBetter(file, earlier)) failures.set(file.root, { file, folder });
    }
  }
  return { failures, ofEarlier };
}

/**
 * Whether a part has found what a file in its folder holds: one that comes to no end, or tries nothing, leaves the files of the campaign
 * before it where they are. Of the last one that it wrote the stream of one that was killed may say nothing.
 */
function isOfPart({ root, found }: FailureFile, part: Part | Unbegun): boolean {
  if (part.header === undefined) return false;
  const isTold = part.events.some((event) => event.type === 'finding' && event.case?.root === root);
  return isTold || (part.footer === undefined && found.seed === part.header.campaign?.seed);
}

function mergedStream(
  parts: readonly Part[],
  /** Parts of which something is missing, or that prove nothing, and why. */
  lacking: readonly string[],
  failures: ReadonlyMap<string, KeptFailure>,
): readonly ResultEvent[] {
  const [first] = parts;
  if (first === undefined) return [];
  // What failed in a part fails in the whole.
  const isStrict = parts.some(({ header }) => header.profile.strict);
  const { findings, seen } = mergedFindings(parts, failures);
  const footers = parts.flatMap(({ footer = [] }) => footer);
  const shown = rootsOf(findings);
  const stale = new Map(
    footers.flatMap(({ staleBaseline = [] }) =>
      staleBaseline.filter((each) => !isShown(each, shown)).map((each) => [each.place, each]),
    ),
  );
  const footer = campaignFooter(
    {
      totals: {
        ...parts.map(totalsOf).reduce(addedUp),
        ...triedIn(parts),
        leftOut: leftOutIn(parts),
        fixed: fixedIn(parts, shown),
        seen,
      },
      findings,
      staleBaseline: [...stale.values()],
      footprint: footers.map(written).reduce(summed, { requests: 0, messages: 0, bytesWritten: 0 }),
      durationMs: Math.max(0, ...footers.map(({ durationMs }) => durationMs)),
      reason: reasonOf(lacking),
    },
    { isStrict, isMerged: true },
  );
  const shards = parts.flatMap(({ header }) => header.campaign?.shards ?? []);
  const { header } = first;
  const profile = { ...header.profile, strict: isStrict };
  const { command } = header;
  // What another shard found the whole campaign shows, and not the first shard of it.
  const whole = command && { command: parts.length === 1 ? command : withoutShard(command) };
  return [
    { ...header, ...whole, profile, campaign: { seed: header.campaign?.seed ?? 0, shards } },
    ...noticeOfServers(parts),
    ...noticeOfSeeds(parts),
    ...lacking.map(warning),
    ...findings,
    lacking.length === 0 ? footer : incomplete(footer),
  ];
}

/** The roots of findings, and those that came with them. */
function rootsOf(findings: readonly FindingEvent[]): ReadonlySet<string> {
  return new Set(
    findings.flatMap(({ case: shown }) =>
      shown === undefined ? [] : [shown.root, ...(shown.companions ?? [])],
    ),
  );
}

/** Whether a part says that a known finding is gone which another part still has. */
function isShown({ problem, clause: root = '' }: StaleEntry, shown: ReadonlySet<string>): boolean {
  return problem === 'passed' && shown.has(root);
}

/** What none of the parts has found any more. */
function fixedIn(parts: readonly Part[], shown: ReadonlySet<string>): CampaignTotals['fixed'] {
  const all = new Set(parts.flatMap((part) => totalsOf(part).fixed));
  return [...all].filter((root) => !shown.has(root));
}

/** So many reasons are told why parts left out one thing. */
const mostReasons = 3;

/** What parts left out, each with every reason: one may have left out what another did not, or for something else. */
function leftOutIn(parts: readonly Part[]): CampaignTotals['leftOut'] {
  const all = new Map<string, Set<string>>();
  for (const part of parts)
    for (const [what, why] of Object.entries(totalsOf(part).leftOut))
      all.set(what, (all.get(what) ?? new Set()).add(why));
  return Object.fromEntries([...all].map(([what, reasons]) => [what, inOneLine([...reasons])]));
}

function inOneLine(reasons: readonly string[]): string {
  const more = reasons.length - mostReasons;
  const told = reasons.slice(0, mostReasons).join('; ');
  return more > 0 ? `${told}; and so for ${more} more reasons` : told;
}

/** What others have shown does not stand for a part that proves nothing. */
function incomplete(footer: FooterEvent): FooterEvent {
  const { exitCode } = footer;
  return {
    ...footer,
    end: 'interrupted',
    exitCode: exitCode === exitCodes.conforms ? exitCodes.inconclusive : exitCode,
  };
}

function warning(text: string): ResultEvent {
  return { type: 'notice', severity: 'warning', text };
}

function reasonOf([first, ...others]: readonly string[]): string | undefined {
  if (first === undefined) return undefined;
  const more = others.length === 0 ? '' : `; ${others.length} more of these campaigns are not whole either`;
  return `${first}${more}`;
}

/** Shards may each have started a server of their own: where they had several, what replays a finding has to be told which. */
function noticeOfServers(parts: readonly Part[]): readonly ResultEvent[] {
  // The embedded reference listens elsewhere each time.
  const named = parts.filter(({ header }) => header.command?.includes('--reference') !== true);
  const urls = new Set(named.map(({ header }) => header.baseUrl));
  if (urls.size < 2) return [];
  const text = `these campaigns were of ${urls.size} servers (${[...urls].join(', ')}), and replay lines name the first: give --base-url for what another showed`;
  return [warning(text)];
}

/** A campaign that is begun once more begins with one seed. */
function noticeOfSeeds(parts: readonly Part[]): readonly ResultEvent[] {
  const seeds = new Set(parts.flatMap(({ header }) => header.campaign?.seed ?? []));
  if (seeds.size < 2) return [];
  const text = `these campaigns had ${seeds.size} seeds (${[...seeds].join(', ')}), and lines that begin one again name the first: give --seed for what another found`;
  return [warning(text)];
}

/** A command without the option that makes it a part of a campaign. */
function withoutShard(command: readonly string[]): readonly string[] {
  return command.filter(
    (word, at) => word !== '--shard' && command[at - 1] !== '--shard' && !word.startsWith('--shard='),
  );
}

/** What was split among several machines is whole only with every part of it. */
function missingShards(parts: readonly Part[]): readonly string[] {
  const campaigns = parts.flatMap(({ header }) => header.campaign ?? []);
  return [...new Set(campaigns.map(({ seed }) => seed))].flatMap((seed) => {
    const shards = new Set(campaigns.flatMap((each) => (each.seed === seed ? each.shards : [])));
    const counts = new Set([...shards].map((shard) => Math.min(Number(shard.split('/')[1]), mostShards)));
    const all = [...counts].flatMap((count) =>
      Array.from({ length: count }, (_, at) => `${at + 1}/${count}`),
    );
    const missing = all.filter((each) => !shards.has(each));
    return missing.length === 0
      ? []
      : [`of the campaign of seed ${seed} these shards are not among what was merged: ${missing.join(', ')}`];
  });
}

function isBetter(one: FailureFile, other: FailureFile): boolean {
  const isSure = showedEveryTime(one);
  return isSure === showedEveryTime(other) ? sizeOf(one) < sizeOf(other) : isSure;
}

function sizeOf(file: FailureFile): number {
  return JSON.stringify(file.request).length;
}

/** The counts of two campaigns together. */
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
    leftOut: {},
    fixed: [],
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
function triedIn(parts: readonly Part[]): Pick<CampaignTotals, 'boundaries'> {
  const shards = parts.flatMap(({ header }) => header.campaign?.shards ?? []);
  const counts = new Set(shards.map((shard) => shard.split('/')[1]));
  const areParts = counts.size === 1 && new Set(shards).size === shards.length;
  const all: Record<string, BoundariesTried> = {};
  for (const part of parts) {
    for (const [input, { declared, judged }] of Object.entries(totalsOf(part).boundaries ?? {})) {
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
