import { limitTime, untilAborted } from '../../harness/client/until-aborted.ts';
import type { FooterEvent } from '../../harness/results/generated/events.ts';
import { preflight } from '../../harness/preflight/preflight.ts';
import { roleNames, type RoleName } from '../../harness/config/roles.ts';
import { settleMsOf, type Target } from '../../harness/config/target.ts';
import { secretsOf } from '../../harness/config/target-digest.ts';
import { KnownSecrets, type Clean } from '../../harness/output/known-secrets.ts';
import { Campaign, type CampaignOptions } from './campaign.ts';
import { CampaignStream, type CampaignOutcome, type StreamOptions } from './campaign-stream.ts';
import { whyUnshown } from './failure-file.ts';
import type { KnownFailure } from './finding.ts';
import { injectionPointsFor } from '../cases/families/index.ts';
import { formFailures } from '../judge/form-of-answer.ts';
import { callOfFamily, familyNames, type FamilyName } from '../cases/family.ts';
import { openBench, type Bench } from '../setup/open-bench.ts';

/** What a campaign is asked for, beside its target; what is left out has a plain default. */
export type FuzzOptions = Partial<AllOptions> & Pick<AllOptions, 'seed'>;

interface AllOptions
  extends
    Omit<CampaignOptions, 'injectionPoints' | 'plain' | 'maxBytes' | 'onPhase' | 'onBug'>,
    Omit<StreamOptions, 'only' | 'corpus'> {
  /** Families to take cases of; all when empty. */
  readonly only: readonly FamilyName[];
  readonly env: NodeJS.ProcessEnv;
  /** Longest that a limit is obeyed that lets nothing in, in ms; default that of the client. */
  readonly limitPatienceMs?: number;
  /** Gets all that is asked and answered, in lines for a file. */
  readonly onHistoryLines?: (lines: Clean) => void;
  readonly secrets: KnownSecrets;
}

const defaults = {
  shard: { index: 0, count: 1 },
  maxCases: undefined,
  timeMs: undefined,
  concurrency: 24,
  corpus: [],
  only: [],
  env: {},
};

/** A campaign that ran, or one that could not. */
export interface FuzzOutcome extends CampaignOutcome {
  /** The last event of its stream. */
  readonly footer: FooterEvent;
}
/** Finds out what the target offers and runs a campaign there: both within the time that it is given. */
export async function runFuzz(target: Target, given: FuzzOptions): Promise<FuzzOutcome> {
  const { signal } = new AbortController();
  const options = { ...defaults, signal, secrets: new KnownSecrets(), ...given };
  options.secrets.learn(secretsOf(target));
  const startedMs = performance.now();
  const stream = new CampaignStream(target, options);
  stream.begin();
  const limit = limitTime(options.signal, options.timeMs);
  // A mistake of the suite in something that nobody waits for ends a campaign as any other.
  let onBug: (error: unknown) => void = () => undefined;
  const bug = new Promise<never>((_resolve, reject) => {
    onBug = reject;
  });
  bug.catch(() => undefined);
  const told = { ...options, stream, onBug };
  const prepared = prepare(target, told, limit.signal);
  const bench = await Promise.race([untilAborted(prepared, limit.signal), bug]);
  limit.lift();
  const end = async (outcome: CampaignOutcome): Promise<FuzzOutcome> => ({
    ...outcome,
    footer: await stream.end(outcome, [bench?.learning, bench?.client.traffic]),
  });
  if (limit.signal.aborted && bench === undefined)
    return end({ ...nothingRan, whyNot: limit.isTimeOver() ? 'out-of-time' : 'interrupted' });
  if (bench === undefined) return end(nothingRan);
  const timeMs = options.timeMs === undefined ? undefined : options.timeMs - (performance.now() - startedMs);
  const silentAfterMs = silentAfterMsOf(target);
  let outcome: CampaignOutcome;
  try {
    const ran = campaignAt(bench, { silentAfterMs, ...told, timeMs }, target);
    outcome = await Promise.race([ran, bug]);
  } finally {
    // What was still under way is then taken down too.
    await bench.close();
  }
  return end(outcome);
}

const nothingRan: CampaignOutcome = {
  result: undefined,
  leftOut: {},
  readBack: { compared: 0, absent: 0, inconclusive: 0 },
};

/** A campaign that says in events what happens. */
type Told = AllOptions & Pick<CampaignOptions, 'onBug'> & { readonly stream: CampaignStream };

async function prepare(target: Target, options: Told, signal: AbortSignal): Promise<Bench | undefined> {
  const { env, stream } = options;
  const found = await preflight(target, signal, env);
  if (signal.aborted) return undefined;
  const roundTripMs = found.roundTripMs ?? 0;
  stream.preflight(found, settleMsOf(target, roundTripMs));
  if (!found.isOk) return undefined;
  const closedTo = new Set(found.closedTo.keys());
  return openBench(target, { ...options, roundTripMs, signal, hasPassed: true, closedTo });
}

async function campaignAt(bench: Bench, options: Told, target: Target): Promise<CampaignOutcome> {
  const isAsked = (family: FamilyName): boolean => options.only.length === 0 || options.only.includes(family);
  const { leftOut } = bench;
  const has = (family: FamilyName): boolean => isAsked(family) && leftOut[family] === undefined;
  const injectionPoints = injectionPointsFor({
    world: bench.world,
    roles: rolesOf(target),
    calls: bench.calls,
    has,
  });
  const [failing] = familyNames.flatMap((family) =>
    isAsked(family) ? (bench.failing.get(callOfFamily[family]) ?? []) : [],
  );
  const plain = bench.refusedBaseline.filter(({ family }) => isAsked(family));
  if (injectionPoints.length === 0 && plain.length === 0 && options.corpus.length === 0)
    return { ...nothingRan, leftOut };
  const { stream } = options;
  const corpus = options.corpus.map((known) => {
    const whyUntried = known.whyUntried ?? whyUnshown(known, bench.provedOf());
    return whyUntried === undefined ? known : { ...known, whyUntried };
  });
  const campaign = new Campaign(bench, {
    ...options,
    corpus,
    injectionPoints,
    plain,
    failing,
    maxBytes: target.limits.maxBytes,
    onPhase: (progress) => stream.progress(progress),
    onFinding: (finding) => {
      // Its file first: what is told of it says whether that is there.
      options.onFinding?.(finding);
      stream.finding(finding);
    },
  });
  stream.follow(() => campaign.progress);
  bench.limits.listen((exchange) =>
    campaign.noteLimited(exchange, formFailures(exchange, { ...bench.form, isJudgedHere: () => false })),
  );
  const result = await campaign.run();
  const failures = bench.hookFailures().join('; ');
  const without = {
    ...(failures !== '' && { sequence: `those that need what failed: ${failures}` }),
    ...(campaign.unsentUnderLimit > 0 && {
      'cases of several requests': `${campaign.unsentUnderLimit} were not sent while requests were limited`,
    }),
    ...(campaign.undecided.length > 0 && { corpus: untriedText(campaign.undecided, options.corpus) }),
  };
  const [refused] = [...bench.refused].filter(isAsked);
  const whyUntried = refused && `nothing could be tried of ${refused}: ${leftOut[refused]}`;
  const whyUnproved = whyUntried ?? campaign.whyUnproved;
  return {
    result,
    leftOut: { ...leftOut, ...campaign.leftOut, ...without },
    readBack: campaign.readBack,
    whyUnproved,
  };
}

const mostNamed = 5;

/** The entries of a corpus that could not be tried, some of them by name. */
function untriedText(untried: readonly KnownFailure[], corpus: readonly KnownFailure[]): string {
  const named = untried
    .slice(0, mostNamed)
    .map(({ name, whyUntried }) => (whyUntried === undefined ? name : `${name} (${whyUntried})`));
  const more = untried.length > mostNamed ? ', and others' : '';
  return `${untried.length} of ${corpus.length} entries could not be tried, so whether they still fail is unknown: ${named.join(', ')}${more}`;
}

/** Half a minute; longer where requests are so rare that nothing comes for that long. */
function silentAfterMsOf({ limits: { ratePerSecond } }: Target): number {
  return Math.max(30_000, ratePerSecond === undefined ? 0 : 10_000 / ratePerSecond);
}
function rolesOf({ roles }: Target): ReadonlySet<RoleName> {
  return new Set(roleNames.filter((role) => roles[role] !== undefined));
}
