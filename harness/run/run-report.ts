import type { Judged } from '../../history/anomalies/judge.ts';
import { type AtWorkAfter, lossIn } from '../../history/sure-part.ts';
import type { Exchange } from '../client/exchange.ts';
import { labelsOf, type Check } from '../check/check.ts';
import { type AskedFor, withSame } from '../gate/asked.ts';
import { countKept, snapshotChanges, type KeptObservations } from '../gate/observation-snapshot.ts';
import { Scoring, type Score, type ScoringOptions } from '../gate/scoring.ts';
import type {
  CheckEvent,
  FooterEvent,
  ObservationEvent,
  Profile,
  ResultEvent,
  RunTrouble,
} from '../results/generated/events.ts';
import { JudgedChapters } from '../judging/judged-chapters.ts';
import type { OptionalPart } from '../config/optional-parts.ts';
import { absentParts } from '../judging/absent-parts.ts';
import { coverageOf } from '../totals/coverage.ts';
import { FootprintMeter } from '../totals/footprint.ts';
import { TrafficMeter } from '../totals/traffic-meter.ts';
import { reportWire } from '../judging/wire-report.ts';
import { exitCodes } from '../verdict/exit-code.ts';
import { changesBefore, sequenceOf } from '../verdict/evidence-sequence.ts';
import { Findings, type Sighted } from '../verdict/findings.ts';
import type { Situation } from '../verdict/ledger.ts';
import { longestSendAgainMs } from '../verdict/send-again.ts';
import { markedInapplicable, mayBeInapplicable } from '../verdict/inapplicable.ts';
import { tallyChecks, tallyClauses, verdictOfCheck } from '../verdict/tally.ts';
import { isServerError } from '../verdict/trouble.ts';
import type { ProvenError } from '../judging/repeated-errors.ts';
import type { Attempt } from './attempt.ts';
import { brokenIn, type JudgedCheck } from './judge-check.ts';
import { MemoryGate } from './memory-gate.ts';
import type { RunTools } from './run-tools.ts';
import { TroubleTally } from './trouble-tally.ts';

/** How a run is told. */
export interface ReportOptions extends ScoringOptions {
  /** Receives the result stream, event by event. */
  readonly onEvent: (event: ResultEvent) => void;
  /** Receives each situation in which a clause was judged. */
  readonly onSituation?: (situation: Situation) => void;
  /** Receives what the judges of the history found. */
  readonly onJudged?: (judged: Judged) => void;
  /** Situations that checks declare one by one, each of which a full run judges; without them the footer has no coverage. */
  readonly situations?: readonly Situation[];
  /** Of a narrowed run what it was asked for: nothing else is told of but what is broken. */
  readonly asked?: AskedFor;
  /** What an earlier run observed, to be compared with. */
  readonly snapshot?: { readonly file: string; readonly kept: KeptObservations };
  /** Begins no more checks once so many have failed; all run if absent. */
  readonly bail?: number;
}

/** Why a run has no more to tell before its end. */
interface Ending {
  readonly reason?: string | undefined;
  readonly trouble?: RunTrouble | undefined;
}

/** Turns what a run does into events, and sums them up in the footer. */
export class RunReport {
  readonly footprint = new FootprintMeter();
  readonly traffic = new TrafficMeter();
  /** Holds passes back until the server has shown something of the run. */
  readonly gate = new MemoryGate((event) => this.check(event));
  readonly #options: ReportOptions;
  readonly #scoring: Scoring;
  readonly #isNarrowed: boolean;
  readonly #startedMs = performance.now();
  readonly #events: CheckEvent[] = [];
  readonly #observations: ObservationEvent[] = [];
  readonly #situations: Situation[] = [];
  readonly #trouble = new TroubleTally();
  /** By check, what it needs of a target. */
  readonly #needs: ReadonlyMap<string, Check['needs']>;
  /** Told of at the end, when it is known what this server does not have. */
  readonly #held = new Set<CheckEvent>();
  #tools: RunTools | undefined;
  #isJudged = false;
  #hasBailed = false;
  #findings: Findings | undefined;

  constructor(options: ReportOptions, { strict, selection, readOnly }: Profile, checks: readonly Check[]) {
    this.#options = options;
    this.#needs = new Map(checks.map(({ id, needs }) => [id, needs]));
    this.#scoring = new Scoring(options, { isStrict: strict });
    this.#isNarrowed = selection.length > 0 || readOnly;
  }

  /** The run goes on with these after preflight. */
  begin(tools: RunTools): void {
    this.#tools = tools;
    this.#findings = new Findings(
      tools.evidence,
      (finding) => this.#options.onEvent(finding),
      (exchange) => tools.exchanges.namesOf(exchange),
    );
  }

  /** Tells of a check that has ended. */
  check(event: CheckEvent): void {
    const marked = this.#scoring.labelled(event);
    this.#events.push(marked);
    if (mayBeInapplicable(marked, this.#needsOf(marked))) this.#held.add(marked);
    else this.#show(marked);
  }

  /** Whether as many checks have failed as the run was to take. */
  get isToBail(): boolean {
    const { bail } = this.#options;
    return bail !== undefined && this.#scoring.countFailed(this.#events) >= bail;
  }

  /** No more checks began: what is judged at the end was not to be seen as a whole, so that of it only what is broken is told. */
  bail(): void {
    this.#hasBailed = true;
  }

  #show(event: CheckEvent): void {
    const part = this.#partOf(event);
    if (part !== undefined) this.#options.onEvent(part);
  }

  /** As much of an event as anybody asked for, or should know. */
  #partOf(event: CheckEvent): CheckEvent | undefined {
    const { asked } = this.#options;
    return asked === undefined ? event : asked.partOf(event);
  }

  #needsOf({ check }: CheckEvent): Check['needs'] {
    return this.#needs.get(check) ?? [];
  }

  /** Tells of what waited until it is known what this server does not have; a run that was cut short knows of nothing. */
  #tellHeld(absent: ReadonlyMap<OptionalPart, string> = new Map()): void {
    for (const [index, event] of this.#events.entries()) {
      if (!this.#held.delete(event)) continue;
      const marked = markedInapplicable(event, this.#needsOf(event), absent);
      this.#events[index] = marked;
      this.#show(marked);
    }
  }

  /** What this server is without, once all that was asked is known. */
  parts(): void {
    if (this.#tools === undefined) return;
    const { wire, receipts, run } = this.#tools;
    const { target } = run;
    const isNarrowed = this.#isNarrowed;
    const seen = { isNarrowed, target, wire, receipts, events: this.#events };
    const { absent, contradicted } = absentParts(seen);
    for (const text of contradicted) this.#options.onEvent({ type: 'notice', severity: 'warning', text });
    this.#tellHeld(absent);
  }

  /** What rests on a server error that came every time is gathered with that as its cause. */
  judged(judged: JudgedCheck, causes: ReadonlyMap<ProvenError, Sighted[]> = new Map()): void {
    const { check, attempts, clauses, failures } = judged;
    this.#trouble.add(judged, (exchange) => this.#tools?.watch.timeOf(exchange) ?? 0);
    for (const { failure, seen } of failures) {
      const exchanges = sequenceOf(failure, attempts);
      const changes = changesBefore(failure, attempts, exchanges);
      const sighted = { ...failure, exchanges, check: check.id, seen, changes };
      const cause = [...causes.keys()].find(({ call }) => failure.exchanges.some(isErrorOf(call)));
      if (cause === undefined) this.#addFinding(sighted);
      else causes.get(cause)?.push(sighted);
    }
    for (const { ledger } of attempts) {
      this.footprint.addAttempt(check.id, ledger.exchanges);
      for (const situation of ledger.situations) this.#options.onSituation?.(situation);
      this.#situations.push(...ledger.situations);
    }
    for (const { clause, name, value } of attempts.at(-1)?.observations ?? []) {
      const observation: ObservationEvent = { type: 'observation', check: check.id, name, clause, value };
      this.#observations.push(observation);
      if (this.#options.asked?.isAsked(check.id, clause) ?? true) this.#options.onEvent(observation);
    }
    const durationMs = attempts.reduce((sum, each) => sum + each.durationMs, 0);
    const heldMs = attempts.reduce((sum, each) => sum + each.heldMs, 0);
    this.traffic.addCheck({ check: check.id, durationMs, heldMs });
    this.gate.take({
      type: 'check',
      ...labelsOf(check),
      verdict: verdictOfCheck(clauses),
      clauses,
      requests: attempts.reduce((sum, { ledger }) => sum + ledger.exchanges.length, 0),
      judged: attempts.reduce((sum, { ledger }) => sum + ledger.judged, 0),
      attempts: attempts.length,
      durationMs,
    });
  }

  /**
   * What the wire and the history come to, once: also of a run that was cut short something is broken that either shows. Given is what
   * rests on server errors that came every time, where they were repeated.
   */
  runWide(allChecks: readonly Check[], causes?: ReadonlyMap<ProvenError, readonly Sighted[]>): void {
    if (this.#isJudged) return;
    this.#isJudged = true;
    this.#wire(causes);
    this.#history(allChecks);
  }

  /** The checks that watch the wire end last: what they pass depends on which others passed. */
  #wire(provenErrors: ReadonlyMap<ProvenError, readonly Sighted[]> | undefined): void {
    if (this.#tools === undefined) return;
    const { wire, run, recorder, serverErrors } = this.#tools;
    const passed = this.#events.filter(({ verdict }) => verdict === 'passed').map(({ check }) => check);
    const { causes, checks } = reportWire({
      target: run.target,
      isNarrowed: this.#isNarrowed,
      wire,
      sureUntilMs: lossIn(recorder.history)?.startedMs,
      provenErrors: provenErrors ?? new Map(),
      ...(provenErrors === undefined ? { suspected: serverErrors.suspected } : {}),
      passed,
    });
    for (const cause of causes) this.#addFinding(...cause);
    if (wire.unnamedProviders > 0)
      this.#options.onEvent({ type: 'notice', severity: 'warning', text: unnamedProviders });
    this.#checksOfWhole(checks);
  }

  #checksOfWhole(events: readonly CheckEvent[]): void {
    for (const event of this.#hasBailed ? events.flatMap(brokenPart) : events) this.check(event);
  }

  /** The judges of the history speak last: they have seen it all. */
  #history(allChecks: readonly Check[]): void {
    if (this.#tools === undefined) return;
    const arranging = new Map(allChecks.map(({ id, arranges }) => [id, arranges]));
    const { recorder, exchanges, run } = this.#tools;
    const passed = this.#events.filter(({ verdict }) => verdict === 'passed').map(({ check }) => check);
    const chapters = new JudgedChapters();
    const judged = chapters.add(recorder.history, {
      exchanges,
      checks: new Set(this.#events.map(({ check }) => check)),
      passed: new Set(passed),
      arranges: (check, clause) => arranging.get(check)?.includes(clause) === true,
    });
    const decided = new Set(this.#events.flatMap(({ clauses }) => clauses.map(({ clause }) => clause)));
    for (const each of chapters.sighted) this.#addFinding(each);
    this.#checksOfWhole(chapters.checks({ target: run.target, isNarrowed: this.#isNarrowed, decided }));
    this.#options.onJudged?.(judged);
  }

  /**
   * From when on nothing is held against the server: it, its credentials or its messages were lost, or the run ended while checks were
   * at work, as `detail` says, and what they did is not known.
   */
  lost(sureUntilMs: number, detail?: AtWorkAfter): void {
    if (this.#isJudged) return;
    const endedMs = performance.now();
    const startedMs = Math.min(sureUntilMs, endedMs);
    const noted = { client: 'watch', change: 'lost', startedMs, endedMs, isDone: true };
    this.#tools?.recorder.change({ ...noted, ...(detail === undefined ? {} : { detail }) });
  }

  /** Tries what the lines of findings would send, now that nothing else goes on; what is not answered soon keeps its line. */
  async sendAgain(isOver: AbortSignal): Promise<void> {
    const { client } = this.#tools ?? {};
    if (client === undefined) return;
    const signal = AbortSignal.any([isOver, AbortSignal.timeout(longestSendAgainMs)]);
    await this.#findings?.sendAgain(({ actor, request }) => client.exchange(actor, request, { signal }));
  }

  /** Runs the checks that lead findings once more, each by itself: the command that such a finding prints runs nothing else. */
  async tryAlone(tryOnce: (check: string) => Promise<Attempt | undefined>): Promise<void> {
    for (const [check, clauses] of this.#findings?.leads ?? []) {
      // One after the other: each is to be alone.
      const tried = await tryOnce(check);
      if (tried === undefined || tried.stop?.kind === 'disturbed') continue;
      const shown = new Set<string>(brokenIn(tried).map(({ clause }) => clause));
      for (const clause of clauses) if (!shown.has(clause)) this.#findings?.takesAll(check, clause);
    }
  }

  /** Sightings of one cause. */
  #addFinding(...sighted: readonly Sighted[]): void {
    this.#findings?.add(
      ...sighted.map((each) => ({ ...each, ...this.#scoring.labelsOf(each.check, each.clause) })),
    );
  }

  /** Ends the stream of a run that went through all its checks; `enabled` are those that the target allows. */
  concluded(enabled: readonly Check[]): FooterEvent {
    const scope = { isNarrowed: this.#isNarrowed };
    const { latencies } = this.traffic.summary(this.#tools?.client);
    const score = {
      ...this.#scoring.scoreOf(this.#events, { ...scope, shown: this.#shown, latencies }),
      ...this.#snapshotComparison(),
    };
    const reason = this.#failedHook;
    const trouble = this.#troubleOf(enabled, false);
    if (reason === undefined && trouble?.text === undefined)
      return this.footer('complete', score, { trouble });
    const exitCode = score.exitCode === exitCodes.broken ? exitCodes.broken : exitCodes.inconclusive;
    return this.footer('complete', { ...score, exitCode }, { reason, trouble });
  }

  #snapshotComparison(): Pick<FooterEvent, 'snapshot'> {
    const { snapshot } = this.#options;
    if (snapshot === undefined) return {};
    const { file, kept } = snapshot;
    const changes = snapshotChanges(kept, this.#observations, { isNarrowed: this.#isNarrowed });
    return { snapshot: { file, kept: countKept(kept), changes } };
  }

  /** Ends the stream of a run that was ended from outside. */
  interrupted(): FooterEvent {
    return this.footer('interrupted', { exitCode: exitCodes.interrupted }, { reason: 'a signal' });
  }

  /** Ends the stream of a run that began no more checks, since enough had failed. */
  bailed(): FooterEvent {
    const { bail = 0 } = this.#options;
    const failed = this.#scoring.countFailed(this.#events);
    const reason = `--bail ${bail}: ${failed} ${failed === 1 ? 'check' : 'checks'} failed`;
    return this.footer('bailed', { exitCode: exitCodes.broken }, { reason });
  }

  /** Ends the stream of a run that was cut short; without a reason the server was lost. */
  cutShort(enabled: readonly Check[], given: string | undefined): FooterEvent {
    const trouble = this.#troubleOf(enabled, true);
    const hook = this.#failedHook;
    const lost = [...(hook === undefined ? [] : [hook]), trouble?.text ?? 'the server is gone'];
    const exitCode = this.#scoring.countFailed(this.#events) > 0 ? exitCodes.broken : exitCodes.inconclusive;
    return this.footer('interrupted', { exitCode }, { reason: given ?? lost.join('; '), trouble });
  }

  /** Nothing of a run that broke down: what it has noted may be half of it. */
  #coverage(end: FooterEvent['end']): Pick<FooterEvent, 'coverage'> {
    const { situations: declared } = this.#options;
    if (this.#tools === undefined || declared === undefined || end === 'crashed') return {};
    const { recorder, inputs, wire } = this.#tools;
    const { history } = recorder;
    return { coverage: coverageOf({ history, inputs, wire, declared, judged: this.#situations }) };
  }

  get #failedHook(): string | undefined {
    const [failed] = this.#tools?.hooks.failures ?? [];
    return failed === undefined ? undefined : `a hook does not work: ${failed}`;
  }

  #troubleOf(enabled: readonly Check[], isCutShort: boolean): RunTrouble | undefined {
    if (this.#tools === undefined) return undefined;
    const { watch, evidence } = this.#tools;
    return this.#trouble.resultOf({
      enabled,
      events: this.#events,
      losses: watch.losses,
      isCutShort,
      evidence,
    });
  }

  /** What the stream tells of. */
  get #shown(): readonly CheckEvent[] {
    return this.#events.flatMap((event) => this.#partOf(event) ?? []);
  }

  /** Clauses that a narrowed run is about, and those that it found broken; of a run that bailed those that it came to. */
  #askedClauses(shown: readonly CheckEvent[]): ReadonlySet<string> | undefined {
    const { asked } = this.#options;
    const told = shown.flatMap((event) => event.clauses.map(({ clause }) => clause));
    return this.#hasBailed ? withSame(told) : asked?.clausesWith(told);
  }

  /** The last event of the stream. */
  footer(
    end: FooterEvent['end'],
    score: Score & Pick<FooterEvent, 'snapshot'>,
    { reason, trouble }: Ending = {},
  ): FooterEvent {
    this.#tellHeld();
    this.#findings?.close();
    const { client, watch, hooks, run } = this.#tools ?? {};
    const costs = hooks?.costs ?? [];
    const shown = this.#shown;
    const footer: FooterEvent = {
      type: 'footer',
      end,
      ...(reason === undefined ? {} : { reason }),
      ...score,
      checks: tallyChecks(shown),
      clauses: tallyClauses(shown, this.#askedClauses(shown)),
      alsoSeenBy: this.#findings?.alsoSeenBy ?? {},
      footprint: this.footprint.footprint(client?.traffic, watch?.requests ?? 0),
      traffic: this.traffic.summary(client),
      ...(costs.length === 0 ? {} : { hooks: costs }),
      idleMs: run?.whole.waits.idleMs ?? {},
      ...this.#coverage(end),
      durationMs: performance.now() - this.#startedMs,
      ...(trouble === undefined ? {} : { trouble }),
    };
    this.#options.onEvent(footer);
    return footer;
  }
}

/** As much of an event as was seen broken; nothing where that is nothing. */
function brokenPart(event: CheckEvent): CheckEvent | [] {
  const clauses = event.clauses.filter(({ verdict }) => verdict === 'failed' || verdict === 'warned');
  return clauses.length === 0 ? [] : { ...event, clauses };
}

/** Seen only while a run goes on, and otherwise a line of preflight. */
const unnamedProviders =
  "messages of other agents have a provider that is not one of the four; if it is this server's own name for one, add names.providers";

function isErrorOf(call: ProvenError['call']): (exchange: Exchange) => boolean {
  return (exchange) => isServerError(exchange) && exchange.request.call === call;
}
