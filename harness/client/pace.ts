import type { SentRequest } from '../../spec/calls/index.ts';
import type { Exchange } from './exchange.ts';
import { type Limited, Pacer, type PacerOptions } from './pacing/pacer.ts';

/** A larger body may meet a limit of its own, on what the server holds in memory. */
const pacedBodyBytes = 100_000;

/** So many that were refused without having asked for much, within so many ms, are refused for what others ask. */
const fewestInnocents = 3;
const innocentsWithinMs = 3_000;
/** Requests of others that fit between two looks at the same thing. */
const looksApart = 4;
const longestPacePauseMs = 1_000;

/** One request on its way through the queues. */
interface PaceTurn {
  /** Counts up in the order in which requests were asked for; kept when one is tried again. */
  readonly ticket: number;
  readonly actor: string;
  readonly request: SentRequest;
  /** A long poll may meet a limit of its own, on how many of them are open. */
  readonly isLongPoll: boolean;
}

/**
 * The pace of all requests: a queue for each credential that the server is known to take, one for everything else, and one
 * that all of them pass. A limit is learned where it is met, and where it is not the credential's own it slows them all.
 */
export class Pace {
  readonly #options: Omit<PacerOptions, 'most'>;
  readonly #all: Pacer;
  readonly #unproven: Pacer;
  readonly #byCredential = new Map<string, Pacer>();
  /** When credentials were refused that had not asked for anything else. */
  readonly #innocentMs: number[] = [];
  /** Calls of a credential that a limit of their own let nothing in of for so long that it is no longer waited for. */
  readonly #givenUp = new Set<string>();
  #tickets = 0;

  /** `most` is in requests a second, of all requests together. */
  constructor({ most, ...options }: PacerOptions) {
    this.#options = options;
    this.#all = new Pacer('the run as a whole', { most, ...options });
    this.#unproven = new Pacer('a caller without a valid credential', options);
  }

  /** A place behind all requests so far, or before them. */
  newTurn(turn: Omit<PaceTurn, 'ticket'>, { isAhead }: { readonly isAhead: boolean }): PaceTurn {
    if (isAhead) return { ...turn, ticket: 0 };
    this.#tickets += 1;
    return { ...turn, ticket: this.#tickets };
  }

  /** `undefined` when the request may leave now; else resolves when it may, or when `signal` ends the waiting. */
  wait(turn: PaceTurn, signal: AbortSignal | undefined): Promise<void> | undefined {
    const own = this.#pacerOf(turn).turn(turn.ticket, signal);
    if (own === undefined) return this.#all.turn(turn.ticket, signal);
    return own.then(() => (signal?.aborted === true ? undefined : this.#all.turn(turn.ticket, signal)));
  }

  /** As `wait`, for a request that wants to meet the limit of its credential: only what holds for all holds it back. */
  waitForAll({ ticket }: PaceTurn, signal: AbortSignal | undefined): Promise<void> | undefined {
    return this.#all.turn(ticket, signal);
  }

  /** Learns from an answer that is no 429. */
  noteLetIn(turn: PaceTurn, status: number, startedMs: number): void {
    this.#pacerOf(turn).noteLetIn(startedMs);
    this.#all.noteLetIn(startedMs);
    this.#givenUp.delete(callKey(turn));
    const token = turn.request.headers['authorization'];
    if (status < 200 || status > 299 || token === undefined || this.#byCredential.has(token)) return;
    this.#byCredential.set(token, new Pacer(turn.actor, this.#options));
  }

  /**
   * Learns from a 429, one of `tries` to this request, and says how long it has to wait by itself, in ms: one whose kind may
   * have met a limit of its own does, and one that a busy server refused among others that it lets in.
   */
  noteRefused(turn: PaceTurn, { startedMs, response }: Exchange, tries: number): number {
    const retryAfterMs = retryAfterOf(response?.headers['retry-after']?.[0]);
    const own = this.#pacerOf(turn);
    if (this.#givenUp.has(callKey(turn))) {
      own.noteBriefly();
      return 0;
    }
    const { body } = turn.request;
    if (turn.isLongPoll || (body !== undefined && Buffer.byteLength(body) > pacedBodyBytes))
      return (
        Math.min(retryAfterMs ?? 1_000, this.#options.longestRetryAfterMs ?? this.#options.patienceMs) + 5
      );
    // A server that is busy for a moment says so; one whose limit is reached says it again.
    if (retryAfterMs === 0 && tries === 1) {
      own.noteBriefly();
      return 0;
    }
    const isOfAll = own.isInnocent(startedMs) && this.#isSuspicious();
    const ofAllMs = isOfAll ? this.#all.noteRefused(startedMs, retryAfterMs, tries) : 0;
    return Math.max(ofAllMs, own.noteRefused(startedMs, retryAfterMs, tries));
  }

  /** From now on a call is no longer waited for that was refused too often, until one is let in again. */
  giveUp(turn: PaceTurn): void {
    this.#givenUp.add(callKey(turn));
  }

  /** True when a limit has let nothing in for so long that it is no longer waited for. */
  isEndless(turn: PaceTurn): boolean {
    return this.#pacerOf(turn).isEndless || this.#all.isEndless || this.#givenUp.has(callKey(turn));
  }

  /** What was limited, whoever was refused most often first. */
  get limited(): readonly Limited[] {
    const pacers = [this.#all, this.#unproven, ...this.#byCredential.values()];
    return pacers.flatMap(({ limited }) => limited ?? []).toSorted((a, b) => b.times - a.times);
  }

  /** Four times the distance of requests where those that wait are slowed most, in ms: a second at most, and 0 if none waits. */
  get leastPauseMs(): number {
    const spacings = [this.#all, this.#unproven, ...this.#byCredential.values()].map(
      ({ spacingMs }) => spacingMs,
    );
    return Math.min(looksApart * Math.max(...spacings), longestPacePauseMs);
  }

  /** Lets everybody go. */
  close(): void {
    for (const pacer of [this.#all, this.#unproven, ...this.#byCredential.values()]) pacer.close();
  }

  /** True when several were refused within a short time for what they cannot have done alone. */
  #isSuspicious(): boolean {
    const nowMs = performance.now();
    this.#innocentMs.push(nowMs);
    if (this.#innocentMs.length > fewestInnocents) this.#innocentMs.shift();
    const [first = nowMs] = this.#innocentMs;
    return this.#innocentMs.length === fewestInnocents && nowMs - first < innocentsWithinMs;
  }

  #pacerOf({ request }: PaceTurn): Pacer {
    return this.#byCredential.get(request.headers['authorization'] ?? '') ?? this.#unproven;
  }
}

/** What a limit of one call of one credential is told by. */
function callKey({ request }: PaceTurn): string {
  return `${request.headers['authorization'] ?? ''} ${request.call} ${request.method}`;
}

/** In ms, from seconds or a date; `undefined` when it says nothing usable. */
function retryAfterOf(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const seconds = Number(value);
  if (Number.isFinite(seconds)) return seconds >= 0 ? seconds * 1000 : undefined;
  const untilMs = Date.parse(value) - Date.now();
  return untilMs >= 0 ? untilMs : undefined;
}
