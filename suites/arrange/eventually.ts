import type { Always } from '../../harness/check/context.ts';
import { statusOf, type Exchange } from '../../harness/client/exchange.ts';

/** Longest that is waited for, in settle times: as long as a stream is waited for. */
const patience = 5;
/** Looks that are taken however long they last: on a busy machine of ours the time may go by without any. */
const fewestLooks = 8;

/**
 * Reads until it is enough, for five settle times and eight looks at most; the last reading, be it enough or not. As long
 * as the server has shown nothing at all to several checks that waited longer, one settle time will do.
 */
export async function eventually<T>(
  { settleMs, clock }: Pick<Always, 'settleMs' | 'clock'>,
  read: () => Promise<T>,
  isEnough: (value: T) => boolean,
): Promise<T> {
  const startedMs = clock.now();
  for (let [pauseMs, looks] = [15, 1]; ; pauseMs = Math.min(pauseMs * 1.6, 250), looks += 1) {
    const value = await read();
    const patienceMs = clock.hope.isInVain() ? settleMs + 20 : patience * settleMs;
    const isOver = looks >= fewestLooks && clock.now() > startedMs + patienceMs;
    if (isEnough(value) || isOver) return value;
    await clock.pause(pauseMs);
  }
}

/** Looks again after each of some pauses, in ms, until it is enough: that look, and `undefined` where none is. */
export async function afterPauses<T>(
  { clock }: Pick<Always, 'clock'>,
  pausesMs: readonly number[],
  read: () => Promise<T>,
  isEnough: (value: T) => boolean,
): Promise<T | undefined> {
  for (const pauseMs of pausesMs) {
    await clock.pause(pauseMs);
    const value = await read();
    if (isEnough(value)) return value;
  }
  return undefined;
}

/** What shows nothing is waited for as many settle times, and this long at least, in ms: no recency is promised. */
const hope = 10;
export const leastHopeMs = 10_000;

/**
 * Reads until it is enough, and where there is nothing at all once more much later; the last reading, be it enough or not.
 * As long as nothing else is ever shown either, only the first who asks waits so long: who tries again has waited already.
 */
export async function asLongAsThereIsHope<T>(
  context: Pick<Always, 'settleMs' | 'clock' | 'sleep'>,
  read: () => Promise<T>,
  { isEnough, isNothing }: Readonly<Record<'isEnough' | 'isNothing', (value: T) => boolean>>,
): Promise<T> {
  const { clock, settleMs, sleep } = context;
  const startedMs = clock.now();
  const value = await eventually(context, read, isEnough);
  if (!isNothing(value)) return value;
  if (clock.hope.isGone()) {
    await sleep(patience * settleMs);
    return read();
  }
  const waitedMs = clock.now() - startedMs;
  await sleep(Math.max(settleMs, leastHopeMs - waitedMs, hope * settleMs - waitedMs));
  const last = await read();
  if (isNothing(last)) clock.hope.giveUp();
  return last;
}

/** Asks again while a read meets a conflict over its cursor: a replica that is behind does not know yet what it was given out for. */
export function untilNoConflict(
  context: Pick<Always, 'settleMs' | 'clock'>,
  ask: () => Promise<Exchange>,
): Promise<Exchange> {
  return eventually(context, ask, (exchange) => statusOf(exchange) !== 409);
}

/** Waits a little longer than the settle time: then nothing that was accepted before is still on its way. */
export async function settle({ settleMs, sleep }: Pick<Always, 'settleMs' | 'sleep'>): Promise<void> {
  // Timers may fire a millisecond early, and oracles ask for more than the settle time.
  await sleep(settleMs + 20);
}

/** Waits until the judges of the history too take what was seen for settled. */
export async function settleSurely({
  surelySettledMs,
  sleep,
}: Pick<Always, 'surelySettledMs' | 'sleep'>): Promise<void> {
  await sleep(surelySettledMs + 20);
}
