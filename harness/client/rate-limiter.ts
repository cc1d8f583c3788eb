/** Spaces requests so that no more than `ratePerSecond` start in a second; `undefined` lets everything through at once. */
export function createRateLimiter(ratePerSecond: number | undefined): () => Promise<void> {
  if (ratePerSecond === undefined) return () => Promise.resolve();
  const spacingMs = 1000 / ratePerSecond;
  let nextFreeMs = 0;
  return async () => {
    const nowMs = performance.now();
    const slotMs = Math.max(nowMs, nextFreeMs);
    nextFreeMs = slotMs + spacingMs;
    if (slotMs > nowMs) await new Promise((resolve) => setTimeout(resolve, slotMs - nowMs));
  };
}
