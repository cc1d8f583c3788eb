import { describe, expect, it } from 'vitest';
import { mayGoOn } from '../../../../spec/oracles/answers/channel-list.ts';

const channels = [{ id: 'a' }, { id: 'b' }];
const page = { next_after: 7, has_more: false, high_watermark: 7 };

describe('a list of channels', () => {
  it.each([
    ['a bare list', channels],
    ['a list in an object', { channels }],
    ['a page that says that nothing follows', { channels, page }],
    ['channels that have a cursor and a limit each', { channels: [{ id: 'a', read_cursor: 4, page: 2 }] }],
    ['channels by their ids', { channels: { a: { id: 'a', next_event: 4 } } }],
    ['as many in all as there are', { channels, total: 2, channel_count: 2 }],
    ['nothing more beside a cursor', { channels, hasMore: false, cursor: 'c' }],
    ['a number of another thing', { channels, version: 3, count: 'two' }],
    ['no next cursor', { channels, next_cursor: null, next: '' }],
  ])('is whole as %s', (_, json) => {
    expect(mayGoOn({ json, headers: {} })).toBe(false);
  });

  it.each([
    ['a page that says that more follows', { channels, page: { ...page, has_more: true } }],
    ['a cursor beside an id of the answer', { id: 'r', channels, next_cursor: 'c' }],
    ['a cursor', { channels, next_cursor: 'c' }],
    ['a token', { channels, pageToken: 't' }],
    ['an address', { data: channels, links: { next: '/v0/channels?page=2' } }],
    ['more in all than there are', { next: null, channels, total: 3 }],
    ['more in all by a number beyond 2^53', { channels, total_count: 2n ** 60n }],
    ['a limit', { channels, limit: 2 }],
    ['an offset', { channels, meta: { offset: 0 } }],
    ['a number of pages', { channels, page: 1, total_pages: 2 }],
  ])('may go on by %s', (_, json) => {
    expect(mayGoOn({ json, headers: {} })).toBe(true);
  });

  it('may have as many fields as an answer is read with', () => {
    const byId = Object.fromEntries(Array.from({ length: 400_000 }, (_, index) => [`c${index}`, 'x']));
    expect(mayGoOn({ json: { channels: byId }, headers: {} })).toBe(false);
  });

  it('may go on by a Link header, unless nothing follows', () => {
    const headers = { link: ['</v0/channels?page=2>; rel="next"'] };
    expect(mayGoOn({ json: channels, headers })).toBe(true);
    expect(mayGoOn({ json: { channels, page }, headers })).toBe(false);
  });
});
