import type { Work } from '../base/clock.ts';
import type { Random } from '../base/random.ts';
import type { Draft } from '../service/rules.ts';
import type { Connection } from './connection.ts';
import type { Drafts } from './drafts.ts';

/** What a client that sends works with. */
export interface SenderParts {
  readonly connection: Connection;
  readonly drafts: Drafts;
  readonly random: Random;
  readonly channels: readonly string[];
  /** Sends whose outcome nobody knows; the final phase repeats them. */
  readonly unknown: Unknown[];
}

/** A send that may have happened. */
export interface Unknown {
  readonly connection: Connection;
  readonly draft: Draft;
}

/** Sends one message after another; some requests or answers get lost, and are tried again with their key, or not. */
export function* sender({ connection, drafts, random, channels, unknown }: SenderParts, count: number): Work {
  for (let sent = 0; sent < count; sent += 1) {
    const draft = drafts.any(random.pick(channels));
    const { outcome } = yield* connection.send(draft, 0.06);
    yield random.chance(0.3) ? 0 : random.between(5, 120);
    if (outcome !== 'indeterminate' || draft.key === undefined) continue;
    if (random.chance(0.4)) yield* connection.send(draft, 0);
    else unknown.push({ connection, draft });
  }
}

/** Repeats keys: for the same message, one after another and at once, and for another message. */
export function* retrier(
  { connection, drafts, random, channels }: SenderParts,
  others: Connection,
  count: number,
): Work {
  for (let sent = 0; sent < count; sent += 1) {
    const channel = random.pick(channels);
    const draft = { ...drafts.any(channel), key: `retried-${channel}-${sent}`, isBad: false };
    const other = drafts.conflicting(draft);
    const kind = random.pick(['repeat', 'conflict', 'conflict', 'other agent', 'other channel'] as const);
    yield* connection.send(draft, 0.02);
    if (kind === 'repeat') yield* connection.send(draft);
    if (kind === 'conflict') yield* connection.send(other);
    if (kind === 'other agent') yield* others.send(draft);
    if (kind === 'other channel') yield* connection.send({ ...draft, channel: random.pick(channels) });
    yield random.between(10, 150);
  }
}
