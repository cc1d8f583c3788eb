import { expect, it } from 'vitest';
import type { PageItem } from '../../../harness/stream/page.ts';
import { finderOf } from '../../../suites/population/finder.ts';
import type { Person } from '../../../suites/population/people.ts';
import { plainest } from '../../../history/situations/dimensions.ts';
import type { Sent } from '../../../suites/population/sent.ts';
import { exchangeOf } from '../../fixtures/exchange.ts';

const sent: Sent = {
  case: plainest,
  text: '~',
  marker: 'cf-0',
  channelId: 'channel',
  targets: [],
  files: [],
  session: undefined,
  host: undefined,
  contentType: undefined,
  exchange: exchangeOf({}),
};

function itemOf(sequence: bigint, author: string): PageItem {
  const message = { channel_id: 'channel', author: { id: author }, sequence };
  return { id: 'message', sequence, content: '~', message, record: {} };
}

/** Whom a text of one byte is taken for that somebody sent after the cursor 5. */
function found(agentId: string | undefined, item: PageItem): Sent | undefined {
  const author: Person = {
    name: 'author',
    agentId,
    humanUserId: undefined,
    machineId: undefined,
    workspaceId: undefined,
  };
  return finderOf([sent], new Map([['author', author]]), () => 5n)(item);
}

it.each([
  ['is told by its author', 'one', itemOf(6n, 'one'), sent],
  ['is of nobody here where somebody else sent it', 'one', itemOf(6n, 'other'), undefined],
  ['is of an earlier run where it lies before the cursor', 'one', itemOf(5n, 'one'), undefined],
  ['is told by itself where no answer named its author', undefined, itemOf(6n, 'one'), sent],
  ['is of an earlier run even so', undefined, itemOf(5n, 'one'), undefined],
])('a text of one byte %s', (_what, agentId, item, expected) => {
  expect(found(agentId, item)).toBe(expected);
});
