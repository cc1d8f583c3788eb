import { markerPattern } from '../../history/markers.ts';
import type { RoleName } from '../config/roles.ts';
import { patienceMsOf, type Target } from '../config/target.ts';
import { type Clock, sleep } from '../client/pacing/clock.ts';
import type { Waits } from '../client/pacing/waits.ts';
import { CheckStopped, hasTrouble } from '../verdict/outcome.ts';
import { FileStock } from './file-stock.ts';
import { SharedWalks } from './shared-walks.ts';
import type { Draft } from './stream-view.ts';
import { WholeRun } from './whole-run.ts';

/** A busy machine of ours, or of the server, delays some of the thousands of reads that a history holds, by so many ms. */
const leastMarginMs = 250;
/** Failures through trouble after which what several checks share is not made again for each that asks later. */
const mostDisturbedTries = 5;

/** What preflight measured and learned. */
interface MeasuredTimes {
  /** Median round trip in ms. */
  readonly roundTripMs: number;
  /** Settle time σ in ms: how long an accepted write may take to become visible. */
  readonly settleMs: number;
}

/** Anchors that are asked for within so many ms share one. */
const slotMs = 150;

/**
 * Messages sent after a point in time, whose sight proves that a stream has been read past that point. Checks that ask
 * at about the same time share one: an anchor proves the same to each of them.
 */
class Anchors {
  readonly #pending = new Map<string, { sendAtMs: number; sent: Promise<Draft> }>();

  readonly #waits: Pick<Waits, 'waiting'>;

  constructor(waits: Pick<Waits, 'waiting'>) {
    this.#waits = waits;
  }

  /** The draft of an anchor that was sent to the stream `key` no earlier than `notBeforeMs` (monotonic). */
  after(
    key: string,
    { notBeforeMs, clock }: { notBeforeMs: number; clock: Pick<Clock, 'untimed'> },
    send: () => Promise<Draft>,
  ): Promise<Draft> {
    const pending = this.#pending.get(key);
    // Who sends it has a clock of its own, which may stand still.
    if (pending !== undefined && pending.sendAtMs >= notBeforeMs) return clock.untimed(() => pending.sent);
    const sendAtMs = Math.ceil(notBeforeMs / slotMs) * slotMs;
    const sent = this.#waits.waiting('settle', () => sleep(sendAtMs - performance.now())).then(send);
    const entry = { sendAtMs, sent };
    this.#pending.set(key, entry);
    // An anchor already on its way is too early for whoever asks later.
    const forget = (): void => {
      if (this.#pending.get(key) === entry) this.#pending.delete(key);
    };
    sent.then(forget, forget);
    return sent;
  }
}

/** What the run knows of each stream's cursors, so that no check reads what was there before it. */
class StreamCursors {
  readonly #starts = new Map<string, Promise<bigint | undefined>>();
  readonly #latest = new Map<string, bigint>();
  readonly #tooLong = new Set<string>();

  /** The cursor given out before the run sent anything; found once per stream. A failure is kept only by `giveUp`. */
  start(
    key: string,
    clock: Pick<Clock, 'untimed'>,
    find: () => Promise<bigint | undefined>,
  ): Promise<bigint | undefined> {
    const known = this.#starts.get(key);
    // Who finds it has a clock of its own, which may stand still.
    if (known !== undefined) return clock.untimed(() => known);
    const found = find();
    this.#starts.set(key, found);
    found.catch(() => {
      if (!this.#tooLong.has(key)) this.#starts.delete(key);
    });
    return found;
  }

  /** The search that is going on takes so long that no other is worth it: if it fails, its failure is kept. */
  giveUp(key: string): void {
    this.#tooLong.add(key);
  }

  /** Notes a cursor that ended a complete walk. */
  advance(key: string, nextAfter: bigint): void {
    const known = this.#latest.get(key);
    if (known === undefined || nextAfter > known) this.#latest.set(key, nextAfter);
  }

  /** The highest cursor that ended a complete walk, if any. */
  latest(key: string): bigint | undefined {
    return this.#latest.get(key);
  }
}

/**
 * What one run shares between its checks: time, markers, and of one workspace cursors and messages that are expensive to
 * write.
 */
export class RunState {
  readonly target: Target;
  readonly roundTripMs: number;
  readonly settleMs: number;
  readonly cursors = new StreamCursors();
  readonly walks = new SharedWalks();
  readonly anchors: Anchors;
  readonly files: FileStock;
  /** What it shares with the same run in other workspaces. */
  readonly whole: WholeRun;
  readonly #place: string | undefined;
  readonly #shared = new Map<string, { readonly made: Promise<unknown>; readonly users: Set<string> }>();
  /** How often each of them could not be made for trouble on the way. */
  readonly #disturbed = new Map<string, number>();

  constructor(
    target: Target,
    { roundTripMs, settleMs }: MeasuredTimes,
    { whole = new WholeRun(target.names.agentIdHeader), place }: { whole?: WholeRun; place?: string } = {},
  ) {
    this.target = target;
    this.files = new FileStock(target.files);
    this.roundTripMs = roundTripMs;
    this.settleMs = settleMs;
    this.whole = whole;
    this.#place = place;
    this.anchors = new Anchors(whole.waits);
  }

  /** The settle time that judges of the whole history go by, in ms: no check repeats what they see once. */
  get surelySettledMs(): number {
    return Math.max(2 * this.settleMs, this.settleMs + leastMarginMs);
  }

  /** The same run in another workspace: what was learned of streams, and what was written, is of one workspace alone. */
  inWorkspace(target: Target, place: string): RunState {
    return new RunState(target, this, { whole: this.whole, place });
  }

  /** What reports call whoever has a role: outside the target's own workspace another name than there. */
  nameOf(role: RoleName): string {
    return this.#place === undefined ? role : `${role} of ${this.#place}`;
  }

  /**
   * How long an accepted message is waited for before a check gives up, in ms. A server that has shown nothing at all to
   * several checks that waited that long is not waited for again: giving up never fails.
   */
  get patienceMs(): number {
    return this.whole.isHopeless ? this.settleMs : patienceMsOf(this.settleMs);
  }

  /** A body with another marker in place of that of this run. */
  renewed(body: string): string {
    const marker = this.whole.marker();
    return body.replaceAll(markerPattern(this.whole.id, 'g'), marker);
  }

  /** A short content of its own. */
  draft(text = 'a message of the conformance suite'): Draft {
    const marker = this.whole.marker();
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
    if (!isThroughTrouble(error) || times > mostDisturbedTries || this.#shared.get(name)?.made !== made)
      return;
    this.#disturbed.set(name, times);
    this.#shared.delete(name);
  }

  /** Lets go of all that several checks looked at: who asks for it again makes it again. */
  forgetShared(): void {
    this.#shared.clear();
  }
}

function isThroughTrouble(error: unknown): boolean {
  if (!(error instanceof CheckStopped)) return false;
  const { stop } = error;
  if (stop.kind === 'disturbed') return true;
  return stop.kind === 'unmet' && stop.exchange !== undefined && hasTrouble(stop.exchange);
}
