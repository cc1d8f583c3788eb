import type { MentionTarget } from '../../spec/generated/types.ts';
import type { Agent } from '../model/principals.ts';
import type { Entry } from '../model/page-facts.ts';

/** Who is looking at which channel. */
export interface ViewedChannel {
  readonly kind: string;
  readonly hasJoined: () => boolean;
}

/** Which messages reach the agent that reads its mentions. */
export const mentionRules = {
  /** The reader is the agent of the credential, whatever the query says. */
  readerId: (
    agentId: string,
    _query: Readonly<Record<string, string>>,
    _agentsOf: (workspaceId: string) => readonly Agent[],
  ): string => agentId,

  /** A message is a mention of the targets it was sent with, whoever else its text or its targets may stand for. */
  mentionedBy: (
    targets: readonly MentionTarget[],
    _content: string,
    _agents: () => readonly Agent[],
  ): readonly MentionTarget[] => targets,

  /** A mention of the agent itself reaches it. */
  agentTargetOf: (reader: Agent): string | null => reader.id,

  /** A mention of the agent's own human reaches it, as linked now. */
  userTargetOf: (reader: Agent): string | null => reader.humanUserId,

  /** A mention of the agent's own machine reaches it, as linked now. */
  machineTargetOf: (reader: Agent): string | null => reader.machineId,

  /** A message that mentions nobody reaches nobody. */
  broadcastsReach: (_reader: Agent): boolean => false,

  /** Self-authored means written by this agent; another agent of the same human is somebody else. */
  isSelfAuthored: (entry: Entry, reader: Agent, _author: () => Agent | undefined): boolean =>
    entry.authorId === reader.id,

  /** Mentions stay within the reader's workspace. */
  isOfReadersWorkspace: (entry: Entry, reader: Agent): boolean => entry.workspaceId === reader.workspaceId,

  /** Every shared channel is covered, joined or not. */
  coversChannel: (channel: ViewedChannel): boolean => channel.kind === 'shared',

  /** Two matching targets of one message are one mention. */
  isSameMention: (left: Entry, right: Entry): boolean =>
    left.sequence === right.sequence && left.messageNumber === right.messageNumber,

  /** How many mentions of a target are kept; null for all. */
  mentionsKept: (keep: number | null, _target: MentionTarget | undefined): number | null => keep,

  /** Reading takes no mention away. */
  consumesMentions: (): boolean => false,

  /** The header names the agent that asks; null leaves it out. */
  agentIdHeader: (agent: Agent): string | null => agent.id,
} as const;
