import { listMentions, pathOf, queryText, showOverview } from '../../spec/calls/index.ts';
import { Actor } from '../client/actor.ts';
import { Client } from '../client/client.ts';
import { sleep as pause } from '../client/pacing/clock.ts';
import {
  chanceFaults,
  isAccepted,
  isRedirection,
  isWebPage,
  statusOf,
  type Exchange,
} from '../client/exchange.ts';
import { readPage, readPageObject } from '../stream/page.ts';
import type { RoleName } from '../config/roles.ts';
import type { Target } from '../config/target.ts';
import { describeTrouble, goodRoleOf, isServerError, type GoodCredentials } from '../verdict/trouble.ts';

/** Something that preflight saw and that is no longer there. */
export interface Loss {
  /** What is lost, in words without the time. */
  readonly text: string;
  /** When it was first met, in ms since the checks began. */
  readonly atMs: number;
  readonly exchange: Exchange;
}

interface WatchParts {
  readonly target: Target;
  readonly good: GoodCredentials;
  /** Whether preflight could read the target's channel. */
  readonly hasReadChannel: boolean;
  readonly roundTripMs: number;
  readonly env?: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
  /** The run's own: the watch listens for the answers that are due to it, and keeps its pace. */
  readonly client: Client;
  /** Called once, when what most checks need is lost for good. */
  readonly onLost: (loss: Loss) => void;
}

/** Trouble that lasts this long, in ms, with nothing but trouble in between, is there to stay. */
const sureAfterMs = 4_000;
/** A look waits for an answer this long, in ms; round trips add to it. */
const lookAnswerMs = 2_000;
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
  readonly #client: Client;
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
  /** The highest watermark and the newest message that each channel of the target has shown, by the path of its reads. */
  readonly #highest = new Map<
    string,
    { readonly watermark: bigint; readonly newest: bigint; readonly seenMs: number }
  >();

  constructor(parts: WatchParts) {
    this.#parts = parts;
    this.#signal = parts.signal;
    const answerMs = lookAnswerMs + 20 * parts.roundTripMs;
    this.#client = new Client({
      target: parts.target,
      timeouts: { connectMs: answerMs, answerMs },
      maxTries: 1,
      ahead: parts.client,
      ...(parts.env === undefined ? {} : { env: parts.env }),
    });
    this.#timer = setInterval(() => this.#listen(), 500);
    this.#timer.unref();
  }

  /** What is lost, in the order found. */
  get losses(): readonly Loss[] {
    return [...this.#losses.values()];
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
    return this.#client.traffic.requests;
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
      this.#remember(exchange);
      if (this.#isRefusal(exchange)) this.#look(exchange);
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
    const missing = await this.#missing(() => true);
    if (missing.size > 0 || this.#signal.aborted) return false;
    this.#sureMs = beganMs;
    return true;
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#client.close();
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
    let missing = await this.#missing(() => true);
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
      missing = await this.#missing((name) => before.has(name));
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

  get #hasLostAll(): boolean {
    return [...this.#parts.good.values()].every((role) => this.#losses.has(role));
  }

  /** Everything that preflight saw and that a look does not show, by name, but for what is known to be lost. */
  async #missing(isLookedFor: (name: string) => boolean): Promise<ReadonlyMap<string, Missing>> {
    const roles = [...this.#parts.good].filter(([, role]) => !this.#losses.has(role) && isLookedFor(role));
    const found = await Promise.all([
      ...roles.map(async ([credential, role]) => [role, await this.#missingRole(credential, role)] as const),
      ...(isLookedFor('channel')
        ? [this.#missingChannel().then((missing) => ['channel', missing] as const)]
        : []),
    ]);
    // One call that fails is a mistake of the server; where all do that it served before, what is behind them is gone.
    const isOut = found.length > 1 && found.every(([, missing]) => missing !== undefined && fails(missing));
    return new Map(
      found.flatMap(([name, missing]) =>
        missing === undefined || this.#isMerelySlow(missing) || (fails(missing) && !isOut)
          ? []
          : [[name, missing]],
      ),
    );
  }

  /** Whoever answered anything in the meantime is there: this process, or the server, has much to do. */
  #isMerelySlow({ exchange: { fault, startedMs } }: Missing): boolean {
    const heardMs = Math.max(this.#client.traffic.lastAnswerMs, this.#parts.client.traffic.lastAnswerMs);
    return fault?.kind === 'timeout' && heardMs > startedMs;
  }

  async #missingRole(credential: string, role: RoleName): Promise<Missing | undefined> {
    const actor = this.#actor(credential, role);
    const { workspaceId = '00000000-0000-0000-0000-000000000000' } = this.#parts.target;
    const exchange = await actor.request(
      role === 'machine' ? showOverview(workspaceId) : listMentions({ limit: 1 }),
    );
    const isFailing =
      isServerError(exchange) && (role === 'machine' || isServerError(await actor.request(listMentions())));
    // A 429 has been waited out for as long as it may be.
    const isGone =
      exchange.fault !== undefined ||
      [401, 429].includes(statusOf(exchange) ?? 0) ||
      isOfAnother(exchange) ||
      isFailing;
    return isGone ? { text: textOf(exchange), exchange } : undefined;
  }

  async #missingChannel(): Promise<Missing | undefined> {
    const { channelId, secondChannelId } = this.#parts.target;
    const [author] = [...this.#parts.good].filter(([, role]) => role === 'author');
    if (channelId === undefined || author === undefined || !this.#parts.hasReadChannel) return undefined;
    const actor = this.#actor(...author);
    const exchange = await actor.readChannel(channelId, { after: 0n, limit: 1 });
    // A channel that is refused in one form of the read alone is there, and its server broken.
    const isLost =
      exchange.fault !== undefined ||
      ((isRefused(exchange) || isServerError(exchange)) &&
        isRefusedLike(exchange, await actor.readChannel(channelId, { after: 0 })));
    if (isLost) return { text: describeTrouble(exchange), exchange };
    const missing = await this.#missingMessages(channelId, actor, exchange);
    if (missing !== undefined || secondChannelId === undefined) return missing;
    return this.#missingMessages(secondChannelId, actor);
  }

  /** Whether a channel has lost what it has shown; `given` is a read of its oldest message. */
  async #missingMessages(channelId: string, actor: Actor, given?: Exchange): Promise<Missing | undefined> {
    const highest = this.#highest.get(pathOf('channel-read', channelId));
    if (highest === undefined) return undefined;
    const readAfter = (after: bigint): Promise<Exchange> => actor.readChannel(channelId, { after, limit: 1 });
    const exchange = given ?? (await readAfter(0n));
    const { highWatermark } = readPageObject(exchange);
    if (highWatermark === undefined || highWatermark >= highest.watermark) return undefined;
    // A watermark may be read in more than one way: what was shown has to be gone as well, with all that follows it.
    const after = highest.newest - 1n;
    const newest = await readAfter(after);
    const { items, hasMore } = readPage(newest, this.#parts.target.bindings.items);
    if (items.length > 0 || (isAccepted(newest) && hasMore === true) || newest.fault !== undefined)
      return undefined;
    const text = `the channel lost messages: its watermark was ${highest.watermark} and is ${highWatermark}, and message ${highest.newest} is gone`;
    return { text, exchange };
  }

  /** A good credential, or the channel of the target, that is refused all of a sudden, or limited for too long. */
  #isRefusal(exchange: Exchange): boolean {
    const role = goodRoleOf(exchange, this.#parts.good);
    if (role === undefined || this.#losses.has(role)) return false;
    const status = statusOf(exchange);
    const isOwnChannel = this.#isReadOf(exchange, this.#parts.target.channelId);
    return (
      status === 401 ||
      status === 429 ||
      (role === 'author' && isOwnChannel && (status === 403 || status === 404))
    );
  }

  #isReadOf({ request }: Exchange, channelId: string | undefined): boolean {
    return channelId !== undefined && request.path === pathOf('channel-read', channelId);
  }

  #remember(exchange: Exchange): void {
    const { request } = exchange;
    const { bindings, channelId, secondChannelId } = this.#parts.target;
    if (request.call !== 'channel-read' || !isAccepted(exchange)) return;
    const isOwn = [channelId, secondChannelId].some((id) => this.#isReadOf(exchange, id));
    if (!isOwn || queryText(request.query) === '') return;
    const { highWatermark: watermark } = readPageObject(exchange);
    if (watermark === undefined) return;
    const highest = this.#highest.get(request.path);
    if (highest !== undefined && watermark < highest.watermark && exchange.startedMs > highest.seenMs)
      this.#look(exchange);
    if (highest !== undefined && watermark <= highest.watermark) return;
    const { items } = readPage(exchange, bindings.items);
    const newest = items.at(-1)?.sequence;
    if (newest !== undefined)
      this.#highest.set(request.path, { watermark, newest, seenMs: exchange.endedMs });
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

  #actor(credential: string, role: RoleName): Actor {
    const signal = this.#signal;
    const token = credential.replace(/^Bearer /, '');
    return new Actor(role, token, {
      client: this.#client,
      signal,
      record: () => undefined,
    });
  }
}

function isRefused(exchange: Exchange): boolean {
  return [401, 403, 404].includes(statusOf(exchange) ?? 0);
}

/** Whether both are refused, or draw an error of the server. */
function isRefusedLike(one: Exchange, other: Exchange): boolean {
  return isServerError(one) ? isServerError(other) : isRefused(other);
}

function fails({ exchange }: Missing): boolean {
  return isServerError(exchange);
}

interface Missing {
  readonly text: string;
  readonly exchange: Exchange;
}

function looksNeeded({ exchange: { fault } }: Missing): number {
  return fault !== undefined && chanceFaults.includes(fault.kind) ? fewestChanceLooks : fewestLooks;
}

function isLimit(exchange: Exchange): boolean {
  return exchange.fault === undefined && statusOf(exchange) === 429;
}

/** An answer that only somebody before the service gives: a redirection, or a page for people. Preflight ends a run that begins so. */
function isOfAnother(exchange: Exchange): boolean {
  const status = statusOf(exchange) ?? 0;
  return isRedirection(status) || (isWebPage(exchange) && status < 500);
}

function textOf(exchange: Exchange): string {
  const text = describeTrouble(exchange);
  return isLimit(exchange) ? `${text}, and nothing gets through this limit any more` : text;
}
