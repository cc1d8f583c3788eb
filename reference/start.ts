import { listenAt } from './http-server.ts';
import type { AnswerHook } from './model/answer.ts';
import { defaultSettings, type Settings } from './model/settings.ts';
import { type Sources, trueSources } from './model/sources.ts';
import type { World } from './model/world.ts';
import { type Operator, operatorOf } from './operator.ts';
import { provision, reopened } from './provision.ts';
import { contractRules, type Rules } from './rules/rules.ts';
import { Quotas } from './service/quotas.ts';
import type { Service } from './service/service.ts';
import { Waiters } from './service/waiters.ts';
import { DataFileFault } from './store/data-file.ts';
import { openStore } from './store/store.ts';

/** How to start a reference service; everything has a default. */
export interface ReferenceOptions {
  /** What the service asks at every decision; the contract's own rules when omitted. */
  readonly rules?: Rules;
  /** Sees every answer before it is serialised and may replace it. */
  readonly answer?: AnswerHook;
  /** 0, the default, takes a free port. */
  readonly port?: number;
  /** The loopback address when omitted. */
  readonly host?: string;
  /** Where the data lives; in memory when omitted. */
  readonly dataFile?: string;
  readonly settings?: Partial<Settings>;
  /** The time, ids and tokens; those of the machine when omitted. */
  readonly sources?: Partial<Sources>;
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
  const settings = { ...defaultSettings, ...options.settings };
  const service: Service = {
    rules: options.rules ?? contractRules,
    settings,
    sources: { ...trueSources, ...options.sources },
    store: openStore(dataFile),
    waiters: new Waiters(),
    quotas: new Quotas(settings),
    keysInFlight: new Map(),
    accessAtFirstUse: new Map(),
    accessLost: new Set(),
    onAnswer: options.answer,
  };
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

/** What the rules say that a restart takes away: nothing, by those of the contract. */
function forgetSome({ rules, store }: Service): void {
  if (rules.losesKeysAtRestart()) store.idempotencyKeys.keepNewest(0);
  const events = rules.eventsLostAtRestart();
  const fallen = new Set<string>();
  for (const [index, { id, workspace_id: workspaceId }] of store.workspaces.channels().entries()) {
    const count = rules.lostAtRestart(index);
    if (id && count > 0) store.workspaces.setLastSequence(store.messages.forgetNewest(id, count), id);
    if (!workspaceId || fallen.has(workspaceId)) continue;
    fallen.add(workspaceId);
    const last = store.workspaces.lastEvent(workspaceId);
    if (last !== null && events > 0n) store.workspaces.setLastEvent(last - events, workspaceId);
  }
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
