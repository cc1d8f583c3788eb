import type { FooterEvent, LatencyGate } from '../harness/results/generated/events.ts';
import { countOf, formatDuration } from './quantities.ts';

/** Calls whose limit a run did not keep: by its answers, or for want of any. */
export function brokenGates({ latencyGates = [] }: FooterEvent): {
  readonly slow: readonly LatencyGate[];
  readonly unmeasured: readonly LatencyGate[];
} {
  return {
    slow: latencyGates.filter(({ verdict }) => verdict === 'failed'),
    unmeasured: latencyGates.filter(({ verdict }) => verdict === 'inconclusive'),
  };
}

/** `p95 of 412 answers 312 ms, 200 ms at most`. */
export function gateInWords({ requests, p95Ms, maxP95Ms }: LatencyGate): string {
  const measured =
    p95Ms === undefined
      ? 'no complete answer'
      : `p95 of ${countOf(requests, 'answer')} ${formatDuration(p95Ms)}`;
  return `${measured}, ${formatDuration(maxP95Ms)} at most`;
}

/** `too slow: mentions (p95 312 ms, 200 ms at most)`. */
export function slowInWords(slow: readonly LatencyGate[]): string {
  const each = slow.map(
    ({ call, p95Ms = 0, maxP95Ms }) =>
      `${call} (p95 ${formatDuration(p95Ms)}, ${formatDuration(maxP95Ms)} at most)`,
  );
  return `too slow: ${each.join(', ')}`;
}
