import { expect, it, vi } from 'vitest';
import { FileStock, type MadeFile } from '../../../harness/stream/file-stock.ts';

it('goes by the files that were made quickest: one that waited for something else says nothing of the next', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  try {
    const stock = new FileStock([]);
    const take = (count: number, tookMs: number): Promise<readonly string[]> =>
      stock.take(count, async (missing) => {
        vi.advanceTimersByTime(tookMs);
        return Array.from({ length: missing }, (_, at): MadeFile => ({ id: `${count}-${at}`, way: 'hook' }));
      });
    expect(stock.msPerFile).toBe(Infinity);
    await take(1, 14_000);
    expect(stock.msPerFile).toBe(14_000);
    await take(20, 190);
    expect(stock.msPerFile).toBe(10);
    await take(21, 5_000);
    expect(stock.msPerFile).toBe(10);
  } finally {
    vi.useRealTimers();
  }
});
