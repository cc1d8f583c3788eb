import type { Read } from '../../history/operation.ts';
import type { Sequence } from '../../history/sequence.ts';
import type { From } from './plan.ts';

/** The cursors that answers have handed out, and where each client stopped. */
export class Cursors {
  readonly #issued = new Map<string, Sequence[]>();
  readonly #ends = new Map<string, Sequence>();
  readonly #own = new Map<string, Sequence>();

  /** The cursor to ask with; `undefined` leaves it out. */
  cursorFor(client: string, stream: string, from: From): Sequence | undefined {
    if (from === 'none') return undefined;
    if (from === 'zero') return 0;
    if (from === 'own') return this.#own.get(ownKey(client, stream)) ?? this.startOf(stream);
    if (from === 'end') return this.#ends.get(stream) ?? 0;
    const issued = this.#issued.get(stream) ?? [];
    return issued[from % issued.length] ?? 0;
  }

  /** Sets where a stream stands before anything of this run is in it. */
  begin(stream: string, end: Sequence): void {
    this.#issued.set(stream, [end]);
    this.#ends.set(stream, end);
  }

  /** Takes note of what a page gave; a client that follows its own cursor goes on from there. */
  note(client: string, stream: string, { outcome, nextAfter }: Read, from: From): void {
    if (outcome !== 'accepted' || nextAfter === undefined) return;
    const issued = this.#issued.get(stream);
    if (issued === undefined) this.#issued.set(stream, [nextAfter]);
    else if (issued.at(-1) !== nextAfter) issued.push(nextAfter);
    const end = this.#ends.get(stream);
    if (end === undefined || nextAfter > end) this.#ends.set(stream, nextAfter);
    if (from === 'own') this.#own.set(ownKey(client, stream), nextAfter);
  }

  /** Where the stream stood before anything of this run was in it. */
  startOf(stream: string): Sequence {
    return this.#issued.get(stream)?.[0] ?? 0;
  }

  /** The highest cursor that was issued. */
  endOf(stream: string): Sequence | undefined {
    return this.#ends.get(stream);
  }
}

function ownKey(client: string, stream: string): string {
  return `${client} ${stream}`;
}
