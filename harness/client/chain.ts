import type { Exchange } from './exchange.ts';

/**
 * The largest number of exchanges of which each began after the one before had ended: what a slower network multiplies.
 * Tries of one request count once.
 */
export function longestChain(exchanges: readonly Pick<Exchange, 'startedMs' | 'endedMs'>[]): number {
  let length = 0;
  let lastEndMs = Number.NEGATIVE_INFINITY;
  // Of all that can come next the one that ends first leaves most room for others.
  for (const { startedMs, endedMs } of exchanges.toSorted((a, b) => a.endedMs - b.endedMs)) {
    if (startedMs < lastEndMs) continue;
    length += 1;
    lastEndMs = endedMs;
  }
  return length;
}
