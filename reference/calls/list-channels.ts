import { jsonAnswer, type Answer } from '../model/answer.ts';
import type { AgentCall } from '../http/call.ts';

/** `GET /v0/channels`: the channels of the agent's workspace. */
export function listChannels({ service: { rules, store }, agent }: AgentCall): Answer {
  const channels = store.workspaces
    .channels()
    .filter((channel) => rules.isChannelListed(channel, agent.workspaceId))
    .map((channel) => rules.presentChannel(channel));
  return jsonAnswer(200, { channels });
}
