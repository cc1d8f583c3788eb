import { setTimeout as delay } from 'node:timers/promises';
import type { Dispatcher } from 'undici';
import { addressOf, type SentRequest } from '../../spec/calls/index.ts';
import type { Target } from '../config/target.ts';
import { SuiteBug } from '../errors.ts';
import { push } from '../../spec/groups.ts';
import { userAgent } from '../results/suite-version.ts';
import { allowManyListeners } from './allow-many-listeners.ts';
import { framed } from './chunked-body.ts';
import { createDispatcher } from './dispatcher.ts';
import {
  chanceFaults,
  type Exchange,
  type Fault,
  type FaultKind,
  faultKindOf,
  isAccepted,
  isGatewayAnswer,
  type ReceivedResponse,
} from './exchange.ts';
import { KnownBodies } from './known-bodies.ts';
import { Pace } from './pace.ts';
import { type Clock, wallClock, Watchdog } from './pacing/clock.ts';
import type { Limited } from './pacing/pacer.ts';
import { Waits } from './pacing/waits.ts';
import { WriteBudget } from './pacing/write-budget.ts';
import { readAnswer, type ReadingParts } from './read-answer.ts';

/** How long the client waits, in ms; 0 means for ever. */
interface Timeouts {
  readonly connectMs: number;
  /** From the last byte sent to the first byte of the answer, and between bytes of it. */
  readonly answerMs: number;
}

export interface ClientOptions {
  readonly target: Pick<Target, 'baseUrl' | 'connection' | 'limits'>;
  readonly timeouts: Timeouts;
  /** Environment that may name a proxy (`HTTP_PROXY`, `HTTPS_PROXY`, `NO_PROXY`). */
  readonly env?: NodeJS.ProcessEnv;
  /** How often a request is tried when no answer of the service comes, if it may be; default 3. */
  readonly maxTries?: number;
  /**
   * True where a write that carries an idempotency key is tried again under it, as clients of the service do; default
   * false: what becomes of it is then for whoever asks to find out.
   */
  readonly repeatsWrites?: boolean;
  /**
   * False lets `signal` end only the pauses between tries, and `close` the requests: to listen to it costs a campaign more
   * than the request. Default true.
   */
  readonly heedsSignal?: boolean;
  /** Longest that a limit is obeyed that lets nothing in, in ms; default 75 s, since limits a minute are common. */
  readonly limitPatienceMs?: number;
  /** The longest `Retry-After` that is obeyed, in ms; default `limitPatienceMs`. */
  readonly longestRetryAfterMs?: number;
  /** Is told of every exchange that has ended, each try of a request by itself. */
  readonly onExchange?: (exchange: Exchange) => void;
  /** Another client at the same server: its requests and those of this one keep one pace, these before those that wait. */
  readonly ahead?: Client;
  /** Gets to know what is on its way, and what is waited for. */
  readonly waits?: Waits;
  /** What was read before, shared with other clients at the same server: each would keep some by itself, and give up no other's. */
  readonly bodies?: KnownBodies;
}

export interface SendOptions {
  /** Overrides the waiting time for this request; a long poll needs it. */
  readonly answerMs?: number;
  /** False hands a 429 on at once, for a check that wants to see one; default true. */
  readonly obeysRateLimit?: boolean;
  /** Name of a connection that carries the requests of this name one after the other, and no others; default: any that is free. */
  readonly connection?: string | undefined;
  /** Ends the request from outside. */
  readonly signal?: AbortSignal;
  /** Stops the clock of whoever asks while the request waits for its turn. */
  readonly untimed?: Clock['untimed'];
  /** Called with every 429 that is waited out, and with every try of a write that is made again: it may have taken effect. */
  readonly noteTry?: ((exchange: Exchange) => void) | undefined;
}

type TriedOutcome = Pick<Exchange, 'response' | 'fault'>;

/** What the client has sent so far, retries included. */
export interface Traffic {
  requests: number;
  /** Accepted sends, and the bytes of all accepted writes: they stay on the server. */
  messages: number;
  bytesWritten: number;
  /** When anything of an answer came last, on the monotonic clock in ms; 0 before the first. */
  lastAnswerMs: number;
  /** Answers with a 429 that was obeyed, and with any 5xx. */
  limited: number;
  serverErrors: number;
  /** Requests without a complete answer of the service. */
  faults: number;
  /** Requests that were sent again after trouble on the way, and after which. */
  retries: number;
  readonly retriedAfter: Map<FaultKind, number>;
  /** By call, how long answers were waited for that did not come in time, in ms, each try by itself; long polls are left out. */
  readonly inVainMs: Map<string, number[]>;
}

const defaultMaxTries = 3;
/** What waits may take this much longer than it asked to be held back, in ms. */
const pollGraceMs = 10_000;
/** The latest so many answers tell what an answer takes at the moment. */
const recent = 64;
/** Faults after which a write is repeated under its key: to wait in vain twice would take a check's whole time. */
const repeatedAfter: readonly FaultKind[] = ['refused', ...chanceFaults];
/** Pause before a write is repeated, in ms, doubled each time: the first one may still be under way. */
const repeatAfterMs = 50;
/** One request is refused with a 429 this often before that is handed on, and so often at least. */
const maxLimitedTries = 20;
const fewestLimitedTries = 3;
const defaultLimitPatienceMs = 75_000;

/** How long the answer to a request is waited for that asks to be held back for so many seconds; nothing of its own where it does not. */
export function answerLimitOf(waitSeconds: number): { readonly answerMs?: number } {
  return waitSeconds > 0 ? { answerMs: waitSeconds * 1_000 + pollGraceMs } : {};
}

/**
 * Speaks to `base_url`'s origin and to nothing else; follows no redirect. It never throws for what a server does: every
 * outcome is an {@link Exchange}. Requests that write nothing are tried up to three times when no answer of the service
 * came; a write only under its key, because what became of it is unknown.
 */
export class Client {
  readonly traffic: Traffic = {
    requests: 0,
    messages: 0,
    bytesWritten: 0,
    lastAnswerMs: 0,
    limited: 0,
    serverErrors: 0,
    faults: 0,
    retries: 0,
    retriedAfter: new Map(),
    inVainMs: new Map(),
  };
  readonly #dispatcher: Dispatcher;
  readonly #named = new Map<string, Dispatcher>();
  readonly #origin: string;
  readonly #prefix: string;
  readonly #options: ClientOptions;
  readonly #pace: Pace;
  readonly #limitPatienceMs: number;
  readonly #budget: WriteBudget;
  readonly #watchdog = new Watchdog();
  readonly #bodies: KnownBodies;
  readonly #waits: Waits;
  /** How long an answer took lately, in ms. */
  #latencyMs = 0;
  /** When each request on its way left, but for those that the server was asked to hold back; the oldest first. */
  readonly #required = new Map<number, number>();
  #lastId = 0;

  constructor(options: ClientOptions) {
    const url = new URL(options.target.baseUrl);
    this.#origin = url.origin;
    this.#prefix = url.pathname.replace(/\/+$/, '');
    this.#options = options;
    const { ahead } = options;
    this.#limitPatienceMs = options.limitPatienceMs ?? ahead?.patienceMs ?? defaultLimitPatienceMs;
    const pace = {
      most: options.target.limits.ratePerSecond,
      patienceMs: this.#limitPatienceMs,
      longestRetryAfterMs: options.longestRetryAfterMs,
    };
    this.#pace = ahead === undefined ? new Pace(pace) : ahead.#pace;
    this.#budget = new WriteBudget(options.target.limits.maxBytes);
    this.#dispatcher = createDispatcher(url, options);
    this.#waits = options.waits ?? new Waits();
    this.#bodies = options.bodies ?? new KnownBodies();
  }

  /** Longest that a limit is obeyed that lets nothing in, in ms. */
  get patienceMs(): number {
    return this.#limitPatienceMs;
  }

  /** How long nothing of any answer has come though one is due, in ms; 0 when none is. */
  get silentMs(): number {
    const [oldestMs] = this.#required.values();
    return oldestMs === undefined ? 0 : performance.now() - Math.max(oldestMs, this.traffic.lastAnswerMs);
  }

  /** How long an answer takes at the moment, in ms, but for those that the server was asked to hold back. */
  get latencyMs(): number {
    return this.#latencyMs;
  }

  /** Who was limited so far, and how far that slowed them. */
  get limited(): readonly Limited[] {
    return this.#pace.limited;
  }

  /** How far apart two looks at the same thing have to be, in ms, so that looking leaves room under a limit for others. */
  get leastPauseMs(): number {
    return this.#pace.leastPauseMs;
  }

  /** Sends one request as `actor`; a 429 is waited out within bounds, trouble on the way is tried again where that is safe. */
  async exchange(actor: string, request: SentRequest, options: SendOptions = {}): Promise<Exchange> {
    if (this.#options.target.limits.isReadOnly && request.method !== 'GET' && request.method !== 'HEAD') {
      throw new SuiteBug(`a read-only run tried to send ${request.method} ${addressOf(request)}`);
    }
    if (options.signal !== undefined) allowManyListeners(options.signal);
    const turn = this.#pace.newTurn(
      { actor, request, isLongPoll: options.answerMs !== undefined },
      { isAhead: this.#options.ahead !== undefined },
    );
    const isRepeatable = this.#options.repeatsWrites === true && isKeyed(request);
    let first: Exchange | undefined;
    let limitedTries = 0;
    let firstLimitedMs: number | undefined;
    let sameFault = 0;
    let lastFault: FaultKind | undefined;
    for (let tries = 1; ; tries += 1) {
      const isLimitWanted = options.obeysRateLimit === false;
      const waiting = isLimitWanted
        ? this.#pace.waitForAll(turn, options.signal)
        : this.#pace.wait(turn, options.signal);
      if (waiting !== undefined) {
        const paused = (): Promise<void> => this.#waits.waiting('pause', () => waiting);
        await (options.untimed?.(paused) ?? paused());
      }
      const exchange = await this.#once(actor, request, options);
      if (exchange.response?.status === 429 && !isLimitWanted) {
        limitedTries += 1;
        this.traffic.limited += 1;
        firstLimitedMs ??= exchange.startedMs;
        const pauseMs = this.#pace.noteRefused(turn, exchange, limitedTries);
        const hasHadEnough =
          limitedTries >= maxLimitedTries ||
          (limitedTries >= fewestLimitedTries && exchange.endedMs - firstLimitedMs > this.#limitPatienceMs);
        if (hasHadEnough) this.#pace.giveUp(turn);
        if (hasHadEnough || this.#pace.isEndless(turn) || options.signal?.aborted === true) return exchange;
        options.noteTry?.(exchange);
        if (pauseMs > 0)
          await (options.untimed ?? wallClock.untimed)(() =>
            this.#waits.waiting('pause', () => pause(pauseMs, options.signal)),
          );
        continue;
      }
      if (exchange.response !== undefined)
        this.#pace.noteLetIn(turn, exchange.response.status, exchange.startedMs);
      if (exchange.fault === undefined) {
        // A conflict may be with the first try, of which nothing more is known then.
        const isOwnConflict = first !== undefined && exchange.response?.status === 409;
        return isOwnConflict ? { ...exchange, response: undefined, fault: first?.fault } : exchange;
      }
      if (exchange.fault.kind === 'timeout' && options.answerMs === undefined) {
        push(this.traffic.inVainMs, request.call, exchange.endedMs - exchange.startedMs);
      }
      sameFault = exchange.fault.kind === lastFault ? sameFault + 1 : 1;
      lastFault = exchange.fault.kind;
      const mayRetry = isWrite(request)
        ? isRepeatable && repeatedAfter.includes(exchange.fault.kind)
        : exchange.fault.kind !== 'withheld';
      const isLast =
        !mayRetry ||
        tries - limitedTries >= (this.#options.maxTries ?? defaultMaxTries) ||
        options.signal?.aborted === true;
      if (isLast) return { ...exchange, fault: { ...exchange.fault, tries: sameFault } };
      this.traffic.retries += 1;
      this.traffic.retriedAfter.set(lastFault, (this.traffic.retriedAfter.get(lastFault) ?? 0) + 1);
      if (!isWrite(request)) continue;
      first ??= exchange;
      options.noteTry?.(exchange);
      await pause(repeatAfterMs * 2 ** (tries - limitedTries - 1), options.signal);
    }
  }

  /** Ends open requests and closes every connection. */
  async close(): Promise<void> {
    this.#watchdog.stop();
    if (this.#options.ahead === undefined) this.#pace.close();
    await Promise.all([this.#dispatcher, ...this.#named.values()].map((each) => each.destroy()));
  }

  #carrierOf(name: string | undefined): Dispatcher {
    if (name === undefined) return this.#dispatcher;
    const carrier =
      this.#named.get(name) ?? createDispatcher(new URL(this.#options.target.baseUrl), this.#options, 1);
    this.#named.set(name, carrier);
    return carrier;
  }

  async #once(actor: string, request: SentRequest, options: SendOptions): Promise<Exchange> {
    this.#lastId += 1;
    const id = this.#lastId;
    const startedMs = performance.now();
    if (options.answerMs === undefined) this.#required.set(id, startedMs);
    const outcome = await this.#withinBudget(request, options);
    this.#required.delete(id);
    const endedMs = performance.now();
    if (options.answerMs === undefined) this.#latencyMs += (endedMs - startedMs - this.#latencyMs) / recent;
    const exchange = { id, actor, request, startedMs, endedMs, ...outcome };
    this.#options.onExchange?.(exchange);
    return exchange;
  }

  async #withinBudget(request: SentRequest, options: SendOptions): Promise<TriedOutcome> {
    const bytes = request.body === undefined ? 0 : Buffer.byteLength(request.body);
    const cost = isWrite(request) ? bytes : 0;
    if (cost > 0 && !(await this.#budget.take(cost))) {
      const message = `the run may write no more than ${this.#options.target.limits.maxBytes} bytes; --max-bytes allows more`;
      return { response: undefined, fault: { kind: 'withheld', message, tries: 1 } };
    }
    // What was waiting for its turn when all was over is never sent.
    if (this.#options.heedsSignal === false || options.signal?.aborted !== true) this.traffic.requests += 1;
    // Whoever gives an answer more time than usual has asked the server to wait.
    const outcome = await (options.answerMs === undefined
      ? this.#waits.requesting(() => this.#outcome(request, options))
      : this.#waits.waiting('longPoll', () => this.#outcome(request, options)));
    // What became of a request without an answer is unknown: it counts.
    const status = outcome.response?.status ?? 0;
    if (cost > 0) this.#budget.ended(cost, status >= 400 && outcome.fault === undefined);
    if (status >= 500) this.traffic.serverErrors += 1;
    if (outcome.fault !== undefined) this.traffic.faults += 1;
    if (isWrite(request) && isAccepted(outcome)) {
      this.traffic.bytesWritten += bytes;
      if (request.call === 'send') this.traffic.messages += 1;
    }
    return outcome;
  }

  #heard(): void {
    this.traffic.lastAnswerMs = performance.now();
  }

  async #outcome(request: SentRequest, options: SendOptions): Promise<TriedOutcome> {
    const { timeouts } = this.#options;
    // A write is waited for twice as long, since it is not tried again.
    const patienceMs = timeouts.answerMs * (isWrite(request) ? 2 : 1);
    const answerMs = timeouts.answerMs === 0 ? 0 : (options.answerMs ?? patienceMs);
    // undici's own limits are per phase; this one ends an answer that drips for ever, and a request that never leaves.
    const overall = new AbortController();
    const limitMs = answerMs > 0 ? answerMs * 2 + timeouts.connectMs : 0;
    if (limitMs > 0) this.#watchdog.watch(overall, limitMs);
    const asked = this.#options.heedsSignal === false ? undefined : options.signal;
    const end = (): void => overall.abort(asked?.reason);
    if (asked?.aborted === true) end();
    // A signal of both would cost more than the request.
    else asked?.addEventListener('abort', end, { once: true });
    try {
      // Given to the HTTP library, a request that is over already would open a connection, and end it.
      overall.signal.throwIfAborted();
      const { headers, body } = framed(request);
      const answer = await this.#carrierOf(options.connection).request({
        origin: this.#origin,
        path: this.#prefix + addressOf(request),
        method: request.method as Dispatcher.HttpMethod,
        headers: { 'user-agent': userAgent, ...this.#options.target.connection.headers, ...headers },
        body,
        headersTimeout: answerMs,
        bodyTimeout: answerMs,
        signal: overall.signal,
      });
      return await receive(answer, {
        bodies: this.#bodies,
        signal: overall.signal,
        onHeard: () => this.#heard(),
        untimed: async (work) => {
          this.#watchdog.release(overall);
          try {
            return await (options.untimed?.(work) ?? work());
          } finally {
            if (limitMs > 0) this.#watchdog.watch(overall, limitMs);
          }
        },
      });
    } catch (error) {
      return { response: undefined, fault: faultOf(error) };
    } finally {
      asked?.removeEventListener('abort', end);
      this.#watchdog.release(overall);
    }
  }
}

/** True for a method that may change something on the server. */
export function isWrite(request: Pick<SentRequest, 'method'>): boolean {
  return request.method !== 'GET' && request.method !== 'HEAD' && request.method !== 'OPTIONS';
}

/** True for a request that takes effect once however often it comes, where the server keeps what keys are for. */
function isKeyed({ headers }: SentRequest): boolean {
  return headers['idempotency-key'] !== undefined;
}

async function receive(answer: Dispatcher.ResponseData, parts: ReadingParts): Promise<TriedOutcome> {
  parts.onHeard();
  const headers = headerLists(answer.headers);
  const read = await readAnswer(answer, headers, parts);
  if ('fault' in read) return { response: undefined, fault: { ...read.fault, tries: 1 } };
  const response: ReceivedResponse = { status: answer.statusCode, headers, ...read };
  if (isGatewayAnswer(response)) {
    return {
      response,
      fault: { kind: 'gateway', message: `${response.status} without an ApiError`, tries: 1 },
    };
  }
  return { response, fault: undefined };
}

function headerLists(
  headers: Record<string, string | string[] | undefined>,
): Record<string, readonly string[]> {
  const lists: Record<string, readonly string[]> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) lists[name.toLowerCase()] = Array.isArray(value) ? value : [value];
  }
  return lists;
}

function faultOf(error: unknown): Fault {
  const cause = error instanceof Error ? error : new Error(String(error));
  // Of a status below 100 the HTTP library says nothing but what it asserts.
  const message = cause.name === 'AssertionError' ? 'the answer is not HTTP' : cause.message;
  return { kind: faultKindOf(cause), message, tries: 1 };
}

async function pause(durationMs: number, signal: AbortSignal | undefined): Promise<void> {
  // An abort ends the pause early; the request that follows sees it.
  await delay(durationMs, undefined, signal === undefined ? {} : { signal }).catch(() => undefined);
}
