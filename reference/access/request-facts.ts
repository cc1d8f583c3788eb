import { readJsonObject } from '../http/body.ts';
import type { Call } from '../http/call.ts';
import type { Agent } from '../model/principals.ts';
import type { RequestFacts } from '../model/request-facts.ts';

/** The facts of a request; `reader` is the agent whose mentions it asks for, where that is known. */
export function requestFactsOf(call: Call, reader?: Agent): RequestFacts {
  const { service, route, request, query } = call;
  const { authorization } = request.headers;
  return {
    route: route.name,
    authorization,
    query,
    isPageEmpty: () => isPageEmpty(call, reader),
    repeatsKey: () => {
      const key = request.headers['idempotency-key'];
      return typeof key === 'string' && service.store.idempotencyKeys.isKnown(key);
    },
    body: () => readJsonObject(call),
    hasWorked: () => {
      const token = service.rules.bearerToken(authorization ?? '') ?? '';
      return service.accessAtFirstUse.get(token) === true;
    },
    tokens: () => service.store.directory.tokens(),
  };
}

function isPageEmpty({ service: { store }, query, parameters }: Call, reader: Agent | undefined): boolean {
  const text = query['after'] ?? '';
  if (!/^\d+$/.test(text)) return false;
  const after = BigInt(text);
  const channelId = parameters['channel_id'];
  if (channelId !== undefined) return after >= (store.workspaces.channel(channelId)?.lastSequence ?? 0n);
  if (reader !== undefined) return after >= (store.workspaces.lastEvent(reader.workspaceId) ?? 0n);
  // Of whose mentions it is the end nobody knows.
  return store.workspaces.isLastEvent(after);
}
