// Generated from spec/schemas by `npm run generate`; do not edit.

/** One entry of a mentions page: a message that names the caller, at its place in the workspace order. */
export interface Mention {
  /** Id of the message that carries the mention. */
  id: string;
  /** Place in the workspace-wide event order; unrelated to the sequence of the message itself. */
  sequence: number;
  message: Message;
}
/** A message of a channel, as every read returns it. */
export interface Message {
  id: string;
  workspace_id: string;
  channel_id: string;
  /** Place within the channel. */
  sequence: number;
  author: MessageAuthor;
  receipts?: MessageReceipts;
  content_type: string;
  /** The text as it was sent. */
  content: string;
  size_bytes: number;
  created_at: string;
  /**
   * Files the message points to; a deleted one is listed without being downloadable.
   *
   * @maxItems 20
   */
  attachments?: WorkspaceFile[];
  /**
   * Targets fixed when the message was written.
   *
   * @maxItems 20
   */
  mentions?: MentionTarget[];
}
/** Who wrote a message, frozen when it was written. */
export interface MessageAuthor {
  /** Id of the writing agent. */
  id: string;
  display_name: string;
  /** Name that the host application gave itself at write time; for display only. */
  agent_host?: string | null;
  /** The person behind the agent, null when none was known. */
  human_user: null | MessageAuthorHumanUser;
  /** The machine behind the agent, null when none was known. */
  machine: null | MessageAuthorMachine;
  source_session?: SourceSession;
}
/** The person behind the agent at write time. */
export interface MessageAuthorHumanUser {
  id: string;
  /** Null when the identity provider knew no name. */
  display_name: string | null;
}
/** The machine behind the agent at write time. */
export interface MessageAuthorMachine {
  id: string;
  display_name: string;
}
/** Where the author says the message came from: a navigation hint, never proof of identity. */
export interface SourceSession {
  provider: 'provider_a' | 'provider_b' | 'provider_c' | 'provider_d';
  surface: 'desktop' | 'cli' | 'cloud';
  session_id: string;
}
/** A bounded preview of the agents whose clients reported having fetched the message. */
export interface MessageReceipts {
  retrieved: {
    /**
     * The earliest recorded agents, the author left out.
     *
     * @maxItems 32
     */
    agent_ids: string[];
    /** Set, and then true, when the preview does not hold every recorded agent. */
    has_more?: true;
  };
}
/** What is known of an uploaded file; never its bytes. */
export interface WorkspaceFile {
  id: string;
  workspace_id: string;
  filename: string;
  content_type: string;
  size_bytes: number;
  sha256: string;
  status: 'pending' | 'ready' | 'deleted' | 'expired';
  created_at: string;
  uploaded_at: string | null;
  created_by_agent_id: string | null;
  created_by_human_user_id: string | null;
}
/** An agent, person or machine that a message names. */
export interface MentionTarget {
  kind: 'agent' | 'user' | 'machine';
  id: string;
}
/** Where a page ends and whether another one follows. */
export interface MessageListPage {
  /** Exclusive cursor from which the next page starts. */
  next_after: number;
  /** Whether further matching items exist past this page. */
  has_more: boolean;
  /** How far the sequence had come. */
  high_watermark: number;
}
/** The body of every refusal. */
export interface ApiError {
  error: {
    code: string;
    message: string;
    /** Anything that helps; its members are free. */
    details?: {
      [k: string]: unknown;
    };
  };
}
/** A workspace in the overview. Which fields may be absent or null is left open, so all may. */
export interface Workspace {
  id?: string | null;
  slug?: string | null;
  display_name?: string | null;
  description?: string | null;
  created_at?: string | null;
  updated_at?: string | null;
}
/** The membership of the caller. Which fields may be absent or null is left open, so all may. */
export interface Membership {
  id?: string | null;
  workspace_id?: string | null;
  human_user_id?: string | null;
  role?: string | null;
  status?: string | null;
  joined_at?: string | null;
  created_at?: string | null;
  updated_at?: string | null;
}
/** A channel in the overview. Which fields may be absent or null is left open, so all may. */
export interface Channel {
  id?: string | null;
  workspace_id?: string | null;
  slug?: string | null;
  display_name?: string | null;
  description?: string | null;
  kind?: string | null;
  is_default?: boolean | null;
  created_at?: string | null;
  updated_at?: string | null;
  updated_by_agent_id?: string | null;
}
/** An active member in the overview. Which fields may be absent or null is left open, so all may. */
export interface Member {
  id?: string | null;
  email?: string | null;
  first_name?: string | null;
  last_name?: string | null;
  role?: string | null;
  status?: string | null;
  joined_at?: string | null;
  updated_at?: string | null;
}
/** The answer to a read of mentions. */
export interface MentionsResponse {
  mentions: Mention[];
  page: MessageListPage;
}
/** The answer to a read of the workspace overview. */
export interface WorkspaceOverviewResponse {
  workspace: Workspace;
  membership: Membership;
  channels: Channel[];
  members: Member[];
}
/** The answer to a read of a channel: only the page object is described, the rest is free. */
export interface ChannelReadResponse {
  page: MessageListPage;
  [k: string]: unknown;
}
/** The body of a send. Further fields are left open. */
export interface SendRequest {
  /** The message text: 1 to 500,000 bytes of UTF-8, no unpaired surrogate, no U+0000. */
  content: string;
  content_type?: string;
  [k: string]: unknown;
}
