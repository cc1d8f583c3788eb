import type { SeenMessage } from '../../../history/seen-message.ts';
import type { Sequence } from '../../../history/sequence.ts';
import type { Work } from '../base/clock.ts';
import { Counter } from './counter.ts';
import { authorOf } from './directory.ts';
import type { Agent } from './directory.ts';
import type { Inside } from './inside.ts';
import type { Draft, Rules } from './rules.ts';
import type { Place, Stored, Stream } from './stream.ts';

/** What the service keeps: messages in channels, their events in feeds. */
export class Log {
  readonly #inside: Inside;
  readonly #rules: Rules;
  readonly #counters: ReadonlyMap<Stream, Counter>;
  readonly #events: Counter;
  #eventsVisibleMs = 0;

  constructor(inside: Inside, rules: Rules) {
    this.#inside = inside;
    this.#rules = rules;
    const { choices, random, channels } = inside;
    this.#events = new Counter({ ...choices.events, random });
    const counter = (start: bigint): Counter => new Counter({ start, gap: choices.gap, random });
    const common = choices.counters === 'event' ? this.#events : counter(choices.starts[0] ?? 1n);
    const ofChannel = (index: number): Counter =>
      choices.counters === 'own' ? counter(choices.starts[index] ?? 1n) : common;
    this.#counters = new Map(channels.map((channel, index) => [channel, ofChannel(index)]));
  }

  /** The number of the last event. */
  get lastEvent(): Sequence {
    return this.#events.last;
  }

  /** Every counter once. */
  get counters(): readonly Counter[] {
    return [...new Set([...this.#counters.values(), this.#events])];
  }

  /** Stores a message, its events within `eventInMs`: before its send is acknowledged. */
  append(agent: Agent, draft: Draft, eventInMs: number): Stored | undefined {
    const channel = this.#inside.channels.find(({ name }) => name === draft.channel);
    const counter = channel === undefined ? undefined : this.#counters.get(channel);
    if (channel === undefined || counter === undefined) return undefined;
    const sequence = this.#rules.number(counter, channel, this.#inside);
    const asSent = this.#messageOf(agent, draft, channel, sequence);
    const message = this.#rules.capture(asSent, draft, this.#inside);
    if (message === undefined) return undefined;
    const seen = this.#inside.intern.message(message);
    const stored = { seen, bytes: draft.content.bytes, channel: channel.name, authorId: seen.author?.id };
    const [place] = this.#rules
      .listedIn(channel, this.#inside)
      .map((listed) => this.#list(stored, sequence, listed));
    if (this.#inside.choices.counters === 'event') this.#announce(stored, place, sequence);
    else this.#inside.clock.start(this.#announceThen(stored, place), eventInMs);
    return stored;
  }

  #list(stored: Stored, sequence: Sequence, stream: Stream): Place {
    const { clock, random, choices } = this.#inside;
    const earliestMs = stream.visibleFrom(clock.nowMs + random.between(0, choices.appendLagMs));
    return this.#add({ sequence, stored, visibleMs: earliestMs, goneMs: Number.POSITIVE_INFINITY }, stream);
  }

  #add(place: Place, stream: Stream): Place {
    const visibleMs = this.#rules.visibleMs(place.visibleMs, stream, this.#inside);
    const added = visibleMs === place.visibleMs ? place : { ...place, visibleMs };
    stream.append(added);
    this.#rules.added(added, stream, this.#inside);
    return added;
  }

  *#announceThen(stored: Stored, place: Place | undefined): Work {
    this.#announce(stored, place, undefined);
    yield 0;
  }

  /** Lists a message in the feeds that it is for; in the others its events are numbers at which nothing stands. */
  #announce(stored: Stored, place: Place | undefined, given: Sequence | undefined): void {
    const { choices, clock, random, agents, feeds } = this.#inside;
    const targets = stored.seen.targets.length;
    if (targets === 0 && !choices.events.countAll && given === undefined) return;
    const lagMs = random.between(0, choices.appendLagMs) + random.between(0, choices.feedLagMs);
    this.#eventsVisibleMs = Math.max(this.#eventsVisibleMs, clock.nowMs + lagMs, place?.visibleMs ?? 0);
    const events = choices.events.perTarget && given === undefined ? Math.max(1, targets) : 1;
    const entries = choices.events.entryPerTarget ? events : 1;
    const left = new Map(
      agents.map((reader) => [
        reader.id,
        Math.min(entries, this.#rules.matches(stored, reader, this.#inside)),
      ]),
    );
    for (let event = 0; event < events; event += 1) {
      const sequence = given ?? this.#events.next();
      for (const [reader, feed] of feeds) {
        const isListed = (left.get(reader) ?? 0) > event;
        this.#announceTo(reader, feed, { sequence, stored: isListed ? stored : undefined, place });
      }
    }
  }

  #announceTo(
    reader: string,
    feed: Stream,
    {
      sequence,
      stored,
      place,
    }: {
      readonly sequence: Sequence;
      readonly stored: Stored | undefined;
      readonly place: Place | undefined;
    },
  ): void {
    const entry: Place = {
      sequence: this.#rules.eventNumber(sequence, reader, this.#inside),
      stored,
      visibleMs: feed.visibleFrom(this.#eventsVisibleMs),
      goneMs: Number.POSITIVE_INFINITY,
      follows: this.#inside.choices.feedRetention === 'with-channel' ? place : undefined,
    };
    this.#add(entry, feed);
  }

  #messageOf(agent: Agent, draft: Draft, channel: Stream, sequence: Sequence): SeenMessage {
    return {
      id: this.#inside.ids.next(),
      workspace: this.#inside.workspace,
      channel: channel.name,
      sequence,
      author: authorOf(agent, draft.host, draft.session),
      content: draft.content,
      contentType: draft.contentType ?? 'text/plain',
      sizeBytes: draft.content.bytes,
      createdAt: this.#createdAt(),
      targets: [...new Set(draft.targets)].toSorted(),
      files: [...new Set(draft.files)].toSorted(),
    };
  }

  #createdAt(): string {
    const { choices, clock } = this.#inside;
    const direction = { clock: 1, equal: 0, decreasing: -1 }[choices.createdAt];
    return new Date(Date.UTC(2031, 0, 1) + direction * Math.round(clock.nowMs)).toISOString();
  }
}
