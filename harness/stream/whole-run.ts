import { randomBytes } from 'node:crypto';
import type { Hope } from '../client/pacing/clock.ts';
import { type WaitKind, Waits } from '../client/pacing/waits.ts';
import { OwnMessages } from './own-messages.ts';

/** Checks that waited in vain before the rest of a run waits no longer than the settle time. */
const enoughVainWaits = 8;

/** What all workspaces have in common that a run works in: its id and markers, its time, and whether the server remembers. */
export class WholeRun {
  /** Part of every content this run sends; 64 random bits. */
  readonly id = `cf-${randomBytes(8).toString('hex')}`;
  readonly waits = new Waits();
  readonly own: OwnMessages;
  /** Draws what a run leaves out to be short: the same for the same seed. */
  readonly seed: number;
  #markers = 0;
  #vainWaits = 0;
  #hasGivenUp = false;
  readonly hope: Hope = {
    isInVain: () => this.isHopeless,
    isGone: () => this.isHopeless && this.#hasGivenUp,
    giveUp: () => void (this.#hasGivenUp = true),
  };
  readonly #timers = new Set<NodeJS.Timeout>();
  #hasEnded = false;

  constructor(agentIdHeader: string, seed = 0) {
    this.seed = seed;
    this.own = new OwnMessages({ runId: this.id, agentIdHeader });
  }

  /** True when nothing of what several checks waited for has ever been shown. */
  get isHopeless(): boolean {
    return !this.own.hasShownAny && this.#vainWaits >= enoughVainWaits;
  }

  /** Notes a wait for messages of ours that ended without them. */
  noteVainWait(): void {
    this.#vainWaits += 1;
  }

  /** A marker that no other content carries. */
  marker(): string {
    this.#markers += 1;
    return `${this.id}-${this.#markers}.`;
  }

  /** Resolves after a time; never, once the run has ended. */
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

  /** Ends every sleep. */
  end(): void {
    this.#hasEnded = true;
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
  }
}
