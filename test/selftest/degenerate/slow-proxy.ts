import { createServer } from 'node:http';
import { ignoreLostClient, listen } from '../../../selftest/degenerate/degenerate-server.ts';
import type { DegenerateServer } from '../../../selftest/degenerate/degenerate-server.ts';
import { forward } from '../../../selftest/degenerate/recording-proxy.ts';

/** A request that came through the proxy. */
export interface ProxiedRequest {
  readonly method: string;
  /** As on the request line, with the query. */
  readonly path: string;
}

export interface SlowProxyOptions {
  /** Added before each request goes on, in ms; it stands for the round trip of a far-away server. */
  readonly delayMs: number;
  /** Gets every request as it arrives; lets several proxies write one record. */
  readonly recordTo?: ProxiedRequest[];
}

export interface SlowProxy extends DegenerateServer {
  /** Every request in order of arrival: `recordTo`, or a list of its own. */
  readonly recorded: readonly ProxiedRequest[];
}

/** Passes everything on to `upstream` (`http:`, a path prefix is fine) after a delay, bodies as streams. */
export async function startSlowProxy(upstream: string, options: SlowProxyOptions): Promise<SlowProxy> {
  const recorded = options.recordTo ?? [];
  const server = createServer((incoming, outgoing) => {
    outgoing.on('error', ignoreLostClient);
    recorded.push({ method: incoming.method ?? '', path: incoming.url ?? '' });
    setTimeout(() => {
      // A client that gave up in the meantime left half a request behind.
      if (!outgoing.destroyed) forward(upstream, incoming, outgoing);
    }, options.delayMs);
  });
  server.keepAliveTimeout = 0;
  return { ...(await listen('slow-proxy', server, 'request')), recorded };
}
