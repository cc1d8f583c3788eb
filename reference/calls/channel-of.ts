import type { AgentCall } from '../http/call.ts';
import { requestFactsOf } from '../access/request-facts.ts';
import { Refusal } from '../model/refusal.ts';
import type { StoredChannel } from '../store/workspaces.ts';

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
  if (rules.mayUseChannel({ isOfWorkspace }, route.name)) return channel;
  if (await rules.admits('other-workspace', route.name, requestFactsOf(call, agent))) return channel;
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
