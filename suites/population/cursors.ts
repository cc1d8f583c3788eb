import { findEnd } from '../../harness/stream/find-end.ts';
import { readPage, type PageRead } from '../../harness/stream/page.ts';
import { arranged } from '../arrange/or-else.ts';
import { actorOf, type People, type Populating, type ReaderName } from './people.ts';
import type { Channels, StreamName } from './reads.ts';

/** Where to begin to read each stream; `undefined` where no cursor of it is known. */
export type Cursors = (stream: StreamName) => bigint | undefined;

/** A cursor of each stream from before anything was sent: of a channel, whoever reads it, the same. */
export async function cursorsOf(context: Populating, channels: Channels, people: People): Promise<Cursors> {
  const { author, channel } = context;
  const page = async (after: bigint | undefined, limit: number): Promise<PageRead> =>
    readPage(await author.readChannel(channels.second, { after, limit }), context.bindings.items);
  const second = async (): Promise<bigint | undefined> =>
    channels.second === channel.id ? undefined : (await findEnd(page)).nextAfter;
  const [ofFirst, ofSecond, feeds] = await Promise.all([
    channel.since(),
    second(),
    Promise.all([...people.keys()].map(async (name) => [name, await feedCursor(context, name)] as const)),
  ]);
  const ofFeed = new Map(feeds);
  return ({ of, reader }) => (of === 'feed' ? ofFeed.get(reader) : of === 'first' ? ofFirst : ofSecond);
}

/** `undefined` where the feed cannot be read: then its newest page is all that is looked at. */
function feedCursor(context: Populating, name: ReaderName): Promise<bigint | undefined> {
  const { author } = context;
  const actor = actorOf(context, name) ?? author;
  const other = name === 'author' ? (context.optional('reader') ?? author) : author;
  const since = async (): Promise<bigint | undefined> => (await context.feedOf(actor, other)).since();
  return arranged(since);
}
