import { listenAt } from './http-server.ts';
import type { World } from './model/world.ts';
import { forgetSome, openService, type ServiceOptions } from './open-service.ts';
import { type Operator, operatorOf } from './operator.ts';
import { provision, reopened } from './provision.ts';
import { DataFileFault } from './store/data-file.ts';
import { openStore } from './store/store.ts';

/** How to start a reference service; everything has a default. */
export interface ReferenceOptions extends ServiceOptions {
  /** 0, the default, takes a free port. */
  readonly port?: number;
  /** The loopback address when omitted. */
  readonly host?: string;
}

/** A running reference service. */
export interface Reference {
  readonly baseUrl: string;
  /** The workspace that was provisioned at the first start, with a credential for every role: a new one at each start. */
  readonly world: World;
  readonly operator: Operator;
  /** Answers what is open, closes every connection and the store. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Starts the reference service: a complete server of the contract.
 * @throws DataFileFault when the data file cannot be used; the error of `node:net` when the port is taken
 */
export async function startReference(options: ReferenceOptions = {}): Promise<Reference> {
  const { host = '127.0.0.1', dataFile } = options;
  const service = openService(options);
  const kept = service.store.worlds.first();
  if (kept !== undefined && options.sources?.id !== undefined) {
    service.store.close();
    throw new DataFileFault(`the data file ${dataFile} has data already; ids from a seed need a new file`);
  }
  const world = kept === undefined ? provision(service) : reopened(service, kept);
  let listener = await listenAt(service, host, options.port ?? 0);
  const { port } = listener;

  const stop = (): Promise<void> => {
    service.waiters.close();
    return listener.close();
  };
  const restart = async (): Promise<void> => {
    await stop();
    if (dataFile !== undefined) {
      service.store.close();
      service.store = openStore(dataFile);
    }
    forgetSome(service);
    service.waiters.open();
    listener = await listenAt(service, host, port);
  };
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => (closing ??= stop().then(() => service.store.close()));
  return {
    baseUrl: `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    world,
    operator: operatorOf(service, restart),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Where to serve; a port of 0 takes a free one, no data file means in memory. */
export interface ServeOptions extends Pick<ReferenceOptions, 'rules' | 'answer' | 'settings' | 'sources'> {
  readonly port: number;
  readonly host: string;
  readonly dataFile: string | undefined;
}

/** Starts the reference service as a command serves it, at a chosen address: the contract's rules unless others are given. */
export function serveReference({ dataFile, ...options }: ServeOptions): Promise<Reference> {
  return startReference({ ...options, ...(dataFile !== undefined && { dataFile }) });
}
