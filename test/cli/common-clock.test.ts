import { describe, expect, it } from 'vitest';
import { isOfSeveralClocks, onOneClock, overDoubt } from '../../cli/judge/common-clock.ts';
import type { Exchange } from '../../harness/client/exchange.ts';
import { exchangeOf } from '../fixtures/exchange.ts';

const date = 'Thu, 01 Jan 2026 00:00:10 GMT';
const dateMs = Date.parse(date);
const laterDate = 'Thu, 01 Jan 2026 00:00:11 GMT';

/** An answer with the date of its server, by a clock that is so far behind that. */
function answered(behindMs: number, sinceMs: number, when: string | undefined = date): Exchange {
  const startedMs = dateMs + sinceMs - behindMs;
  const headers = when === undefined ? {} : { date: [when] };
  return exchangeOf({}, { headers }, { startedMs, endedMs: startedMs + 20 });
}

describe('several recorders', () => {
  it('are put on the clock of their server, as exactly as all their answers tell', () => {
    const files = [[answered(5_000, 0), answered(5_000, 970)], [answered(-90_000, 500)]];
    const [first, second, third] = onOneClock(files) ?? [];
    // It took place within the span, and no span is wider than needed.
    for (const [exchange, sinceMs] of [
      [first, 0],
      [second, 970],
      [third, 500],
    ] as const) {
      expect(exchange?.startedMs).toBeLessThanOrEqual(dateMs + sinceMs);
      expect(exchange?.endedMs).toBeGreaterThanOrEqual(dateMs + sinceMs + 20);
    }
    expect((first?.endedMs ?? 0) - (first?.startedMs ?? 0)).toBeLessThan(100);
    expect((third?.endedMs ?? 0) - (third?.startedMs ?? 0)).toBeLessThan(1_100);
  });

  it.each<[string, readonly Exchange[]]>([
    ['that tells no date', [answered(0, 0, '')]],
    ['whose clock was set meanwhile', [answered(0, 0), answered(60_000, 10)]],
    ['without an answer', []],
  ])('are not put together with one %s', (_what, other) => {
    expect(onOneClock([[answered(0, 0)], other])).toBeUndefined();
  });
});

describe('one file', () => {
  it('whose clock was set a little says of no two requests at that time which came first', () => {
    const [first, later] = overDoubt([answered(0, 950), answered(1_500, 1_100, laterDate)]);
    expect(first?.startedMs).toBeLessThan(later?.endedMs ?? 0);
    expect(later?.startedMs).toBeLessThan(first?.endedMs ?? 0);
  });

  it('whose clock goes on, or whose servers differ a little, keeps its times', () => {
    const steady = [answered(90_000, 0), answered(90_000, 990), answered(90_000, 900, laterDate)];
    expect(overDoubt(steady)).toBe(steady);
    const undated = [answered(0, 0, ''), answered(60_000, 0, '')];
    expect(overDoubt(undated)).toBe(undated);
  });

  it.each<[string, boolean, readonly Exchange[]]>([
    ['of one clock, however far off', false, [answered(90_000, 0), answered(90_000, 900)]],
    ['without a date', false, [answered(0, 0, ''), answered(60_000, 0, '')]],
    ['whose server has clocks a second apart', false, [answered(0, 0), answered(2_000, 900)]],
    ['whose clock was set back', true, [answered(0, 0), answered(12_000, 10)]],
    ['whose clock was set forward', true, [answered(0, 0), answered(-12_000, 10)]],
  ])('%s is of several clocks: %s', (_what, isTorn, exchanges) => {
    expect(isOfSeveralClocks(exchanges)).toBe(isTorn);
  });
});
