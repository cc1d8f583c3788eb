import type { Actor } from '../../../harness/client/actor.ts';
import { readPage, type PageRead } from '../../../harness/stream/page.ts';
import { given } from '../../../harness/verdict/outcome.ts';
import { cursorBelowOne, hasAll, type InChannel } from './series.ts';

/** One page of the channel, read by any agent. */
export async function pageOf(
  { channel, bindings }: Pick<InChannel, 'channel' | 'bindings'>,
  reader: Actor,
  asked: { readonly after: bigint | undefined; readonly limit: number | undefined },
): Promise<PageRead> {
  return readPage(await reader.readChannel(channel.id, asked), bindings.items);
}

/** The control of a refusal: the same read with a cursor that is right shows what is there. */
export async function requireReadable(context: InChannel): Promise<void> {
  const { after, draft } = await cursorBelowOne(context);
  const page = await pageOf(context, context.author, { after, limit: 100 });
  given(hasAll([page], [draft]), 'a read with a usable cursor does not show what is there', page.exchange);
}
