import type { Client } from '../../harness/client/client.ts';
import type { CallName } from '../../calls/index.ts';
import type { Exchange } from '../../harness/client/exchange.ts';
import type { ClauseId } from '../../spec/index.ts';
import type { AnswerExcerpt } from '../judge/answer-excerpt.ts';
import { randomOfCase } from '../cases/case-random.ts';
import type { CaseRequest } from '../cases/case-request.ts';
import { waitSecondsOf } from './case-runner.ts';
import type { AftermathListener, CaseOutcome, CaseRunner } from './case-runner.ts';
import type { RootSeen } from '../../harness/gate/baseline.ts';
import type { CampaignEnd, CampaignTotals, Phase } from '../../harness/results/campaign-events.ts';
import type { BrokenVerdict, EvidenceExchange } from '../../harness/results/events.ts';
import { rootOf, standFor, verdictOf } from '../judge/failure.ts';
import type { CaseFailure } from '../judge/failure.ts';
import { investigate, repeat } from './investigate.ts';
import type { Repeats } from './investigate.ts';
import { NoveltyPool } from './novelty-pool.ts';
import { plainOf } from '../cases/families/plain-case.ts';
import type { ReadBack } from '../judge/read-back.ts';
import type { FamilyName } from '../cases/family.ts';
import type { Drawn, Slot } from '../cases/slot.ts';

/** Which part of a campaign a machine takes: the cases whose number is `index` modulo `count`; 0-based. */
export interface Shard {
  readonly index: number;
  readonly count: number;
}

/** A failure of an earlier campaign: tried first, and known from the start. */
export interface KnownFailure {
  /** Where it was read, for people. */
  readonly name: string;
  readonly request: CaseRequest;
  readonly failure: CaseFailure;
}

/** A failure that was found, looked at again and made small. */
export interface Finding {
  readonly root: string;
  readonly verdict: BrokenVerdict;
  readonly failure: CaseFailure;
  readonly phase: Phase;
  readonly family: FamilyName | 'corpus';
  readonly label: string;
  /** Number of the case in the campaign, from 0, and below it for plain requests; in the novelty phase, cases sent before it. */
  readonly caseIndex: number;
  readonly request: CaseRequest;
  readonly repeats: Repeats;
  readonly shrinkSteps: number;
  /** True for what the corpus knew already. */
  readonly isKnown: boolean;
  /** The answer that showed it, bounded, without secrets; `undefined` when it did not show again. */
  readonly answer: AnswerExcerpt | undefined;
  /** The exchange that showed it; the request alone when it did not show again. */
  readonly evidence: EvidenceExchange;
  /** Clauses that the same answers break, the one of the failure first. */
  readonly clauses: readonly ClauseId[];
  /** Calls that show it. */
  readonly calls: readonly CallName[];
  /** Cases that showed it, this one included. */
  readonly sightings: number;
}

/** What a finding keeps of a request and of the exchange that showed it, if it did again. */
export type EvidenceOf = (
  request: CaseRequest,
  exchange: Exchange | undefined,
) => Pick<Finding, 'answer' | 'evidence'>;

/** What is known of a root beside its finding. */
interface Sighted {
  times: number;
  readonly clauses: Set<ClauseId>;
  readonly calls: Set<CallName>;
  /** Roots that came up with it and are not told apart from it as long as they do. */
  readonly companions: Set<string>;
}

/** What a campaign has done so far. */
export interface Progress {
  readonly phase: Phase;
  readonly cases: number;
  readonly elapsedMs: number;
  readonly leftMs: number | undefined;
  readonly requests: number;
  readonly answers: ReadonlyMap<string, number>;
  readonly findings: number;
}

export interface CampaignOptions {
  readonly slots: readonly Slot[];
  /** Cases that come before those of the slots, whatever the shard: they have no number among them. */
  readonly plain: readonly Drawn[];
  readonly seed: number;
  readonly shard: Shard;
  /** Cases of the whole campaign, over all shards; as many as the time allows when `undefined`. */
  readonly maxCases: number | undefined;
  /** Wall clock in ms; no limit when `undefined`. */
  readonly timeMs: number | undefined;
  /** Cases in flight. */
  readonly concurrency: number;
  readonly corpus: readonly KnownFailure[];
  /** Share of the cases, or of the time, in which inputs that drew new kinds of answers are built on; 0 to leave it out. */
  readonly noveltyShare: number;
  /** Without any answer for so long, in ms, the server counts as silent; half a minute unless given. */
  readonly silentAfterMs?: number;
  readonly signal: AbortSignal;
  /** Called with each case before it is sent. */
  readonly onCase?: (index: number, drawn: Drawn) => void;
  /** Called when a clause comes up for the first time, before anything is tried again; `cases` counts those judged before. */
  readonly onFailure?: (failure: CaseFailure, cases: number) => void;
  readonly onFinding?: (finding: Finding) => void;
  /** Called when a phase begins. */
  readonly onPhase?: (progress: Progress) => void;
}

/** What is counted of the cases. */
export type CaseCounts = Omit<CampaignTotals, 'end' | 'readBack' | 'leftOut' | 'seen'>;

export interface CampaignResult extends CaseCounts {
  readonly end: CampaignEnd;
  /** When the last case was let in, in ms since the beginning, where a limit ended the campaign. */
  readonly limitedFromMs: number | undefined;
  readonly durationMs: number;
  readonly findings: readonly Finding[];
  /** Every root that was found, or that the corpus has, with what became of it. */
  readonly roots: readonly RootSeen[];
}

/** Kinds of answers that are told apart; the rest is counted together. */
const mostKinds = 200;
/** Failures looked at again at one time, and in all. */
const mostAtOnce = 3;
const mostRoots = 200;
/** Answers in a row that did not come before the server counts as gone. */
const goneAfter = 200;
/** Cases in a row that a limit refused in spite of all waiting before it counts as one without end. */
const limitedAfter = 40;
/** So long without an answer, while cases wait for one, before the server counts as silent; and how often that is looked at. */
const defaultSilentAfterMs = 30_000;
const lookEveryMs = 250;
/** What was silent for so long when the time was over, and for so large a share of it, was silent as well. */
const silentAtEndMs = 10_000;
const silentAtEndShare = 0.1;
/** What the end of a timed campaign is kept for: the last batch and the last second looks. */
const reserveShare = 0.12;
const longestReserveMs = 5_000;

/** Runs the cases of one shard, many in flight, and looks again at whatever fails. */
export class Campaign {
  readonly #runner: CaseRunner;
  readonly #client: Pick<Client, 'traffic' | 'silentMs'>;
  readonly #readBack: Pick<ReadBack<never>, 'idle' | 'stop'> | undefined;
  readonly #evidenceOf: EvidenceOf;
  readonly #options: CampaignOptions;
  readonly #startedMs = performance.now();
  readonly #novelty = new NoveltyPool();
  readonly #answers = new Map<string, number>();
  readonly #byFamily = new Map<string, number>();
  readonly #findings = new Map<string, Finding>();
  readonly #rootsSeen = new Map<string, Sighted>();
  readonly #clausesSeen = new Set<string>();
  readonly #fixed: string[] = [];
  readonly #retried = new Map<string, RootSeen>();
  readonly #looking = new Set<Promise<void>>();
  readonly #toLookAt: (() => Promise<void>)[] = [];
  /** The root that stands for errors of the server which did not come again. */
  #unrepeated: string | undefined;
  #phase: Phase = 'corpus';
  #cases = 0;
  #judged = 0;
  #troubled = 0;
  #accepted = 0;
  #refused = 0;
  #unanswered = 0;
  #goneInARow = 0;
  #limitedInARow = 0;
  #letInMs = 0;
  #isCut = false;
  #hasEnded = false;
  #isSilent = false;
  /** Cases that wait for an answer which the server may not hold back. */
  #owed = 0;
  /** For how long they have waited without hearing anything, and when something was heard last. */
  #silentMs = 0;
  #heardMs = 0;

  constructor(
    parts: {
      readonly runner: CaseRunner;
      readonly client: Pick<Client, 'traffic' | 'silentMs'>;
      readonly readBack: Pick<ReadBack<never>, 'idle' | 'stop'> | undefined;
      readonly evidenceOf: EvidenceOf;
    },
    options: CampaignOptions,
  ) {
    this.#runner = parts.runner;
    this.#client = parts.client;
    this.#readBack = parts.readBack;
    this.#evidenceOf = parts.evidenceOf;
    this.#options = options;
  }

  get progress(): Progress {
    const { timeMs } = this.#options;
    const elapsedMs = performance.now() - this.#startedMs;
    return {
      phase: this.#phase,
      cases: this.#cases,
      elapsedMs,
      leftMs: timeMs === undefined ? undefined : Math.max(0, timeMs - elapsedMs),
      requests: this.#client.traffic.requests,
      answers: this.#answers,
      findings: this.#findings.size,
    };
  }

  /** Runs to the end of the cases or of the time, whichever comes first. */
  async run(): Promise<CampaignResult> {
    const { timeMs, signal } = this.#options;
    const cut = (): void => {
      this.#isCut = true;
      this.#readBack?.stop();
      for (const wake of this.#wakers.splice(0)) wake();
    };
    const timer = timeMs === undefined ? undefined : setTimeout(cut, timeMs);
    const silence = setInterval(() => {
      this.#listen();
      this.#isSilent ||= this.#silentMs >= this.#silentAfterMs;
      if (this.#isSilent) cut();
    }, lookEveryMs);
    signal.addEventListener('abort', cut, { once: true });
    const ended = new Promise<void>((resolve) => this.#wakers.push(resolve));
    await Promise.race([this.#phases(), ended]);
    clearTimeout(timer);
    clearInterval(silence);
    signal.removeEventListener('abort', cut);
    this.#isSilent ||= this.#silentMs >= this.#silentAtEndMs;
    return this.#result();
  }

  readonly #wakers: (() => void)[] = [];

  get #silentAfterMs(): number {
    return this.#options.silentAfterMs ?? defaultSilentAfterMs;
  }

  get #silentAtEndMs(): number {
    const elapsedMs = performance.now() - this.#startedMs;
    return Math.min(this.#silentAfterMs, Math.max(silentAtEndMs, elapsedMs * silentAtEndShare));
  }

  /** Counts looks, not time: while this program itself is busy nothing could have been heard. */
  #listen(): void {
    const { lastAnswerMs } = this.#client.traffic;
    // Cases that wait for their turn under a limit have not asked for anything yet.
    const isAsked = this.#owed > 0 && this.#client.silentMs > 0;
    const isQuiet = isAsked && lastAnswerMs === this.#heardMs;
    this.#silentMs = isQuiet ? this.#silentMs + lookEveryMs : 0;
    this.#heardMs = lastAnswerMs;
  }

  async #phases(): Promise<void> {
    const { slots, maxCases = Number.POSITIVE_INFINITY, noveltyShare } = this.#options;
    await this.#replayCorpus();
    await Promise.all(this.#options.plain.map((drawn, index) => this.#runCase(-1 - index, drawn)));
    const boundaries = boundariesOf(slots);
    const drawnCases = Math.ceil(maxCases * (1 - noveltyShare));
    this.#enter('boundaries');
    await this.#inFlight(this.#numbered(0, Math.min(boundaries.length, drawnCases)), (index) =>
      boundaries[index]?.(),
    );
    this.#enter('random');
    await this.#inFlight(this.#numbered(boundaries.length, drawnCases, 1 - noveltyShare), (index) =>
      drawCase(slots, this.#options.seed, index),
    );
    if (noveltyShare > 0) {
      this.#enter('novelty');
      const from = Number.isFinite(drawnCases) ? Math.max(drawnCases, boundaries.length) : this.#cases;
      await this.#inFlight(this.#numbered(from, maxCases), (index) =>
        this.#novelty.draw(randomOfCase(this.#options.seed, index)),
      );
    }
    await this.#readBack?.idle();
    while (this.#looking.size > 0) {
      // Looking again may find more to look at.
      await Promise.all(this.#looking);
    }
  }

  #enter(phase: Phase): void {
    this.#phase = phase;
    this.#options.onPhase?.(this.progress);
  }

  /** The numbers of this shard's cases from `from` to before `to`, as long as there is time. */
  *#numbered(from: number, to: number, timeShare = 1): Generator<number> {
    const { index, count } = this.#options.shard;
    const first = from + ((((index - from) % count) + count) % count);
    for (let number = first; number < to && !this.#isTimeUp(timeShare); number += count) yield number;
  }

  #isTimeUp(share: number): boolean {
    const { timeMs, signal } = this.#options;
    if (this.#isCut || signal.aborted || this.#goneInARow >= goneAfter || this.#isLimited) return true;
    if (timeMs === undefined) return false;
    const generatingMs = timeMs - Math.min(timeMs * reserveShare, longestReserveMs);
    return performance.now() - this.#startedMs >= generatingMs * share;
  }

  get #isLimited(): boolean {
    return this.#limitedInARow >= limitedAfter;
  }

  /** Sends the cases, a fixed number at one time. Which is which depends on their numbers alone. */
  async #inFlight(numbers: Iterator<number>, drawnOf: (index: number) => Drawn | undefined): Promise<void> {
    const lane = async (): Promise<void> => {
      for (let next = numbers.next(); next.done !== true; next = numbers.next()) {
        const drawn = drawnOf(next.value);
        if (drawn === undefined) continue;
        await this.#runCase(next.value, drawn);
      }
    };
    await Promise.all(Array.from({ length: this.#options.concurrency }, lane));
  }

  async #runCase(index: number, drawn: Drawn): Promise<void> {
    this.#options.onCase?.(index, drawn);
    const phase = this.#phase;
    const found = (failures: readonly CaseFailure[]): void => this.#found(failures, drawn, { index, phase });
    const outcome = await this.#awaited(drawn, found);
    // What was cut off at the end has no answer to speak of.
    if (outcome === undefined || this.#isCut) return;
    this.#count(drawn, outcome);
    found(outcome.verdict.failures);
  }

  /** The outcome of a case, whose wait for an answer is one of those that silence is told by. */
  async #awaited(drawn: Drawn, onAftermath: AftermathListener): Promise<CaseOutcome | undefined> {
    // A long poll may be held back for as long as it asks for.
    if (waitSecondsOf(drawn.request) > 0) return this.#runner.run(drawn.request, onAftermath);
    this.#owed += 1;
    try {
      return await this.#runner.run(drawn.request, onAftermath);
    } finally {
      this.#owed -= 1;
    }
  }

  #count(drawn: Drawn, outcome: CaseOutcome): void {
    const { kind, answerKind, failures } = outcome.verdict;
    this.#cases += 1;
    this.#byFamily.set(drawn.family, (this.#byFamily.get(drawn.family) ?? 0) + 1);
    const known = this.#answers.has(answerKind) || this.#answers.size < mostKinds ? answerKind : 'others';
    this.#answers.set(known, (this.#answers.get(known) ?? 0) + 1);
    const { fault, response } = outcome.exchange;
    const isLimited = fault === undefined && response?.status === 429;
    this.#limitedInARow = isLimited ? this.#limitedInARow + 1 : 0;
    if (!isLimited) this.#letInMs = performance.now() - this.#startedMs;
    const isGone = fault?.kind === 'refused' || fault?.kind === 'reset';
    this.#goneInARow = isGone ? this.#goneInARow + 1 : 0;
    if (kind === 'trouble') {
      this.#troubled += 1;
      if (fault !== undefined && fault.kind !== 'withheld') this.#unanswered += 1;
      return;
    }
    this.#judged += 1;
    if (failures.length === 0 && outcome.expected === 'accept') this.#accepted += 1;
    if (failures.length === 0 && outcome.expected === 'reject') this.#refused += 1;
    if (this.#options.noveltyShare > 0) this.#novelty.consider(drawn, outcome);
  }

  /**
   * What one answer shows has one cause: the gravest failure stands for it, the others are its companions. One that comes
   * up with a root which it did not accompany at first has a cause of its own.
   */
  #found(
    failures: readonly CaseFailure[],
    drawn: Drawn,
    at: { index: number; phase: Phase },
    look = (lead: CaseFailure): void => this.#lookInto(lead, drawn, at),
  ): void {
    for (const failure of failures) this.#tell(failure);
    const known = failures.flatMap((failure) => this.#noted(failure) ?? []);
    const left = failures.filter(
      (failure) =>
        !this.#rootsSeen.has(rootOf(failure)) &&
        !known.some(({ companions }) => companions.has(rootOf(failure))),
    );
    const lead = left.find(({ clause }) => verdictOf(clause) === 'failed') ?? left[0];
    if (lead === undefined || this.#rootsSeen.size >= mostRoots) return;
    this.#rootsSeen.set(rootOf(lead), {
      times: 1,
      clauses: new Set([lead.clause, ...left.map(({ clause }) => clause)]),
      calls: new Set([lead.call]),
      companions: new Set(left.map(rootOf)),
    });
    look(lead);
  }

  /** Judges a 429 that is waited out. It is kept as it came: nobody can make the server repeat it. */
  noteLimited(exchange: Exchange, failures: readonly CaseFailure[]): void {
    const drawn = plainOf(exchange.request.call);
    if (this.#isCut || failures.length === 0 || drawn === undefined) return;
    const at = { index: 0, phase: this.#phase };
    this.#found(failures, drawn, at, (failure) =>
      this.#keep({
        ...sightedAs(this.#rootsSeen.get(rootOf(failure)), failure),
        request: drawn.request,
        label: drawn.label,
        failure,
        repeats: { times: 1, of: 1 },
        shrinkSteps: 0,
        ...this.#evidenceOf(drawn.request, exchange),
        root: rootOf(failure),
        phase: at.phase,
        verdict: verdictOf(failure.clause),
        family: drawn.family,
        caseIndex: at.index,
        isKnown: false,
      }),
    );
  }

  #tell(failure: CaseFailure): void {
    if (this.#clausesSeen.has(failure.clause)) return;
    this.#clausesSeen.add(failure.clause);
    this.#options.onFailure?.(failure, this.#cases);
  }

  /** One more sighting of a root that is known already. */
  #noted(failure: CaseFailure): Sighted | undefined {
    const known = this.#rootsSeen.get(rootOf(failure));
    if (known === undefined) return undefined;
    known.times += 1;
    known.calls.add(failure.call);
    known.clauses.add(failure.clause);
    return known;
  }

  #lookInto(failure: CaseFailure, drawn: Drawn, { index, phase }: { index: number; phase: Phase }): void {
    this.#lookAt(async () => {
      const { exchange, ...looked } = await investigate(this.#runner, drawn, failure, () => this.#isCut);
      if (this.#isOfAnother(failure, looked.repeats)) return;
      this.#keep({
        ...looked,
        ...sightedAs(this.#rootsSeen.get(rootOf(failure)), failure),
        ...this.#evidenceOf(looked.request, exchange),
        root: rootOf(failure),
        phase,
        verdict: verdictOf(failure.clause),
        family: drawn.family,
        caseIndex: index,
        isKnown: false,
      });
    });
  }

  /** Errors of the server that do not come again when a request is alone have one cause: all that was in flight beside it. */
  #isOfAnother(failure: CaseFailure, { times, of }: Repeats): boolean {
    if (failure.isServerError !== true || times > 0 || of === 0) return false;
    this.#unrepeated ??= rootOf(failure);
    const first = this.#rootsSeen.get(this.#unrepeated);
    first?.calls.add(failure.call);
    first?.clauses.add(failure.clause);
    return this.#unrepeated !== rootOf(failure);
  }

  #lookAt(look: () => Promise<void>): void {
    this.#toLookAt.push(look);
    if (this.#looking.size < mostAtOnce) this.#lookNext();
  }

  #lookNext(): void {
    const look = this.#toLookAt.shift();
    if (look === undefined) return;
    const looking = look().finally(() => {
      this.#looking.delete(looking);
      this.#lookNext();
    });
    this.#looking.add(looking);
  }

  #keep(finding: Finding): void {
    if (this.#hasEnded || this.#findings.has(finding.root)) return;
    this.#findings.set(finding.root, finding);
    this.#options.onFinding?.(finding);
  }

  /** Earlier failures first: those that still fail are known from here on. Shards share them out. */
  async #replayCorpus(): Promise<void> {
    const { corpus, shard } = this.#options;
    for (const { failure } of corpus) {
      const root = rootOf(failure);
      // What another shard tries is known to this one all the same.
      this.#rootsSeen.set(root, noSighting());
      this.#retried.set(root, { root, clauses: [failure.clause], state: 'passed' });
    }
    for (const [index, known] of corpus.entries()) {
      const isOwn = index % shard.count === shard.index && !this.#isCut;
      // A few requests each; they share the server with nothing yet.
      const state = isOwn ? await this.#retry(known) : 'undecided';
      this.#retried.set(rootOf(known.failure), worse(state, this.#retried.get(rootOf(known.failure)), known));
    }
    // It is new again when none of its entries shows it any more.
    for (const { root, state } of this.#retried.values())
      if (state === 'passed') this.#rootsSeen.delete(root);
  }

  async #retry(known: KnownFailure): Promise<RootSeen['state']> {
    const { repeats, ...shown } = await repeat(this.#runner, known.request, known.failure, () => this.#isCut);
    const last = shown.last ?? shown.otherwise;
    this.#cases += repeats.of;
    this.#judged += repeats.of;
    if (last === undefined) {
      if (repeats.of > 0) this.#fixed.push(known.name);
      return repeats.of > 0 ? 'passed' : 'undecided';
    }
    const failure = { ...known.failure, actual: last.failure.actual };
    const evidence = this.#evidenceOf(known.request, last.exchange);
    this.#keep({ ...findingOf({ ...known, failure }, repeats), ...evidence });
    return 'fails';
  }

  #result(): CampaignResult {
    this.#hasEnded = true;
    const findings = [...this.#findings.values()].map((finding) => {
      const seen = sightedAs(this.#rootsSeen.get(finding.root), finding.failure);
      return { ...finding, ...seen, sightings: Math.max(finding.sightings, seen.sightings) };
    });
    return {
      end: this.#end(),
      limitedFromMs: this.#isLimited ? this.#letInMs : undefined,
      durationMs: performance.now() - this.#startedMs,
      cases: this.#cases,
      judged: this.#judged,
      troubled: this.#troubled,
      unanswered: this.#unanswered,
      kept: { accepted: this.#accepted, refused: this.#refused },
      answers: Object.fromEntries([...this.#answers].toSorted(([, one], [, other]) => other - one)),
      byFamily: Object.fromEntries(this.#byFamily),
      findings,
      fixed: this.#fixed,
      roots: [
        ...[...this.#retried.values()].filter(({ root }) => !this.#findings.has(root)),
        ...findings.map(({ root, clauses }) => ({
          root,
          clauses: standFor(root, clauses),
          state: 'fails' as const,
        })),
      ],
    };
  }

  #end(): CampaignEnd {
    if (this.#isSilent) return 'server-silent';
    if (this.#goneInARow >= goneAfter) return 'server-gone';
    if (this.#isLimited) return 'server-limits';
    return this.#options.signal.aborted ? 'interrupted' : 'complete';
  }
}

/** What several earlier requests of one root come to together. */
function worse(state: RootSeen['state'], before: RootSeen | undefined, { failure }: KnownFailure): RootSeen {
  const states = [state, before?.state];
  const together = (['fails', 'undecided'] as const).find((each) => states.includes(each)) ?? 'passed';
  const clauses = [...new Set([...(before?.clauses ?? []), failure.clause])];
  return { root: rootOf(failure), clauses, state: together };
}

function noSighting(): Sighted {
  return { times: 0, clauses: new Set(), calls: new Set(), companions: new Set() };
}

/** What was seen of a root, the clause and the call of its failure first. */
function sightedAs(
  { times, clauses, calls }: Sighted = noSighting(),
  { clause, call }: CaseFailure,
): Pick<Finding, 'clauses' | 'calls' | 'sightings'> {
  return {
    clauses: [...new Set([clause, ...clauses])],
    calls: [...new Set([call, ...calls])],
    sightings: times,
  };
}

function findingOf(
  { name, request, failure }: KnownFailure,
  repeats: Repeats,
): Omit<Finding, 'answer' | 'evidence'> {
  return {
    root: rootOf(failure),
    verdict: verdictOf(failure.clause),
    failure,
    phase: 'corpus',
    family: 'corpus',
    label: name,
    caseIndex: 0,
    request,
    repeats,
    shrinkSteps: 0,
    isKnown: true,
    clauses: [failure.clause],
    calls: [failure.call],
    sightings: repeats.times,
  };
}

/** All boundaries, slot by slot in turn: what is short comes early whatever stands first in the list. */
function boundariesOf(slots: readonly Slot[]): readonly (() => Drawn)[] {
  const longest = Math.max(0, ...slots.map(({ boundaryCount }) => boundaryCount));
  return Array.from({ length: longest }, (_, index) =>
    slots.filter(({ boundaryCount }) => index < boundaryCount).map((slot) => () => slot.boundary(index)),
  ).flat();
}

/** A body longer than this, in characters or bytes, is dear to send: of those drawn only one in so many is taken. */
const dearLength = 20_000;
const dearOneIn = 4;

/** Case `index` of a campaign: any slot, any value of it. */
export function drawCase(slots: readonly Slot[], seed: number, index: number): Drawn | undefined {
  const random = randomOfCase(seed, index);
  const slot = slots[random.nextInt(0, Math.max(0, slots.length - 1))];
  const drawn = slot?.draw(random);
  const isDear = (drawn?.request.body?.length ?? 0) > dearLength;
  return isDear && random.nextInt(1, dearOneIn) > 1 ? slot?.draw(random) : drawn;
}
