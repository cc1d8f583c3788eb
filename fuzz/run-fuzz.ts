import { randomBytes, randomUUID } from 'node:crypto';
import { emptyWorld } from '../generators/index.ts';
import { Client } from '../harness/client/client.ts';
import type { SentRequest } from '../harness/client/exchange.ts';
import type { PreflightLine } from '../harness/results/events.ts';
import { preflight } from '../harness/target/preflight.ts';
import { roleNames } from '../harness/target/roles.ts';
import type { RoleName } from '../harness/target/roles.ts';
import type { Target } from '../harness/target/target.ts';
import { arrangeMentions } from './arrange-mentions.ts';
import type { Principals } from './arrange-mentions.ts';
import { Campaign } from './campaign.ts';
import type { CampaignOptions, CampaignResult, Progress } from './campaign.ts';
import type { Places } from './case-request.ts';
import { CaseRunner } from './case-runner.ts';
import type { AftermathListener } from './case-runner.ts';
import { caseless } from './expect-credential.ts';
import type { OracleFacts } from './expectation.ts';
import { slotsFor } from './families/index.ts';
import type { Guarded } from './families/reads.ts';
import { Marks } from './marks.ts';
import { probe, proveFields } from './probe.ts';
import type { Demands } from './probe.ts';
import { ReadBack } from './read-back.ts';
import type { Drawn } from './slot.ts';
import type { FamilyName } from './family.ts';

/** What a campaign is asked for, beside its target. */
export interface FuzzOptions extends Omit<CampaignOptions, 'slots' | 'plain'> {
  /** Families to take cases of; all when empty. */
  readonly only: readonly FamilyName[];
  readonly env: NodeJS.ProcessEnv;
  readonly onLine?: (line: PreflightLine) => void;
  /** Called as soon as cases are sent, with a way to look at how far it is. */
  readonly onStart?: (progress: () => Progress) => void;
}

/** A campaign that ran, or one that could not. */
export interface FuzzOutcome {
  /** `undefined` when preflight failed, or no family could be run. */
  readonly result: CampaignResult | undefined;
  readonly requests: number;
  /** Families that were left out, with the reason. */
  readonly leftOut: Readonly<Record<string, string>>;
  /** Messages that were read back and compared, and refused ones whose absence was proved. */
  readonly readBack: { readonly compared: number; readonly absent: number; readonly undecided: number };
}

/** The mark of no run: no message carries it. */
const noRun = '\0';

/** Longest that an answer is waited for, in ms. */
const answerMs = 8_000;

/** Finds out what the target offers and runs a campaign there. */
export async function runFuzz(target: Target, options: FuzzOptions): Promise<FuzzOutcome> {
  const before = await preflight(target, options.signal, options.env);
  for (const line of before.lines) options.onLine?.(line);
  const nothing = { compared: 0, absent: 0, undecided: 0 };
  if (!before.isOk) return { result: undefined, requests: 0, leftOut: {}, readBack: nothing };
  const bench = await openBench(target, {
    roundTripMs: before.roundTripMs ?? 0,
    signal: options.signal,
    env: options.env,
    hasPassed: true,
  });
  try {
    const isAsked = (family: FamilyName): boolean =>
      options.only.length === 0 || options.only.includes(family);
    const has = (family: FamilyName): boolean => isAsked(family) && bench.leftOut[family] === undefined;
    const slots = slotsFor({ world: bench.world, roles: rolesOf(target), calls: bench.calls, has });
    const plain = bench.refusedPlain.filter(({ family }) => isAsked(family));
    if (slots.length === 0 && plain.length === 0 && options.corpus.length === 0)
      return {
        result: undefined,
        requests: bench.client.traffic.requests,
        leftOut: bench.leftOut,
        readBack: nothing,
      };
    const campaign = new Campaign(bench, {
      silentAfterMs: silentAfterMsOf(target),
      ...options,
      slots,
      plain,
    });
    options.onStart?.(() => campaign.progress);
    const result = await campaign.run();
    const { requests } = bench.client.traffic;
    return { result, requests, leftOut: bench.leftOut, readBack: bench.readBack?.counts ?? nothing };
  } finally {
    await bench.close();
  }
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
  readonly world: typeof emptyWorld;
  /** Families that this target cannot be asked for, and why. */
  readonly leftOut: Readonly<Partial<Record<FamilyName, string>>>;
  /** Calls whose plainest request is accepted. */
  readonly calls: readonly Guarded[];
  /** Plain requests that are refused though the contract says that they are taken. */
  readonly refusedPlain: readonly Drawn[];
  readonly close: () => Promise<void>;
}

/** Connects to a target and sees which good requests it accepts. */
export async function openBench(
  target: Target,
  {
    roundTripMs,
    signal,
    env,
    hasPassed = false,
  }: {
    readonly roundTripMs: number;
    readonly signal: AbortSignal;
    readonly env: NodeJS.ProcessEnv;
    /** Whether preflight saw that every credential is good. */
    readonly hasPassed?: boolean;
  },
): Promise<Bench> {
  const client = new Client({
    target,
    timeouts: { connectMs: 5_000, answerMs: answerMs + 10 * roundTripMs },
    env,
    heedsSignal: false,
  });
  const marks = new Marks(markOfRun());
  const settleMs = target.settleMs ?? Math.max(400, 10 * roundTripMs);
  const readBack = target.manners.isReadOnly
    ? undefined
    : await followChannel(client, { target, marks, settleMs, signal });
  const provedFields = new Set<string>();
  const principals: Principals = new Map();
  const demands: Demands = { mentions: new Set(), refused: new Map() };
  const runner = new CaseRunner({
    client,
    places: placesOf(target, principals),
    facts: factsOf(target, { provedFields, demands, principals }),
    // Messages are judged where they are read back, each beside the case that sent it.
    wire: { names: target.names, runId: noRun },
    shown: {
      workspaceId: target.workspaceId,
      channelId: target.channelId,
      secondChannelId: target.secondChannelId,
      itemsField: target.bindings.items,
      agentIdHeader: target.names.agentIdHeader,
      isOwn: (content) => marks.in(content) !== undefined,
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
  return {
    client,
    runner,
    readBack,
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
    leftOut,
    calls,
    refusedPlain,
    close: async () => {
      readBack?.stop();
      await client.close();
    },
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

async function followChannel(
  client: Client,
  {
    target,
    marks,
    settleMs,
    signal,
  }: { target: Target; marks: Marks; settleMs: number; signal: AbortSignal },
): Promise<ReadBack<AftermathListener> | undefined> {
  const { channelId } = target;
  const token = target.roles.author?.token;
  if (channelId === undefined || token === undefined) return undefined;
  const path = `/v0/channels/${channelId}/messages`;
  const headers = { accept: 'application/json', authorization: `Bearer ${token}` };
  const exchange = (request: SentRequest): ReturnType<Client['exchange']> =>
    client.exchange('author', request, { signal });
  const readBack = new ReadBack<AftermathListener>({
    marks,
    settleMs,
    onDecided: (listener, failures, isDecided) => listener(failures, isDecided),
    access: {
      names: target.names,
      itemsField: target.bindings.items,
      read: (query) =>
        exchange({ call: 'channel-read', method: 'GET', path: `${path}?${query}`, headers, body: undefined }),
      sendAnchor: (mark) =>
        exchange({
          call: 'send',
          method: 'POST',
          path,
          headers: { ...headers, 'content-type': 'application/json', 'idempotency-key': randomUUID() },
          body: JSON.stringify({ content: mark }),
        }),
    },
  });
  return (await readBack.start()) ? readBack : undefined;
}

function rolesOf({ roles }: Target): ReadonlySet<RoleName> {
  return new Set(roleNames.filter((role) => roles[role] !== undefined));
}
