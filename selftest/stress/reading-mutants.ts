import { contractRules } from '../../reference/rules/rules.ts';
import { kept } from '../mutants/base/overlay.ts';
import { endOf, objectOf, spoilBody, spoilList } from '../mutants/base/spoil-answer.ts';
import { concurrencyMutants, meeting } from './concurrency-mutant.ts';

/** Servers that go wrong where a read meets a send, or another read. */
export const readingMutants = concurrencyMutants({
  'poll-takes-the-event-of-another: where several polls wait for a channel, only the first to wake gets what came; the others move on without it':
    {
      shows: ['poll-skip', 'late-commit', 'long-poll-disagrees'],
      does: ({ elapsedMs }) => {
        const taken = new Map<string, number>();
        return spoilList('read', (items, { path, query }) => {
          if (query['wait'] === undefined || query['wait'] === '0') return items;
          const end = endOf(items);
          const name = `${path} ${end}`;
          const nowMs = elapsedMs();
          const isTaken = end > 0n && nowMs - (taken.get(name) ?? -Infinity) < 20;
          taken.set(name, nowMs);
          return isTaken ? [] : items;
        });
      },
    },
  'cursor-taken-after-the-items: the next cursor is looked up after the items, when more has come': {
    shows: ['late-commit', 'poll-skip'],
    does: meeting((sends, { after }) => ({
      answer: async (answer, { route, path }) => {
        const body = objectOf(answer.body);
        const page = objectOf(body['page']);
        if (route !== 'read' || answer.status !== 200 || page['has_more'] !== false) return undefined;
        const channelId = path.split('/')[3] ?? '';
        const before = sends.lastOf.get(channelId);
        await new Promise<void>((resolve) => after(5, resolve));
        const last = sends.lastOf.get(channelId);
        if (last === undefined || last === before) return undefined;
        return { ...answer, body: { ...body, page: { ...page, next_after: last } } };
      },
    })),
  },
  'has-more-of-a-moment-ago: has_more goes by the end of the channel as it was a moment ago': {
    shows: ['has-more-false'],
    does: ({ elapsedMs }) => {
      const ends = kept<bigint>(1_000, elapsedMs);
      return {
        hasMore: (facts) => {
          const { history, streamEnd, entries, after } = facts;
          const end = ends(history, () => streamEnd);
          return contractRules.hasMore(facts) && (entries.at(-1)?.sequence ?? after ?? 0n) < end;
        },
      };
    },
  },
  'page-of-another-reader: reads of a channel at once share one answer, whatever their cursors': {
    shows: [
      'inclusive-cursor',
      'poll-skip',
      'late-commit',
      'next-behind-page',
      'over-limit',
      'cursor-regression',
    ],
    does: ({ elapsedMs }) => {
      const shared = kept<unknown>(3, elapsedMs);
      return spoilBody('read', (body, { path, query }) =>
        query['after'] === undefined ? body : shared(path, () => body),
      );
    },
  },
  'newest-page-from-a-cache: the page without a cursor is kept for a second': {
    shows: ['newest-page-not-newest', 'stale-read', 'monotonic-reads', 'read-your-writes'],
    does: ({ elapsedMs }) => {
      const bodies = kept<unknown>(1_000, elapsedMs);
      return spoilBody('mentions', (body, { path, query, actor }) =>
        query['after'] === undefined
          ? bodies(`${path} ${query['limit']} ${actor?.agentId}`, () => body)
          : body,
      );
    },
  },
  'item-left-out-beside-a-send: a page that is read while a send is on its way lacks its second item': {
    shows: ['poll-skip', 'late-commit', 'newest-page-hole'],
    does: meeting((sends, { nth }) =>
      spoilList('read', (items) =>
        sends.others.length > 0 && items.length > 2 && nth(3) ? items.toSpliced(1, 1) : items,
      ),
    ),
  },
});
