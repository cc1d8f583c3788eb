import type { AgentCall, Call } from '../http/call.ts';
import { factsOfRequest } from '../http/request-facts.ts';
import type { PageRequest } from '../model/page-facts.ts';
import { Refusal } from '../model/refusal.ts';
import type { StoredChannel } from '../store/workspaces.ts';

/**
 * The cursor and the limit of a request.
 * @throws Refusal when a rule does not take one of them.
 */
export function pageRequestOf({ service: { rules }, route: { name }, query }: Call): PageRequest {
  const afterText = query['after'];
  const limitText = query['limit'];
  if (afterText === undefined && rules.requiresAfter(name)) throw invalidParameter('after', 'is needed');
  const after = afterText === undefined ? undefined : rules.readAfter(afterText, name);
  if (afterText !== undefined && after === undefined) throw invalidParameter('after', 'is not a cursor');

  const [min, max] = [rules.minLimit(name), rules.maxLimit(name)];
  const limit =
    limitText === undefined ? rules.defaultLimit(name, after) : rules.readLimit(limitText, min, max, name);
  if (limit === undefined) throw invalidParameter('limit', `is not an integer from ${min} to ${max}`);
  return { after, limit };
}

/** A refusal of one query parameter. */
export function invalidParameter(parameter: string, what: string): Refusal {
  return new Refusal('invalid', `${parameter} ${what}`, { details: { parameter } });
}

/**
 * The channel of the path.
 * @throws Refusal (400) for a malformed id, (404) for an unknown one, and for a channel the agent may not use.
 */
export async function channelOf(call: AgentCall): Promise<StoredChannel> {
  const { service, agent, parameters, route } = call;
  const { rules } = service;
  const id = readUuid(parameters['channel_id'], 'channel_id');
  const channel = service.store.workspaces.channel(id);
  if (!channel) throw new Refusal('not-found', 'there is no such channel');
  const isOfWorkspace = channel.workspaceId === agent.workspaceId;
  if (rules.mayUseChannel({ isOfWorkspace, agent }, route.name)) return channel;
  if (await rules.admits('other-workspace', route.name, factsOfRequest(call, agent))) return channel;
  throw new Refusal(rules.kindOfForeignChannel(), 'the agent has no access to this channel');
}

/**
 * A UUID of the path or the query, in lower case.
 * @throws Refusal when it is not a UUID.
 */
export function readUuid(text: string | undefined, parameter: string): string {
  if (!/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(text ?? '')) {
    throw new Refusal('invalid', `${parameter} is not a UUID`, { details: { parameter } });
  }
  return (text ?? '').toLowerCase();
}
