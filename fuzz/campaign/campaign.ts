import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from '../../harness/client/client.ts';
import type { Exchange } from '../../harness/client/exchange.ts';
import type { CampaignEnd, CampaignTotals, Phase } from '../../harness/results/generated/events.ts';
import { longestSendAgainMs } from '../../harness/verdict/send-again.ts';
import type { ClauseId } from '../../spec/index.ts';
import { plainOf } from '../cases/families/baseline-case.ts';
import type { CaseTrace, Drawn, InjectionPoint } from '../cases/injection-point.ts';
import { callOfFamily, type FamilyName } from '../cases/family.ts';
import type { Chapter, Judgement } from '../chapter/chapter.ts';
import type { OpenChapter } from '../chapter/chapters.ts';
import type { CaseFailure } from '../judge/failure.ts';
import { waitSecondsOf, type CaseOutcome } from '../setup/case-runner.ts';
import type { CaseRequest } from '../cases/case-request.ts';
import type { Bench } from '../setup/open-bench.ts';
import { Access } from './access.ts';
import { CaseTally, type CaseCounts } from './case-tally.ts';
import { boundariesOf, drawCase, numbersOf, type Shard } from './draw-cases.ts';
import { FindingBook, type FoundInAll } from './finding-book.ts';
import type { Finding, KnownFailure } from './finding.ts';
import { reservedMs } from '../chapter/reserve.ts';
import { Silence } from '../../harness/watch/silence.ts';

/** What a campaign has done so far. */
export interface Progress {
  readonly phase: Phase;
  readonly cases: number;
  readonly elapsedMs: number;
  readonly leftMs: number | undefined;
  readonly leftCases: number | undefined;
  readonly requests: number;
  readonly answers: ReadonlyMap<string, number>;
  readonly findings: number;
}

export interface CampaignOptions {
  readonly injectionPoints: readonly InjectionPoint[];
  /** Cases that come before those of the injection points, whatever the shard: they have no number among them. */
  readonly plain: readonly Drawn[];
  /** A baseline request that drew an error of the server, and which, of the calls that the cases are of; none unless given. */
  readonly failing?: string | undefined;
  readonly seed: number;
  readonly shard: Shard;
  /** Cases of the whole campaign, over all shards; as many as the time allows when `undefined`. */
  readonly maxCases: number | undefined;
  /** Whether it proves nothing where the time is over before these cases. */
  readonly mustFinish?: boolean;
  /** Wall clock in ms; no limit when `undefined`. */
  readonly timeMs: number | undefined;
  /** What the campaign may write. */
  readonly maxBytes: number;
  /** Cases in flight. */
  readonly concurrency: number;
  readonly corpus: readonly KnownFailure[];
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
  /** Called when something went wrong that nobody waits for: the campaign is at its end then. */
  readonly onBug: (error: unknown) => void;
}

export interface CampaignResult extends CaseCounts, FoundInAll {
  readonly end: CampaignEnd;
  /** When the last case was let in, in ms since the beginning, where a limit or a lost credential ended the campaign. */
  readonly shutOutFromMs: number | undefined;
  /** The baseline request that draws nothing but errors of the server, and what it draws. */
  readonly failing: string | undefined;
  readonly durationMs: number;
}

/** Longest that a campaign waits for what is under way at its end and for its last look at the server, and beyond its time, in ms. */
const longestEndMs = 3_000;
const overtimeMs = 1_500;

/** How long the first chapter takes cases, each further one twice as long, and the longest, in ms. */
const firstChapterMs = 1_000;
const longestChapterMs = 10_000;
/** How long a chapter that is full is looked at beside further cases, in ms: where pages are short these come faster than a look gets on. */
const longestBesideMs = 3_000;
/** How long a chapter takes cases at least where requests are limited, in ms: its look at everything takes as many as ever. */
const shortestLimitedMs = 30_000;
/** How long a limit counts after it was met, in ms: those of a minute are common, and are waited for. */
const limitedForMs = 120_000;
/** A write of no more than this part of what may be written that does not fit shows that it is used up. */
const largeShare = 0.1;
/** A campaign that could write for less than this part of its time proves nothing. */
const leastWriting = 0.5;

/** What a campaign works with at one target. */
interface CampaignParts extends Pick<
  Bench,
  'runner' | 'chapters' | 'first' | 'calls' | 'evidenceOf' | 'provedOf' | 'fillFeed'
> {
  readonly client: Pick<Client, 'traffic' | 'silentMs' | 'exchange'>;
}

/** The cases of a phase by their numbers. */
interface CaseRange {
  readonly from: number;
  readonly to: number;
  /** Called with each case that came to a judgement. */
  readonly onJudged?: (index: number) => void;
}

/** Runs the cases of one shard, many in flight, and tries again whatever fails. */
export class Campaign {
  readonly #parts: CampaignParts;
  readonly #options: CampaignOptions;
  readonly #startedMs = performance.now();
  readonly #tally = new CaseTally();
  readonly #access: Access;
  readonly #book: FindingBook;
  readonly #silence: Silence;
  #phase: Phase = 'corpus';
  /** The number behind the last case that ended. */
  #ended = 0;
  /** Why cases were not sent, and the part of the campaign that was over when nothing more could be written. */
  #withheld: { readonly why: string; readonly usedUpAt?: number } | undefined;
  #isCut = false;
  /** Whether a case was left because the time was over. */
  #isShort = false;
  #hasSentAll = false;
  #isSilent = false;
  /** The longest that an answer took to come which the server may not hold back, in ms. */
  #slowestMs = 0;
  #chapter: OpenChapter<CaseTrace>;
  /** What was not looked at as a whole when the time was over shows nothing of what it holds. */
  readonly #unjudged = new Set<Chapter<CaseTrace>>();
  /** How long it took to look at the last chapter that was judged. */
  #closingMs: number | undefined;
  /** Cases with a chapter of their own, and how long they took together. */
  readonly #apart = { cases: 0, ms: 0 };
  /** How long a chapter takes cases, in ms. */
  #chapterMs = firstChapterMs;
  #turning: { readonly sinceMs: number; readonly ended: Promise<void> } | undefined;
  /** What was read back of what was sent, in all chapters. */
  readonly readBack = { compared: 0, absent: 0, inconclusive: 0 };
  /** Requests that have met a limit, and when the last of them was noticed. */
  #limited = { requests: 0, atMs: Number.NEGATIVE_INFINITY };
  #unsentUnderLimit = 0;
  #wake: () => void = () => undefined;

  constructor(parts: CampaignParts, options: CampaignOptions) {
    this.#parts = parts;
    this.#options = options;
    this.#access = new Access(parts.runner, parts.calls);
    this.#chapter = parts.first;
    this.#unjudged.add(parts.first.chapter);
    this.#book = new FindingBook({
      ...parts,
      corpus: options.corpus,
      access: this.#access,
      isOver: () => this.#isCut,
      sendAgain: ({ actor, request }) =>
        parts.client.exchange(actor, request, { signal: AbortSignal.timeout(longestSendAgainMs) }),
      elapsedMs: () => this.#elapsedMs,
      onFailure: (failure) => options.onFailure?.(failure, this.#tally.cases),
      onFinding: (finding) => options.onFinding?.(finding),
      onBug: options.onBug,
    });
    const onSilent = (): void => {
      this.#isSilent = true;
      this.#cut();
    };
    this.#silence = new Silence(parts.client, onSilent, options.silentAfterMs);
  }

  get progress(): Progress {
    const { timeMs, maxCases, shard } = this.#options;
    const elapsedMs = this.#elapsedMs;
    const leftCases =
      maxCases === undefined ? undefined : Math.max(0, Math.ceil((maxCases - this.#ended) / shard.count));
    return {
      phase: this.#phase,
      cases: this.#tally.cases,
      elapsedMs,
      leftMs: timeMs === undefined ? undefined : Math.max(0, timeMs - elapsedMs),
      leftCases,
      requests: this.#parts.client.traffic.requests,
      answers: this.#tally.answers,
      findings: this.#book.size,
    };
  }

  /** Runs to the end of the cases or of the time, whichever comes first. */
  async run(): Promise<CampaignResult> {
    const { timeMs, signal } = this.#options;
    const cut = (): void => this.#cut();
    const timer = timeMs === undefined ? undefined : setTimeout(cut, timeMs);
    signal.addEventListener('abort', cut, { once: true });
    const ended = new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
    await Promise.race([this.#phases(), ended]);
    const leftMs = signal.aborted ? 0 : Math.max(0, (timeMs ?? Infinity) - this.#elapsedMs);
    const mostMs = Math.min(longestEndMs, leftMs + overtimeMs);
    const over = pause(mostMs, undefined, { ref: false });
    // What is being tried again comes to an end, or is kept as it came; the last look has time of its own.
    await Promise.race([this.#book.settled(), pause(mostMs / 2, undefined, { ref: false })]);
    clearTimeout(timer);
    signal.removeEventListener('abort', cut);
    this.#isSilent = this.#silence.end() || this.#isSilent;
    for (const { sends } of this.#unjudged) this.readBack.inconclusive += sends;
    if (this.#end === 'complete') await this.#lookAtEnd(over);
    return {
      ...this.#tally.counts,
      ...this.#book.close(),
      end: this.#end,
      shutOutFromMs: this.#access.lostFromMs ?? this.#tally.limitedFromMs,
      failing: this.#failing,
      durationMs: this.#elapsedMs,
    };
  }

  /** What was in flight when the time was over has no answer to speak of: the last look tells whether any would have come. */
  async #lookAtEnd(over: Promise<unknown>): Promise<void> {
    const sinceMs = performance.now();
    await Promise.race([this.#access.lookAtEnd(this.#options.injectionPoints), over]);
    if (this.#silence.isSilentSince(sinceMs, this.#slowestMs)) this.#isSilent = true;
  }

  /** Failures of earlier campaigns of which no try decided anything. */
  get undecided(): readonly KnownFailure[] {
    return this.#book.undecided;
  }

  /** Cases of several requests that were not sent because requests were limited. */
  get unsentUnderLimit(): number {
    return this.#unsentUnderLimit;
  }

  /** Why it proves nothing though it came to its end. */
  get whyUnproved(): string | undefined {
    if (this.#options.mustFinish === true && !this.#hasSentAll)
      return `the time was over before all of its ${this.#options.maxCases} cases (--cases) were sent`;
    const { refusing } = this.#access;
    if (refusing !== undefined)
      return `the server refuses a baseline request that it took at the beginning: ${refusing}`;
    return this.#book.isFull ? 'more came up than can be tried again: what came last is not told' : undefined;
  }

  get #elapsedMs(): number {
    return performance.now() - this.#startedMs;
  }

  #cut(): void {
    this.#isCut = true;
    this.#wake();
  }

  get #end(): CampaignEnd {
    if (this.#isSilent) return 'server-silent';
    if (this.#tally.isGone || this.#access.isGone) return 'server-gone';
    if (this.#tally.isLimited) return 'server-limits';
    if (this.#isAccessLost) return 'access-lost';
    if (this.#failing !== undefined) return 'server-fails';
    if (this.#options.signal.aborted) return 'interrupted';
    return (this.#withheld?.usedUpAt ?? 1) < leastWriting ? 'out-of-bytes' : 'complete';
  }

  /** Cases that were not sent, and why, as {@link Bench.leftOut} has those of a whole family. */
  get leftOut(): CampaignTotals['leftOut'] {
    return this.#withheld === undefined ? {} : { 'cases that write': this.#withheld.why };
  }

  get #failing(): string | undefined {
    return this.#options.failing ?? this.#access.failing;
  }

  get #isAccessLost(): boolean {
    return this.#access.lostFromMs !== undefined;
  }

  async #phases(): Promise<void> {
    const { injectionPoints, seed, maxCases = Number.POSITIVE_INFINITY } = this.#options;
    await this.#beforeAll();
    const boundaries = boundariesOf(injectionPoints);
    this.#tally.expectBoundaries(boundaries);
    const count = Math.min(boundaries.length, maxCases);
    const onJudged = (index: number): void => this.#tally.addBoundary(boundaries[index]);
    await this.#inFlight('boundaries', { from: 0, to: count, onJudged }, (index) =>
      boundaries[index]?.draw(),
    );
    // Where there is nothing to draw from, a corpus was all that could be tried.
    if (injectionPoints.length > 0)
      await this.#inFlight('random', { from: boundaries.length, to: maxCases }, (index) =>
        drawCase(injectionPoints, seed, index),
      );
    this.#hasSentAll = !this.#isShort;
    await this.#turning?.ended;
    await this.#close(this.#chapter);
    await this.#book.settled();
    await this.#book.lookAgain();
  }

  /** Earlier failures first, shared out among the shards; then what no shard numbers. */
  async #beforeAll(): Promise<void> {
    const { plain, shard } = this.#options;
    const isOwn = (index: number): boolean => index % shard.count === shard.index;
    await this.#book.retry(isOwn, (tries) => this.#tally.addTries(tries));
    await Promise.all(plain.map((drawn, index) => this.#runCase(-1 - index, () => drawn)));
  }

  get #isTimeUp(): boolean {
    const { timeMs, signal } = this.#options;
    if (this.#isCut || signal.aborted || this.#tally.isGone || this.#tally.isLimited) return true;
    if (this.#isAccessLost) return true;
    const { injectionPoints } = this.#options;
    if (injectionPoints.length > 0 && injectionPoints.every(({ family }) => this.#isWithheld(family)))
      return true;
    if (timeMs === undefined) return false;
    return this.#elapsedMs >= timeMs - this.#reservedMs(timeMs);
  }

  #reservedMs(timeMs: number): number {
    return reservedMs({
      timeMs,
      closingMs: this.#closingMs,
      isTurning: this.#turning !== undefined,
      findings: this.#book.size,
    });
  }

  /** A case with a chapter of its own takes long: none is begun that would still be under way when the end begins. */
  get #isTooLateForApart(): boolean {
    const { timeMs } = this.#options;
    const { cases, ms } = this.#apart;
    if (timeMs === undefined || cases === 0) return false;
    return this.#elapsedMs + (1.5 * ms) / cases >= timeMs - this.#reservedMs(timeMs);
  }

  /** Sends the cases of a phase, a fixed number at one time. Which is which depends on their numbers alone. */
  async #inFlight(
    phase: Phase,
    { onJudged, ...range }: CaseRange,
    drawnOf: (index: number) => Drawn | undefined,
  ): Promise<void> {
    this.#phase = phase;
    this.#options.onPhase?.(this.progress);
    const numbers = numbersOf(this.#options.shard, range, () => (this.#isShort ||= this.#isTimeUp));
    const work = async (): Promise<void> => {
      for (const number of numbers) {
        // A worker sends one case after the other.
        if (await this.#runCase(number, () => drawnOf(number))) onJudged?.(number);
        this.#ended = Math.max(this.#ended, number + 1);
      }
    };
    await Promise.all(Array.from({ length: this.#options.concurrency }, work));
  }

  /** Waits for the look at a chapter that takes long, or while which the next one has become too full. */
  async #giveWay(): Promise<void> {
    const turning = this.#turning;
    if (turning === undefined) return;
    const isLong = performance.now() - turning.sinceMs > longestBesideMs;
    if (isLong || this.#chapter.chapter.isOverfull) await turning.ended;
  }

  /** Sends a case; true when it came to a judgement. */
  async #runCase(index: number, draw: () => Drawn | undefined): Promise<boolean> {
    const drawn = draw();
    if (drawn === undefined) return false;
    const isLimited = this.#isLimited;
    // Requests that wait for one another would each wait for the limit, too.
    if (isLimited && drawn.request.earlier !== undefined) {
      this.#unsentUnderLimit += 1;
      return false;
    }
    await this.#giveWay();
    if (this.#isWithheld(drawn.family)) return false;
    if (this.#isTimeUp || (drawn.request.isApart === true && this.#isTooLateForApart)) {
      this.#isShort = true;
      return false;
    }
    this.#options.onCase?.(index, drawn);
    const { chapter } = this.#chapter;
    const owner = { index, phase: this.#phase, startedMs: this.#elapsedMs, drawn: draw };
    const { isApart = false } = drawn.request;
    const answer = isApart
      ? this.#runApart(drawn.request)
      : this.#parts.runner.run(drawn.request, { chapter, owner });
    // A long poll may be held back for as long as it asks for.
    const isHeldBack = waitSecondsOf(drawn.request) > 0;
    const outcome = await (isHeldBack ? answer : this.#silence.during(answer));
    // What was cut off at the end has no answer to speak of.
    if (outcome === undefined || this.#isCut) return false;
    if (outcome.exchange.fault?.kind === 'withheld') return this.#noteWithheld(outcome.exchange);
    if (!isApart) this.#access.note(outcome);
    if (!isHeldBack) this.#noteTime(outcome);
    const isJudged = this.#tally.add(drawn, outcome);
    // Of several steps it may be any that shows it.
    this.#book.found(
      outcome.verdict.failures,
      [owner],
      (lead) => this.#parts.evidenceOf(drawn.request, outcome.shownBy.get(lead) ?? []).exchanges,
    );
    // Under a limit requests are few, and a chapter has to hold more than its own.
    if (chapter.isFull(isLimited ? Math.max(this.#chapterMs, shortestLimitedMs) : this.#chapterMs))
      this.#turn();
    return isJudged;
  }

  /** Whether requests are limited, as far as was seen lately. */
  get #isLimited(): boolean {
    const requests = this.#parts.client.traffic.limited;
    if (requests > this.#limited.requests) this.#limited = { requests, atMs: this.#elapsedMs };
    return this.#elapsedMs - this.#limited.atMs < limitedForMs;
  }

  /** One that is large may not fit where others still do. */
  #noteWithheld({ request: { body = '' }, fault }: Exchange): false {
    const { timeMs = Infinity, maxCases = Infinity, maxBytes } = this.#options;
    if (this.#withheld?.usedUpAt !== undefined) return false;
    const why = fault?.message ?? '';
    const isUsedUp = Buffer.byteLength(body) <= maxBytes * largeShare;
    this.#withheld = isUsedUp
      ? {
          why: `all after ${(this.#elapsedMs / 1000).toFixed(1)} s: ${why}`,
          usedUpAt: Math.max(this.#elapsedMs / timeMs, this.#ended / maxCases),
        }
      : { why: `the largest: ${why}` };
    return false;
  }

  /** Once nothing more can be written: what is left of the budget is for trying again. */
  #isWithheld(family: FamilyName): boolean {
    return this.#withheld?.usedUpAt !== undefined && callOfFamily[family] === 'send';
  }

  #noteTime({ exchange: { response, startedMs, endedMs } }: CaseOutcome): void {
    if (response !== undefined) this.#slowestMs = Math.max(this.#slowestMs, endedMs - startedMs);
  }

  /** A case with a chapter of its own, and all that this shows. */
  async #runApart(request: CaseRequest): Promise<CaseOutcome | undefined> {
    const startedMs = performance.now();
    const whole = await this.#parts.runner.runToEnd(request);
    this.#apart.cases += 1;
    this.#apart.ms += performance.now() - startedMs;
    if (whole === undefined) return undefined;
    const { outcome, failures, shownBy } = whole;
    return { ...outcome, verdict: { ...outcome.verdict, failures }, shownBy };
  }

  /** Goes on in a new chapter while the one that is full is judged. */
  #turn(): void {
    this.#turning ??= {
      sinceMs: performance.now(),
      ended: this.#goOn()
        .catch((error: unknown) => this.#options.onBug(error))
        .finally(() => {
          this.#turning = undefined;
        }),
    };
  }

  async #goOn(): Promise<void> {
    const full = this.#chapter;
    this.#chapter = await this.#parts.chapters.open('campaign');
    this.#unjudged.add(this.#chapter.chapter);
    this.#parts.runner.home = this.#chapter.chapter;
    await this.#close(full);
  }

  /** Judges a chapter, and tries again what it shows. */
  async #close({ chapter, close }: OpenChapter<CaseTrace>): Promise<void> {
    const startedMs = performance.now();
    const judgement = await this.#silence.during(close());
    const tookMs = performance.now() - startedMs;
    // To look at everything takes its time, whatever was sent: not more of it than a tenth.
    this.#chapterMs = Math.max(9 * tookMs, Math.min(2 * this.#chapterMs, longestChapterMs));
    if (this.#isCut) return;
    this.#unjudged.delete(chapter);
    this.#closingMs = tookMs;
    this.#count(judgement);
    for (const { owners, failures, evidence } of judgement.shown) {
      const plain = failures[0] && plainOf(failures[0].call);
      const nobodys = { index: -1, phase: this.#phase, startedMs: this.#elapsedMs, drawn: () => plain };
      this.#book.found(failures, plain === undefined ? owners : [...owners, nobodys], evidence);
    }
  }

  #count({ opportunities, shown, isWhole, sends }: Judgement<CaseTrace>): void {
    const of = (clause: ClauseId): number => opportunities.get(clause) ?? 0;
    const lost = shown.filter(({ failures }) =>
      failures.some(({ clause }) => clause === 'service.sent-is-readable'),
    );
    this.readBack.compared += Math.max(0, of('service.sent-is-readable') - lost.length);
    this.readBack.absent += of('send.refused-stores-nothing') + of('send.conflict-stores-nothing');
    this.readBack.inconclusive += isWhole ? 0 : sends;
  }

  /** Judges a 429 that is waited out. */
  noteLimited(exchange: Exchange, failures: readonly CaseFailure[]): void {
    if (!this.#isCut) this.#book.foundLimited(exchange, failures, this.#phase);
  }
}
