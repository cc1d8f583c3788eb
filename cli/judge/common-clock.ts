import type { Exchange } from '../../harness/client/exchange.ts';

/** By how much the clock of a server is ahead of that of a recorder, in ms: at least, and at most. */
interface Offset {
  readonly least: number;
  readonly most: number;
}

/** A `Date` is cut to the second. */
const secondMs = 1_000;

/**
 * Exchanges of several recorders on the clock of their server, which each answer tells within a second and all together more exactly: an
 * exchange then spans all the times at which it may have taken place. `undefined` where a file does not tell.
 */
export function onOneClock(files: readonly (readonly Exchange[])[]): readonly Exchange[] | undefined {
  const moved = files.map((exchanges) => {
    const offset = offsetOf(exchanges);
    return (
      offset &&
      exchanges.map((exchange) => ({
        ...exchange,
        startedMs: exchange.startedMs + offset.least,
        endedMs: exchange.endedMs + offset.most,
      }))
    );
  });
  return moved.every((each) => each !== undefined) ? moved.flat() : undefined;
}

/** Times that are cut to the second, and clocks of several servers that differ a little, contradict each other by no more. */
const mostContradictedMs = 2_000;

/**
 * Whether the times of a file are of more than one clock, by what the answers say: of several recorders put together, or of one whose
 * clock was set meanwhile. Nobody can say then what came first.
 */
export function isOfSeveralClocks(exchanges: readonly Exchange[]): boolean {
  const { least, most } = boundsOf(exchanges);
  return least - most > mostContradictedMs;
}

/** The exchanges of a file without those that a cache answered. */
export function withoutStale(exchanges: readonly Exchange[]): readonly Exchange[] {
  const stale = staleIn(exchanges);
  // Were it more than a few, they might as well be right, and the others those of another clock.
  return stale.size * fewestPerStale > exchanges.length
    ? exchanges
    : exchanges.filter((each) => !stale.has(each));
}

/** Of so many answers one at most is taken for that of a cache by its date alone. */
const fewestPerStale = 4;

/**
 * Reads whose answers are older than they can be beside the others: a cache that says nothing of itself keeps the `Date` of the server. A write
 * is never answered by one.
 */
function staleIn(exchanges: readonly Exchange[]): ReadonlySet<Exchange> {
  const { least } = boundsOf(exchanges);
  return new Set(
    exchanges.filter(
      (each) => each.request.method === 'GET' && least - boundsOf([each]).most > mostContradictedMs,
    ),
  );
}

/** Clocks of several servers that are kept right differ by no more than this, in ms. */
const mostSkewMs = 250;

/**
 * Exchanges of one recorder, each over all the times at which it may have taken place: where answers contradict each other by more than
 * their servers do, its clock was set meanwhile, by as much and up to the second that a `Date` is cut to.
 */
export function overDoubt(exchanges: readonly Exchange[]): readonly Exchange[] {
  const { least, most } = boundsOf(exchanges);
  if (!(least - most > mostSkewMs)) return exchanges;
  const doubtMs = least - most + secondMs;
  return exchanges.map((exchange) => ({
    ...exchange,
    startedMs: exchange.startedMs - doubtMs,
    endedMs: exchange.endedMs + doubtMs,
  }));
}

/** What all answers of one recorder agree on; `undefined` where they do not, as when its clock was set meanwhile, or none has a date. */
function offsetOf(exchanges: readonly Exchange[]): Offset | undefined {
  const offset = boundsOf(exchanges);
  return Number.isFinite(offset.least) && offset.least <= offset.most ? offset : undefined;
}

function boundsOf(exchanges: readonly Exchange[]): Offset {
  let offset: Offset = { least: Number.NEGATIVE_INFINITY, most: Number.POSITIVE_INFINITY };
  for (const { response, startedMs, endedMs } of exchanges) {
    const dateMs = Date.parse(response?.headers['date']?.[0] ?? '');
    if (Number.isNaN(dateMs)) continue;
    offset = {
      least: Math.max(offset.least, dateMs - endedMs),
      most: Math.min(offset.most, dateMs + secondMs - startedMs),
    };
  }
  return offset;
}
