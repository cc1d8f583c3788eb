import { randomBytes, randomUUID } from 'node:crypto';
import { emptyWorld } from '../../generators/index.ts';
import { Actor } from '../../harness/client/actor.ts';
import { Client } from '../../harness/client/client.ts';
import type { Exchange } from '../../harness/client/exchange.ts';
import type { WireFacts } from '../../harness/wire/wire-judgement.ts';
import { limitTime, untilAborted } from '../../harness/run/until-aborted.ts';
import type { PreflightLine } from '../../harness/results/events.ts';
import { preflight } from '../../harness/preflight/preflight.ts';
import { roleNames } from '../../harness/config/roles.ts';
import type { RoleName } from '../../harness/config/roles.ts';
import { secretsOf } from '../../harness/config/target-digest.ts';
import type { Target } from '../../harness/config/target.ts';
import { answerExcerptOf } from '../judge/answer-excerpt.ts';
import type { AnswerExcerpt } from '../judge/answer-excerpt.ts';
import { arrangeMentions } from './arrange-mentions.ts';
import type { Principals } from './arrange-mentions.ts';
import { Campaign } from './campaign.ts';
import type { CampaignOptions, CampaignResult, Progress } from './campaign.ts';
import type { Places } from '../cases/case-request.ts';
import { CaseRunner } from './case-runner.ts';
import type { AftermathListener } from './case-runner.ts';
import { caseless } from '../oracle/expect-credential.ts';
import type { OracleFacts } from '../oracle/expectation.ts';
import { slotsFor } from '../cases/families/index.ts';
import type { Guarded } from '../cases/families/reads.ts';
import { formFailures } from '../judge/form-of-answer.ts';
import { LimitedAnswers } from './limited-answers.ts';
import { Marks } from '../cases/marks.ts';
import { probe, proveFields } from './probe.ts';
import type { Demands } from '../oracle/demands.ts';
import { ReadBack } from '../judge/read-back.ts';
import type { Drawn } from '../cases/slot.ts';
import type { FamilyName } from '../cases/family.ts';

/** What a campaign is asked for, beside its target. */
export interface FuzzOptions extends Omit<CampaignOptions, 'slots' | 'plain'> {
  /** Families to take cases of; all when empty. */
  readonly only: readonly FamilyName[];
  readonly env: NodeJS.ProcessEnv;
  /** Longest that a limit is obeyed that lets nothing in, in ms; default that of the client. */
  readonly limitPatienceMs?: number;
  readonly onLine?: (line: PreflightLine) => void;
  /** Called as soon as cases are sent, with a way to look at how far it is. */
  readonly onStart?: (progress: () => Progress) => void;
}

/** A campaign that ran, or one that could not. */
export interface FuzzOutcome {
  /** `undefined` when preflight failed, no family could be run, or all was over before the first case. */
  readonly result: CampaignResult | undefined;
  /** Why there is no result, where nothing else says so. */
  readonly whyNot?: WhyNot;
  readonly requests: number;
  /** Families that were left out, with the reason. */
  readonly leftOut: Readonly<Record<string, string>>;
  /** Messages that were read back and compared, and refused ones whose absence was proved. */
  readonly readBack: { readonly compared: number; readonly absent: number; readonly undecided: number };
}

/** What ended a campaign before its first case. */
export type WhyNot = 'interrupted' | 'out-of-time';

/** The mark of no run: no message carries it. */
const noRun = randomUUID();

/** Longest that an answer is waited for, in ms. */
const answerMs = 8_000;

/** Finds out what the target offers and runs a campaign there: both within the time that it is given. */
export async function runFuzz(target: Target, options: FuzzOptions): Promise<FuzzOutcome> {
  const startedMs = performance.now();
  const limit = limitTime(options.signal, options.timeMs);
  const setUp = await untilAborted(prepare(target, options, limit.signal), limit.signal);
  limit.lift();
  if (setUp === undefined)
    return { ...nothingRan, whyNot: limit.isTimeOver() ? 'out-of-time' : 'interrupted' };
  if (!('runner' in setUp)) return setUp;
  const timeMs = options.timeMs === undefined ? undefined : options.timeMs - (performance.now() - startedMs);
  try {
    return await campaignAt(setUp, { silentAfterMs: silentAfterMsOf(target), ...options, timeMs }, target);
  } finally {
    await setUp.close();
  }
}

const nothingRan: FuzzOutcome = {
  result: undefined,
  requests: 0,
  leftOut: {},
  readBack: { compared: 0, absent: 0, undecided: 0 },
};

async function prepare(
  target: Target,
  options: FuzzOptions,
  signal: AbortSignal,
): Promise<Bench | FuzzOutcome> {
  const before = await preflight(target, signal, options.env);
  if (signal.aborted) return nothingRan;
  for (const line of before.lines) options.onLine?.(line);
  if (!before.isOk) return nothingRan;
  const roundTripMs = before.roundTripMs ?? 0;
  const { env, limitPatienceMs } = options;
  return openBench(target, { roundTripMs, signal, env, limitPatienceMs, hasPassed: true });
}

async function campaignAt(bench: Bench, options: FuzzOptions, target: Target): Promise<FuzzOutcome> {
  const isAsked = (family: FamilyName): boolean => options.only.length === 0 || options.only.includes(family);
  const { leftOut } = bench;
  const has = (family: FamilyName): boolean => isAsked(family) && leftOut[family] === undefined;
  const slots = slotsFor({ world: bench.world, roles: rolesOf(target), calls: bench.calls, has });
  const plain = bench.refusedPlain.filter(({ family }) => isAsked(family));
  if (slots.length === 0 && plain.length === 0 && options.corpus.length === 0)
    return { ...nothingRan, requests: bench.client.traffic.requests, leftOut };
  const campaign = new Campaign(bench, { ...options, slots, plain });
  options.onStart?.(() => campaign.progress);
  bench.limits.listen((exchange) =>
    campaign.noteLimited(exchange, formFailures(exchange, { ...bench.form, isJudgedHere: () => false })),
  );
  const result = await campaign.run();
  const { requests } = bench.client.traffic;
  return { result, requests, leftOut, readBack: bench.readBack?.counts ?? nothingRan.readBack };
}

/** Half a minute; longer where requests are so rare that nothing comes for that long. */
function silentAfterMsOf({ manners: { ratePerSecond } }: Target): number {
  return Math.max(30_000, ratePerSecond === undefined ? 0 : 10_000 / ratePerSecond);
}

/** Everything that cases are run with at one target. */
export interface Bench {
  readonly client: Client;
  readonly runner: CaseRunner;
  readonly readBack: ReadBack<AftermathListener> | undefined;
  /** Answers with a 429 that were waited out, to whatever request. */
  readonly limits: LimitedAnswers;
  readonly form: WireFacts;
  readonly world: typeof emptyWorld;
  readonly excerptOf: (exchange: Exchange) => AnswerExcerpt | undefined;
  /** Families that this target cannot be asked for, and reading back where that cannot be; and why. */
  readonly leftOut: Readonly<Partial<Record<FamilyName | 'reading back', string>>>;
  /** Calls whose plainest request is accepted. */
  readonly calls: readonly Guarded[];
  /** Plain requests that are refused though the contract says that they are taken. */
  readonly refusedPlain: readonly Drawn[];
  readonly close: () => Promise<void>;
}

/** Connects to a target and sees which good requests it accepts; the signal ends that, and closes the connections. */
export async function openBench(
  target: Target,
  {
    roundTripMs,
    signal,
    env,
    limitPatienceMs,
    hasPassed = false,
  }: {
    readonly roundTripMs: number;
    readonly signal: AbortSignal;
    readonly env: NodeJS.ProcessEnv;
    readonly limitPatienceMs?: number | undefined;
    /** Whether preflight saw that every credential is good. */
    readonly hasPassed?: boolean;
  },
): Promise<Bench> {
  const limits = new LimitedAnswers();
  const client = new Client({
    target,
    timeouts: { connectMs: 5_000, answerMs: answerMs + 10 * roundTripMs },
    env,
    heedsSignal: false,
    noteLimited: (exchange) => limits.add(exchange),
    ...(limitPatienceMs === undefined ? {} : { limitPatienceMs }),
  });
  const marks = new Marks(markOfRun());
  const settleMs = target.settleMs ?? Math.max(400, 10 * roundTripMs);
  const follower = target.manners.isReadOnly
    ? undefined
    : followerOf(client, { target, marks, settleMs, signal });
  const close = async (): Promise<void> => {
    follower?.stop();
    await client.close();
  };
  signal.addEventListener('abort', () => void close(), { once: true });
  const whyUnread = await follower?.start();
  const readBack = whyUnread === undefined ? follower : undefined;
  const provedFields = new Set<string>();
  const principals: Principals = new Map();
  const demands: Demands = { mentions: new Set(), refused: new Map() };
  const runner = new CaseRunner({
    client,
    places: placesOf(target, principals),
    facts: factsOf(target, { provedFields, demands, principals }),
    // Messages are judged where they are read back, each beside the case that sent it.
    form: {
      names: target.names,
      runId: noRun,
      isJudgedHere: (content) => target.manners.isReadOnly || marks.isArranged(content),
    },
    shown: {
      workspaceId: target.workspaceId,
      channelId: target.channelId,
      secondChannelId: target.secondChannelId,
      itemsField: target.bindings.items,
      agentIdHeader: target.names.agentIdHeader,
      isArranged: (content) => marks.isArranged(content),
    },
    marks,
    readBack,
    signal,
  });
  const { leftOut, calls, refusedPlain } = await probe({
    runner,
    target,
    provedFields,
    demands,
    runId: marks.runId,
    isOverviewKnown: hasPassed && target.roles.machine !== undefined,
  });
  if (leftOut.send === undefined) {
    const arranged = await arrangeMentions(client, { target, marks, settleMs, signal });
    for (const [name, each] of arranged.principals) principals.set(name, each);
    if (arranged.isListed) provedFields.add(target.bindings.mentions);
    await proveFields({ runner, target, provedFields }, principals);
  }
  const { workspaceId: workspace, channelId: channel, secondChannelId } = target;
  const ids = { workspace, channel, 'second-channel': secondChannelId };
  const rules = { secrets: secretsOf(target), runId: marks.runId, baseUrl: target.baseUrl };
  return {
    client,
    runner,
    readBack,
    limits,
    form: { names: target.names, runId: noRun },
    excerptOf: (exchange) => answerExcerptOf(exchange, rules, ids),
    world: {
      ...emptyWorld,
      principals: {
        agent: placesOfKind('agent', principals),
        user: placesOfKind('user', principals),
        machine: placesOfKind('machine', principals),
      },
      fieldName: (name) => fieldNames(target.bindings)[name] ?? name,
      providerName: (name) => (target.names.providers as Readonly<Record<string, string>>)[name] ?? name,
    },
    leftOut: whyUnread === undefined ? leftOut : { ...leftOut, 'reading back': whyUnread },
    calls,
    refusedPlain,
    close,
  };
}

/** Places of principals in a body: the ids themselves are of one run. */
function placesOfKind(kind: string, principals: Principals): readonly string[] {
  return [...principals.keys()].filter((name) => name.startsWith(`${kind}:`)).map((name) => `{${name}}`);
}

function fieldNames(bindings: Target['bindings']): Readonly<Record<string, string>> {
  return {
    source_session: bindings.sourceSession,
    agent_host: bindings.agentHost,
    mentions: bindings.mentions,
    attachments: bindings.attachments,
  };
}

/** Eight characters that begin with a letter and are of this run alone. */
function markOfRun(): string {
  return `f${BigInt(`0x${randomBytes(8).toString('hex')}`)
    .toString(36)
    .padStart(13, '0')
    .slice(-7)}`;
}

function placesOf(target: Target, principals: Principals): Places {
  return {
    channelId: target.channelId,
    secondChannelId: target.secondChannelId,
    workspaceId: target.workspaceId,
    tokenOf: (role) => target.roles[role]?.token,
    freshKey: () => randomUUID(),
    principalOf: (name) => principals.get(name),
  };
}

function factsOf(
  target: Target,
  {
    principals,
    ...known
  }: Pick<OracleFacts, 'provedFields' | 'demands'> & { readonly principals: Principals },
): OracleFacts {
  const owners = new Map<string, RoleName>();
  for (const role of roleNames) {
    const token = target.roles[role]?.token;
    if (token === undefined) continue;
    owners.set(token, role);
    owners.set(caseless(token), role);
  }
  const { bindings, names, workspaceId, channelId } = target;
  return {
    ...known,
    bindings,
    names,
    isPrincipal: ({ kind, id }) =>
      [...principals].some(([name, each]) => each === id && name.startsWith(`${kind}:`)),
    workspaceId,
    channelId,
    ownerOf: (token) => owners.get(token),
  };
}

function followerOf(
  client: Client,
  {
    target,
    marks,
    settleMs,
    signal,
  }: { target: Target; marks: Marks; settleMs: number; signal: AbortSignal },
): ReadBack<AftermathListener> | undefined {
  const { channelId } = target;
  const token = target.roles.author?.token;
  if (channelId === undefined || token === undefined) return undefined;
  const author = new Actor('author', token, { client, signal, record: () => undefined });
  return new ReadBack<AftermathListener>({
    marks,
    settleMs,
    onDecided: (listener, failures, isDecided) => listener(failures, isDecided),
    access: {
      workspaceId: target.workspaceId,
      channelId,
      names: target.names,
      itemsField: target.bindings.items,
      read: (query) => author.readChannel(channelId, query),
      sendAnchor: (mark) => author.send(channelId, mark),
    },
  });
}

function rolesOf({ roles }: Target): ReadonlySet<RoleName> {
  return new Set(roleNames.filter((role) => roles[role] !== undefined));
}
