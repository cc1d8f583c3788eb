import { expect, it } from 'vitest';
import type { Message } from '../../spec/generated/types.ts';
import type { Client } from './client.ts';
import { useReference } from './use-reference.ts';

const used = useReference();

const senders = 100;
const messagesPerSender = 10;

/** Follows a channel through its cursor until nobody writes any more and nothing is left. */
async function follow(
  reader: Client,
  channelId: string,
  limit: number,
  isWritten: () => boolean,
): Promise<Message[]> {
  const seen: Message[] = [];
  for (let after: number | bigint = 0, isOver = false; !isOver;) {
    const isLast = isWritten();
    const { body } = await reader.read(channelId, `?after=${after}&limit=${limit}`);
    seen.push(...body.messages);
    after = body.page.next_after;
    isOver = isLast && !body.page.has_more;
  }
  return seen;
}

it('nothing appears below a cursor that was given out while 100 senders write', async () => {
  const { channelId } = used.world;
  const count = senders * messagesPerSender;
  let isWritten = false;
  const readers = [1, 7, 100].map((limit) => follow(used.as('reader'), channelId, limit, () => isWritten));
  const mentions = { mentions: [used.target('agent', 'reader')] };
  const answered = await Promise.all(
    Array.from({ length: senders }, async (_, sender) => {
      const sequences: number[] = [];
      for (let index = 0; index < messagesPerSender; index += 1) {
        const { status, body } = await used
          .as('author')
          .send(channelId, { content: `${sender}:${index}`, ...mentions });
        expect(status).toBe(201);
        sequences.push(body.message.sequence);
      }
      return sequences;
    }),
  );

  isWritten = true;
  const sequences = answered.flat().toSorted((left, right) => left - right);
  expect(sequences).toEqual(Array.from({ length: count }, (_, index) => index + 1));
  for (const own of answered) expect(own).toEqual(own.toSorted((left, right) => left - right));
  for (const seen of await Promise.all(readers)) {
    expect(seen.map(({ sequence }) => sequence)).toEqual(sequences);
  }

  const events: number[] = [];
  for (let after = 0, hasMore = true; hasMore;) {
    const { body } = await used.as('reader').mentions(`?after=${after}&limit=100`);
    events.push(...body.mentions.map(({ sequence }) => sequence));
    ({ next_after: after, has_more: hasMore } = body.page);
  }
  expect(events).toEqual(Array.from({ length: count }, (_, index) => 1000 + index));
});
