import { type Clock, sleep } from '../client/pacing/clock.ts';
import type { Waits } from '../client/pacing/waits.ts';
import type { Draft } from './stream-view.ts';

/** Anchors that are asked for within so many ms share one. */
const slotMs = 150;

/**
 * Messages sent after a point in time, whose sight proves that a stream has been read past that point. Checks that ask
 * at about the same time share one: an anchor proves the same to each of them.
 */
export class Anchors {
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
