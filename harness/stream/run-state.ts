import { markerPattern } from '../../history/markers.ts';
import type { RoleName } from '../config/roles.ts';
import { patienceMsOf, type Target } from '../config/target.ts';
import { Anchors } from './anchors.ts';
import { CheckStopped, hasTrouble } from '../verdict/outcome.ts';
import { FileStock } from './file-stock.ts';
import { StreamCursors } from './stream-cursors.ts';
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
