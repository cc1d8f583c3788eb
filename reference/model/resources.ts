import type { Mention, Message, MessageListPage, WorkspaceFile } from '../../spec/generated/types.ts';

/** An integer that is exact on the wire: a number while that is safe, a bigint beyond 2^53. */
type ExactInteger = number | bigint;

/** A message on its way out, its sequence exact. */
export type OutgoingMessage = Omit<Message, 'sequence'> & { sequence: ExactInteger };

/** A mention on its way out, its sequence exact. */
export type OutgoingMention = Omit<Mention, 'sequence' | 'message'> & {
  sequence: ExactInteger;
  message: OutgoingMessage;
};

/** A page object on its way out, its cursors exact. */
export type OutgoingPage = Record<Exclude<keyof MessageListPage, 'has_more'>, ExactInteger> & {
  has_more: boolean;
};

/** A message as it was written: everything about it that never changes. Attachments are ids of files. */
export type WrittenMessage = Required<
  Pick<
    Message,
    | 'id'
    | 'workspace_id'
    | 'channel_id'
    | 'author'
    | 'content_type'
    | 'content'
    | 'size_bytes'
    | 'created_at'
    | 'mentions'
  >
> & { readonly attachments: readonly string[] };

/** The states a workspace file can be in. */
export type FileStatus = WorkspaceFile['status'];

/** `value` as a number where a double holds it exactly, as the bigint it is otherwise. */
export function exactInteger(value: bigint): ExactInteger {
  return value <= Number.MAX_SAFE_INTEGER && value >= Number.MIN_SAFE_INTEGER ? Number(value) : value;
}
