import { type Exchange, isAccepted, statusOf } from '../client/exchange.ts';
import type { FindingEvent } from '../results/generated/events.ts';
import type { Ledger } from './ledger.ts';
import type { Failure, Stop } from './outcome.ts';

/** What an attempt at a check saw. */
interface Tried {
  readonly ledger: Pick<Ledger, 'changes' | 'exchanges' | 'failures'>;
  readonly stop: Stop | undefined;
}

/** Earlier requests that are shown at most. */
const mostBefore = 6;

/**
 * The exchanges by which a failure is decided, and before them, by time, the sends of the same attempt without which they prove nothing,
 * accepted or in conflict: those under the same key, and those of messages that its words name.
 */
export function sequenceOf(failure: Failure, attempts: readonly Tried[]): readonly Exchange[] {
  const { expected, actual, exchanges } = failure;
  const attempt = attemptOf(failure, attempts);
  const shown = new Set(exchanges.map(({ id }) => id));
  const firstMs = Math.min(...exchanges.map(({ startedMs }) => startedMs));
  const keys = new Set(exchanges.map(keyOf));
  const words = `${expected} ${actual}`;
  const isNeeded = (each: Exchange): boolean => {
    const [key, marker] = [keyOf(each), markerOf(each)];
    // What went out beside it came under its key by chance of time.
    const isFirstOfKey = key !== undefined && keys.has(key) && each.endedMs <= firstMs;
    return isFirstOfKey || (marker !== undefined && words.includes(marker));
  };
  const before = (attempt?.ledger.exchanges ?? []).filter(
    (each) => !shown.has(each.id) && (isAccepted(each) || statusOf(each) === 409) && isNeeded(each),
  );
  const inOrder = byTime(before).slice(0, mostBefore);
  // The last of them decides.
  return [...byTime([...inOrder, ...exchanges.slice(0, -1)]), ...exchanges.slice(-1)];
}

function byTime(exchanges: readonly Exchange[]): readonly Exchange[] {
  return exchanges.toSorted((one, other) => one.startedMs - other.startedMs);
}

function attemptOf(failure: Failure, attempts: readonly Tried[]): Tried | undefined {
  return attempts.find(
    ({ ledger, stop }) =>
      ledger.failures.includes(failure) || (stop?.kind === 'failed' && stop.failure === failure),
  );
}

function keyOf({ request }: Exchange): string | undefined {
  return request.call === 'send' ? request.headers['idempotency-key'] : undefined;
}

/** The beginning of a content, up to its first full stop: contents begin with their markers. */
function markerOf({ request: { call, body } }: Exchange): string | undefined {
  if (call !== 'send' || typeof body !== 'string') return undefined;
  return /"content":"([\w-]+\.)/.exec(body)?.[1];
}

/** So many changes of the operator are told, the last ones. */
const mostChanges = 6;

/** What the operator had changed in the attempt that saw a failure, before the requests that show it. */
export function changesBefore(
  failure: Failure,
  attempts: readonly Tried[],
  shown: readonly Exchange[],
): NonNullable<FindingEvent['changes']> {
  return (attemptOf(failure, attempts)?.ledger.changes ?? [])
    .map(({ text, startedMs }) => ({
      text,
      before: shown.findIndex((each) => each.startedMs > startedMs) + 1,
    }))
    .filter(({ before }) => before > 0)
    .slice(-mostChanges);
}
