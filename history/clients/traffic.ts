import type { History, Operation, Read, Report, Send } from '../operation.ts';
import { credentialOf } from '../world/principals.ts';
import { push } from '../../spec/groups.ts';

/** By this name a history has the requests of a run of this suite, which asks on purpose what no client may. */
export const suite = 'conform';

/** Everything that was asked under one credential, as whichever agent, by when each request began. */
export interface Caller {
  readonly credential: string;
  readonly requests: readonly (Send | Read | Report)[];
  readonly sends: readonly Send[];
  readonly reports: readonly Report[];
  /** Its reads of which all servers make the same page, by the name of the stream. */
  readonly readsOf: ReadonlyMap<string, readonly Read[]>;
}

/** What a history makes known of clients. */
export interface Traffic {
  readonly callers: readonly Caller[];
  /** True where the history has everything that these clients ever asked; of live traffic nobody knows. */
  readonly isWhole: boolean;
}

/** Gathers the requests of a history by who made them. */
export function trafficOf({ operations }: History, isWhole: boolean): Traffic {
  const byCredential = new Map<string, (Send | Read | Report)[]>();
  for (const operation of operations.toSorted(byStart))
    if (operation.kind !== 'change' && operation.client !== suite)
      push(byCredential, credentialOf(operation.agent), operation);
  return {
    callers: [...byCredential].map(([credential, requests]) => callerOf(credential, requests)),
    isWhole,
  };
}

function callerOf(credential: string, requests: Caller['requests']): Caller {
  const readsOf = new Map<string, Read[]>();
  for (const each of requests) if (each.kind === 'read' && each.isBaseline) push(readsOf, each.stream, each);
  return {
    credential,
    requests,
    sends: requests.filter((each) => each.kind === 'send'),
    reports: requests.filter((each) => each.kind === 'report'),
    readsOf,
  };
}

function byStart(one: Operation, other: Operation): number {
  return one.startedMs - other.startedMs;
}

/** What makes two requests of a caller the same one, made twice. */
export function requestName(request: Send | Read | Report): string {
  switch (request.kind) {
    case 'send':
      return `send ${request.channel} ${request.key ?? 'without a key'} ${request.content?.digest}`;
    case 'read':
      return `read ${request.stream} ${request.after} ${request.limit} ${request.wait}`;
    case 'report':
      return `report ${request.channel} ${request.messages.join(' ')}`;
  }
}
