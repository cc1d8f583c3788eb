import type { Read } from '../../../history/operation.ts';
import type { Sequence } from '../../../history/sequence.ts';
import type { From } from './plan.ts';

/** The cursors that answers have handed out, and where each client stopped. */
export class Cursors {
  readonly #starts: ReadonlyMap<string, Sequence>;
  readonly #issued: Map<string, Sequence[]>;
  /** The highest cursor that was issued. */
  readonly #ends: Map<string, Sequence>;
  readonly #own = new Map<string, Sequence>();
  readonly #newest = new Map<string, string>();

  /** `starts` is where each stream ended before anything of this chapter was in it. */
  constructor(starts: ReadonlyMap<string, Sequence>) {
    this.#starts = starts;
    this.#issued = new Map([...starts].map(([stream, start]) => [stream, [start]]));
    this.#ends = new Map(starts);
  }

  /** The cursor to ask with; `undefined` leaves it out. */
  cursorFor(client: string, stream: string, from: From): Sequence | undefined {
    if (from === 'none') return undefined;
    if (from === 'zero') return 0;
    if (from === 'own') return this.#own.get(ownKey(client, stream)) ?? this.#starts.get(stream) ?? 0;
    if (from === 'end') return this.#ends.get(stream) ?? 0;
    const issued = this.#issued.get(stream) ?? [];
    return issued[from % issued.length] ?? 0;
  }

  /** Takes note of what a page gave; a client that follows its own cursor goes on from there. */
  note(client: string, stream: string, { outcome, nextAfter, items }: Read, from: From): void {
    const own = items.findLast(({ message: { content } }) => content?.marker !== undefined);
    if (own?.message.id !== undefined) this.#newest.set(stream, own.message.id);
    if (outcome !== 'accepted' || nextAfter === undefined) return;
    const issued = this.#issued.get(stream);
    if (issued === undefined) this.#issued.set(stream, [nextAfter]);
    else if (issued.at(-1) !== nextAfter) issued.push(nextAfter);
    const end = this.#ends.get(stream);
    if (end === undefined || nextAfter > end) this.#ends.set(stream, nextAfter);
    if (from === 'own') this.#own.set(ownKey(client, stream), nextAfter);
  }

  /** The id of the newest message of the run on the last page of a stream that showed one. */
  newestOf(stream: string): string | undefined {
    return this.#newest.get(stream);
  }
}

function ownKey(client: string, stream: string): string {
  return `${client} ${stream}`;
}
