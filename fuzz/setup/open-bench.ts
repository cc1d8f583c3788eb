import { randomBytes, randomUUID } from 'node:crypto';
import { emptyWorld } from '../../generators/spaces/body/send-body.ts';
import { Client, type Traffic } from '../../harness/client/client.ts';
import { withoutCurl } from '../../harness/client/curl-line.ts';
import { evidenceOf, type EvidenceRules } from '../../harness/client/evidence.ts';
import type { Exchange } from '../../harness/client/exchange.ts';
import type { NeedName } from '../../harness/config/capabilities.ts';
import { roleNames, type RoleName } from '../../harness/config/roles.ts';
import { settleMsOf, wordsOf, type Target } from '../../harness/config/target.ts';
import type { Clean, KnownSecrets } from '../../harness/output/known-secrets.ts';
import { writtenTo } from '../../harness/record/history-lines.ts';
import { HistoryRecorder, noteHook } from '../../harness/record/history-recorder.ts';
import type { EvidenceExchange } from '../../harness/results/generated/events.ts';
import { whenSilent } from '../../harness/watch/silence.ts';
import type { WireFacts } from '../../harness/wire/wire-judgement.ts';
import { isUuid } from '../../spec/index.ts';
import { speakerOf, stepsOf, type CaseRequest, type Places } from '../cases/case-request.ts';
import type { CaseTrace } from '../cases/injection-point.ts';
import { Markers } from '../cases/markers.ts';
import { answerExcerptOf, type EvidenceOf } from '../judge/answer-excerpt.ts';
import { caseless } from '../../spec/oracles/requests/expect-credential.ts';
import type { Demands, OracleFacts } from '../../spec/oracles/requests/expectation.ts';
import { arrangeMentions } from './arrange-mentions.ts';
import { CaseRunner, type CasePlace } from './case-runner.ts';
import { withWorkspace, type LearningOptions } from './learn-workspace.ts';
import { probe, proveFields, type LeftOut, type Probed } from './probe.ts';
import { Chapters, type OpenChapter, type Principals } from '../chapter/chapters.ts';
import { Workspaces } from './workspaces.ts';

/** The marker of no run: no message carries it. */
const noRun = randomUUID();

/** Longest that an answer is waited for, in ms; ten round trips longer where these are long. */
const answerMs = 8_000;

/** One answer may take so much longer than others do at the moment. */
const timesSlower = 20;

/** An answer that is due and takes longer does not come, for whoever asks a single question, in ms. */
export const silentMs = 7_000;

/** Everything that cases are run with at one target. */
export interface Bench extends Probed {
  readonly client: Client;
  /** Of the client that learned the workspace before; `undefined` where that was known. */
  readonly learning: Traffic | undefined;
  readonly runner: CaseRunner;
  readonly chapters: Chapters;
  /** The first chapter: all that was asked to set up is part of it. */
  readonly first: OpenChapter<CaseTrace>;
  /** Answers with a 429 that were waited out, to whatever request. */
  readonly limits: LimitedAnswers;
  readonly form: WireFacts;
  readonly world: typeof emptyWorld;
  readonly evidenceOf: EvidenceOf;
  /** Sends once more what a bench sends first of all: whoever replays a request meets it with that in the streams. */
  readonly fillFeed: () => Promise<void>;
  /** Families that this target cannot be asked for, and reading back where that cannot be; and why. */
  readonly leftOut: LeftOut & { readonly [What in 'reading back' | (typeof rich)[number][0]]?: string };
  /** Fields of a send of which a message showed an effect, as what a target has; of a request alone, those that it carries. */
  readonly provedOf: (request?: CaseRequest) => readonly NeedName[];
  /** What was wrong with each hook that has failed so far. */
  readonly hookFailures: () => readonly string[];
  readonly close: () => Promise<void>;
}

/** Connects to a target and sees which baseline requests it accepts; the signal ends that, and closes the connections. */
export async function openBench(
  given: Target,
  {
    roundTripMs,
    signal,
    env,
    limitPatienceMs,
    onHistoryLines,
    secrets,
    hasPassed = false,
    closedTo = new Set(),
    isReplay = false,
    onSilent,
    onBug,
  }: LearningOptions & {
    /** Gets all that is asked and answered, in lines for a file. */
    readonly onHistoryLines?: ((lines: Clean) => void) | undefined;
    readonly secrets: KnownSecrets;
    /** Whether preflight saw that every credential is good. */
    readonly hasPassed?: boolean;
    /** Roles that preflight saw the channel of the target refused to: of what they ask there nothing is expected. */
    readonly closedTo?: ReadonlySet<string>;
    /** Whether one request is sent again: whatever messages it shows, of whomever, are held against the schemas. */
    readonly isReplay?: boolean;
    /** Called once a server has given no answer for {@link silentMs} though one is due. */
    readonly onSilent?: (() => void) | undefined;
    /** Gets what goes wrong with taking down an exchange: whoever asked for that one cannot know. */
    readonly onBug?: (error: unknown) => void;
  },
): Promise<Bench> {
  const { target, traffic: learning } = await withWorkspace(given, {
    roundTripMs,
    signal,
    env,
    limitPatienceMs,
  });
  const limits = new LimitedAnswers();
  const markers = new Markers(markerOfRun());
  const settleMs = settleMsOf(target, roundTripMs);
  const longestMs = answerMs + 10 * roundTripMs;
  const provedFields = new Set<string>();
  const principals: Principals = new Map();
  const demands: Demands = { mentions: new Set(), refused: new Map() };
  const asked = factsOf(target, { provedFields, demands, closedTo });
  const elsewhere = new Elsewhere(asked);
  const facts = { runId: markers.runId, settleMs, isDurable: false };
  const onOperation = writtenTo(onHistoryLines, facts, secrets);
  // It keeps nothing but what it writes.
  const recorder =
    onOperation && new HistoryRecorder(facts, target, { onOperation, isKept: false, asked: elsewhere.facts });
  const client = new Client({
    target,
    timeouts: { connectMs: 5_000, answerMs: longestMs },
    env,
    heedsSignal: false,
    ...(limitPatienceMs === undefined ? {} : { limitPatienceMs }),
    ...(recorder === undefined ? {} : { onExchange: takenDown(recorder, onBug) }),
  });
  const listenNoMore = onSilent === undefined ? undefined : whenSilent(client, silentMs, onSilent);
  const rules = {
    secrets,
    runId: markers.runId,
    baseUrl: target.baseUrl,
    credentials: target.roles,
    connection: target.connection,
  };
  const noteLimited = (exchange: Exchange): void => limits.add(exchange);
  const placeOf = (
    where: Target,
    known: Principals,
    { roleNow = (role: RoleName): string => role, facts = asked } = {},
  ): Omit<CasePlace, 'operate' | 'isBack'> => ({
    places: placesOf(where, known),
    settleMs,
    facts,
    shown: {
      workspaceId: where.workspaceId,
      channelId: where.channelId,
      humans: () => [...known].flatMap(([name, id]) => (name.startsWith('user:') ? [id] : [])),
      promptMs: () => Math.max(longestMs, timesSlower * client.latencyMs),
    },
    chapters: new Chapters({
      client,
      target: where,
      markers,
      settleMs,
      asked: facts,
      signal,
      principals: known,
      isNaming: () => provedFields.has(target.bindings.mentions),
      rules,
      noteLimited,
      isOut: (role) => roleNow(role) !== role,
    }),
  });
  const place: CasePlace = {
    ...placeOf(target, principals),
    operate: async () => false,
    isBack: () => false,
  };
  const { chapters } = place;
  const workspaces = new Workspaces({
    target,
    env,
    secrets,
    signal,
    client,
    placeOf: (where, { principals: known, roleNow }) => {
      const own = factsOf(where, { provedFields, demands }, roleNow);
      elsewhere.add(where, own);
      return placeOf(where, known, { roleNow, facts: own });
    },
    home: () => place,
    ...(recorder === undefined ? {} : { onCall: (call) => noteHook(recorder, call) }),
  });
  const close = async (): Promise<void> => {
    listenNoMore?.();
    await Promise.all([client.close(), workspaces.close()]);
  };
  signal.addEventListener('abort', () => void close(), { once: true });
  const first = await chapters.open<CaseTrace>('campaign');
  const whyUnread = target.limits.isReadOnly ? undefined : chapters.whyUnread;
  const parts = {
    client,
    place,
    apart: () => workspaces.make(),
    // Messages are judged where they are read back, each beside the case that sent it.
    form: {
      names: target.names,
      runId: noRun,
      isUncounted: true,
      isJudgedHere: (content: string | undefined) =>
        isReplay || target.limits.isReadOnly || markers.isArranged(content),
    },
    signal,
  };
  const runner = new CaseRunner(parts, first.chapter);
  const { leftOut, ...probed } = await probe({
    runner,
    first,
    target,
    provedFields,
    demands,
    runId: markers.runId,
    isOverviewKnown: hasPassed && given.roles.machine !== undefined && given.workspaceId !== undefined,
  });
  const arrangeIn = ({ chapter, shown }: OpenChapter<CaseTrace>): ReturnType<typeof arrangeMentions> =>
    arrangeMentions(client, { target, principals, chapters, chapter, shown, settleMs, signal });
  if (leftOut.send === undefined) {
    if (await arrangeIn(first)) provedFields.add(target.bindings.mentions);
    await proveFields({ runner, first, target, provedFields, runId: markers.runId }, principals);
  }
  const unproved = leftOut.send === undefined ? unprovedOf(target, provedFields) : {};
  const { workspaceId: workspace, channelId: channel, secondChannelId } = target;
  const ids = { workspace, channel, 'second-channel': secondChannelId };
  return {
    client,
    learning,
    runner,
    chapters,
    first,
    limits,
    form: { names: target.names, runId: noRun, isUncounted: true },
    evidenceOf: (request, exchanges) => {
      const [evidence = unansweredIn(request, rules), ...others] = exchanges.map((each) =>
        evidenceOf(each, rules),
      );
      return { exchanges: [evidence, ...others], answer: answerExcerptOf(evidence, ids) };
    },
    fillFeed: async () => {
      if (leftOut.send === undefined) await arrangeIn(await chapters.open('brief'));
    },
    world: {
      ...emptyWorld,
      principals: {
        agent: placesOfKind('agent', principals),
        user: placesOfKind('user', principals),
        machine: placesOfKind('machine', principals),
      },
      ...wordsOf(target),
    },
    leftOut: { ...leftOut, ...unproved, ...(whyUnread !== undefined && { 'reading back': whyUnread }) },
    provedOf: (request) =>
      provable.flatMap(([need, binding]) => {
        const field = target.bindings[binding];
        const isMeant = request === undefined || carries(request, field);
        return isMeant && provedFields.has(field) ? [need] : [];
      }),
    hookFailures: () => workspaces.failures,
    ...probed,
    close,
  };
}

/** Fields of a send of which nothing is judged before a message has shown their effect. */
const provable = [
  ['source-session-binding', 'sourceSession'],
  ['agent-host-binding', 'agentHost'],
  ['mentions-binding', 'mentions'],
] as const satisfies readonly (readonly [NeedName, keyof Target['bindings']])[];

/** What a message may carry that belongs to no family, the field of a send that it comes from, and who names that field. */
const rich = [
  ['agent host', 'agentHost', 'bindings.agent_host'],
  ['mentions of a send', 'mentions', 'bindings.mentions'],
] as const;

/** What is judged of no message, since none showed it. */
function unprovedOf({ bindings }: Target, proved: ReadonlySet<string>): Readonly<Record<string, string>> {
  const unproved = rich.filter(([, binding]) => !proved.has(bindings[binding]));
  return Object.fromEntries(
    unproved.map(([what, binding, named]) => [
      what,
      `no message showed, within the settle time, what a send said in its field ${bindings[binding]} (${named})`,
    ]),
  );
}

function carries(request: CaseRequest, field: string): boolean {
  return stepsOf(request).some((step) => 'body' in step && Buffer.from(step.body ?? '').includes(field));
}

/** What is known of the target and of all workspaces that were made beside it, each of which has credentials and channels of its own. */
class Elsewhere {
  readonly #byToken = new Map<string, OracleFacts>();
  readonly #byChannel = new Map<string, OracleFacts>();
  readonly facts: OracleFacts;

  constructor(home: OracleFacts) {
    this.facts = {
      ...home,
      ownerOf: (token) => home.ownerOf(token) ?? this.#byToken.get(token)?.ownerOf(token),
      channelOf: (id, role) => (this.#byChannel.get(id) ?? home).channelOf(id, role),
    };
  }

  add({ roles, channelId, secondChannelId }: Target, facts: OracleFacts): void {
    for (const { token } of Object.values(roles)) this.#byToken.set(token, facts);
    for (const id of [channelId, secondChannelId])
      if (id !== undefined && this.facts.channelOf(id, 'author') !== 'there') this.#byChannel.set(id, facts);
  }
}

function takenDown(
  recorder: HistoryRecorder,
  onBug: (error: unknown) => void = (error) => {
    throw error;
  },
): (exchange: Exchange) => void {
  return (exchange) => {
    try {
      recorder.add('campaign', exchange);
    } catch (error) {
      onBug(error);
    }
  };
}

/** A request as it stands in a file, with places for what is of one target. */
function unansweredIn(request: CaseRequest, rules: EvidenceRules): EvidenceExchange {
  const times = { startedMs: 0, endedMs: 0 };
  const sent = { ...request, body: request.body };
  const exchange = { id: 0, actor: speakerOf(request), request: sent, response: undefined, fault: undefined };
  return withoutCurl(evidenceOf({ ...exchange, ...times }, rules), 'it has places for what is of one target');
}

/** Places of principals in a body: the ids themselves are of one run. */
function placesOfKind(kind: string, principals: Principals): readonly string[] {
  return [...principals.keys()].filter((name) => name.startsWith(`${kind}:`)).map((name) => `{${name}}`);
}

/** Six characters that begin with a letter and are of this run alone. */
function markerOfRun(): string {
  return `f${BigInt(`0x${randomBytes(8).toString('hex')}`)
    .toString(36)
    .padStart(13, '0')
    .slice(-5)}`;
}

function placesOf(target: Target, principals: Principals): Places {
  const { reportReceipt: path, reportReceiptField: field } = target.bindings;
  return {
    report: { path, field },
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
    closedTo = new Set(),
    ...known
  }: Pick<OracleFacts, 'provedFields' | 'demands'> & { readonly closedTo?: ReadonlySet<string> },
  roleNow = (role: RoleName): string => role,
): OracleFacts {
  const owners = new Map<string, RoleName>();
  for (const role of roleNames) {
    const token = target.roles[role]?.token;
    if (token === undefined) continue;
    owners.set(token, role);
    owners.set(caseless(token), role);
  }
  const { bindings, names, workspaceId, channelId, secondChannelId } = target;
  return {
    ...known,
    bindings,
    names,
    workspaceId,
    channelOf: (id, role) => {
      if (id === channelId && role !== undefined && closedTo.has(role)) return undefined;
      if (id === channelId || (id === secondChannelId && role === 'author')) return 'there';
      // Any other UUID is made up; another spelling of one may be read as the same id.
      const isOther = [channelId, secondChannelId].every((own) => own?.toLowerCase() !== id.toLowerCase());
      return channelId !== undefined && isUuid(id) && isOther ? 'absent' : undefined;
    },
    ownerOf: (token) => {
      const owner = owners.get(token);
      return owner === undefined ? undefined : roleNow(owner);
    },
  };
}

/** So many are kept for a listener that is still to come: one of a kind is enough. */
const mostKept = 100;

/** Hands on the answers with a 429 that a client waits out, also those that came before anybody listened. */
class LimitedAnswers {
  #kept: Exchange[] = [];
  #listener: ((exchange: Exchange) => void) | undefined;

  add(exchange: Exchange): void {
    if (this.#listener !== undefined) this.#listener(exchange);
    else if (this.#kept.length < mostKept) this.#kept.push(exchange);
  }

  /** Calls `listener` with each, at once with those that came before. */
  listen(listener: (exchange: Exchange) => void): void {
    this.#listener = listener;
    for (const exchange of this.#kept) listener(exchange);
    this.#kept = [];
  }
}
