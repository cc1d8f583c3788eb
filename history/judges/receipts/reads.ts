import type { Operation, Read } from '../../operation.ts';
import type { SeenMessage } from '../../seen-message.ts';
import { isOneAgent } from '../../world/principals.ts';
import { ackOf, targetsAt, type Place, type Showing } from '../../world/sight.ts';
import { remembered, push } from '../../../spec/groups.ts';
import { RankTree } from '../../world/rank-tree.ts';
import type { World } from '../../world/world.ts';
import { anybody, keyOf, whose } from './reports.ts';
import { lastWithout } from './seeing.ts';

/** The first read by each credential of each message, by the begins of reads. */
type FirstReads = Map<string, Read>;

/** An agent, and what names it. */
export interface Named {
  readonly agent: string;
  readonly credentials: readonly string[];
}

/** In place of a message: a read that was not accepted. */
const unaccepted = 'any';

/** Who read what when, for those that are listed without a report. */
export class Reads {
  readonly #world: World;
  readonly #first = new Map<string, FirstReads>();
  #others: ReadonlyMap<string, FirstReads> | undefined;
  readonly #mentions = new Map<string, ReadonlyMap<string, readonly Place[]>>();
  readonly #unlisted = new Map<string, Unlisted>();

  constructor(world: World) {
    this.#world = world;
  }

  /** The first read of a stream by a credential that shows a message. */
  first(stream: string, credential: string, { id }: Pick<SeenMessage, 'id'>): Read | undefined {
    let known = this.#first.get(stream);
    if (known === undefined) {
      this.#first.set(stream, (known = new Map()));
      for (const { read } of this.#world.streams.get(stream)?.pages ?? []) noteItems(known, read.agent, read);
    }
    return known.get(keyOf(credential, id));
  }

  /**
   * Another read of a channel than the usual ones that began by some time and may have shown a message to one of these credentials:
   * what was not accepted may have done anything.
   */
  mayHaveShown({ channel, id }: SeenMessage, credentials: readonly string[], byMs: number): Read | undefined {
    this.#others ??= otherReadsIn(this.#world.history.operations);
    const stream = `channel ${channel}`;
    const others = this.#others.get(stream);
    return [...credentials, anybody]
      .flatMap((who) => [
        others?.get(keyOf(who, unaccepted)),
        others?.get(keyOf(who, id)),
        this.first(stream, who, { id }),
      ])
      .find((read) => read !== undefined && read.startedMs <= byMs);
  }

  /**
   * What showed after `sinceMs`, without an agent among its retrievals, an older mention of it in the same stream that it had not listed:
   * another program with its credential that reports what mentions it would have reported that one, too.
   */
  unreportedBefore(place: Place, { agent, credentials }: Named, sinceMs: number): Showing | undefined {
    const { stream } = place.knownBy;
    const key = keyOf(agent, stream);
    const known = this.#unlisted.get(key) ?? this.#unlistedOf(stream, { agent, credentials });
    this.#unlisted.set(key, known);
    const { showings, lasts } = known;
    for (let at = lasts.nextAbove(0, sinceMs); ; at = lasts.nextAbove(at + 1, sinceMs)) {
      const showing = showings[at];
      if (showing === undefined || showing.place.sequence >= place.sequence) return undefined;
      const ackedMs = ackOf(showing.place)?.endedMs ?? Number.POSITIVE_INFINITY;
      if (ackedMs < (place.origin?.firstMs ?? 0)) return showing;
    }
  }

  #unlistedOf(stream: string, { agent, credentials }: Named): Unlisted {
    const isListedBefore = ({ item, lastBy }: Showing): boolean =>
      credentials.some((each) => {
        const read = this.first(`feed ${each}`, each, item.message);
        return read !== undefined && read.startedMs < lastBy.endedMs;
      });
    const showings = this.#mentionsIn(stream, agent).flatMap(
      (place) => lastWithout(place, agent, (showing) => !isListedBefore(showing)) ?? [],
    );
    return { showings, lasts: new RankTree(Float64Array.from(showings, ({ lastMs }) => lastMs)) };
  }

  #mentionsIn(stream: string, agent: string): readonly Place[] {
    const known = remembered(this.#mentions, stream, () =>
      mentionsIn(this.#world.streams.get(stream)?.places ?? []),
    );
    return known.get(`agent:${agent}`) ?? [];
  }
}

/** The last of each mention of an agent without it, by sequence, and when that was. */
interface Unlisted {
  readonly showings: readonly Showing[];
  readonly lasts: RankTree;
}

function mentionsIn(places: readonly Place[]): ReadonlyMap<string, readonly Place[]> {
  const mentions = new Map<string, Place[]>();
  for (const place of places) for (const target of new Set(targetsAt(place))) push(mentions, target, place);
  return mentions;
}

/** Of each channel those reads that stand in no stream, or are anybody's: by whoever read what they showed, or, where they were not accepted, by whoever read. */
function otherReadsIn(operations: readonly Operation[]): ReadonlyMap<string, FirstReads> {
  const others = new Map<string, FirstReads>();
  for (const read of operations) {
    if (read.kind !== 'read' || read.call !== 'channel-read') continue;
    const isAccepted = read.outcome === 'accepted';
    if (isAccepted && read.isBaseline && isOneAgent(read.agent)) continue;
    const known = others.get(read.stream) ?? new Map<string, Read>();
    others.set(read.stream, known);
    if (isAccepted) noteItems(known, whose(read), read);
    else note(known, keyOf(whose(read), unaccepted), read);
  }
  return others;
}

function noteItems(known: FirstReads, who: string, read: Read): void {
  for (const { message } of read.items) note(known, keyOf(who, message.id), read);
}

/** What stands by its end may have begun before others. */
function note(known: FirstReads, key: string, read: Read): void {
  const first = known.get(key);
  if (first === undefined || read.startedMs < first.startedMs) known.set(key, read);
}
