import type { Read } from '../../history/operation.ts';
import { leavesOut, type Item, type SeenAuthor, type SeenMessage } from '../../history/seen-message.ts';

/**
 * The item of a page that a text names, by the id or the marker of its message, with what a history keeps of it: for pages whose bodies
 * nobody kept. Names of people are left out, and the content is told by its length. `undefined` where it names none.
 */
export function itemNamedIn({ items }: Pick<Read, 'items'>, text: string): string | undefined {
  const at = items.findIndex(({ message: { id, content } }) =>
    [id, content?.marker].some((name) => name !== undefined && text.includes(name)),
  );
  const item = items[at];
  return item === undefined ? undefined : `item ${at + 1} of it: ${wordsOf(item)}`;
}

function wordsOf({ sequence, message, receipts }: Item): string {
  const { id, targets, files, content, contentType, sizeBytes, createdAt, author } = message;
  return [
    ...named('sequence', sequence),
    ...named('id', id),
    ...placeWords(message, sequence),
    ...(content === undefined ? [] : [`content of ${content.bytes} bytes`]),
    ...named('content_type', contentType),
    ...named('size_bytes', sizeBytes),
    ...named('created_at', createdAt),
    leavesOut(message, 'targets') ? 'no mentions' : listed('mentions', targets),
    leavesOut(message, 'files') ? 'no attachments' : listed('attachments', files),
    ...(author === undefined ? [] : authorWords(author)),
    ...(receipts === undefined ? [] : [listed('retrieved.agent_ids', receipts.agents)]),
  ].join('; ');
}

function placeWords({ sequence: inChannel }: SeenMessage, sequence: Item['sequence']): readonly string[] {
  return inChannel === undefined || inChannel === sequence ? [] : [`${inChannel} in its channel`];
}

function authorWords({ id, host, session }: SeenAuthor): readonly string[] {
  return [...named('author', id), `agent_host ${host ?? 'none'}`, `source_session ${session ?? 'none'}`];
}

function named(name: string, value: string | number | bigint | undefined): readonly string[] {
  return value === undefined ? [] : [`${name} ${value}`];
}

function listed(name: string, values: readonly string[]): string {
  return `${name} ${values.length === 0 ? 'none' : values.join(', ')}`;
}
