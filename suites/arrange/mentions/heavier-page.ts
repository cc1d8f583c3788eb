import { readPage, type PageRead } from '../../../harness/stream/page.ts';
import { findIn } from '../../../harness/stream/stream-view.ts';
import { asText } from '../../../spec/oracles/values/json-texts.ts';
import { arranged } from '../or-else.ts';
import { agentTarget } from '../send/proof.ts';
import { mention, type Mentioning } from './mentioning.ts';

/** A text weighs so many times as much as all messages of a page: what a byte cap counts is not shown. */
const timesHeavier = 2;
/** Bytes of such a text at most, within what a message may hold. */
const mostBytes = 400_000;
/** A heavy message neither begins nor ends a page of so many: a cap may let through the first, and the one that exceeds it. */
const fewest = 3;

/**
 * A page of the reader's feed without a limit, from a cursor where the other one has one, that has as many messages as the other, among them
 * one that is heavier than all of those together: then no byte cap ended the other. `undefined` where no such page is to be had.
 */
export async function heavierPage(context: Mentioning, other: PageRead): Promise<PageRead | undefined> {
  const { author, channel, feedOf, reader } = context;
  const { after, items: light } = other;
  const bytes =
    timesHeavier * light.reduce((sum, { message }) => sum + Buffer.byteLength(asText(message)), 0);
  if (light.length < fewest || bytes > mostBytes) return undefined;
  return arranged(async () => {
    const feed = await feedOf(reader, author);
    const naming = { from: author, channelId: channel.id, targets: [await agentTarget(context, reader)] };
    const heavy = await mention(context, { ...naming, text: 'x'.repeat(bytes) });
    await feed.arrival(heavy);
    await feed.arrival(await mention(context, naming));
    const { items } = await feed.walk(light[0]?.sequence);
    const place = items.findIndex((item) => findIn([item], heavy) !== undefined);
    // As many as on the other page with one behind the heavy message.
    const cursor = after === undefined ? undefined : items[place - light.length + 1]?.sequence;
    const page = readPage(await reader.mentions({ after: cursor }));
    const at = page.items.findIndex((item) => findIn([item], heavy) !== undefined);
    const isWithin = at > 0 && at < page.items.length - 1;
    return isWithin && page.items.length >= light.length ? page : undefined;
  });
}
