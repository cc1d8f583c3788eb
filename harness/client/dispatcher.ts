import { Client as Connection, EnvHttpProxyAgent, Pool } from 'undici';
import type { Dispatcher } from 'undici';
import type { ClientOptions } from './client.ts';
import { proxiesFor } from './proxies.ts';

const connections = 128;

/**
 * What carries the requests to `url`, by way of the proxy that the environment names for it.
 * @throws InvalidTarget when that is no address of one
 */
export function createDispatcher(url: URL, { target, timeouts, env }: ClientOptions): Dispatcher {
  const { ca, cert, key } = target.connection;
  const tls = {
    ...(ca === undefined ? {} : { ca }),
    ...(cert === undefined ? {} : { cert }),
    ...(key === undefined ? {} : { key }),
  };
  const options = { connections, pipelining: 1, connect: { timeout: timeouts.connectMs, ...tls } };
  const proxies = proxiesFor(url, env);
  if (proxies === undefined) return poolOf(url.origin, options);
  return new EnvHttpProxyAgent({ ...options, ...proxies, requestTls: tls, factory: poolOf });
}

function poolOf(origin: string | URL, options: object): Pool {
  return new Pool(origin, {
    ...options,
    factory: (each: URL, own: object) => new UntiringConnection(each, own),
  });
}

/**
 * A connection that a request which cannot be built leaves as it was. undici's pool takes the refusal for a sign that the
 * connection is busy, and waits for it to say that it is free again, which it never does: so many such requests as there
 * are connections, and no request leaves any more, nor does a time limit run for one.
 */
class UntiringConnection extends Connection {
  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    const before = this.stats.size;
    const isFree = super.dispatch(options, handler);
    return isFree || this.stats.size <= before;
  }
}
