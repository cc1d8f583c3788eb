import { expect, it } from 'vitest';
import { useReference } from './use-reference.ts';

const used = useReference();
it('pages of mentions are cut at the history byte cap and continue from next_after', async () => {
  used.operator.setLimit('historyBytes', 10);
  try {
    const [author, reader] = [used.as('author'), used.as('reader')];
    const mentions = [used.target('agent', 'reader')];
    for (let index = 0; index < 6; index += 1)
      await author.send(used.world.channelId, { content: `m${index}`, mentions });
    const newest = await reader.mentions('?limit=6');
    expect(newest.body.mentions.map(({ message }) => message.content)).toEqual([
      'm0',
      'm1',
      'm2',
      'm3',
      'm4',
    ]);
    expect(newest.body.page.has_more).toBe(true);
    const rest = await reader.mentions(`?after=${newest.body.page.next_after}`);
    expect(rest.body.mentions.map(({ message }) => message.content)).toEqual(['m5']);
    expect(rest.body.page.has_more).toBe(false);
  } finally {
    used.operator.setLimit('historyBytes', 1024 * 1024);
  }
});

it.each([
  'limit=',
  'after=01',
  'after=%2B1',
  'after=',
  'after=9223372036854775808',
  'after=1&after=1',
  'after=%ff',
])('a request for mentions is refused with 400 for ?%s', async (query) => {
  const { status, body } = await used.as('reader').get(`/v0/mentions?${query}`);
  expect(status).toBe(400);
  expect(body.error.code).toBe('invalid');
});
