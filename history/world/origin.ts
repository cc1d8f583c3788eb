import type { Operation, Read, Send } from '../operation.ts';
import type { TextDigest } from '../seen-message.ts';
import type { Place } from './sight.ts';
import { push } from '../../spec/groups.ts';

/**
 * What is known of a send as a whole: it happened, it was refused, it was refused for its key, or nobody knows. A limit or a
 * redirection proves no refusal: another attempt may have gone through.
 */
export type Standing = 'accepted' | 'refused' | 'conflict' | 'indeterminate';

/** One message as it was sent: all attempts with one agent, channel, key and content. */
export interface Sent {
  readonly agent: string;
  readonly channel: string;
  readonly key: string | undefined;
  readonly content: TextDigest;
  /** By their ends. */
  readonly attempts: readonly Send[];
  /** When the first attempt began. */
  readonly firstMs: number;
  /** The first accepted attempt to end. */
  readonly ack: Send | undefined;
  readonly standing: Standing;
}

/** The message that the answer to a send shows, where it may be the one that was sent: in another text it is another, as the one before. */
export function answeredMessage({ shown, content }: Pick<Send, 'shown' | 'content'>): Send['shown'] {
  const digest = shown?.content?.digest;
  return digest === undefined || content === undefined || digest === content.digest ? shown : undefined;
}

/** The ids of a message that answers to its sends show. */
export function answeredIds({ attempts }: Pick<Sent, 'attempts'>): readonly string[] {
  return attempts.flatMap((attempt) => answeredMessage(attempt)?.id ?? []);
}

/** So many texts that answers show as they were sent are no chance. */
const fewestOwn = 3;
/** Of one channel so many sends are looked at that were answered with another text. */
const mostAltered = 50;

/**
 * What tells of recorded traffic that the answer to a send shows the message of that send, be it in another text; nothing where that is not
 * sure. What such an answer holds is not shown: it may be the message before it, which somebody sent whom nobody recorded.
 * @param texts those that were sent
 */
export function tellingAnswers(
  sent: readonly Sent[],
  texts: ReadonlySet<string>,
  operations: readonly Operation[],
): readonly Operation[] {
  const own = new Map<string, Send>();
  const altered = new Map<string, Send[]>();
  for (const { attempts, content, channel } of sent)
    for (const attempt of attempts) {
      const digest = attempt.shown?.content?.digest;
      if (digest === content.digest) own.set(digest, attempt);
      else if (digest !== undefined && texts.has(digest)) return [];
      else if (digest !== undefined) push(altered, channel, attempt);
    }
  if (own.size >= fewestOwn) return [...own.values()].slice(0, fewestOwn);
  for (const [channel, sends] of altered) {
    const reads = operations.filter(
      (each): each is Read => each.kind === 'read' && each.stream === `channel ${channel}`,
    );
    const telling = passedOver(sends.slice(0, mostAltered), reads);
    if (telling.length > 0) return telling;
  }
  return [];
}

/**
 * Two sends, one after the other, and a page with what both were answered with: were these the messages before theirs, that of the first
 * would lie between the two. No page shows its text.
 */
function passedOver(sends: readonly Send[], reads: readonly Read[]): readonly Operation[] {
  const shown = new Set(reads.flatMap(({ items }) => items.map(({ message }) => message.content?.digest)));
  const inOrder = sends.toSorted((one, other) => one.startedMs - other.startedMs);
  for (const [at, first] of inOrder.entries()) {
    if (shown.has(first.content?.digest)) continue;
    const next = inOrder.slice(at + 1).find(({ startedMs }) => startedMs > first.endedMs);
    const ids = [first.shown?.id, next?.shown?.id];
    if (next === undefined || ids[0] === ids[1]) continue;
    const page = reads.find(({ items }) => ids.every((id) => items.some(({ message }) => message.id === id)));
    if (page !== undefined) return [first, next, page];
  }
  return [];
}

/** Whether a send may have left a message, as far as its answers tell. */
export function mayBeStored({ standing }: Pick<Sent, 'standing'>): boolean {
  return standing === 'accepted' || standing === 'indeterminate';
}

/** Of one origin so many places are kept and the last, those in feeds dropped first: a message that names many stands in many. */
const mostPlaces = 100;
const nowhere: readonly Place[] = [];

/** Everything sent that a message may come from: what carries one marker, or one content in one channel. */
export class Origin {
  /** The marker; `undefined` where only the content tells. */
  readonly marker: string | undefined;
  readonly sent: readonly Sent[];
  readonly firstMs: number;
  /** Whether one of its sends was refused, for whatever reason. */
  readonly hasRefused: boolean;
  /** Where a read showed its message; `undefined` as long as none did. */
  place: Place | undefined = undefined;
  #places: Place[] | undefined = undefined;

  constructor(marker: string | undefined, sent: readonly Sent[]) {
    this.marker = marker;
    this.sent = sent;
    let firstMs = Number.POSITIVE_INFINITY;
    for (const each of sent) if (each.firstMs < firstMs) firstMs = each.firstMs;
    this.firstMs = firstMs;
    this.hasRefused = sent.some(({ standing }) => standing === 'refused' || standing === 'conflict');
  }

  /** Where reads showed its message, in any stream. */
  get places(): readonly Place[] {
    return this.#places ?? (this.place === undefined ? nowhere : [this.place]);
  }

  /** Whether one place is all, and one send, attempted once. */
  get isPlain(): boolean {
    return this.#places === undefined && this.sent.length === 1 && this.sent[0]?.attempts.length === 1;
  }

  /** Takes a place into account that showed its message. */
  addPlace(place: Place): void {
    if (this.place === undefined) this.place = place;
    else if (this.#places === undefined) this.#places = [this.place, place];
    else if (this.#places.length <= mostPlaces) this.#places.push(place);
    else {
      const inFeed = this.#places.findLastIndex(({ knownBy }) => knownBy.call === 'mentions');
      this.#places.splice(inFeed === -1 ? mostPlaces : inFeed, 1, place);
    }
  }

  /** What showed its marker proves nothing. */
  forgetPlaces(): void {
    this.place = undefined;
    this.#places = undefined;
  }
}
