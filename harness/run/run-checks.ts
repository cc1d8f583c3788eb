import type { Check } from '../check/check.ts';
import { allowManyListeners } from '../client/allow-many-listeners.ts';
import { Actor } from '../client/actor.ts';
import type { Client } from '../client/client.ts';
import { evidenceOf } from '../client/evidence.ts';
import type { Read, Send } from '../../history/operation.ts';
import { type Exchange, longestChain } from '../client/exchange.ts';
import { largeBodies } from '../client/large-bodies.ts';
import { secretsOf } from '../config/target-digest.ts';
import { disruptiveNeeds, type NeedName } from '../config/capabilities.ts';
import { settleMsOf, type Target } from '../config/target.ts';
import { ConformError } from '../errors.ts';
import { type DrawnOrder, inDrawnOrder } from '../gate/check-order.ts';
import { closing, preparation } from '../judging/judged-chapters.ts';
import { runWideChecks } from '../judging/run-wide-checks.ts';
import { type Clean, KnownSecrets } from '../output/known-secrets.ts';
import { preflight } from '../preflight/preflight.ts';
import type { EvidenceExchange, FooterEvent, Profile, ResultEvent } from '../results/generated/events.ts';
import { IdentityCache } from '../stream/identities.ts';
import { readEveryView, viewers } from '../stream/every-view.ts';
import { RunState } from '../stream/run-state.ts';
import { WholeRun } from '../stream/whole-run.ts';
import { exitCodes } from '../verdict/exit-code.ts';
import type { Sighted } from '../verdict/findings.ts';
import { goodCredentials, type GoodCredentials } from '../verdict/trouble.ts';
import type { ProvenError } from '../judging/repeated-errors.ts';
import { attempt, type Attempt, type AttemptParts } from './attempt.ts';
import { findStarts } from './find-starts.ts';
import {
  isDecided,
  judgeCheck,
  type JudgedCheck,
  missingFor,
  skippedCheck,
  withFailures,
} from './judge-check.ts';
import { retryHeldChecks, sureOf, withoutBodies } from './lone-retries.ts';
import { checksApart, openPlace, type Place, runApart, type TryApart } from './quiet-workspaces.ts';
import { runWaves, type WaveOptions } from './waves.ts';
import { RunBudget } from './run-budget.ts';
import { type ReportOptions, RunReport } from './run-report.ts';
import { openTools, type RunTools } from './run-tools.ts';
import { streamHeader } from './stream-header.ts';

/** How a run goes about its checks. */
export interface RunOptions extends ReportOptions {
  /** Ends the run early; the stream is closed with what was found so far. */
  readonly signal?: AbortSignal;
  /** Checks in flight at once; default 48 near a server, and 128 far from one, where they mostly wait. */
  readonly concurrency?: number;
  /**
   * Longest an attempt at a check may take, in ms; default from the measured round trip. 0 means for ever, and no other
   * limit of the run or its client holds either: somebody is looking at a breakpoint.
   */
  readonly checkTimeoutMs?: number;
  /** Gets the run's history while it goes on, in lines for a file. */
  readonly onHistoryLines?: (lines: Clean) => void;
  /** What whoever writes things down knows of secrets: those of the target, and of its hooks, are added. */
  readonly secrets?: KnownSecrets;
  /** Is told of each exchange as it ends; secrets are in it, and not in its evidence. */
  readonly onExchange?: (client: string, exchange: Exchange, evidence: () => EvidenceExchange) => void;
  /** Is told when an attempt at a check begins, and when it ends. */
  readonly onUnderWay?: (check: string, isUnderWay: boolean) => void;
  /** Longest that a limit is obeyed that lets nothing in, in ms; default that of the client. */
  readonly limitPatienceMs?: number;
  readonly profile?: Partial<Profile>;
  /** Draws the order of the checks; without it those begin first that wait longest. */
  readonly order?: DrawnOrder;
  /** The command that began it, for the header. */
  readonly command?: readonly string[];
  /** Whether somebody types what findings print: then checks that lead one are run once more by themselves. */
  readonly isTyped?: boolean;
  /** Environment that may name a proxy, and that commands of hooks run in. */
  readonly env?: NodeJS.ProcessEnv;
}

/** Whose work it is, in the history, that what drew server errors is sent again. */
const repeats = 'service.repeats';
/** How long checks are run once more by themselves, and what those need that are not. */
const longestAloneMs = 10_000;
const leftAlone: readonly NeedName[] = [...disruptiveNeeds, 'limit-hook'];
/** How long what is under way may take to hear that the run is over, in ms: longer where no time limit has to be held. */
const noticeMs = { ended: 1_000, lost: 5_000, closing: 500 };

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
  readonly #report: RunReport;
  readonly #secrets: KnownSecrets;
  readonly #ending = new AbortController();
  /** No more checks begin. */
  readonly #bailing = new AbortController();
  readonly #budget: RunBudget;
  /** Checks that wait to be run again alone. */
  readonly #held: JudgedCheck[] = [];
  #tools: RunTools | undefined;
  #hasEnded = false;
  #ended: Promise<FooterEvent> | undefined;

  constructor(checks: readonly Check[], target: Target, options: RunOptions) {
    allowManyListeners(this.#ending.signal);
    allowManyListeners(this.#bailing.signal);
    this.#checks = options.order === undefined ? checks : inDrawnOrder(checks, options.order);
    this.#target = target;
    const { secrets = new KnownSecrets(), onEvent, requirements } = options;
    secrets.learn(secretsOf(target));
    this.#secrets = secrets;
    this.#options = { ...options, onEvent: (event) => this.#tell(secrets.cleaned(event), onEvent) };
    this.#profile = {
      strict: false,
      readOnly: target.limits.isReadOnly,
      selection: [],
      ...(requirements === undefined ? {} : { requirements: requirements.name }),
      ...options.profile,
    };
    this.#budget = new RunBudget(target.budgetMs);
    this.#report = new RunReport(this.#options, this.#profile, checks);
  }

  async go(): Promise<FooterEvent> {
    const { signal, onEvent } = this.#options;
    const unshare = largeBodies.share();
    const stop = (): void => this.#ending.abort('interrupted');
    signal?.addEventListener('abort', stop, { once: true });
    if (signal?.aborted === true) stop();
    if (!this.#isUnhurried) void this.#budget.over.then(() => this.#ending.abort('budget'));
    try {
      onEvent(
        streamHeader(this.#target, this.#profile, {
          checks: this.#options.asked?.count ?? this.#checks.length + runWideChecks.length,
          command: this.#options.command,
          ...(this.#options.order === undefined ? {} : { orderSeed: this.#options.order.seed }),
        }),
      );
      return await this.#inTime();
    } catch (error) {
      const reason = error instanceof ConformError ? error.message : String(error);
      return this.#report.footer('crashed', { exitCode: exitCodes.suiteBug }, { reason });
    } finally {
      unshare();
      this.#budget.stop();
      signal?.removeEventListener('abort', stop);
      const closed = Promise.all([this.#tools?.client.close(), this.#tools?.watch.close()]);
      await Promise.race([closed, later(noticeMs.closing)]);
    }
  }

  /** The footer is the last event, whatever still goes on. */
  #tell(event: ResultEvent, onEvent: RunOptions['onEvent']): void {
    if (this.#hasEnded) return;
    this.#hasEnded = event.type === 'footer';
    onEvent(event);
  }

  /** What the run comes to: soon after it was to end, whether or not everything under way has heard of that. */
  async #inTime(): Promise<FooterEvent> {
    const { signal } = this.#ending;
    const late = new Promise<FooterEvent>((resolve) => {
      const cut = (): void => {
        const ms = signal.reason === 'lost' ? noticeMs.lost : noticeMs.ended;
        void later(ms).then(() => this.#hasEnded || resolve(this.#endedEarly({ isWaitedFor: false })));
      };
      if (signal.aborted) cut();
      else signal.addEventListener('abort', cut, { once: true });
    });
    return Promise.race([this.#guarded(), late]);
  }

  async #guarded(): Promise<FooterEvent> {
    const { signal } = this.#ending;
    const { env, limitPatienceMs, onEvent, onHistoryLines } = this.#options;
    const found = await preflight(this.#target, signal, env);
    const { chain, requests, accepted, hasReadChannel, isOk, lines, roundTripMs: measuredMs } = found;
    this.#report.footprint.addPreflight(chain, requests);
    const roundTripMs = measuredMs ?? 0;
    const settleMs = settleMsOf(this.#target, roundTripMs);
    // Field by field: the exchanges of preflight hold credentials.
    const measured = measuredMs === undefined ? {} : { roundTripMs: measuredMs, settleMs };
    // What it found while it was being ended says nothing of the server.
    if (signal.aborted) return this.#endedEarly();
    onEvent({ type: 'preflight', isOk, lines, ...measured });
    if (!isOk) return this.#report.footer('complete', { exitCode: exitCodes.inconclusive });
    const whole = new WholeRun(this.#target.names.agentIdHeader, this.#options.order?.seed);
    const run = new RunState(this.#target, { roundTripMs, settleMs }, { whole });
    const good = goodCredentials(this.#target, accepted);
    const onLost = (): void => this.#ending.abort('lost');
    const isUnhurried = this.#isUnhurried;
    const secrets = this.#secrets;
    const given = {
      good,
      hasReadChannel,
      signal,
      onLost,
      isUnhurried,
      limitPatienceMs,
      env,
      onHistoryLines,
      secrets,
    };
    try {
      const tools = openTools(run, given);
      this.#tools = tools;
      this.#report.begin(tools);
      await this.#runAll(tools, good);
    } finally {
      run.whole.end();
      await this.#tools?.hooks.close();
    }
    if (signal.aborted) return this.#endedEarly();
    return this.#hasBailed ? this.#report.bailed() : this.#report.concluded(this.#enabled);
  }

  async #runAll(tools: RunTools, good: GoodCredentials): Promise<void> {
    const { run, client, watch, serverErrors } = tools;
    const { signal } = this.#ending;
    const parts = this.#attemptParts(tools);
    const tryOnce = async (check: Check, onSettling?: () => void, place?: Place): Promise<Attempt> => {
      await watch.untilSure();
      const work = (): Promise<Attempt> => attempt(check, { ...parts, ...place }, onSettling);
      this.#options.onUnderWay?.(check.id, true);
      try {
        return await (check.isUnwatched ? watch.whileUnwatched(work) : work());
      } finally {
        this.#options.onUnderWay?.(check.id, false);
      }
    };
    const judgedHere = async (check: Check, once: () => Promise<Attempt>): Promise<JudgedCheck> => {
      const judged = await judgeCheck(check, once, good);
      // What a check loses on purpose nobody has to miss.
      if (judged.failures.length === 0 || check.isUnwatched) return judged;
      await watch.confirm();
      const isOfLost = ({ failure }: (typeof judged.failures)[number]): boolean =>
        failure.exchanges.some((exchange) => watch.isOfLost(exchange));
      const reason = 'a credential that had worked was refused, and is lost';
      const left = judged.failures.filter((each) => !isOfLost(each));
      return withFailures(judged, left, { reason, trouble: 'credential-refused' });
    };
    const one = async (check: Check, onSettling?: () => void): Promise<void> => {
      const missing = missingFor(check, this.#target);
      if (missing !== undefined) return this.#report.check(skippedCheck(check, missing));
      const judge = (): Promise<JudgedCheck> => judgedHere(check, () => tryOnce(check, onSettling));
      const isRestart = check.needs.includes('restart-hook');
      const judged = await (isRestart ? tools.hooks.restarts.among(judge) : judge());
      if (signal.aborted) return;
      if (judged.wantsQuiet) this.#held.push(withoutBodies(judged));
      else this.#tellJudged(judged);
    };
    const tryApart = async (check: Check, place: Place): Promise<boolean> => {
      if (missingFor(check, place.run.target) !== undefined) return false;
      const judged = await judgedHere(check, () => tryOnce(check, undefined, place));
      if (signal.aborted) return true;
      if (judged.wantsQuiet && sureOf(judged) !== undefined) this.#held.push(withoutBodies(judged));
      else if (!run.whole.isHopeless && !isDecided(judged)) return false;
      else this.#tellJudged(judged);
      return true;
    };
    await this.#findStarts(tools);
    const apart = this.#apart(tools, tryApart);
    const { concurrency, order } = this.#options;
    const isDrawn = order !== undefined;
    await runWaves(this.#checks, run, { concurrency, signal: this.#starting, isDrawn, apart }, one);
    if (!this.#hasBailed) await this.#readEveryView(tools);
    await watch.lastLook();
    const repeating = {
      client,
      signal,
      sleep: (ms: number) => run.whole.sleep(ms, 'pause'),
      renewed: (body: string) => run.renewed(body),
      note: (exchange: Exchange) => this.#keep(tools, repeats, exchange),
    };
    const provenErrors = signal.aborted ? [] : await serverErrors.repeat(repeating);
    const faultShare = (): number => client.traffic.faults / client.traffic.requests;
    // What waits for a quieter time has come to nothing yet.
    const waiting = this.#hasBailed ? [] : this.#held;
    const retried = await retryHeldChecks(waiting, provenErrors, { ...repeating, tryOnce, good, faultShare });
    run.forgetShared();
    const causes = new Map(provenErrors.map((each): [ProvenError, Sighted[]] => [each, []]));
    if (!signal.aborted) for (const judged of retried) this.#report.judged(judged, causes);
    if (!signal.aborted) this.#held.length = 0;
    if (signal.aborted) return;
    this.#closeGate(client);
    if (watch.hasLostMost) this.#report.lost(watch.sureMs);
    this.#report.runWide(this.#checks, causes);
    if (!this.#hasBailed) this.#report.parts();
    await this.#report.sendAgain(signal);
    if (this.#options.isTyped === true && this.#checks.length > 1) await this.#tryAlone(tools);
  }

  /** Runs what leads findings by itself, for so long; what a hook stops or slows down for everybody is left as it is. */
  async #tryAlone(tools: RunTools): Promise<void> {
    const signal = AbortSignal.any([this.#ending.signal, AbortSignal.timeout(longestAloneMs)]);
    const unheard = { onExchange: () => undefined, onTry: () => undefined };
    const parts = { ...this.#attemptParts(tools), ...unheard, signal };
    await this.#report.tryAlone(async (id) => {
      const check = this.#checks.find((each) => each.id === id);
      const isLeft = check === undefined || check.needs.some((need) => leftAlone.includes(need));
      if (isLeft || signal.aborted) return undefined;
      const tried = await attempt(check, parts);
      return signal.aborted ? undefined : tried;
    });
  }

  /** What runs in workspaces of its own, if no one said how much goes on at once. */
  #apart({ run, hooks }: RunTools, tryApart: TryApart): NonNullable<WaveOptions['apart']> {
    const { signal } = this.#ending;
    const isAsked = this.#options.concurrency !== undefined;
    const checks = isAsked ? [] : checksApart(this.#enabled, this.#target);
    const open = (): Promise<Place | undefined> => openPlace(run, hooks, signal);
    return { checks, run: () => runApart(checks, { open, signal: this.#starting }, tryApart) };
  }

  /** What each attempt at a check works with, and who hears of its exchanges. */
  #attemptParts(tools: RunTools): AttemptParts {
    const { run, client, hooks, wire, watch, serverErrors, receipts } = tools;
    const report = this.#report;
    return {
      run,
      client,
      identities: new IdentityCache(() => run.forgetShared()),
      hooks,
      untimed: this.#budget.untimed,
      signal: this.#ending.signal,
      timeoutMs: () => this.#options.checkTimeoutMs ?? attemptMs(run, client),
      onTry: (check, exchange) => {
        wire.add(check.id, exchange, this.#keep(tools, check.id, exchange)?.expected);
        watch.noteTry(exchange);
      },
      onExchange: (check, exchange) => {
        report.traffic.add(exchange);
        const asked = this.#keep(tools, check.id, exchange);
        run.whole.own.add(exchange);
        if (run.whole.own.hasShownAny) report.gate.open();
        wire.add(check.id, exchange, asked?.expected);
        receipts.note(exchange);
        serverErrors.note(check.id, exchange);
        watch.note(exchange);
      },
    };
  }

  /** The send or read that an exchange was. */
  #keep(
    { recorder, exchanges, inputs, evidence }: RunTools,
    client: string,
    exchange: Exchange,
  ): Send | Read | undefined {
    this.#options.onExchange?.(client, exchange, () => evidenceOf(exchange, evidence));
    const operation = recorder.add(client, exchange);
    inputs.add(exchange.request);
    if (operation !== undefined) exchanges.add(operation, exchange);
    return operation?.kind === 'send' || operation?.kind === 'read' ? operation : undefined;
  }

  /** Before any clock of a check: a channel may have a history. */
  async #findStarts(tools: RunTools): Promise<void> {
    const { run, client } = tools;
    const exchanges: Exchange[] = [];
    const record = (exchange: Exchange): void => {
      exchanges.push(exchange);
      this.#keep(tools, preparation, exchange);
    };
    await findStarts(this.#checks, run, { client, signal: this.#ending.signal, record });
    this.#report.footprint.addPreflight(longestChain(exchanges));
  }

  /** What checks and changes did to views that none of them looked at. */
  async #readEveryView(tools: RunTools): Promise<void> {
    const { run, client } = tools;
    const { signal } = this.#ending;
    if (signal.aborted || client.traffic.messages === 0 || run.whole.isHopeless) return;
    const record = (exchange: Exchange): void => void this.#keep(tools, closing, exchange);
    const agents = viewers.flatMap((role) => {
      const token = run.target.roles[role]?.token;
      return token === undefined ? [] : new Actor(role, token, { client, signal, record });
    });
    await readEveryView(run, run.target, agents);
  }

  /** Ends as soon as no further check is to begin. */
  get #starting(): AbortSignal {
    return AbortSignal.any([this.#ending.signal, this.#bailing.signal]);
  }

  get #hasBailed(): boolean {
    return this.#bailing.signal.aborted;
  }

  #tellJudged(judged: JudgedCheck): void {
    this.#report.judged(judged);
    if (this.#hasBailed || !this.#report.isToBail) return;
    this.#report.bail();
    this.#bailing.abort();
  }

  get #isUnhurried(): boolean {
    return this.#options.checkTimeoutMs === 0;
  }

  /** Checks that the target allows. */
  get #enabled(): readonly Check[] {
    return this.#checks.filter((check) => missingFor(check, this.#target) === undefined);
  }

  /** What the run comes to when it was cut short; where not all that was under way was waited for, it is not judged. */
  #endedEarly({ isWaitedFor = true } = {}): Promise<FooterEvent> {
    this.#ended ??= this.#cutShort(isWaitedFor);
    return this.#ended;
  }

  /** What was held back until the server shows a message of this run waits no longer; where none was sent, none had to be shown. */
  #closeGate({ traffic }: Pick<Client, 'traffic'>, reason?: string): void {
    const { gate } = this.#report;
    if (traffic.messages === 0) gate.open();
    else gate.close(reason);
  }

  async #cutShort(isWaitedFor: boolean): Promise<FooterEvent> {
    const { reason: cause } = this.#ending.signal;
    const { client, watch } = this.#tools ?? {};
    for (const judged of this.#held.splice(0).flatMap((each) => sureOf(each) ?? []))
      this.#report.judged(judged);
    if (client !== undefined)
      this.#closeGate(client, 'the run ended before the server showed any message of it');
    const isThere = isWaitedFor && (await watch?.partingLook()) === true;
    const isAtWork = !isWaitedFor && cause !== 'lost';
    if (isAtWork) this.#report.lost(0, cause === 'interrupted' ? 'interruption' : 'time limit');
    else if (!isThere) this.#report.lost(isWaitedFor ? (watch?.sureMs ?? 0) : 0);
    this.#report.runWide(this.#checks);
    if (cause === 'interrupted') return this.#report.interrupted();
    const reason = cause === 'lost' ? undefined : this.#budget.reason(this.#report.traffic.typicalMs);
    return this.#report.cutShort(this.#enabled, reason);
  }
}

/** Keeps no process alive. */
function later(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}

/** Longest an attempt may take: a hundred round trips, as they are now where that is longer than they were at first. */
function attemptMs({ roundTripMs, settleMs }: RunState, { latencyMs }: Pick<Client, 'latencyMs'>): number {
  return 20_000 + 100 * Math.max(roundTripMs, latencyMs) + 10 * settleMs;
}
