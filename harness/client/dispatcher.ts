import { EventEmitter } from 'node:events';
import { Client as Connection, type Dispatcher, EnvHttpProxyAgent, Pool } from 'undici';
import { InvalidTarget } from '../errors.ts';
import type { ClientOptions } from './client.ts';

const mostConnections = 128;

/**
 * What carries the requests to `url`, on so many connections at most, by way of the proxy that the environment names for it.
 * @throws InvalidTarget when that is no address of one
 */
export function createDispatcher(
  url: URL,
  { target, timeouts, env }: ClientOptions,
  connections = mostConnections,
): Dispatcher {
  const { ca, cert, key } = target.connection;
  const tls = {
    ...(ca === undefined ? {} : { ca }),
    ...(cert === undefined ? {} : { cert }),
    ...(key === undefined ? {} : { key }),
  };
  const options = { connections, pipelining: 1, connect: { timeout: timeouts.connectMs, ...tls } };
  const proxies = proxiesFor(url, env, target.connection);
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
 * A connection without two faults of undici 7. A request that cannot be built leaves it as it was: undici's pool takes the refusal for a
 * sign that the connection is busy, and waits for it to say that it is free again, which it never does: so many such requests as there
 * are connections, and no request leaves any more, nor does a time limit run for one. And a server may end it while nobody reads on:
 * that ends the process (nodejs/undici#5360).
 */
class UntiringConnection extends Connection {
  constructor(...given: ConstructorParameters<typeof Connection>) {
    super(...given);
    this.on('connect', () => {
      endWhilePaused(partOf(this, 'socket'));
    });
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    const before = this.stats.size;
    const isFree = super.dispatch(options, handler);
    return isFree || this.stats.size <= before;
  }
}

/** What of undici's parser of answers is needed to have it go on. */
interface Parser {
  paused: boolean;
  readonly ptr: number | null;
  readonly llhttp: { readonly llhttp_resume: (ptr: number) => void };
  readonly execute: (bytes: Uint8Array) => void;
}

/**
 * Has the parser of a connection that ends take what it has been given, although nobody reads on: paused, it throws an error that
 * nobody can catch. What it hands on is kept for whoever reads.
 */
function endWhilePaused(socket: unknown): void {
  if (!(socket instanceof EventEmitter)) return;
  const goOn = (): void => {
    const parser = partOf(socket, 'parser') as Parser | null | undefined;
    if (parser?.paused !== true || parser.ptr === null) return;
    resume(parser);
    parser.execute(Buffer.alloc(0));
    // A body that the end of the connection ends is paused once more.
    resume(parser);
  };
  for (const ending of ['end', 'error', 'close']) socket.prependListener(ending, goOn);
}

function resume(parser: Parser): void {
  if (parser.ptr === null) return;
  parser.llhttp.llhttp_resume(parser.ptr);
  parser.paused = false;
}

/** What an object of undici keeps under a symbol of this name. */
function partOf(object: object, name: string): unknown {
  const symbol = Object.getOwnPropertySymbols(object).find(({ description }) => description === name);
  return symbol === undefined ? undefined : Reflect.get(object, symbol);
}

/** The proxies that the environment names; a variable that is empty names none. */
interface Proxies {
  readonly httpProxy?: string;
  readonly httpsProxy?: string;
  readonly noProxy: string;
}

const schemes: readonly string[] = ['http:', 'https:'];

/**
 * The proxies for a URL; `undefined` where none is named for it, or the server is part of this program.
 * @throws InvalidTarget that names the variable whose value is no address of a proxy, and not the value, which may hold a password
 */
export function proxiesFor(
  { protocol }: URL,
  env: NodeJS.ProcessEnv = {},
  { isDirect = false }: Pick<ClientOptions['target']['connection'], 'isDirect'> = {},
): Proxies | undefined {
  if (isDirect) return undefined;
  const httpProxy = proxyIn(env, 'HTTP_PROXY');
  const httpsProxy = protocol === 'https:' ? proxyIn(env, 'HTTPS_PROXY') : undefined;
  if ((httpsProxy ?? httpProxy) === undefined) return undefined;
  return {
    ...(httpProxy === undefined ? {} : { httpProxy }),
    ...(httpsProxy === undefined ? {} : { httpsProxy }),
    noProxy: valueIn(env, 'NO_PROXY')?.value ?? '',
  };
}

function proxyIn(env: NodeJS.ProcessEnv, name: string): string | undefined {
  const given = valueIn(env, name);
  if (given === undefined) return undefined;
  const url = URL.canParse(given.value) ? new URL(given.value) : undefined;
  if (url === undefined || !schemes.includes(url.protocol) || url.hostname === '')
    throw new InvalidTarget(
      `${given.name} in the environment is no http or https URL; write http://HOST:PORT, or unset it`,
    );
  return given.value;
}

function valueIn(
  env: NodeJS.ProcessEnv,
  name: string,
): { readonly name: string; readonly value: string } | undefined {
  const used = [name, name.toLowerCase()].find((each) => (env[each] ?? '') !== '');
  return used === undefined ? undefined : { name: used, value: env[used] ?? '' };
}
