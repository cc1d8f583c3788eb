import { longestChain } from '../client/chain.ts';
import { Client } from '../client/client.ts';
import type { EvidenceRules } from '../client/evidence.ts';
import type { Exchange } from '../client/exchange.ts';
import type { Waits } from '../client/pacing/waits.ts';
import { ConformError } from '../errors.ts';
import type {
  CheckEvent,
  FooterEvent,
  ObservationEvent,
  Profile,
  ResultEvent,
  RunTrouble,
} from '../results/events.ts';
import { isEnabled, whatEnables } from '../config/capabilities.ts';
import { preflight } from '../preflight/preflight.ts';
import { KnownSecrets } from '../config/known-secrets.ts';
import { secretsOf } from '../config/target-digest.ts';
import { settleMsOf } from '../config/target.ts';
import type { Target } from '../config/target.ts';
import { attempt } from './attempt.ts';
import type { Attempt, AttemptParts } from './attempt.ts';
import { areaOf } from '../check/check.ts';
import type { Check } from '../check/check.ts';
import { exitCodes } from '../verdict/exit-code.ts';
import { Findings } from '../verdict/findings.ts';
import type { Sighted } from '../verdict/findings.ts';
import { findStarts } from './find-starts.ts';
import { FootprintMeter } from '../totals/footprint.ts';
import { HookCaller } from '../check/hook-caller.ts';
import { IdentityCache } from '../stream/identities.ts';
import { judgeCheck } from './judge-check.ts';
import type { JudgedCheck } from './judge-check.ts';
import { countKept, lockChanges } from '../gate/observation-lock.ts';
import type { KeptObservations } from '../gate/observation-lock.ts';
import { MemoryGate } from './memory-gate.ts';
import { hearQuietly } from './quiet-hearing.ts';
import type { HearingParts } from './quiet-hearing.ts';
import { RunBudget } from './run-budget.ts';
import { RunState } from '../stream/run-state.ts';
import { Scoring } from '../gate/scoring.ts';
import type { Score, ScoringOptions } from '../gate/scoring.ts';
import { SentMessages } from '../wire/sent-messages.ts';
import { ServerErrors } from '../watch/server-errors.ts';
import type { Conviction } from '../watch/server-errors.ts';
import { ServerWatch } from '../watch/server-watch.ts';
import { streamHeader } from './stream-header.ts';
import { tallyChecks, tallyClauses, verdictOfCheck } from '../verdict/tally.ts';
import { TrafficMeter } from '../totals/traffic-meter.ts';
import { goodCredentials, isServerError } from '../verdict/trouble.ts';
import type { GoodCredentials } from '../verdict/trouble.ts';
import { TroubleTally } from './trouble-tally.ts';
import { inParallel, staggered, wavesOf, wavesWithoutQuiet } from './waves.ts';
import type { Wave } from './waves.ts';
import { wireChecks } from '../wire/wire-checks.ts';
import { WireLedger } from '../wire/wire-ledger.ts';
import { reportWire } from '../totals/wire-report.ts';
import { clauseOf } from '../../spec/index.ts';

/** How a run goes about its checks. */
export interface RunOptions extends ScoringOptions {
  /** Receives the result stream, event by event. */
  readonly onEvent: (event: ResultEvent) => void;
  /** Ends the run early; the stream is closed with what was found so far. */
  readonly signal?: AbortSignal;
  /** Checks in flight at once; default 48 near a server, and 128 far from one, where they mostly wait. */
  readonly concurrency?: number;
  /**
   * Longest an attempt at a check may take, in ms; default from the measured round trip. 0 means for ever, and no other
   * limit of the run or its client holds either: somebody is looking at a breakpoint.
   */
  readonly checkTimeoutMs?: number;
  /** Longest that a limit is obeyed that lets nothing in, in ms; default that of the client. */
  readonly limitPatienceMs?: number;
  readonly profile?: Partial<Profile>;
  /** What an earlier run observed, to be compared with. */
  readonly lock?: { readonly file: string; readonly kept: KeptObservations };
  /** Environment that may name a proxy, and that commands of hooks run in. */
  readonly env?: NodeJS.ProcessEnv;
}

/** A server whose median round trip is longer than this, in ms, is far. */
const farMs = 5;
/** Checks in flight: each reads past what those beside it write, so that near a server few at once are done sooner. */
const defaultConcurrency = { near: 48, far: 128 } as const;
/** Longer than this an answer is not waited for on a near server; the round trip adds to it. */
const answerMs = 5_000;

/**
 * Runs checks against a target: preflight first, then all checks side by side, large and exclusive ones last. Everything
 * found goes into the result stream; the returned footer is its last event.
 */
export async function runChecks(
  checks: readonly Check[],
  target: Target,
  options: RunOptions,
): Promise<FooterEvent> {
  const run = new Run(checks, target, options);
  return run.go();
}

class Run {
  readonly #checks: readonly Check[];
  readonly #target: Target;
  readonly #options: RunOptions;
  readonly #profile: Profile;
  readonly #startedMs = performance.now();
  readonly #scoring: Scoring;
  readonly #footprint = new FootprintMeter();
  readonly #traffic = new TrafficMeter();
  readonly #events: CheckEvent[] = [];
  readonly #observations: ObservationEvent[] = [];
  readonly #ending = new AbortController();
  readonly #budget: RunBudget;
  #client: Client | undefined;
  #waits: Waits | undefined;
  #findings: Findings | undefined;
  #hooks: HookCaller | undefined;
  #watch: ServerWatch | undefined;
  #evidence: EvidenceRules | undefined;
  readonly #trouble = new TroubleTally();

  constructor(checks: readonly Check[], target: Target, options: RunOptions) {
    this.#checks = checks;
    this.#target = target;
    this.#options = options;
    const { requirements } = options;
    this.#profile = {
      strict: false,
      readOnly: target.manners.isReadOnly,
      selection: [],
      ...(requirements === undefined ? {} : { requirements: requirements.name }),
      ...options.profile,
    };
    this.#budget = new RunBudget(target.budgetMs);
    this.#scoring = new Scoring(options, { isStrict: this.#profile.strict });
  }

  async go(): Promise<FooterEvent> {
    const { signal } = this.#options;
    const stop = (): void => this.#ending.abort('interrupted');
    signal?.addEventListener('abort', stop, { once: true });
    if (signal?.aborted === true) stop();
    if (!this.#isUnhurried) void this.#budget.over.then(() => this.#ending.abort('budget'));
    this.#emitHeader();
    try {
      return await this.#guarded();
    } catch (error) {
      const reason = error instanceof ConformError ? error.message : String(error);
      return this.#footer('crashed', { exitCode: exitCodes.suiteBug }, { reason });
    } finally {
      this.#budget.stop();
      signal?.removeEventListener('abort', stop);
      await Promise.all([this.#client?.close(), this.#watch?.close()]);
    }
  }

  async #guarded(): Promise<FooterEvent> {
    const { chain, accepted, hasReadChannel, ...found } = await preflight(
      this.#target,
      this.#ending.signal,
      this.#options.env,
    );
    this.#footprint.addPreflight(chain);
    const roundTripMs = found.roundTripMs ?? 0;
    const settleMs = settleMsOf(this.#target, roundTripMs);
    this.#options.onEvent({
      type: 'preflight',
      ...found,
      settleMs: found.roundTripMs === undefined ? undefined : settleMs,
    });
    if (this.#ending.signal.aborted) return this.#endedEarly();
    if (!found.isOk) return this.#footer('complete', { exitCode: exitCodes.inconclusive });
    const run = new RunState(this.#target, { roundTripMs, settleMs });
    this.#waits = run.waits;
    try {
      await this.#runAll(run, {
        good: goodCredentials(this.#target, accepted),
        hasReadChannel,
      });
    } finally {
      run.end();
      await this.#hooks?.close();
    }
    if (this.#ending.signal.aborted) return this.#endedEarly();
    return this.#concluded();
  }

  #concluded(): FooterEvent {
    const isNarrowed = this.#profile.selection.length > 0 || this.#profile.readOnly;
    const score = this.#scoring.scoreOf(this.#events, { isNarrowed });
    const { lock: given } = this.#options;
    const lock =
      given === undefined
        ? {}
        : {
            lock: {
              file: given.file,
              kept: countKept(given.kept),
              changes: lockChanges(given.kept, this.#observations, { isNarrowed }),
            },
          };
    const [failedHook] = this.#hooks?.failures ?? [];
    const trouble = this.#troubleResult(false);
    if (failedHook === undefined && trouble?.text === undefined)
      return this.#footer('complete', { ...score, ...lock }, { trouble });
    const exitCode = score.exitCode === exitCodes.broken ? exitCodes.broken : exitCodes.inconclusive;
    const reason = failedHook === undefined ? undefined : `a hook does not work: ${failedHook}`;
    return this.#footer('complete', { ...score, ...lock, exitCode }, { reason, trouble });
  }

  #troubleResult(isCutShort: boolean): RunTrouble | undefined {
    if (this.#evidence === undefined) return undefined;
    return this.#trouble.resultOf({
      enabled: this.#checks.filter((check) => this.#missing(check) === undefined),
      events: this.#events,
      losses: this.#watch?.losses ?? [],
      isCutShort,
      evidence: this.#evidence,
    });
  }

  async #runAll(run: RunState, { good, hasReadChannel }: Found): Promise<void> {
    const client = new Client({
      target: this.#target,
      waits: run.waits,
      timeouts: this.#isUnhurried
        ? { connectMs: 0, answerMs: 0 }
        : { connectMs: answerMs, answerMs: answerMs + 20 * run.roundTripMs },
      ...(this.#options.limitPatienceMs === undefined
        ? {}
        : { limitPatienceMs: this.#options.limitPatienceMs }),
      ...(this.#options.env === undefined ? {} : { env: this.#options.env }),
    });
    this.#client = client;
    const secrets = new KnownSecrets(secretsOf(this.#target));
    const evidence = {
      get secrets() {
        return secrets.values;
      },
      runId: run.id,
      baseUrl: this.#target.baseUrl,
      credentials: Object.values(this.#target.roles),
    };
    this.#evidence = evidence;
    const watch = new ServerWatch({
      target: this.#target,
      good,
      hasReadChannel,
      roundTripMs: run.roundTripMs,
      ...(this.#options.env === undefined ? {} : { env: this.#options.env }),
      signal: this.#ending.signal,
      client,
      onLost: () => this.#ending.abort('lost'),
    });
    this.#watch = watch;
    const serverErrors = new ServerErrors({ target: this.#target, good });
    const hooks = new HookCaller(this.#target, {
      env: this.#options.env ?? process.env,
      secrets,
    });
    this.#hooks = hooks;
    const findings = new Findings(evidence, (finding) => this.#options.onEvent(finding));
    this.#findings = findings;
    const wire = new WireLedger(
      { names: this.#target.names, runId: run.id, target: this.#target, good },
      new SentMessages(evidence),
    );
    const parts: AttemptParts = {
      run,
      client,
      identities: new IdentityCache(),
      hooks,
      untimed: this.#budget.untimed,
      signal: this.#ending.signal,
      timeoutMs: this.#options.checkTimeoutMs ?? 20_000 + 100 * run.roundTripMs + 10 * run.settleMs,
      onLimited: (check, exchange) => {
        wire.add(check.id, exchange);
        watch.noteLimited(exchange);
      },
      onExchange: (check, exchange) => {
        this.#traffic.add(exchange);
        run.look(exchange);
        run.sent.add(exchange);
        if (run.hasShownOurs) gate.open();
        wire.add(check.id, exchange);
        serverErrors.note(check.id, exchange);
        watch.note(exchange);
      },
    };
    const gate = new MemoryGate((event) => this.#emitCheck(event));
    const held: JudgedCheck[] = [];
    const tryOnce = async (check: Check, onSettling?: () => void): Promise<Attempt> => {
      await watch.calm();
      const work = (): Promise<Attempt> => attempt(check, parts, onSettling);
      return check.isUnwatched ? watch.aside(work) : work();
    };
    const one = async (check: Check, onSettling?: () => void): Promise<void> => {
      const missing = this.#missing(check);
      if (missing !== undefined) return this.#emitCheck(skippedCheck(check, missing));
      const judged = await judgeCheck(check, () => tryOnce(check, onSettling), good);
      if (this.#ending.signal.aborted) return;
      if (judged.wantsQuiet) held.push(judged);
      else this.#report(judged, findings, gate);
    };
    await this.#findStarts(run, client);
    await this.#runWaves(run, one);
    await watch.lastLook();
    const { signal } = this.#ending;
    const repeating = {
      client,
      signal,
      sleep: (ms: number) => run.sleep(ms, 'pause'),
    };
    const convictions = signal.aborted ? [] : await serverErrors.repeat(repeating);
    const heard = await this.#hear(held, convictions, {
      ...repeating,
      tryOnce,
      good,
    });
    const causes = new Map(convictions.map((each): [Conviction, Sighted[]] => [each, []]));
    if (!signal.aborted) for (const judged of heard) this.#report(judged, findings, gate, causes);
    if (client.traffic.messages === 0) gate.open();
    else gate.close();
    if (!signal.aborted) this.#reportWire(wire, findings, causes);
  }

  /** Checks that met server errors, heard alone; what only waited for a call that always fails is not worth it. */
  async #hear(
    held: readonly JudgedCheck[],
    convictions: readonly Conviction[],
    parts: HearingParts,
  ): Promise<readonly JudgedCheck[]> {
    const calls = new Set<string | undefined>(convictions.map(({ call }) => call));
    const isExplained = ({ failures, trouble }: JudgedCheck): boolean => {
      const met =
        failures.length === 0
          ? [trouble?.exchange]
          : failures.map(({ failure }) => failure.exchanges.find(isServerError));
      return met.every((exchange) => calls.has(exchange?.request.call ?? 'none'));
    };
    const heard = await hearQuietly(
      held.filter((judged) => !isExplained(judged)),
      parts,
    );
    return [...held.filter(isExplained), ...heard];
  }

  /** A wave begins when the one before has ended. */
  async #runWaves(
    run: RunState,
    one: (check: Check, onSettling?: () => void) => Promise<void>,
  ): Promise<void> {
    const { signal } = this.#ending;
    const { concurrency: asked } = this.#options;
    const concurrency = asked ?? defaultConcurrency[run.roundTripMs > farMs ? 'far' : 'near'];
    const breadth = {
      concurrency,
      whileIdle: asked ?? defaultConcurrency.far,
      isIdle: () => run.waits.hasRoom,
    };
    const runWave = (wave: Wave): Promise<void> => {
      if (wave.isStaggered === true) return staggered(wave.checks, signal, one);
      const given = wave.concurrency;
      return inParallel(wave.checks, given === undefined ? breadth : { concurrency: given }, signal, one);
    };
    const [first, ...others] = wavesOf(this.#checks);
    if (first !== undefined) await runWave(first);
    for (const wave of run.isHopeless ? wavesWithoutQuiet(others) : others) {
      await runWave(wave);
    }
  }

  /** Before any clock of a check: a channel may have a history. */
  async #findStarts(run: RunState, client: Client): Promise<void> {
    const exchanges: Exchange[] = [];
    const record = (exchange: Exchange): void => void exchanges.push(exchange);
    await findStarts(this.#checks, run, { client, signal: this.#ending.signal, record });
    this.#footprint.addPreflight(longestChain(exchanges));
  }

  get #isUnhurried(): boolean {
    return this.#options.checkTimeoutMs === 0;
  }

  /** Why a check cannot run, in words and with the remedy; `undefined` when it can. */
  #missing(check: Check): { reason: string; enable: string } | undefined {
    const need = check.needs.find((name) => !isEnabled(this.#target, name));
    if (need !== undefined) return { reason: `the target has no ${need}`, enable: whatEnables(need) };
    if (!this.#target.manners.isReadOnly || check.isReadOnly) return undefined;
    return { reason: 'the run is read-only', enable: 'run without --read-only' };
  }

  /** What rests on a server error that came every time is gathered with that as its cause. */
  #report(
    judged: JudgedCheck,
    findings: Findings,
    gate: MemoryGate,
    causes: ReadonlyMap<Conviction, Sighted[]> = new Map(),
  ): void {
    const { check, attempts, clauses, failures } = judged;
    this.#trouble.add(judged, (exchange) => this.#watch?.timeOf(exchange) ?? 0);
    for (const { failure, seen } of failures) {
      const sighted = { ...failure, check: check.id, seen };
      const cause = [...causes.keys()].find(({ call }) => failure.exchanges.some(isErrorOf(call)));
      if (cause === undefined) this.#addFinding(findings, sighted);
      else causes.get(cause)?.push(sighted);
    }
    for (const { ledger } of attempts) this.#footprint.addAttempt(check.id, ledger.exchanges);
    for (const { clause, name, value } of attempts.at(-1)?.observations ?? []) {
      const observation: ObservationEvent = { type: 'observation', check: check.id, name, clause, value };
      this.#observations.push(observation);
      this.#options.onEvent(observation);
    }
    const durationMs = attempts.reduce((sum, each) => sum + each.durationMs, 0);
    const heldMs = attempts.reduce((sum, each) => sum + each.heldMs, 0);
    this.#traffic.addCheck({ check: check.id, durationMs, heldMs });
    gate.take({
      type: 'check',
      check: check.id,
      title: check.title,
      area: areaOf(check),
      verdict: verdictOfCheck(clauses),
      clauses,
      requests: attempts.reduce((sum, { ledger }) => sum + ledger.exchanges.length, 0),
      judged: attempts.reduce((sum, { ledger }) => sum + ledger.judged, 0),
      attempts: attempts.length,
      durationMs,
    });
  }

  /** The checks that watch the wire end last: what they pass depends on which others passed. */
  #reportWire(
    wire: WireLedger,
    findings: Findings,
    convictions: ReadonlyMap<Conviction, readonly Sighted[]>,
  ): void {
    const passed = this.#events.filter(({ verdict }) => verdict === 'passed').map(({ check }) => check);
    const { causes, checks } = reportWire({ wire, findings, convictions, passed });
    for (const cause of causes) this.#addFinding(findings, ...cause);
    if (wire.unnamedProviders > 0)
      this.#options.onEvent({ type: 'notice', severity: 'warning', text: unnamedProviders });
    for (const check of checks) this.#emitCheck(check);
  }

  /** Sightings of one cause. */
  #addFinding(findings: Findings, ...sighted: readonly Sighted[]): void {
    findings.add(...sighted.map((each) => ({ ...each, ...this.#scoring.marksOf(each.check, each.clause) })));
  }

  #emitCheck(event: CheckEvent): void {
    const marked = this.#scoring.mark(event);
    this.#events.push(marked);
    this.#options.onEvent(marked);
  }

  #emitHeader(): void {
    const checks = this.#checks.length + wireChecks.length;
    this.#options.onEvent(streamHeader(this.#target, this.#profile, { checks }));
  }

  #endedEarly(): FooterEvent {
    const { reason: cause } = this.#ending.signal;
    if (cause === 'interrupted') {
      return this.#footer('interrupted', { exitCode: exitCodes.interrupted }, { reason: 'a signal' });
    }
    const trouble = this.#troubleResult(true);
    const [failedHook] = this.#hooks?.failures ?? [];
    const lost = [
      failedHook === undefined ? [] : `a hook does not work: ${failedHook}`,
      trouble?.text ?? 'the server is gone',
    ];
    const reason = cause === 'lost' ? lost.flat().join('; ') : this.#budget.reason;
    const exitCode = this.#scoring.hasFailed(this.#events) ? exitCodes.broken : exitCodes.inconclusive;
    return this.#footer('interrupted', { exitCode }, { reason, trouble });
  }

  #footer(
    end: FooterEvent['end'],
    score: Score & Pick<FooterEvent, 'lock'>,
    { reason, trouble }: { reason?: string | undefined; trouble?: RunTrouble | undefined } = {},
  ): FooterEvent {
    const hooks = this.#hooks?.costs ?? [];
    const footer: FooterEvent = {
      type: 'footer',
      end,
      ...(reason === undefined ? {} : { reason }),
      ...score,
      checks: tallyChecks(this.#events),
      clauses: tallyClauses(this.#events),
      alsoSeenBy: this.#findings?.alsoSeenBy ?? {},
      footprint: this.#footprint.footprint(this.#client?.traffic, this.#watch?.requests ?? 0),
      traffic: this.#traffic.summary(this.#client),
      ...(hooks.length === 0 ? {} : { hooks }),
      idleMs: this.#waits?.idleMs ?? {},
      durationMs: performance.now() - this.#startedMs,
      ...(trouble === undefined ? {} : { trouble }),
    };
    this.#options.onEvent(footer);
    return footer;
  }
}

/** Seen only while a run goes on, and otherwise a line of preflight. */
const unnamedProviders =
  "messages of other agents have a provider that is none of the four; if it is this server's own word, add names.providers";

/** What preflight found that a run goes on with. */
interface Found {
  readonly good: GoodCredentials;
  readonly hasReadChannel: boolean;
}

function isErrorOf(call: Conviction['call']): (exchange: Exchange) => boolean {
  return (exchange) => isServerError(exchange) && exchange.request.call === call;
}

function skippedCheck(check: Check, { reason, enable }: { reason: string; enable: string }): CheckEvent {
  return {
    type: 'check',
    check: check.id,
    title: check.title,
    area: areaOf(check),
    verdict: 'inconclusive',
    clauses: check.clauses.map((clause) => ({
      clause,
      level: clauseOf(clause).level,
      verdict: 'inconclusive',
      judged: 0,
      reason,
      enable,
    })),
    requests: 0,
    judged: 0,
    attempts: 0,
    durationMs: 0,
  };
}
