import type { Client } from '../client/client.ts';

/** So long without an answer, while cases wait for one, before the server counts as silent; and how often that is looked at. */
const defaultSilentAfterMs = 30_000;
const lookEveryMs = 250;
/** What was silent for so long when the time was over, and for so large a share of it, was silent as well. */
const silentAtEndMs = 10_000;
const silentAtEndShare = 0.1;

/** Listens until nothing of an answer has come for so long though one is due, in ms; gives what ends it. */
export function whenSilent(
  client: Pick<Client, 'silentMs'>,
  afterMs: number,
  onSilent: () => void,
): () => void {
  const listening = setInterval(() => {
    if (client.silentMs <= afterMs) return;
    clearInterval(listening);
    onSilent();
  }, lookEveryMs);
  listening.unref();
  return () => clearInterval(listening);
}

/** Hears whether a server still answers anything while cases wait for it. */
export class Silence {
  readonly #client: Pick<Client, 'traffic' | 'silentMs'>;
  readonly #silentAfterMs: number;
  readonly #startedMs = performance.now();
  readonly #timer: NodeJS.Timeout;
  /** Cases that wait for an answer which the server may not hold back. */
  #waiting = 0;
  /** For how long they have waited without hearing anything, and when something was heard last. */
  #silentMs = 0;
  #heardMs = 0;

  constructor(
    client: Pick<Client, 'traffic' | 'silentMs'>,
    onSilent: () => void,
    silentAfterMs = defaultSilentAfterMs,
  ) {
    this.#client = client;
    this.#silentAfterMs = silentAfterMs;
    this.#timer = setInterval(() => {
      this.#listen();
      if (this.#silentMs >= this.#silentAfterMs) onSilent();
    }, lookEveryMs);
  }

  /** An answer that is waited for. */
  async during<T>(answer: Promise<T>): Promise<T> {
    this.#waiting += 1;
    try {
      return await answer;
    } finally {
      this.#waiting -= 1;
    }
  }

  /** Whether nothing at all has come since a time though an answer is due, and for longer than any answer has taken, in ms. */
  isSilentSince(sinceMs: number, slowestMs: number): boolean {
    const { traffic, silentMs } = this.#client;
    return traffic.lastAnswerMs < sinceMs && silentMs > slowestMs;
  }

  /** Listens no more; true when the server was silent at the end. */
  end(): boolean {
    clearInterval(this.#timer);
    const elapsedMs = performance.now() - this.#startedMs;
    const atEndMs = Math.max(silentAtEndMs, elapsedMs * silentAtEndShare);
    return this.#silentMs >= Math.min(this.#silentAfterMs, atEndMs);
  }

  /** Counts looks, not time: while this program itself is busy nothing could have been heard. */
  #listen(): void {
    const { lastAnswerMs } = this.#client.traffic;
    // Cases that wait for their turn under a limit have not asked for anything yet.
    const isAsked = this.#waiting > 0 && this.#client.silentMs > 0;
    const isQuiet = isAsked && lastAnswerMs === this.#heardMs;
    this.#silentMs = isQuiet ? this.#silentMs + lookEveryMs : 0;
    this.#heardMs = lastAnswerMs;
  }
}
