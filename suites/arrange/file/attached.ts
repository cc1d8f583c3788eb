import { createHash } from 'node:crypto';
import type { Exchange } from '../../../harness/client/exchange.ts';
import type { Actor } from '../../../harness/client/actor.ts';
import type { Always, Context } from '../../../harness/check/context.ts';
import { unmet } from '../../../harness/verdict/outcome.ts';
import { findIn } from '../../../harness/stream/stream-view.ts';
import type { Draft, StreamView } from '../../../harness/stream/stream-view.ts';
import { fileAmong } from '../../../oracles/messages/files.ts';
import type { ShownFile } from '../../../oracles/messages/files.ts';
import { readOn, requireAccepted } from '../send/accepted-sends.ts';

/** Sends a message with files; ends the check as not arranged unless it is accepted. */
export async function attach(
  author: Actor,
  {
    bindings,
    channelId,
    draft,
    ids,
    fields,
  }: {
    readonly bindings: Always['bindings'];
    readonly channelId: string;
    readonly draft: Draft;
    readonly ids: readonly string[];
    readonly fields?: Readonly<Record<string, unknown>>;
  },
): Promise<Exchange> {
  const sent = await author.send(channelId, draft.text, {
    fields: { [bindings.attachments]: ids, ...fields },
  });
  requireAccepted(sent);
  return sent;
}

/**
 * What a message shows of its files when it first comes. Ends the check as not arranged when one is missing: then the
 * field of a send may be called otherwise.
 */
export async function firstShown(
  channel: StreamView,
  draft: Draft,
  ids: readonly string[],
  bindings: Always['bindings'],
): Promise<readonly ShownFile[]> {
  const { message } = await channel.arrival(draft);
  return ids.map(
    (id) =>
      fileAmong(message['attachments'], id) ??
      unmet(`the field ${bindings.attachments} of a send has no effect: see bindings.attachments`),
  );
}

/** A message with files by the author, and what it shows of them when it first comes; ends the check where {@link firstShown} does. */
export async function sendWithFiles(
  { author, bindings, channel, draft: newDraft }: Context<'author' | 'channel'>,
  ids: readonly string[],
): Promise<{ readonly draft: Draft; readonly sent: Exchange; readonly shown: readonly ShownFile[] }> {
  const draft = newDraft();
  const sent = await attach(author, { bindings, channelId: channel.id, draft, ids });
  return { draft, sent, shown: await firstShown(channel, draft, ids, bindings) };
}

/** What a download of a file is answered with. */
export function download({ author, bindings }: Context<'author'>, id: string): Promise<Exchange> {
  const path = bindings.fileContent.replaceAll('{file_id}', id);
  return author.request({ path, headers: { accept: '*/*' } });
}

/** The digest that a file of these bytes shows. */
export function digestOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** A message as a stream shows it now. */
interface Again {
  readonly attachments: unknown;
  readonly exchange: Exchange;
}

/** Reads a message again; ends the check as not arranged when it is gone. */
export async function readAgain(view: StreamView, draft: Draft, from: bigint | undefined): Promise<Again> {
  const { pages } = await readOn(view, from);
  for (const { items, exchange } of pages) {
    const item = findIn(items, draft);
    if (item !== undefined) return { attachments: item.message['attachments'], exchange };
  }
  return unmet(`${view.label} no longer shows the message`);
}
