import type { AnswerHook } from './model/answer.ts';
import { defaultSettings, type Settings } from './model/settings.ts';
import { type Sources, trueSources } from './model/sources.ts';
import { contractRules, type Rules } from './rules/rules.ts';
import { Quotas } from './service/quotas.ts';
import type { Service } from './service/service.ts';
import { Waiters } from './service/waiters.ts';
import { openStore } from './store/store.ts';

/** What a service is made of; everything has a default. */
export interface ServiceOptions {
  /** What the service asks at every decision; of the rules that are omitted the contract's own. */
  readonly rules?: Partial<Rules>;
  /** Sees every answer before it is serialised and may replace it. */
  readonly answer?: AnswerHook;
  /** Where the data lives; in memory when omitted. */
  readonly dataFile?: string;
  readonly settings?: Partial<Settings>;
  /** The time, ids and tokens; those of the machine when omitted. */
  readonly sources?: Partial<Sources>;
}

/**
 * A service that nobody can reach yet, and that knows nobody: all of the contract and nothing of a network.
 * @throws DataFileFault when the data file cannot be used
 */
export function openService(options: ServiceOptions): Service {
  const settings = { ...defaultSettings, ...options.settings };
  const sources = { ...trueSources, ...options.sources };
  return {
    rules: { ...contractRules, ...options.rules },
    settings,
    sources,
    store: openStore(options.dataFile),
    waiters: new Waiters(sources),
    quotas: new Quotas(settings, sources),
    keysInFlight: new Map(),
    accessAtFirstUse: new Map(),
    accessLost: new Set(),
    onAnswer: options.answer,
  };
}

/** What the rules say that a restart takes away: nothing, by those of the contract. */
export function forgetSome({ rules, store }: Service): void {
  if (rules.losesKeysAtRestart()) store.idempotencyKeys.keepNewest(0);
  const fallen = new Set<string>();
  for (const [index, { id, workspace_id: workspaceId }] of store.workspaces.channels().entries()) {
    const count = rules.lostAtRestart(index);
    if (id && count > 0) store.workspaces.setLastSequence(store.messages.forgetNewest(id, count), id);
    if (!workspaceId || fallen.has(workspaceId)) continue;
    fallen.add(workspaceId);
    const last = store.workspaces.lastEvent(workspaceId);
    const events = rules.eventsLostAtRestart(workspaceId);
    if (last !== null && events > 0n) store.workspaces.setLastEvent(last - events, workspaceId);
  }
}
