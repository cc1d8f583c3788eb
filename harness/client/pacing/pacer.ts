/** How long and how hard a limit is obeyed. */
export interface PacerOptions {
  /** Requests a second that are never exceeded; `undefined` means that only the server sets a limit. */
  readonly most?: number | undefined;
  /** Longest that nothing at all is let in, in ms; then the limit is endless. */
  readonly patienceMs: number;
  /** Longest single wait that is obeyed, in ms; a longer one is endless at once. Default `patienceMs`. */
  readonly longestRetryAfterMs?: number | undefined;
}

/** What a limit did to a run. */
export interface Limited {
  /** Whose requests were limited, in words. */
  readonly who: string;
  /** Requests that were refused with a 429. */
  readonly times: number;
  /** Requests a second that the last refusal slowed them to; `undefined` while nothing was asked again. */
  readonly ratePerSecond: number | undefined;
  /** Requests a second let in from the first refusal to the last one let in; `undefined` where that was too short to tell. */
  readonly letInPerSecond: number | undefined;
  /** True when at some time nothing was let in for so long that it was no longer waited for. */
  readonly isEndless: boolean;
}

/** A time in which nothing starts since a request was refused. */
interface PacerStop {
  /** When that request started, and when it was refused. */
  readonly startedMs: number;
  readonly refusedMs: number;
  /** Refused until now, and let in of those that started later. */
  refused: number;
  letIn: number;
}

/** What came of the requests since the rate was lowered last. */
interface Episode {
  letIn: number;
  refused: number;
}

interface WaitingRequest {
  readonly ticket: number;
  readonly go: () => void;
}

/** Slower than this, in requests a second, nobody is made to wait. */
const leastRate = 0.2;
/** A stop after so few requests as this is due to the pace, even if one alone was refused. */
const fewestBetweenStops = 20;
/** First rate when hardly anything was let in before the first refusal. */
const firstRate = 5;
/** Stops in a row with nothing let in that are endless once the patience is over as well. */
const fewestStops = 3;
/** Without `Retry-After`, or after one of 0, the first pause in ms; each further one in a row is twice as long. */
const firstPauseMs = 100;
const longestTurnPauseMs = 10_000;
const longestPauseAfterZeroMs = 1_000;
/** Largest share of refusals that a busy server comes to, and the one beyond which it turns out to be a limit. */
const busyShare = 0.4;
const limitShare = 0.5;
/** Refusals that are no rarer at half the rate are not due to it; after each mistake at half of that again. */
const firstBusyFactor = 2;
const longestBusyFactor = 64;
/** After so many refusals in a row that come as often, it is tried whether they do at a rate far below. */
const fewestSteady = 6;
/** The share of a busy server's refusals is taken over about so many answers. */
const busyWindow = 20;
/** Once a limit is endless requests are neither held back long nor poured out. */
const endlessRate = 20;
/** How far requests that wait may catch up after a delay of ours, in ms. */
const longestLateMs = 50;
/** A rate grows once in this time, in ms, by a lot far below where it was last refused, by little close to it. */
const growEveryMs = 1_000;
const growFar = 1.3;
const growNear = 1.02;
/** Share of the rate that was refused beyond which growth is careful, and that it falls back to at the highest. */
const nearShare = 0.9;
/** What a rate falls to at the lowest in one step, and where nothing was measured. */
const leastRateShare = 0.4;
const unmeasuredShare = 0.7;
/** What was let in is measured over no less and, while no limit is known, no more than about this, in ms. */
const leastWindowMs = 1_000;
const longestWindowMs = 2_000;

/**
 * Lets requests through in the order of their tickets, at a rate that it learns: a 429 stops everybody for as long as it
 * says, then all go on as fast as was let in before; without a further one the rate recovers slowly. Refusals that come as
 * often whatever the rate are those of a busy server: they stop nobody but the request that was refused.
 */
export class Pacer {
  readonly #who: string;
  readonly #most: number | undefined;
  readonly #patienceMs: number;
  readonly #longestRetryAfterMs: number;
  readonly #waiting: WaitingRequest[] = [];
  #timer: NodeJS.Timeout | undefined;
  #rate: number | undefined;
  #slowedRate: number | undefined;
  /** Rate at which it was refused last. */
  #refusedRate = Number.POSITIVE_INFINITY;
  /** No request starts before. */
  #nextMs = 0;
  #lastStartMs = Number.NEGATIVE_INFINITY;
  #lastButOneMs = Number.NEGATIVE_INFINITY;
  #hasWaited = false;
  #times = 0;
  /** When the first was refused, what was let in since, and when the last of that was. */
  #firstRefusedMs: number | undefined;
  #letInSinceRefused = 0;
  #lastLetInMs = 0;
  #isEndless = false;
  #wasEndless = false;
  /** Since when answers that were let in are counted, and how many. */
  #countedFromMs = performance.now();
  #letIn = 0;
  /** A refusal that has not been followed by another request yet: answers still on their way tell what it means. */
  #stop: PacerStop | undefined;
  #resumedMs = Number.NEGATIVE_INFINITY;
  #letInSinceStop = Number.POSITIVE_INFINITY;
  #grownMs = 0;
  #refusedSinceMs = 0;
  #refusedInRow = 0;
  #stopsInRow = 0;
  #episode: Episode = { letIn: 0, refused: 0 };
  /** Share of refusals in the episode before, and the rate since which it has hardly changed. */
  #share = 1;
  #steadyFromRate = 0;
  #steadyInRow = 0;
  #isBusy = false;
  #busyFactor = firstBusyFactor;
  #recentShare = 0;

  constructor(who: string, { most, patienceMs, longestRetryAfterMs = patienceMs }: PacerOptions) {
    this.#who = who;
    this.#most = most;
    this.#rate = most;
    this.#patienceMs = patienceMs;
    this.#longestRetryAfterMs = longestRetryAfterMs;
  }

  /** `undefined` when a request may start now; else resolves when its turn has come, or `signal` says to stop waiting. */
  turn(ticket: number, signal: AbortSignal | undefined): Promise<void> | undefined {
    const nowMs = performance.now();
    if (this.#waiting.length === 0 && nowMs >= this.#nextMs) {
      this.#start(nowMs, nowMs);
      return undefined;
    }
    this.#hasWaited = true;
    return new Promise((resolve) => {
      const entry: WaitingRequest = {
        ticket,
        go: () => {
          signal?.removeEventListener('abort', leave);
          resolve();
        },
      };
      const leave = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(entry), 1);
        resolve();
      };
      if (signal?.aborted === true) return resolve();
      signal?.addEventListener('abort', leave, { once: true });
      // Who was refused comes back with an old ticket, before those who came later.
      const at = this.#waiting.findLastIndex((other) => other.ticket < ticket) + 1;
      this.#waiting.splice(at, 0, entry);
      this.#schedule();
    });
  }

  /** Notes an answer, to a request that started at `startedMs`, that is no refusal for a limit. */
  noteLetIn(startedMs: number): void {
    const nowMs = performance.now();
    this.#lastLetInMs = nowMs;
    if (this.#firstRefusedMs !== undefined) this.#letInSinceRefused += 1;
    this.#letInSinceStop += 1;
    if (this.#stop !== undefined && startedMs > this.#stop.startedMs) this.#stop.letIn += 1;
    this.#refusedInRow = 0;
    this.#stopsInRow = 0;
    this.#isEndless = false;
    this.#episode.letIn += 1;
    this.#noteRecent(0);
    if (this.#rate === undefined && nowMs - this.#countedFromMs > longestWindowMs) this.#countFrom(nowMs);
    this.#letIn += 1;
    this.#grow(nowMs);
  }

  /** Notes a 429 that slows nobody: it invites to try again at once. */
  noteBriefly(): void {
    this.#countRefused();
  }

  /**
   * Notes a 429, one of `tries` to a request that started at `startedMs`; `retryAfterMs` is `undefined` when it says nothing
   * usable. Gives how long that request has to wait by itself, in ms.
   */
  noteRefused(startedMs: number, retryAfterMs: number | undefined, tries = 1): number {
    this.#countRefused();
    this.#episode.refused += 1;
    this.#noteRecent(1);
    const isLong = (retryAfterMs ?? 0) > this.#longestRetryAfterMs;
    if (this.#isBusy && this.#recentShare <= limitShare && !isLong) return pauseOf(retryAfterMs, tries);
    if (this.#isBusy) this.#isNotBusy();
    this.#stopAll(startedMs, retryAfterMs, isLong);
    return 0;
  }

  #countRefused(): void {
    this.#times += 1;
    this.#firstRefusedMs ??= performance.now();
  }

  #stopAll(startedMs: number, retryAfterMs: number | undefined, isLong: boolean): void {
    const nowMs = performance.now();
    if (this.#refusedInRow === 0) this.#refusedSinceMs = nowMs;
    this.#refusedInRow += 1;
    // Those sent before the last stop say nothing of the pace since.
    if (startedMs >= this.#resumedMs && this.#stop === undefined) {
      this.#stop = { startedMs, refusedMs: nowMs, refused: 0, letIn: 0 };
      this.#stopsInRow += 1;
    }
    if (this.#stop !== undefined) this.#stop.refused += 1;
    const isOver = this.#stopsInRow >= fewestStops && nowMs - this.#refusedSinceMs > this.#patienceMs;
    this.#isEndless ||= isOver || isLong;
    this.#wasEndless ||= this.#isEndless;
    // Timers may fire a millisecond early.
    const waitMs = this.#isEndless ? 0 : pauseOf(retryAfterMs, Math.max(this.#stopsInRow, 1)) + 2;
    this.#nextMs = Math.max(this.#nextMs, nowMs + waitMs);
    if (this.#isEndless) this.#nextMs = nowMs;
    this.#schedule();
  }

  /** True when no other request has started in the last second, nor any been refused: a limit is not reached by that. */
  isInnocent(startedMs: number): boolean {
    return this.#times === 0 && startedMs - this.#lastButOneMs > leastWindowMs;
  }

  /** Between one request that waits and the next, in ms; 0 when none waits, or for no rate. */
  get spacingMs(): number {
    return this.#rate === undefined || this.#waiting.length === 0 ? 0 : 1000 / this.#rate;
  }

  get isEndless(): boolean {
    return this.#isEndless;
  }

  /** `undefined` when nothing was refused. */
  get limited(): Limited | undefined {
    if (this.#times === 0) return undefined;
    return {
      who: this.#who,
      times: this.#times,
      ratePerSecond: this.#slowedRate,
      letInPerSecond: this.#letInPerSecond,
      isEndless: this.#wasEndless,
    };
  }

  get #letInPerSecond(): number | undefined {
    const durationMs = this.#lastLetInMs - (this.#firstRefusedMs ?? this.#lastLetInMs);
    return durationMs < leastWindowMs ? undefined : (this.#letInSinceRefused * 1000) / durationMs;
  }

  /** Lets everybody go. */
  close(): void {
    clearTimeout(this.#timer);
    for (const { go } of this.#waiting.splice(0)) go();
  }

  /** Lets one go; the next follows its `dueMs` by the spacing. */
  #start(nowMs: number, dueMs: number): void {
    this.#goOn(nowMs);
    this.#lastButOneMs = this.#lastStartMs;
    this.#lastStartMs = nowMs;
    const rate = this.#isEndless ? endlessRate : this.#rate;
    if (rate === undefined) return;
    this.#nextMs = dueMs + 1000 / rate;
  }

  /** After a stop: slower, if it was a limit. */
  #goOn(nowMs: number): void {
    const stop = this.#stop;
    if (stop === undefined) return;
    // One that is refused among others that are let in was met by a server that is busy for a moment.
    const isLimit =
      (stop.refused > 1 && stop.refused > stop.letIn) || this.#letInSinceStop < fewestBetweenStops;
    // The last stop was too short; how fast it went on afterwards did not matter.
    const wasTooShort = this.#letInSinceStop === 0 && this.#rate !== undefined;
    this.#stop = undefined;
    this.#resumedMs = nowMs;
    this.#letInSinceStop = 0;
    if (isLimit && !wasTooShort) this.#slow(stop.refusedMs, nowMs);
  }

  #slow(refusedMs: number, nowMs: number): void {
    const windowMs = refusedMs - this.#countedFromMs;
    const isMeasured = this.#rate === undefined || windowMs >= leastWindowMs;
    const measured = isMeasured ? (this.#letIn * 1000) / Math.max(windowMs, leastWindowMs) : undefined;
    const { rate, refusedRate } = slowed(this.#rate, measured);
    this.#rate = rate;
    this.#slowedRate = rate;
    this.#refusedRate = refusedRate;
    this.#grownMs = nowMs;
    this.#countFrom(nowMs);
    this.#compare(rate);
  }

  /** A limit refuses fewer once it is asked for less; a busy server refuses as many, however slowly it is asked. */
  #compare(rate: number): void {
    const { letIn, refused } = this.#episode;
    this.#episode = { letIn: 0, refused: 0 };
    const [before, share] = [this.#share, refused / Math.max(letIn + refused, 1)];
    this.#share = share;
    const isSteady = share <= busyShare && before <= busyShare && share >= before / 2;
    if (!isSteady) {
      this.#steadyFromRate = rate;
      this.#steadyInRow = 0;
      return;
    }
    this.#steadyInRow += 1;
    const farBelow = this.#steadyFromRate / this.#busyFactor;
    if (rate > farBelow) {
      // A rate that grows as fast as it is lowered would show nothing.
      if (this.#steadyInRow % fewestSteady === 0)
        this.#rate = this.#slowedRate = Math.max(farBelow / 2, leastRate);
      return;
    }
    this.#isBusy = true;
    this.#recentShare = share;
    this.#rate = this.#most;
    this.#slowedRate = undefined;
  }

  /** It was a limit after all: from what was let in, and in doubt for longer next time. */
  #isNotBusy(): void {
    this.#isBusy = false;
    this.#busyFactor = Math.min(this.#busyFactor ** 2, longestBusyFactor);
    this.#share = 1;
    this.#letInSinceStop = 0;
  }

  #noteRecent(isRefused: 0 | 1): void {
    this.#recentShare += (isRefused - this.#recentShare) / busyWindow;
  }

  #countFrom(nowMs: number): void {
    this.#countedFromMs = nowMs;
    this.#letIn = 0;
  }

  #grow(nowMs: number): void {
    if (this.#rate === undefined || this.#rate === this.#most || this.#stop !== undefined) return;
    // What nobody waits for is no limit: that it holds says nothing.
    if (nowMs - this.#grownMs < growEveryMs || !this.#hasWaited) return;
    this.#grownMs = nowMs;
    this.#hasWaited = this.#waiting.length > 0;
    const isNear = this.#rate >= nearShare * this.#refusedRate;
    this.#rate = Math.min(this.#rate * (isNear ? growNear : growFar), this.#most ?? Number.POSITIVE_INFINITY);
    // Beyond where it was refused the limit is another one.
    if (this.#rate > this.#refusedRate / nearShare) this.#refusedRate = Number.POSITIVE_INFINITY;
  }

  #schedule(): void {
    clearTimeout(this.#timer);
    if (this.#waiting.length === 0) return;
    this.#timer = setTimeout(() => this.#pump(), Math.max(0, this.#nextMs - performance.now()));
  }

  #pump(): void {
    for (let nowMs = performance.now(); nowMs >= this.#nextMs; nowMs = performance.now()) {
      const next = this.#waiting.shift();
      if (next === undefined) return;
      // A timer that fires late delays nobody but the first.
      this.#start(nowMs, Math.max(this.#nextMs, nowMs - longestLateMs));
      next.go();
    }
    this.#schedule();
  }
}

/** How long a 429 asks for, in ms; `times` counts the refusals in a row. */
function pauseOf(retryAfterMs: number | undefined, times: number): number {
  const pauseMs = firstPauseMs * 2 ** (times - 1);
  if (retryAfterMs === undefined) return Math.min(pauseMs, longestTurnPauseMs);
  if (retryAfterMs === 0) return Math.min(pauseMs, longestPauseAfterZeroMs);
  return Math.max(retryAfterMs, firstPauseMs);
}

/**
 * The rate after a refusal, and the one that was refused: what was let in since the last one, where that is lower;
 * `measured` is `undefined` when that was too short ago to tell.
 */
function slowed(
  rate: number | undefined,
  measured: number | undefined,
): { rate: number; refusedRate: number } {
  if (rate === undefined)
    return { rate: Math.max(measured ?? 0, firstRate), refusedRate: Number.POSITIVE_INFINITY };
  const lowered = Math.min(
    nearShare * rate,
    Math.max(measured ?? unmeasuredShare * rate, leastRateShare * rate),
  );
  return { rate: Math.max(lowered, leastRate), refusedRate: rate };
}
