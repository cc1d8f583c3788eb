import { createHash } from 'node:crypto';
import { targetOfReference } from '../../embedded/reference-hooks.ts';
import type { Finding } from '../../fuzz/campaign/finding.ts';
import { type FuzzOptions, type FuzzOutcome, runFuzz } from '../../fuzz/campaign/run-fuzz.ts';
import type { Target } from '../../harness/config/target.ts';
import { type Reference, type ReferenceOptions, type Rules, startReference } from '../../reference/index.ts';
import { summaryLines } from '../../reporters/run/campaign-reporter.ts';
import { front, type FrontOptions } from '../fixtures/front.ts';

/** What a test asks of a campaign; everything else has a default. */
export interface CampaignWishes extends Partial<FuzzOptions> {
  /** Changes the target of the reference; {@link alone} where nothing else is said. */
  readonly target?: (target: Target) => Target;
}

/** Runs a campaign against a reference of its own with some rules replaced. */
export async function fuzzed(
  rules: Partial<Rules>,
  wishes: CampaignWishes = {},
  options: Omit<ReferenceOptions, 'rules'> = {},
): Promise<FuzzOutcome> {
  await using reference = await startReference({ ...options, rules });
  return await fuzzedAt(reference, wishes);
}

/** Runs a campaign against a reference that is there. */
export function fuzzedAt(
  reference: Reference,
  { target = alone, ...wishes }: CampaignWishes = {},
): Promise<FuzzOutcome> {
  return runFuzz(target(targetFor(reference)), campaignOptions(wishes));
}

/** Runs a campaign against a reference of its own behind a front. */
export async function fuzzedBehind(
  before: FrontOptions,
  { target = alone, ...wishes }: CampaignWishes = {},
  options: ReferenceOptions = {},
): Promise<FuzzOutcome> {
  await using reference = await startReference(options);
  await using opened = await front(before)(reference);
  const behind = (given: Target): Target => ({ ...target(given), baseUrl: opened.baseUrl });
  return await fuzzedAt(reference, { ...wishes, target: behind });
}

/** A target of its author alone: every other reader looks at the ends of each stream in each chapter, which takes most of a campaign. */
export function alone({ roles, ...target }: Target): Target {
  const { reader: _reader, peer: _peer, 'api-key': _key, ...others } = roles;
  return { ...target, roles: others };
}

/** A target as it is: with all who read, for what is about them. */
export function everybody(target: Target): Target {
  return target;
}

/** Lets a campaign end with the first finding that is wanted. */
export function until(isWanted: (finding: Finding) => boolean): Pick<FuzzOptions, 'signal' | 'onFinding'> {
  const enough = new AbortController();
  return {
    signal: enough.signal,
    onFinding: (finding) => {
      if (isWanted(finding)) enough.abort();
    },
  };
}

/** Runs a campaign until it has a finding, `clause verdict`; what it has found by then, or by its end. */
export async function foundUntil(
  wanted: string,
  reference: Reference,
  wishes: CampaignWishes,
): Promise<readonly string[]> {
  return foundBy(await fuzzedAt(reference, { ...wishes, ...until((finding) => nameOf(finding) === wanted) }));
}

/** The options of a short campaign. */
export function campaignOptions(wishes: Partial<FuzzOptions> = {}): FuzzOptions {
  return {
    seed: 1,
    maxCases: 200,
    concurrency: 16,
    ...wishes,
  };
}

/** A reference as a target that may be written to as much as a campaign likes. */
export function targetFor(reference: Reference): Target {
  const target = targetOfReference(reference);
  return { ...target, settleMs: 20, limits: { ...target.limits, maxBytes: Number.MAX_SAFE_INTEGER } };
}

/** The findings of a campaign in a few words each, in order of their clauses. */
export function foundBy({ result }: FuzzOutcome): readonly string[] {
  return (result?.findings ?? []).map(nameOf).toSorted();
}

function nameOf({ verdict, failure }: Finding): string {
  return `${failure.clause} ${verdict}`;
}

/** What the terminal says of a campaign in the end. */
export function summaryOf({ footer }: FuzzOutcome): string {
  return summaryLines([], footer, { folder: 'results', replayCommand: String, rerunCommand: String }).join(
    '\n',
  );
}

/** Notes each case of a campaign by its number, as a digest of its request. */
export class CaseLog {
  readonly digests = new Map<number, string>();

  readonly onCase: NonNullable<FuzzOptions['onCase']> = (index, { request }) => {
    if (this.digests.has(index)) throw new Error(`case ${index} came twice`);
    const hash = createHash('sha256').update(JSON.stringify({ ...request, body: undefined }));
    this.digests.set(index, hash.update(request.body ?? '').digest('hex'));
  };

  get sorted(): readonly (readonly [number, string])[] {
    return [...this.digests].toSorted(([one], [other]) => one - other);
  }
}
