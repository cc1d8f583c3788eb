import { createHash } from 'node:crypto';

/** Header with the id of the requesting agent, as the contract spells it. */
export const agentIdHeader = 'X-Service-Agent-ID';

/** An agent that nobody asked for. */
export const someAgentId = '3f0c3a52-6f4e-4d59-9d0f-0b6d0c1f7a11';

const someWorkspaceId = '7a1d2c9e-5b0f-4c53-8a52-5a3a7a0e9b21';
const someChannelId = 'c1f7d3b4-0a59-4f9f-9a0d-2f6a1c7e8d31';
const someInstant = '2026-01-15T09:30:00Z';

/** What a message is made of, as far as these servers vary it. */
interface MessageParts {
  readonly authorId: string;
  readonly workspaceId: string;
  readonly channelId: string;
  readonly sequence: number;
  readonly content: string;
  readonly contentType: string;
}

/** A valid message; equal parts make an equal message. */
export function plausibleMessage(parts: MessageParts): Record<string, unknown> {
  return {
    id: uuidOf(`message ${parts.channelId} ${parts.sequence}`),
    workspace_id: parts.workspaceId,
    channel_id: parts.channelId,
    sequence: parts.sequence,
    author: { id: parts.authorId, display_name: 'An agent', human_user: null, machine: null },
    content_type: parts.contentType,
    content: parts.content,
    size_bytes: Buffer.byteLength(parts.content),
    created_at: someInstant,
  };
}

/** A valid answer to the mentions call with one mention in it, the same for everybody. */
export function plausibleMentionsPage(): Record<string, unknown> {
  const message = plausibleMessage({
    authorId: uuidOf('somebody else'),
    workspaceId: someWorkspaceId,
    channelId: someChannelId,
    sequence: 3,
    content: 'Have you seen this?',
    contentType: 'text/plain',
  });
  const mentions = [{ kind: 'agent', id: someAgentId }];
  return {
    mentions: [{ id: message['id'], sequence: 7, message: { ...message, mentions } }],
    page: { next_after: 7, has_more: false, high_watermark: 7 },
  };
}

/** The page object of an empty log. */
export const emptyPage = Object.freeze({ next_after: 0, has_more: false, high_watermark: 0 });

/** A valid overview of a workspace in which nobody and nothing is. */
export function plausibleOverview(workspaceId: string): Record<string, unknown> {
  const stamps = { created_at: someInstant, updated_at: someInstant };
  return {
    workspace: { id: workspaceId, slug: 'quiet', display_name: 'Quiet', description: '', ...stamps },
    membership: {
      id: uuidOf('membership'),
      workspace_id: workspaceId,
      human_user_id: uuidOf('owner'),
      role: 'owner',
      status: 'active',
      joined_at: someInstant,
      ...stamps,
    },
    channels: [],
    members: [],
  };
}

/** A valid error body. */
export function apiError(code: string, message: string): Record<string, unknown> {
  return { error: { code, message } };
}

/** The same well-formed UUID for the same text, for ids that look as if somebody kept them. */
export function uuidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
