import { randomBytes } from 'node:crypto';
import type { Exchange } from '../client/exchange.ts';
import { type WaitKind, Waits } from '../client/pacing/waits.ts';
import { OwnMessages } from './own-messages.ts';
import { readPage } from './page.ts';

/** Checks that waited in vain before the rest of a run waits no longer than the settle time. */
const enoughVainWaits = 8;

/** What all workspaces have in common that a run works in: its id and markers, its time, and whether the server remembers. */
export class WholeRun {
  /** Part of every content this run sends; 64 random bits. */
  readonly id = `cf-${randomBytes(8).toString('hex')}`;
  readonly waits = new Waits();
  readonly own: OwnMessages;
  #markers = 0;
  #vainWaits = 0;
  #hasShownOurs = false;
  readonly #timers = new Set<NodeJS.Timeout>();
  #hasEnded = false;

  constructor(agentIdHeader: string) {
    this.own = new OwnMessages({ runId: this.id, agentIdHeader });
  }

  /** True when nothing of what several checks waited for has ever been shown. */
  get isHopeless(): boolean {
    return !this.#hasShownOurs && this.#vainWaits >= enoughVainWaits;
  }

  /** Notes a wait for messages of ours that ended without them. */
  noteVainWait(): void {
    this.#vainWaits += 1;
  }

  /** True once any read has shown something that this run sent. */
  get hasShownOurs(): boolean {
    return this.#hasShownOurs;
  }

  /** Looks at an answer for something of ours. */
  look(exchange: Exchange): void {
    this.own.add(exchange);
    const { call } = exchange.request;
    if (this.#hasShownOurs || (call !== 'channel-read' && call !== 'mentions')) return;
    const { items } = readPage(exchange, { after: undefined, limit: undefined });
    this.#hasShownOurs = items.some(({ content }) => content?.includes(this.id) === true);
  }

  /** A marker that no other content carries. */
  marker(): string {
    this.#markers += 1;
    return `${this.id}-${this.#markers}.`;
  }

  /** The number of the marker in a content; NaN without one of this run. */
  numberOf(content: string): number {
    const at = content.indexOf(this.id);
    return at === -1 ? Number.NaN : Number.parseInt(content.slice(at + this.id.length + 1), 10);
  }

  /** How many markers were made after the one with this number. */
  draftsSince(number: number): number {
    return this.#markers - number;
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
