import { setTimeout as delay } from 'node:timers/promises';
import { chanceFaults, type Exchange } from '../client/exchange.ts';
import { isServerError } from './trouble.ts';

/** Pauses between tries, in ms: of ten million times that one answer in ten is trouble, all seven are once. */
const patientPausesMs = [100, 200, 300, 400, 600, 800];

/** Asks again while what comes back is trouble that may pass; gives the last answer. */
export async function patiently(ask: () => Promise<Exchange>, signal: AbortSignal): Promise<Exchange> {
  let exchange = await ask();
  for (const pauseMs of patientPausesMs) {
    if (!mayPass(exchange) || signal.aborted) break;
    // Who is told to stop hears it at the next request.
    await delay(pauseMs, undefined, { signal }).catch(() => undefined);
    exchange = await ask();
  }
  return exchange;
}

/** Who waited in vain, or was not let in, waits no second time. */
function mayPass(exchange: Exchange): boolean {
  return exchange.fault === undefined ? isServerError(exchange) : chanceFaults.includes(exchange.fault.kind);
}
