import type { MessageAuthor } from '../../spec/generated/types.ts';
import type { Agent } from '../model/principals.ts';
import type { Service } from '../service/service.ts';
import type { SentFields } from './draft.ts';

/** The author of a draft as known at this moment, whenever the request began; it goes into the message for good. */
export function captureAuthor({ rules, store }: Service, writer: Agent, draft: SentFields): MessageAuthor {
  const agent = store.directory.agent(writer.id) ?? writer;
  const human = agent.humanUserId === null ? undefined : store.directory.human(agent.humanUserId);
  const machine = agent.machineId === null ? undefined : store.directory.machine(agent.machineId);
  const session = rules.capturedSession(draft.sourceSession);
  return {
    id: rules.capturedAgentId(agent),
    display_name: rules.capturedAgentName(agent),
    agent_host: rules.capturedAgentHost(draft.agentHost),
    human_user: rules.capturedHuman(human ?? null),
    machine: rules.capturedMachine(machine ?? null),
    ...(session && { source_session: session }),
  };
}
