import type { Read } from '../../../history/operation.ts';
import { type Sequence, sequenceOf } from '../../../history/sequence.ts';
import type { Work } from '../base/clock.ts';
import type { Random } from '../base/random.ts';
import type { Connection, IssuedCursors } from './connection.ts';

/** What a client that reads works with. */
interface ReaderParts {
  readonly connection: Connection;
  readonly random: Random;
  readonly issued: IssuedCursors;
  /** A channel, or `undefined` for the feed. */
  readonly channel: string | undefined;
}

const limits = [undefined, 1, 2, 7, 100];

/** Follows a stream from its beginning, as the contract says that a client does. */
export function* follower({ connection, random, channel }: ReaderParts, count: number): Work {
  let after: Sequence = 0;
  const limit = random.pick(limits);
  for (let read = 0; read < count; read += 1) {
    const page: Read = yield* connection.read(channel, { after, limit });
    after = cursorAfter(page, after);
    yield page.hasMore === true ? random.between(0, 5) : random.between(10, 90);
  }
}

/** Reads with every kind of cursor. */
export function* rover({ connection, random, issued, channel }: ReaderParts, count: number): Work {
  const stream = channel === undefined ? `feed ${connection.credential.name}` : `channel ${channel}`;
  for (let read = 0; read < count; read += 1) {
    const known = issued.of(stream);
    const kind = random.pick(['none', 'none', 'zero', 'issued', 'issued', 'end', 'beyond'] as const);
    const last = known.reduce((most, each) => (each > most ? each : most), 0);
    const after = {
      none: undefined,
      zero: 0,
      issued: known.length > 0 ? random.pick(known) : 0,
      end: last,
      beyond: random.chance(0.5) ? 999_999_999 : sequenceOf(BigInt(last) + 50n),
    }[kind];
    yield* connection.read(channel, { after, limit: random.pick(limits) });
    yield random.between(5, 100);
  }
}

/** Waits for what comes. */
export function* poller({ connection, random, channel }: ReaderParts, count: number): Work {
  let after: Sequence = 0;
  for (let read = 0; read < count; read += 1) {
    const page: Read = yield* connection.read(channel, { after, limit: 100, wait: random.pick([1, 2, 25]) });
    after = cursorAfter(page, after);
    yield random.between(0, 20);
  }
}

/** Reports what it reads, its own messages among it. */
export function* reporter({ connection, random, channel }: ReaderParts, count: number): Work {
  if (channel === undefined) return;
  for (let read = 0; read < count; read += 1) {
    const { items } = yield* connection.read(channel, { after: 0, limit: 100 });
    const messages = items.flatMap(({ message }) => message.id ?? []).filter(() => random.chance(0.3));
    if (messages.length > 0) yield* connection.report(channel, messages);
    yield random.between(50, 300);
  }
}

/** How often a walk asks again at the same place before it gives up. */
const patience = 7;

/** Reads a stream from its beginning to its end, and once more from there. */
export function* walk(
  { connection, channel }: Pick<ReaderParts, 'connection' | 'channel'>,
  limit: number | undefined,
  settleMs: number,
): Work {
  let [after, stuck]: [Sequence, number] = [0, 0];
  for (let pages = 0; pages < 400 && stuck < patience; pages += 1) {
    const page: Read = yield* connection.read(channel, { after, limit });
    if (page.status === 409) return;
    const next = cursorAfter(page, after);
    if (page.hasMore === false) {
      if (page.items.length > 0) yield* connection.read(channel, { after: next, limit });
      return;
    }
    const isMoved = next > after;
    if (isMoved) after = next;
    else stuck += 1;
    yield isMoved ? 1 : settleMs / 2;
  }
}

/** Where a client goes on: behind the page, from the beginning after a conflict, else where it was. */
function cursorAfter({ status, outcome, nextAfter = 0 }: Read, after: Sequence): Sequence {
  if (status === 409) return 0;
  return outcome === 'accepted' ? nextAfter : after;
}
