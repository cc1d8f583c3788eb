import { randomBytes } from 'node:crypto';
import type { Exchange } from '../client/exchange.ts';
import type { WaitKind } from '../results/events.ts';
import { Waits } from '../client/pacing/waits.ts';
import type { Target } from '../config/target.ts';
import { Anchors } from './anchors.ts';
import { CheckStopped, hasTrouble } from '../verdict/outcome.ts';
import { SentContents } from './sent-contents.ts';
import { FileStock } from './file-stock.ts';
import { StreamCursors } from './stream-cursors.ts';
import { SharedWalks } from './shared-walks.ts';
import type { Draft } from './stream-view.ts';

/** However short the settle time, a busy machine of ours may need this long to see what is there, in ms. */
const leastPatienceMs = 2_000;
/** Checks that waited in vain before the rest of a run waits no longer than the settle time. */
const enoughVainWaits = 8;
/** Failures through trouble after which what several checks share is not made again for each that asks later. */
const mostDisturbed = 5;

/** What preflight measured and learned. */
interface Measured {
  /** Median round trip in ms. */
  readonly roundTripMs: number;
  /** Settle time σ in ms: how long an accepted write may take to become visible. */
  readonly settleMs: number;
}

/** What one run shares between its checks: time, markers, cursors, and messages that are expensive to write. */
export class RunState {
  readonly target: Target;
  readonly roundTripMs: number;
  readonly settleMs: number;
  /** Part of every content this run sends; 64 random bits. */
  readonly id = `cf-${randomBytes(8).toString('hex')}`;
  readonly cursors = new StreamCursors();
  readonly walks = new SharedWalks();
  readonly waits = new Waits();
  readonly anchors = new Anchors(this.waits);
  readonly sent = new SentContents();
  readonly files: FileStock;
  readonly #shared = new Map<string, { readonly made: Promise<unknown>; readonly users: Set<string> }>();
  /** How often each of them could not be made for trouble on the way. */
  readonly #disturbed = new Map<string, number>();
  #drafts = 0;
  #vainWaits = 0;
  #hasShownOurs = false;
  readonly #timers = new Set<NodeJS.Timeout>();
  #hasEnded = false;

  constructor(target: Target, { roundTripMs, settleMs }: Measured) {
    this.target = target;
    this.files = new FileStock(target.files);
    this.roundTripMs = roundTripMs;
    this.settleMs = settleMs;
  }

  /**
   * How long an accepted message is waited for before a check gives up, in ms. A server that has shown nothing at all to
   * several checks that waited that long is not waited for again: giving up never fails.
   */
  get patienceMs(): number {
    return this.isHopeless ? this.settleMs : Math.max(5 * this.settleMs, leastPatienceMs);
  }

  /** True when nothing of what several checks waited for has ever been shown. */
  get isHopeless(): boolean {
    return !this.#hasShownOurs && this.#vainWaits >= enoughVainWaits;
  }

  /** Notes a wait for messages of ours that ended without them. */
  noteVainWait(): void {
    this.#vainWaits += 1;
  }

  /** True once any read has shown something that this run sent: the server remembers. */
  get hasShownOurs(): boolean {
    return this.#hasShownOurs;
  }

  /** Looks at an answer for something of ours. */
  look({ request: { call }, response }: Exchange): void {
    if (this.#hasShownOurs || (call !== 'channel-read' && call !== 'mentions')) return;
    this.#hasShownOurs = response !== undefined && Buffer.from(response.bytes).includes(this.id);
  }

  /** A marker that no other content carries; ASCII, 25 characters or so. */
  marker(): string {
    this.#drafts += 1;
    return `${this.id}-${this.#drafts}.`;
  }

  /** The number of the marker in a content, counting up in the order they were made; NaN without one of this run. */
  numberOf(content: string): number {
    const at = content.indexOf(this.id);
    return at === -1 ? Number.NaN : Number.parseInt(content.slice(at + this.id.length + 1), 10);
  }

  /** How many markers were made after the one with this number. */
  draftsSince(number: number): number {
    return this.#drafts - number;
  }

  /** A short content of its own. */
  draft(text = 'a message of the conformance suite'): Draft {
    const marker = this.marker();
    return { marker, text: `${marker} ${text}` };
  }

  /**
   * What several checks look at and one of them makes: the first to ask. A check that asks again does so in its
   * retry and gets a new one. A failure is kept, since what could not be made once is not worth another try by each; one
   * through trouble on the way is not, a few times, since it says nothing of the next try.
   */
  shared<T>(name: string, user: string, make: () => Promise<T>): Promise<T> {
    const known = this.#shared.get(name);
    if (known !== undefined && !known.users.has(user)) {
      known.users.add(user);
      return known.made as Promise<T>;
    }
    const made = make();
    this.#shared.set(name, { made, users: new Set([user]) });
    made.catch((error: unknown) => this.#forget(name, made, error));
    return made;
  }

  #forget(name: string, made: Promise<unknown>, error: unknown): void {
    const times = (this.#disturbed.get(name) ?? 0) + 1;
    if (!isThroughTrouble(error) || times > mostDisturbed || this.#shared.get(name)?.made !== made) return;
    this.#disturbed.set(name, times);
    this.#shared.delete(name);
  }

  /** Resolves after a time; never, once the run has ended. It is counted as spent on what is waited for. */
  sleep(durationMs: number, waitedFor: WaitKind): Promise<void> {
    return this.waits.waiting(waitedFor, () => this.#slept(durationMs));
  }

  #slept(durationMs: number): Promise<void> {
    return new Promise((resolve) => {
      if (this.#hasEnded) return;
      const timer = setTimeout(() => {
        this.#timers.delete(timer);
        resolve();
      }, durationMs);
      this.#timers.add(timer);
    });
  }

  /** Ends every sleep. What is left of checks that were not waited for sleeps on, and keeps no process from ending. */
  end(): void {
    this.#hasEnded = true;
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
  }
}

function isThroughTrouble(error: unknown): boolean {
  if (!(error instanceof CheckStopped)) return false;
  const { stop } = error;
  if (stop.kind === 'disturbed') return true;
  return stop.kind === 'unmet' && stop.exchange !== undefined && hasTrouble(stop.exchange);
}
