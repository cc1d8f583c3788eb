import { Refusal } from '../model/refusal.ts';
import type { Settings } from '../model/settings.ts';
import type { Sources } from '../model/sources.ts';

interface Bucket {
  tokens: number;
  refilledMs: number;
}

/** The limits that draw a 429: requests of an agent, its long polls, and request bodies held in memory. */
export class Quotas {
  readonly #settings: Settings;
  readonly #elapsedMs: Sources['elapsedMs'];
  readonly #buckets = new Map<string, Bucket>();
  readonly #polls = new Map<string, number>();
  /** Requests per second of single callers, where an operator set one. */
  readonly #rates = new Map<string, number>();
  #bodyBytes = 0;

  constructor(settings: Settings, { elapsedMs }: Pick<Sources, 'elapsedMs'>) {
    this.#settings = settings;
    this.#elapsedMs = elapsedMs;
  }

  /** Gives one agent, or the token of a machine, a rate of its own; `null` takes it away again. */
  limitRequests(agentId: string, perSecond: number | null): void {
    this.#buckets.delete(agentId);
    if (perSecond === null) this.#rates.delete(agentId);
    else this.#rates.set(agentId, perSecond);
  }

  /** @throws Refusal when the agent has used up its requests of this second. */
  takeRequest(agentId: string): void {
    const rate = this.#rates.get(agentId) ?? this.#settings.requestsPerSecond;
    if (rate === null) return;
    const now = this.#elapsedMs();
    // Below one a second there is still a first request.
    const burst = Math.max(1, rate);
    const bucket = this.#buckets.get(agentId) ?? { tokens: burst, refilledMs: now };
    bucket.tokens = Math.min(burst, bucket.tokens + ((now - bucket.refilledMs) / 1000) * rate);
    bucket.refilledMs = now;
    this.#buckets.set(agentId, bucket);
    if (bucket.tokens < 1) throw limited('the agent sends requests too fast', (1 - bucket.tokens) / rate);
    bucket.tokens -= 1;
  }

  /**
   * Counts one more long poll of an agent, or of whatever else they are counted by; the function returned counts it off.
   * @throws Refusal when none is free.
   */
  takePoll(holder: string): () => void {
    const held = this.#polls.get(holder) ?? 0;
    const slots = this.#settings.longPollSlots;
    if (slots !== null && held >= slots) throw limited('too many long polls are held', 1);
    this.#polls.set(holder, held + 1);
    return () => void this.#polls.set(holder, (this.#polls.get(holder) ?? 1) - 1);
  }

  /**
   * Counts bytes of a request body that is being read, until `releaseBody`.
   * @throws Refusal when the capacity for bodies is used up.
   */
  holdBody(bytes: number): void {
    const capacity = this.#settings.bodyBytesInFlight;
    if (capacity !== null && this.#bodyBytes + bytes > capacity) {
      throw limited('the service holds too many request bodies', 1);
    }
    this.#bodyBytes += bytes;
  }

  releaseBody(bytes: number): void {
    this.#bodyBytes -= bytes;
  }
}

function limited(message: string, retryAfterSeconds: number): Refusal {
  return new Refusal('rate-limited', message, { retryAfterSeconds });
}
