import type {
  MentionTarget,
  MessageAuthor,
  SourceSession,
  WorkspaceFile,
} from '../../spec/generated/types.ts';
import type { OutgoingRead, PageFacts, ReadFacts } from '../model/page-facts.ts';
import type { Agent, Human, Machine } from '../model/principals.ts';
import type { OutgoingMention, OutgoingMessage, OutgoingPage } from '../model/resources.ts';
import type { RouteName } from '../model/routes.ts';

/** How stored things look on the wire, and the bytes that they become. */
export const presentationRules = {
  presentMessage: (message: OutgoingMessage, _route: RouteName): OutgoingMessage => message,

  presentMention: (mention: OutgoingMention): OutgoingMention => mention,

  presentPage: (page: OutgoingPage, _facts: PageFacts): OutgoingPage => page,

  /** A page of either call as a whole, the last to be asked. */
  presentRead: (read: OutgoingRead, _facts: ReadFacts): OutgoingRead => read,

  /** Targets are shown as captured; names are not resolved again. */
  presentTargets: (
    targets: readonly MentionTarget[],
    _nameNow: (target: MentionTarget) => string | null,
    _isActiveNow: (target: MentionTarget) => boolean,
  ): MentionTarget[] => [...targets],

  /** An attachment shows the file as it is now, also after it was deleted. */
  presentAttachments: (files: readonly WorkspaceFile[]): WorkspaceFile[] => [...files],

  /** Header names are written in lower case. */
  headerName: (name: string): string => name,

  /** No interim answer comes before the one that counts. */
  sendsEarlyHints: (): boolean => false,

  /** Answers announce their length; without it they leave in chunks. */
  announcesLength: (): boolean => true,

  /** The media type of every JSON answer. */
  mediaType: (): string => 'application/json',

  /** Answers leave uncompressed; a content coding named here is applied. */
  contentCoding: (_acceptEncoding: string): 'identity' | 'gzip' => 'identity',

  /** The text of an answer, after it was serialised. */
  presentText: (text: string): string => text,
} as const;

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
