import type { MessageAuthor, SourceSession } from '../../spec/generated/types.ts';
import type { Agent, Human, Machine } from '../model/principals.ts';

/** What is captured of an author when a message is written. */
export const provenanceRules = {
  capturedAgentId: (agent: Agent): string => agent.id,

  capturedAgentName: (agent: Agent): string => agent.displayName,

  /** An agent without a human has null, not an empty object. */
  capturedHuman: (human: Human | null): MessageAuthor['human_user'] =>
    human && { id: human.id, display_name: human.displayName },

  capturedMachine: (machine: Machine | null): MessageAuthor['machine'] =>
    machine && { id: machine.id, display_name: machine.displayName },

  /** Without an agent host the field is null. */
  capturedAgentHost: (agentHost: string | null): string | null => agentHost,

  /** Without a source session the field is absent. */
  capturedSession: (session: SourceSession | null): SourceSession | null => session,

  /** A reader sees the author as captured; `live` is what the author is called now. */
  presentAuthor: (captured: MessageAuthor, _live: () => MessageAuthor): MessageAuthor => captured,
} as const;
