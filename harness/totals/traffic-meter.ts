import { addressOf, pairsOf } from '../../spec/calls/index.ts';
import type { Client } from '../client/client.ts';
import { type Exchange, faultWords } from '../client/exchange.ts';
import type {
  CallLatency,
  FirstServerError,
  SlowCheck,
  TrafficSummary,
} from '../results/generated/events.ts';
import { push } from '../../spec/groups.ts';

/** Checks that the summary names. */
const slowestShown = 3;
/** Characters of an address that are shown. */
const longestAddress = 120;

/** Gathers how a server answered: how soon each call, and which checks took longest. */
export class TrafficMeter {
  readonly #latencies = new Map<string, number[]>();
  readonly #checks: SlowCheck[] = [];
  readonly #beganMs = performance.now();
  #firstError: FirstServerError | undefined;

  /** Notes a first server error, and counts how soon a complete answer came; a long poll is meant to wait. */
  add({ request, response, fault, startedMs, endedMs }: Exchange): void {
    if (response === undefined || fault !== undefined) return;
    if (response.status >= 500)
      this.#firstError ??= {
        request: `${request.method} ${addressOf(request).slice(0, longestAddress)}`,
        status: response.status,
        sinceMs: Math.max(0, Math.round(startedMs - this.#beganMs)),
      };
    if (pairsOf(request.query)?.some(([name]) => name === 'wait') === true) return;
    push(this.#latencies, request.call, endedMs - startedMs);
  }

  /** How long half of the complete answers took at most, in ms; `undefined` where none came. */
  get typicalMs(): number | undefined {
    const all = [...this.#latencies.values()].flat().toSorted((a, b) => a - b);
    return all[Math.floor(all.length / 2)];
  }

  /** Notes how long a check took, all attempts together; `heldMs` of it its clock stood still. */
  addCheck(check: SlowCheck): void {
    this.#checks.push(check);
  }

  /** What is known so far; `client` is `undefined` when preflight ended the run. */
  summary(client: Pick<Client, 'traffic' | 'limited'> | undefined): TrafficSummary {
    const { limited = 0, serverErrors = 0, retries = 0, retriedAfter = [], inVainMs } = client?.traffic ?? {};
    const after = [...retriedAfter].map(([kind, times]) => ({ what: faultWords[kind], times }));
    return {
      limited,
      serverErrors,
      ...(this.#firstError === undefined ? {} : { firstServerError: this.#firstError }),
      retries,
      ...(after.length === 0 ? {} : { retriedAfter: after.toSorted((a, b) => b.times - a.times) }),
      limits: (client?.limited ?? []).map(({ ratePerSecond: slowedTo, letInPerSecond, ...limit }) => ({
        ...limit,
        // One that slowed nobody has no pace to tell of.
        ...(slowedTo === undefined || letInPerSecond === undefined ? {} : { ratePerSecond: letInPerSecond }),
      })),
      // Where answers came, those that did not come in time took at least as long as they were waited for.
      latencies: [...this.#latencies]
        .map(([call, own]) => latencyOf([call, [...own, ...(inVainMs?.get(call) ?? [])]]))
        .toSorted((a, b) => b.requests - a.requests),
      slowest: this.#checks.toSorted((a, b) => ownMs(b) - ownMs(a)).slice(0, slowestShown),
    };
  }
}

function ownMs({ durationMs, heldMs }: SlowCheck): number {
  return durationMs - heldMs;
}

function latencyOf([call, latencies]: readonly [string, readonly number[]]): CallLatency {
  const sorted = latencies.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.ceil(share * sorted.length) - 1] ?? 0;
  return { call, requests: sorted.length, p50Ms: at(0.5), p95Ms: at(0.95) };
}
