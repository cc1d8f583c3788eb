import type { Agent } from '../model/principals.ts';
import type { RequestFacts } from '../model/request-facts.ts';
import type { Stream } from '../service/read-page.ts';
import type { Service } from '../service/service.ts';
import { mentionStream, targetsOf } from '../service/streams.ts';
import type { Call } from './call.ts';

/** The facts of a request; `reader` is the agent whose mentions it asks for, where that is known. */
export function factsOfRequest(call: Call, reader?: Agent): RequestFacts {
  const { service, route, request, query } = call;
  const { authorization } = request.headers;
  return {
    route: route.name,
    authorization,
    header: (name) => {
      const value = request.headers[name];
      return typeof value === 'string' ? value : undefined;
    },
    connection: request.connection,
    query,
    channelId: call.parameters['channel_id'],
    isOfOtherChannel: () => {
      const { channel_id: id } = call.parameters;
      return service.store.workspaces.channels().some((each) => each.id === id && !each.is_default);
    },
    isPageEmpty: () => isPageEmpty(call, reader),
    repeatsKey: () => {
      const key = request.headers['idempotency-key'];
      return typeof key === 'string' && service.store.idempotencyKeys.isKnown(key);
    },
    body: request.body,
    hasWorked: () => {
      const token = service.rules.bearerToken(authorization ?? '') ?? '';
      return service.accessAtFirstUse.get(token) === true;
    },
    tokens: () => service.store.directory.tokens(),
  };
}

function isPageEmpty({ service, query, parameters }: Call, reader: Agent | undefined): boolean {
  const text = query['after'] ?? '';
  if (!/^\d+$/.test(text)) return false;
  const after = BigInt(text);
  const channelId = parameters['channel_id'];
  if (channelId !== undefined)
    return after >= (service.store.workspaces.channel(channelId)?.lastSequence ?? 0n);
  const feed = reader && feedOfReader(service, reader);
  if (feed !== undefined && first(feed.ascending(1n, 1)) !== undefined)
    return first(feed.ascending(after + 1n, 1)) === undefined;
  // Of whose mentions it is the end nobody knows.
  return service.store.workspaces.isLastEvent(after);
}

function feedOfReader({ rules, store }: Service, reader: Agent): Stream {
  return mentionStream(store, rules, targetsOf(rules, reader), {
    id: reader.id,
    end: 0n,
    lastEvent: () => 0n,
  });
}

function first<Of>(values: Iterable<Of>): Of | undefined {
  for (const value of values) return value;
  return undefined;
}
