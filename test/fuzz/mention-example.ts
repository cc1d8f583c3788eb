const id = (last: number): string => `00000000-0000-4000-8000-${String(last).padStart(12, '0')}`;

/** An entry of a listing of mentions; a malformed one says that its message has no bytes. */
export function exampleOf(sequence: number, content: string, isMalformed: boolean): unknown {
  const message = {
    id: id(sequence),
    workspace_id: id(1001),
    channel_id: id(1002),
    sequence,
    author: { id: id(1003), display_name: 'Ada', human_user: null, machine: null },
    content_type: 'text/plain',
    content,
    size_bytes: isMalformed ? 0 : content.length,
    created_at: '2026-01-31T12:00:00Z',
  };
  return { id: id(sequence), sequence, message };
}
