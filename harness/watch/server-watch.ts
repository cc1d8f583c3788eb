import type { Client } from '../client/client.ts';
import { sleep as pause } from '../client/pacing/clock.ts';
import { chanceFaults, isAccepted, statusOf, type Exchange } from '../client/exchange.ts';
import { describeTrouble, goodRoleOf } from '../verdict/trouble.ts';
import { isLimit, isReadOf, Looks, type LookParts, type Missing } from './looks.ts';

/** Something that preflight saw and that is no longer there. */
export interface Loss {
  /** What is lost, in words without the time. */
  readonly text: string;
  /** When it was first met, in ms since the checks began. */
  readonly atMs: number;
  readonly exchange: Exchange;
}

interface WatchParts extends LookParts {
  readonly signal: AbortSignal;
  /** The run's own: the watch listens for the answers that are due to it, and keeps its pace. */
  readonly client: Client;
  /** Called once, when what most checks need is lost for good. */
  readonly onLost: (loss: Loss) => void;
}

/** Trouble that lasts this long, in ms, with nothing but trouble in between, is there to stay. */
const sureAfterMs = 4_000;
/** Looks one after another that do not show a thing before it is lost. */
const fewestLooks = 2;
/** The same where each met what may come by chance on the way: of a million such things one is taken for lost. */
const fewestChanceLooks = 6;
/** Faults one after another, without an answer in between, before it is looked whether the server is still there. */
const suspiciousFaults = 3;
/** Silence after which it is looked whether the server is still there, in ms; round trips add to it. */
const silenceMs = 2_500;
/**
 * A trouble that turned out to be nothing is not looked into again for so long, in ms; slowness and limits, which may go on
 * for a whole run, for twice as long each further time.
 */
const dismissedForMs = 2_000;
const longestDismissedForMs = 15_000;
/** While nothing is in doubt a look is taken this often, in ms: what came before it may be held against the server later. */
const lookEveryMs = 10_000;
/** Longest that the look at the end of a run that is cut short takes, and that one before it is waited for. */
const partingMs = { look: 800, doubt: 300 };
/** Looks before something is held against the server begin no sooner one after another, in ms. */
const confirmEveryMs = 250;

/**
 * Watches whether what preflight saw is still there: the server, each credential, the channel and what it held. One sign of
 * trouble lets it look; while it is in doubt no attempt begins, so that a passing trouble costs no verdict. What stays
 * away is lost, and ends the run where most checks need it.
 */
export class ServerWatch {
  readonly #parts: WatchParts;
  readonly #looks: Looks;
  readonly #startedMs = performance.now();
  readonly #losses = new Map<string, Loss>();
  readonly #dismissed = new Map<string, { readonly untilMs: number; readonly forMs: number }>();
  readonly #timer: NodeJS.Timeout;
  /** Since when nothing of a credential was let in, on the monotonic clock in ms. */
  readonly #limitedSinceMs = new Map<string, number>();
  #doubt: Promise<void> | undefined;
  #nextLook: Promise<void> | undefined;
  #pace: Promise<void> = Promise.resolve();
  #silentSinceMs: number | undefined;
  #isLast = false;
  #sureMs = 0;
  /** Ends the requests of looks. */
  #signal: AbortSignal;
  #faults = 0;
  #pauses = 0;
  #firstFault: Exchange | undefined;

  constructor(parts: WatchParts) {
    this.#parts = parts;
    this.#signal = parts.signal;
    this.#looks = new Looks(parts);
    this.#timer = setInterval(() => this.#listen(), 500);
    this.#timer.unref();
  }

  /** What is lost, in the order found. */
  get losses(): readonly Loss[] {
    return [...this.#losses.values()];
  }

  /** True of an answer that refuses a credential which is lost. */
  isOfLost(exchange: Exchange): boolean {
    const role = goodRoleOf(exchange, this.#parts.good);
    return statusOf(exchange) === 401 && role !== undefined && this.#losses.has(role);
  }

  /** True when what most checks need is lost. */
  get hasLostMost(): boolean {
    return ['author', 'channel'].some((name) => this.#losses.has(name)) || this.#hasLostAll;
  }

  /** When the latest look began that found everything there, on the clock of exchanges; 0 before the first. */
  get sureMs(): number {
    return this.#sureMs;
  }

  /** Requests that it has made itself. */
  get requests(): number {
    return this.#looks.requests;
  }

  /** When an exchange began, in ms since the checks did. */
  timeOf({ startedMs }: Pick<Exchange, 'startedMs'>): number {
    return Math.max(0, startedMs - this.#startedMs);
  }

  /** Resolves when nothing is in doubt. */
  async untilSure(): Promise<void> {
    await this.#doubt;
  }

  /**
   * Resolves when a look that began after this call has shown that all is there, or that it is lost: what is to be held
   * against the server may come of a loss that nobody has met yet. Those who ask at one time share a look.
   */
  confirm(): Promise<void> {
    this.#nextLook ??= this.#pace.then(() => {
      this.#nextLook = undefined;
      this.#pace = pause(confirmEveryMs);
      return this.#lookAtAll();
    });
    return this.#nextLook;
  }

  async #lookAtAll(): Promise<void> {
    await this.#doubt;
    if (this.#pauses > 0 || this.#parts.signal.aborted) return;
    this.#doubt ??= this.#beInDoubt(undefined).then(() => {
      this.#doubt = undefined;
    });
    await this.#doubt;
  }

  /** Does `work` unwatched: meanwhile the operator may stop the server. */
  async whileUnwatched<T>(work: () => Promise<T>): Promise<T> {
    this.#pauses += 1;
    try {
      return await work();
    } finally {
      this.#pauses -= 1;
      this.#faults = 0;
    }
  }

  /** Notes what the run makes another try of: a 429 is waited out. */
  noteTry(exchange: Exchange): void {
    if (isLimit(exchange)) this.#noteLimited(exchange);
    else this.note(exchange);
  }

  #noteLimited({ request, startedMs }: Exchange): void {
    const credential = request.headers['authorization'] ?? '';
    if (!this.#limitedSinceMs.has(credential)) this.#limitedSinceMs.set(credential, startedMs);
  }

  /** Looks at an exchange of the run. */
  note(exchange: Exchange): void {
    const { fault } = exchange;
    if (isLimit(exchange)) this.#noteLimited(exchange);
    else if (fault === undefined)
      this.#limitedSinceMs.delete(exchange.request.headers['authorization'] ?? '');
    if (fault === undefined) {
      this.#faults = 0;
      this.#firstFault = undefined;
      const isShrunk = this.#looks.remember(exchange);
      if (isShrunk || this.#isRefusal(exchange)) this.#look(exchange);
      return;
    }
    if (this.#parts.signal.aborted || fault.kind === 'withheld' || fault.kind === 'oversize') return;
    this.#faults += fault.tries;
    this.#firstFault ??= exchange;
    if (fault.kind === 'refused' || this.#faults >= suspiciousFaults) this.#look(this.#firstFault);
  }

  /** A look at the end of the run, at everything; takes longer only when something is missing. */
  async lastLook(): Promise<void> {
    await this.#doubt;
    this.#isLast = true;
    if (!this.#parts.signal.aborted) await this.#beInDoubt(undefined);
  }

  /** A short look when the run is cut short, after the end of its requests; true when everything is there. */
  async partingLook(): Promise<boolean> {
    await Promise.race([this.#doubt, pause(partingMs.doubt)]);
    if (this.#doubt !== undefined || this.#pauses > 0 || this.hasLostMost) return false;
    this.#signal = AbortSignal.timeout(partingMs.look);
    const beganMs = performance.now();
    const missing = await this.#missing();
    if (missing.size > 0 || this.#signal.aborted) return false;
    this.#sureMs = beganMs;
    return true;
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#looks.close();
  }

  /** While no answer is due none is missing: requests may wait for their turn, or checks for the settle time. */
  #listen(): void {
    if (
      performance.now() > Math.max(this.#sureMs, this.#startedMs) + lookEveryMs &&
      this.#limitedSinceMs.size === 0
    )
      void this.#lookAtAll();
    const { silentMs: passedMs } = this.#parts.client;
    if (passedMs <= silenceMs + 20 * this.#parts.roundTripMs || this.#isDismissed('silence')) return;
    this.#silentSinceMs = performance.now() - passedMs;
    this.#look(undefined);
  }

  #look(sign: Exchange | undefined): void {
    if (this.#doubt !== undefined || this.#pauses > 0 || this.#parts.signal.aborted) return;
    if (sign !== undefined && this.#isDismissed(describeTrouble(sign))) return;
    this.#doubt = this.#beInDoubt(sign).then((isThere) => {
      if (isThere) this.#dismiss(sign);
      this.#doubt = undefined;
    });
  }

  /** Looks until all is there, which is true, or until what is missing has been missing for long enough. */
  async #beInDoubt(sign: Exchange | undefined): Promise<boolean> {
    const beganMs = performance.now();
    // What a look has shown is not looked for again.
    let missing = await this.#missing();
    for (let looks = 1; ; looks += 1) {
      if (this.#parts.signal.aborted) return false;
      if (missing.size === 0) {
        this.#sureMs = beganMs;
        return true;
      }
      const isSure = performance.now() - beganMs >= sureAfterMs;
      if (isSure && [...missing.values()].every((each) => looks >= looksNeeded(each))) {
        this.#lose(missing, sign);
        return false;
      }
      await pause(Math.min(150 * 2 ** looks, 1_000));
      const before = missing;
      missing = await this.#missing(before);
    }
  }

  #lose(missing: ReadonlyMap<string, Missing>, sign: Exchange | undefined): void {
    const silentSinceMs = sign === undefined && !this.#isLast ? this.#silentSinceMs : undefined;
    for (const [name, { text, exchange }] of missing) {
      const limitedMs = isLimit(exchange)
        ? this.#limitedSinceMs.get(exchange.request.headers['authorization'] ?? '')
        : undefined;
      const startedMs = silentSinceMs ?? limitedMs ?? (sign ?? exchange).startedMs;
      if (!this.#losses.has(name))
        this.#losses.set(name, {
          text,
          exchange,
          atMs: this.timeOf({ startedMs }),
        });
    }
    const [first] = this.#losses.values();
    if (this.hasLostMost && !this.#isLast && first !== undefined) this.#parts.onLost(first);
  }

  /** What is missing of what is not known to be lost, or of what was missing before. */
  #missing(before?: ReadonlyMap<string, Missing>): Promise<ReadonlyMap<string, Missing>> {
    const isLookedFor = (name: string): boolean =>
      (name === 'channel' || !this.#losses.has(name)) && before?.has(name) !== false;
    return this.#looks.missing(isLookedFor, this.#signal);
  }

  get #hasLostAll(): boolean {
    return [...this.#parts.good.values()].every((role) => this.#losses.has(role));
  }

  /** A good credential, or the channel of the target, that is refused all of a sudden, or limited for too long. */
  #isRefusal(exchange: Exchange): boolean {
    const role = goodRoleOf(exchange, this.#parts.good);
    if (role === undefined || this.#losses.has(role)) return false;
    const status = statusOf(exchange);
    const isOwnChannel = isReadOf(exchange, this.#parts.target.channelId);
    return (
      status === 401 ||
      status === 429 ||
      (role === 'author' && isOwnChannel && (status === 403 || status === 404))
    );
  }

  #isDismissed(text: string): boolean {
    return performance.now() < (this.#dismissed.get(text)?.untilMs ?? 0);
  }

  #dismiss(sign: Exchange | undefined): void {
    const text = sign === undefined ? 'silence' : describeTrouble(sign);
    const mayLast = sign === undefined || isLimit(sign) || isAccepted(sign);
    const before = mayLast ? (this.#dismissed.get(text)?.forMs ?? 0) : 0;
    const forMs = Math.min(Math.max(2 * before, dismissedForMs), longestDismissedForMs);
    this.#dismissed.set(text, { untilMs: performance.now() + forMs, forMs });
  }
}

function looksNeeded({ exchange: { fault } }: Missing): number {
  return fault !== undefined && chanceFaults.includes(fault.kind) ? fewestChanceLooks : fewestLooks;
}
