import type { KnownCall } from '../../spec/calls/index.ts';
import type { CallLatency, LatencyGate } from '../results/generated/events.ts';

/** How long a call may take in 95 of 100 answers. */
export interface LatencyLimit {
  readonly call: KnownCall;
  /** In ms. */
  readonly maxP95Ms: number;
}

/** What each limit comes to, by what a run measured; a call without a complete answer keeps none and breaks none. */
export function judgeLatencies(
  limits: readonly LatencyLimit[],
  latencies: readonly CallLatency[],
): readonly LatencyGate[] {
  return limits.map(({ call, maxP95Ms }) => {
    const measured = latencies.find((each) => each.call === call);
    if (measured === undefined) return { call, maxP95Ms, requests: 0, verdict: 'inconclusive' };
    const { requests, p95Ms } = measured;
    return { call, maxP95Ms, requests, p95Ms, verdict: p95Ms > maxP95Ms ? 'failed' : 'passed' };
  });
}
