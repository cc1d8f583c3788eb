import type { Entry } from '../../../reference/model/page-facts.ts';
import type { Sources } from '../../../reference/model/sources.ts';
import type { Rules } from '../../../reference/rules/rules.ts';
import type { Random } from '../base/random.ts';
import type { Choices, Retention } from './choices.ts';

type Keeps = (entry: Entry) => boolean;

/** From when on messages are seen, and until when they are kept. */
export class Shelf {
  readonly #choices: Choices;
  readonly #random: Random;
  readonly #sources: Pick<Sources, 'now'>;
  /** Of each channel, the newest first. */
  readonly #channels = new Map<string, Entry[]>();
  /** From when on messages show in their channels, and in feeds, by their numbers. */
  readonly #shownMs = new Map<number, Readonly<Record<Entry['stream'], number>>>();
  readonly #latestMs = new Map<string, number>();
  /** Numbers of what left a stream for being long. */
  readonly #forgotten = new Map<string, Set<number>>();
  /** What the read under way finds gone. */
  #gone: () => readonly Entry[] = () => [];

  constructor({ choices, random, sources }: ShelfParts) {
    this.#choices = choices;
    this.#random = random;
    this.#sources = sources;
  }

  /** Rules of a service that shows and keeps messages so. */
  get rules(): Partial<Rules> {
    return {
      snapshotAgeMs: () => this.#random.between(0, this.#choices.replicaLagMs),
      // Asked of each message at its commit, before anything else is.
      commitDelayMs: (entry) => this.#shownFrom(entry)[entry.stream] - entry.committedMs,
      retains: ({ stream, id, newest }) => {
        const atMs = this.#sources.now() - this.#random.between(0, this.#choices.trimLagMs);
        const all = (): readonly Entry[] => newest(Number.MAX_SAFE_INTEGER);
        const keeps = stream === 'channel' ? this.#inChannel(id, all, atMs) : this.#inFeed(id, all, atMs);
        this.#gone = () => all().filter((entry) => !keeps(entry));
        return keeps;
      },
    };
  }

  /** Whether something is gone that the read under way would show between two numbers. */
  hasGoneBetween(after: bigint, before: bigint): boolean {
    return this.#gone().some(({ sequence }) => sequence > after && sequence < before);
  }

  #shownFrom(entry: Entry): Readonly<Record<Entry['stream'], number>> {
    const { messageNumber, channelId, committedMs } = entry;
    const known = this.#shownMs.get(messageNumber);
    if (known !== undefined) return known;
    this.#channels.set(channelId, [entry, ...(this.#channels.get(channelId) ?? [])]);
    const { appendLagMs, feedLagMs } = this.#choices;
    const lag = (most: number): number => this.#random.between(0, most);
    const channel = this.#latest(channelId, committedMs + lag(appendLagMs));
    // What is numbered first shows first.
    const mentions = this.#latest('', Math.max(channel, committedMs + lag(appendLagMs) + lag(feedLagMs)));
    this.#shownMs.set(messageNumber, { channel, mentions });
    return { channel, mentions };
  }

  #latest(stream: string, atMs: number): number {
    const latest = Math.max(this.#latestMs.get(stream) ?? 0, atMs);
    this.#latestMs.set(stream, latest);
    return latest;
  }

  #inChannel(id: string, newest: () => readonly Entry[], atMs: number): Keeps {
    return this.#keeps(this.#choices.retention, id, newest, atMs);
  }

  #inFeed(id: string, newest: () => readonly Entry[], atMs: number): Keeps {
    const { feedRetention } = this.#choices;
    if (feedRetention !== 'with-channel') return this.#keeps(feedRetention, id, newest, atMs);
    const channels = new Map<string, Keeps>();
    return (entry) => {
      const { channelId } = entry;
      const keeps =
        channels.get(channelId) ??
        this.#inChannel(channelId, () => this.#channels.get(channelId) ?? [], atMs);
      channels.set(channelId, keeps);
      return keeps(entry);
    };
  }

  #keeps(retention: Retention, id: string, newest: () => readonly Entry[], atMs: number): Keeps {
    if (retention.kind === 'all') return () => true;
    const { kind, than } = retention;
    if (kind === 'younger')
      return ({ sizeBytes, committedMs }) =>
        sizeBytes <= (retention.ifOver ?? 0) || committedMs + than > atMs;
    if (kind === 'shortest') return this.#keepsShortest(retention, id, newest, atMs);
    const counts = new Map<string, number>();
    const oldest = new Map<string, number>();
    const groupOf = ({ authorId }: Entry): string => (kind === 'newest' ? '' : authorId);
    for (const entry of newest()) {
      if (entry.committedMs > atMs) continue;
      const group = groupOf(entry);
      const count = (counts.get(group) ?? 0) + 1;
      counts.set(group, count);
      if (count <= than) oldest.set(group, entry.messageNumber);
    }
    return (entry) => entry.messageNumber >= (oldest.get(groupOf(entry)) ?? 0);
  }

  #keepsShortest(
    { than, leastMs }: Extract<Retention, { kind: 'shortest' }>,
    id: string,
    newest: () => readonly Entry[],
    atMs: number,
  ): Keeps {
    const forgotten = this.#forgotten.get(id) ?? new Set();
    this.#forgotten.set(id, forgotten);
    const keeps: Keeps = ({ messageNumber }) => !forgotten.has(messageNumber);
    const kept = newest().filter(keeps);
    const longest = kept
      .filter(({ committedMs }) => atMs - committedMs >= leastMs)
      .toSorted((one, other) => other.sizeBytes - one.sizeBytes || one.messageNumber - other.messageNumber);
    for (const { messageNumber } of longest.slice(0, Math.max(0, kept.length - than)))
      forgotten.add(messageNumber);
    return keeps;
  }
}

interface ShelfParts {
  readonly choices: Choices;
  readonly random: Random;
  readonly sources: Pick<Sources, 'now'>;
}
