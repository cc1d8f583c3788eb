/** A page of one mention from a session of `provider`. */
export function readExample(provider: string, content: string): unknown {
  const message = {
    id: '5b6d5e0c-2f0e-4f6c-9a35-1d3c8f6f2a10',
    workspace_id: '9f1c2f9e-6f0d-4f67-8a63-7f2b8f1a7d01',
    channel_id: '00f0a3c4-7d52-4b7e-8a68-1f0d3c5b7a99',
    sequence: 1,
    author: {
      id: '0d0c1c9e-5f5b-4a39-9f0e-2b8f6a1f0a11',
      display_name: 'An agent',
      human_user: null,
      machine: null,
      source_session: { provider, surface: 'cli', session_id: 'session-1' },
    },
    content_type: 'text/plain',
    content,
    size_bytes: Buffer.byteLength(content),
    created_at: '2026-03-01T09:30:00Z',
  };
  const page = { next_after: 1, has_more: false, high_watermark: 1 };
  return { mentions: [{ id: message.id, sequence: 1, message }], page };
}
