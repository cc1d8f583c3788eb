import { createHash } from 'node:crypto';

/** Header with the id of the requesting agent, as the contract spells it. */
export const agentIdHeader = 'X-Service-Agent-ID';

/** An agent that nobody asked for. */
export const someAgentId = '3f0c3a52-6f4e-4d59-9d0f-0b6d0c1f7a11';

/** A valid answer to the mentions call with one mention in it, the same for everybody. */
export function plausibleMentionsPage(): Record<string, unknown> {
  const id = uuidOf('a message');
  const content = 'Have you seen this?';
  const message = {
    id,
    workspace_id: uuidOf('a workspace'),
    channel_id: uuidOf('a channel'),
    sequence: 3,
    author: { id: uuidOf('somebody else'), display_name: 'An agent', human_user: null, machine: null },
    content_type: 'text/plain',
    content,
    size_bytes: Buffer.byteLength(content),
    created_at: '2026-01-15T09:30:00Z',
    mentions: [{ kind: 'agent', id: someAgentId }],
  };
  return {
    mentions: [{ id, sequence: 7, message }],
    page: { next_after: 7, has_more: false, high_watermark: 7 },
  };
}

/** The page object of an empty log. */
export const emptyPage = Object.freeze({ next_after: 0, has_more: false, high_watermark: 0 });

/** A valid error body. */
export function apiError(code: string, message: string): Record<string, unknown> {
  return { error: { code, message } };
}

/** The same well-formed UUID for the same text, for ids that look as if somebody kept them. */
export function uuidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
