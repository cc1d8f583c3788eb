import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CallName, callOf, partsOfAddress } from '../../spec/calls/index.ts';
import type { PassedExchange } from '../../harness/front/recorded.ts';
import type { Breach } from '../../harness/traffic/judged-traffic.ts';
import { addressBehind } from '../../harness/traffic/exchange-batch.ts';

/** Upper bounds of the histogram of latencies, in seconds. */
const bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

interface Histogram {
  readonly counts: number[];
  sum: number;
  count: number;
}

/** How an exchange ended: the first digit of the status of an answer that came, or what kept it from coming. */
type Ending = number | PassedExchange['end'];

/** What a proxy counts, in the text format that Prometheus reads. */
export class Metrics {
  readonly #prefix: string;
  readonly #exchanges = new Map<CallName, Map<Ending, number>>();
  readonly #latencies = new Map<string, Histogram>();
  readonly #breaches = new Map<string, number>();
  #skipped = 0;

  /** `prefix` stands before the paths of the contract. */
  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  get skipped(): number {
    return this.#skipped;
  }

  get exchanges(): number {
    return this.#count(() => true);
  }

  /** Those to which no answer came, or not to its end. */
  get unanswered(): number {
    return this.#count((ending) => typeof ending === 'string');
  }

  /** Those that are no calls of the contract: nobody judges them. */
  get others(): number {
    return this.#count(
      () => true,
      (call) => call === 'other',
    );
  }

  #count(isMeant: (ending: Ending) => boolean, isOf: (call: CallName) => boolean = () => true): number {
    return [...this.#exchanges]
      .filter(([call]) => isOf(call))
      .flatMap(([, counts]) => [...counts])
      .reduce((sum, [ending, count]) => sum + (isMeant(ending) ? count : 0), 0);
  }

  /** Counts an exchange, and how long its answer took unless it was asked to wait. */
  exchange({ method, url, answer, end, startedMs, endedMs }: PassedExchange): void {
    const { path, query } = partsOfAddress(addressBehind(this.#prefix, url) ?? '');
    const call = callOf(method, path);
    const counts = this.#exchanges.get(call) ?? new Map<Ending, number>();
    this.#exchanges.set(call, counts);
    add(counts, end === 'answered' ? Math.floor((answer?.status ?? 0) / 100) : end, 1);
    if (end !== 'answered' || /(?:^|[?&])wait=/.test(query)) return;
    const known = this.#latencies.get(call) ?? { counts: bounds.map(() => 0), sum: 0, count: 0 };
    this.#latencies.set(call, known);
    const seconds = (endedMs - startedMs) / 1000;
    known.count += 1;
    known.sum += seconds;
    const at = bounds.findIndex((bound) => seconds <= bound);
    if (at >= 0) known.counts[at] = (known.counts[at] ?? 0) + 1;
  }

  breach({ side, clause, times }: Breach): void {
    add(this.#breaches, `{side="${side}",clause="${clause}"}`, times);
  }

  skip(count: number): void {
    this.#skipped += count;
  }

  get text(): string {
    return [
      ...family('conform_exchanges_total', 'counter', 'Exchanges that went through.'),
      ...[...this.#exchanges].flatMap(([call, counts]) =>
        [...counts].map(([end, count]) => {
          const status = typeof end === 'number' ? `${end}xx` : end;
          return `conform_exchanges_total{call="${call}",status="${status}"} ${count}`;
        }),
      ),
      ...family('conform_findings_total', 'counter', 'Times that a clause was seen broken.'),
      ...[...this.#breaches].map(([labels, count]) => `conform_findings_total${labels} ${count}`),
      ...family('conform_skipped_total', 'counter', 'Exchanges that went through unjudged.'),
      `conform_skipped_total ${this.#skipped}`,
      ...family('conform_exchange_seconds', 'histogram', 'Time to the end of an answer, waits left out.'),
      ...[...this.#latencies].flatMap(histogramLines),
      '',
    ].join('\n');
  }
}

/**
 * Serves metrics on loopback, or at the host of the proxy.
 * @throws the error of `node:net` when the port is taken
 */
export async function serveMetrics(
  metrics: Metrics,
  { port, host }: { readonly port: number; readonly host: string },
): Promise<{ readonly url: string; readonly close: () => void }> {
  const server = createServer((request, response) => {
    if (request.url !== '/metrics') response.writeHead(404).end();
    else
      response
        .writeHead(200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' })
        .end(metrics.text);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, () => resolve());
  });
  const { port: taken } = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${taken}/metrics`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

function histogramLines([call, { counts, sum, count }]: readonly [string, Histogram]): readonly string[] {
  const name = 'conform_exchange_seconds';
  let upTo = 0;
  const buckets = bounds.map((bound, at) => {
    upTo += counts[at] ?? 0;
    return `${name}_bucket{call="${call}",le="${bound}"} ${upTo}`;
  });
  return [
    ...buckets,
    `${name}_bucket{call="${call}",le="+Inf"} ${count}`,
    `${name}_sum{call="${call}"} ${sum.toFixed(6)}`,
    `${name}_count{call="${call}"} ${count}`,
  ];
}

function family(name: string, type: string, help: string): readonly string[] {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`];
}

function add<Key>(counts: Map<Key, number>, key: Key, times: number): void {
  counts.set(key, (counts.get(key) ?? 0) + times);
}
