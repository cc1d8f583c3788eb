import type { Clock, Work } from '../base/clock.ts';
import type { Random } from '../base/random.ts';
import { aside, type Connection } from './connection.ts';
import type { Draft, Drafts } from './drafts.ts';

/** What a client that sends works with. */
interface SenderParts {
  readonly connection: Connection;
  readonly drafts: Drafts;
  readonly random: Random;
  readonly channels: readonly string[];
  /** Sends whose outcome nobody knows; the final phase repeats them. */
  readonly unknown: Unknown[];
  readonly lossShare: number;
}

/** A send that may have happened. */
export interface Unknown {
  readonly connection: Connection;
  readonly draft: Draft;
}

/** Sends one message after another; some requests or answers get lost, and are tried again with their key, or not. */
export function* sender(
  { connection, drafts, random, channels, unknown, lossShare }: SenderParts,
  count: number,
): Work {
  for (let sent = 0; sent < count; sent += 1) {
    const draft = drafts.any(random.pick(channels));
    const { outcome } = yield* connection.send(draft, lossShare);
    yield random.chance(0.3) ? 0 : random.between(5, 120);
    if (outcome !== 'indeterminate' || draft.key === undefined) continue;
    if (random.chance(0.4)) yield* connection.send(draft, 0);
    else unknown.push({ connection, draft });
  }
}

/** Who repeats the keys of a client. */
interface Repeaters {
  /** Somebody else, or not. */
  readonly other: Connection;
  /** A second client with the same credential, at the same time. */
  readonly second: Connection;
  readonly clock: Clock;
}

/** Repeats keys: for the same message, one after another and at once, and for another message. */
export function* retrier(
  { connection, drafts, random, channels, lossShare }: SenderParts,
  { other, second, clock }: Repeaters,
  count: number,
): Work {
  for (let sent = 0; sent < count; sent += 1) {
    const draft = { ...drafts.good(random.pick(channels)), key: drafts.key() };
    const conflicting = drafts.conflicting(draft);
    const elsewhere = { ...draft, channel: random.pick(channels) };
    const repeat = random.pick([
      connection.send(draft),
      connection.send(conflicting),
      connection.send(conflicting),
      other.send(draft),
      connection.send(elsewhere),
    ]);
    const atOnce = random.pick([undefined, undefined, draft, conflicting]);
    if (atOnce !== undefined) clock.start(aside(second.send(atOnce)), random.between(0, 4));
    yield* connection.send(draft, lossShare / 3);
    // Equal times would count as concurrent.
    yield 6;
    if (atOnce === undefined) yield* repeat;
    yield random.between(20, 150);
  }
}
