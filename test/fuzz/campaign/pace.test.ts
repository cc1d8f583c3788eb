import { describe, expect, it } from 'vitest';
import { mergedPace, PaceMeter } from '../../../fuzz/campaign/pace.ts';
import type { Exchange } from '../../../harness/client/exchange.ts';
import type { Pace } from '../../../harness/results/generated/events.ts';

function answered(status: number): Pick<Exchange, 'response' | 'fault'> {
  return { response: { status, headers: {}, bytes: new Uint8Array(), json: undefined }, fault: undefined };
}

const unanswered = { response: undefined, fault: { kind: 'reset', message: '', tries: 1 } } as const;

function judgedIn({ slices }: Pace): number {
  return slices.reduce((sum, { judged }) => sum + judged, 0);
}

describe('the pace of a campaign', () => {
  it('counts cases in the slice of their time, by how they were answered', () => {
    const meter = new PaceMeter();
    meter.add(0, answered(201), true);
    meter.add(249, answered(429), false);
    meter.add(600, unanswered, false);
    meter.add(600, answered(503), true);
    meter.add(610, answered(301), true);
    meter.addJudged(620, 3);
    expect(meter.pace).toEqual({
      sliceMs: 250,
      slices: [
        { judged: 1, answers: { '2xx': 1, '429': 1 } },
        { judged: 0, answers: {} },
        { judged: 5, answers: { none: 1, '5xx': 1, other: 1 } },
      ],
    });
  });

  it('has some sixty slices after a week too, and has lost no case', () => {
    const meter = new PaceMeter();
    const weekMs = 7 * 24 * 3_600_000;
    for (let atMs = 0; atMs <= weekMs; atMs += weekMs / 1_000) meter.add(atMs, answered(200), true);
    const { sliceMs, slices } = meter.pace;
    expect(slices.length).toBeLessThanOrEqual(60);
    expect(slices.length).toBeGreaterThan(29);
    expect(sliceMs * slices.length).toBeGreaterThan(weekMs);
    expect(judgedIn(meter.pace)).toBe(1_001);
    // Evenly, as they came: no slice took the cases of another.
    expect(Math.max(...slices.slice(0, -1).map(({ judged }) => judged))).toBeLessThan(40);
  });

  it('of several campaigns is their sum, in the wider slices', () => {
    const fine = {
      sliceMs: 250,
      slices: [1, 2, 4].map((judged) => ({ judged, answers: { '4xx': judged } })),
    };
    const wide = { sliceMs: 500, slices: [{ judged: 10, answers: { '2xx': 9, '4xx': 1 } }] };
    const sum = {
      sliceMs: 500,
      slices: [
        { judged: 13, answers: { '2xx': 9, '4xx': 4 } },
        { judged: 4, answers: { '4xx': 4 } },
      ],
    };
    expect(mergedPace(fine, wide)).toEqual(sum);
    expect(mergedPace(wide, fine)).toEqual(sum);
    expect(mergedPace(undefined, wide)).toBe(wide);
    expect(mergedPace(undefined, undefined)).toBe(undefined);
  });
});
