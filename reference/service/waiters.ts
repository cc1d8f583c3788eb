import type { Sources } from '../model/sources.ts';

/** The long polls that wait for a channel to grow. */
export class Waiters {
  readonly #after: Sources['after'];
  readonly #wakeByChannel = new Map<string, Set<() => void>>();
  #isClosed = false;

  constructor({ after }: Pick<Sources, 'after'>) {
    this.#after = after;
  }

  /**
   * Resolves when the channel is woken, `signal` aborts, the service stops, or after `timeoutMs`, whichever comes
   * first; never rejects.
   */
  wait(channelId: string, timeoutMs: number, signal: AbortSignal): Promise<void> {
    if (this.#isClosed || signal.aborted || timeoutMs <= 0) return Promise.resolve();
    return new Promise((resolve) => {
      const waiting = this.#waitingFor(channelId);
      const finish = (): void => {
        stopTimer();
        waiting.delete(finish);
        signal.removeEventListener('abort', finish);
        resolve();
      };
      const stopTimer = this.#after(timeoutMs, finish);
      waiting.add(finish);
      signal.addEventListener('abort', finish);
    });
  }

  /** Ends the waits for a channel, or `most` of them, the oldest first. */
  wake(channelId: string, most = Number.POSITIVE_INFINITY): void {
    for (const finish of [...(this.#wakeByChannel.get(channelId) ?? [])].slice(0, most)) finish();
  }

  /** Ends every wait and lets no other begin until `open`. */
  close(): void {
    this.#isClosed = true;
    for (const channelId of this.#wakeByChannel.keys()) this.wake(channelId);
  }

  open(): void {
    this.#isClosed = false;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  #waitingFor(channelId: string): Set<() => void> {
    const known = this.#wakeByChannel.get(channelId);
    if (known) return known;
    const fresh = new Set<() => void>();
    this.#wakeByChannel.set(channelId, fresh);
    return fresh;
  }
}
