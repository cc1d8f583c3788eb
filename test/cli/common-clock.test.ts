import { describe, expect, it } from 'vitest';
import { isOfSeveralClocks, onOneClock, overDoubt, withoutStale } from '../../cli/judge/common-clock.ts';
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

  /** An answer with the date that it has so long after the first, or one that is older by `ageMs`. */
  const dated = (sinceMs: number, ageMs = 0): Exchange =>
    answered(0, sinceMs, new Date(dateMs + sinceMs - ageMs).toUTCString());
  const written = (exchange: Exchange): Exchange => ({
    ...exchange,
    request: { ...exchange.request, method: 'POST' },
  });
  const fresh = [0, 10_000, 20_000, 30_000, 40_000].map((sinceMs) => dated(sinceMs));

  it('goes without the few answers of a cache that says nothing of itself: they keep the date of their server', () => {
    const mixed = [...fresh.slice(0, 3), dated(25_000, 20_000), ...fresh.slice(3)];
    expect(isOfSeveralClocks(mixed)).toBe(true);
    expect(withoutStale(mixed)).toEqual(fresh);
    expect(onOneClock([withoutStale(mixed)])).toBeDefined();
    expect(withoutStale(fresh)).toEqual(fresh);
  });

  it.each<[string, readonly Exchange[]]>([
    ['many answers are', [...fresh, dated(25_000, 20_000), dated(35_000, 30_000)]],
    ['the answer to a write is', [...fresh, written(dated(25_000, 20_000))]],
    ['answers are newer than others', [...fresh, dated(25_000, -20_000)]],
  ])('goes without nothing where %s of another time', (_what, exchanges) => {
    expect(withoutStale(exchanges)).toEqual(exchanges);
    expect(isOfSeveralClocks(exchanges)).toBe(true);
  });
});
