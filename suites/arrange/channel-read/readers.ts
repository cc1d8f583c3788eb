import type { Actor } from '../../../harness/client/actor.ts';
import { readPage } from '../../../harness/stream/page.ts';
import type { PageRead } from '../../../harness/stream/page.ts';
import { walk } from '../../../harness/stream/walk.ts';
import { given } from '../../../harness/verdict/outcome.ts';
import { cursorBelowOne, hasAll } from './series.ts';
import type { InChannel } from './series.ts';

/** One page of the channel, read by any agent. */
export async function pageOf(
  { channel, bindings }: Pick<InChannel, 'channel' | 'bindings'>,
  reader: Actor,
  asked: { readonly after: bigint | undefined; readonly limit: number | undefined },
): Promise<PageRead> {
  return readPage(await reader.readChannel(channel.id, asked), asked, bindings.items);
}

/** The pages of a walk by any agent, as far as `until` says; without a limit the server's default counts. */
export async function pagesOf(
  context: Pick<InChannel, 'channel' | 'bindings'>,
  reader: Actor,
  from: bigint,
  limit: number | undefined = 100,
  until: (page: PageRead) => boolean = () => false,
): Promise<readonly PageRead[]> {
  const read = (after: bigint | undefined): Promise<PageRead> => pageOf(context, reader, { after, limit });
  const { pages } = await walk(read, from, { maxPages: 500, until });
  return pages;
}

/** The control of a refusal: the same read with a cursor that is right shows what is there. */
export async function requireReadable(context: InChannel): Promise<void> {
  const { after, draft } = await cursorBelowOne(context);
  const page = await pageOf(context, context.author, { after, limit: 100 });
  given(hasAll([page], [draft]), 'a read with a usable cursor does not show what is there', page.exchange);
}
