import { jsonAnswer, type Answer, type AnsweredRequest } from '../../reference/model/answer.ts';
import { contractRules } from '../../reference/rules/rules.ts';
import { itemsOf, objectOf, sequenceOf, spoilBody } from '../mutants/base/spoil-answer.ts';
import { concurrencyMutants } from './concurrency-mutant.ts';
import { SendsInHand } from './sends-in-hand.ts';

/** Servers that go wrong where a read meets a send, or another read. */
export const readingMutants = concurrencyMutants({
  'poll-takes-the-event-of-another': {
    what: 'where several polls wait for a channel, only the first to wake gets what came; the others move on without it',
    shows: ['poll-skip', 'late-commit', 'long-poll-disagrees'],
    make: ({ elapsedMs }) => {
      const taken = new Map<string, number>();
      return {
        answer: spoilBody('read', (body, { path, query }) => {
          if (query['wait'] === undefined || query['wait'] === '0') return body;
          const end = itemsOf(body, 'read').reduce(
            (most, item) => (sequenceOf(item) > most ? sequenceOf(item) : most),
            0n,
          );
          const name = `${path} ${end}`;
          const nowMs = elapsedMs();
          const isTaken = end > 0n && nowMs - (taken.get(name) ?? -Infinity) < 20;
          taken.set(name, nowMs);
          return isTaken ? { ...body, messages: [] } : body;
        }),
      };
    },
  },
  'cursor-taken-after-the-items': {
    what: 'the next cursor is looked up after the items, when more has come',
    shows: ['late-commit', 'poll-skip'],
    make: ({ after }) => {
      const sends = new SendsInHand();
      return sends.overlay({
        answer: async (answer, { route, path }) => {
          const { page } = objectOf(answer.body);
          const { has_more: hasMore } = objectOf(page);
          if (route !== 'read' || answer.status !== 200 || hasMore !== false) return undefined;
          const channelId = path.split('/')[3] ?? '';
          const before = sends.lastOf.get(channelId);
          await new Promise<void>((resolve) => after(5, resolve));
          const last = sends.lastOf.get(channelId);
          if (last === undefined || last === before) return undefined;
          return {
            ...answer,
            body: { ...objectOf(answer.body), page: { ...objectOf(page), next_after: last } },
          };
        },
      });
    },
  },
  'has-more-of-a-moment-ago': {
    what: 'has_more goes by the end of the channel as it was a moment ago',
    shows: ['has-more-false'],
    make: ({ elapsedMs }) => {
      const ends = new Map<string, { readonly end: bigint; readonly atMs: number }>();
      return {
        rules: {
          hasMore: (facts) => {
            const { history, streamEnd, entries, after } = facts;
            const known = ends.get(history);
            const nowMs = elapsedMs();
            const isOld = known === undefined || nowMs - known.atMs > 1_000;
            if (isOld) ends.set(history, { end: streamEnd, atMs: nowMs });
            const end = isOld ? streamEnd : known.end;
            const last = entries.at(-1)?.sequence ?? after ?? 0n;
            return contractRules.hasMore(facts) && last < end;
          },
        },
      };
    },
  },
  'page-of-another-reader': {
    what: 'reads of a channel at once share one answer, whatever their cursors',
    shows: [
      'inclusive-cursor',
      'poll-skip',
      'late-commit',
      'next-behind-page',
      'over-limit',
      'cursor-regression',
    ],
    make: ({ elapsedMs }) => {
      const shared = new Map<string, { readonly answer: Answer; readonly atMs: number }>();
      return {
        answer: (answer: Answer, { route, path, query }: AnsweredRequest) => {
          if (route !== 'read' || answer.status !== 200 || query['after'] === undefined) return undefined;
          const known = shared.get(path);
          const nowMs = elapsedMs();
          if (known !== undefined && nowMs - known.atMs < 3)
            return jsonAnswer(200, known.answer.body, { ...answer.headers });
          shared.set(path, { answer, atMs: nowMs });
          return undefined;
        },
      };
    },
  },
  'newest-page-from-a-cache': {
    what: 'the page without a cursor is kept for a second',
    shows: ['newest-page-not-newest', 'stale-read', 'monotonic-reads', 'read-your-writes'],
    make: ({ elapsedMs }) => {
      const kept = new Map<string, { readonly body: unknown; readonly atMs: number }>();
      return {
        answer: (answer: Answer, { route, path, query, actor }: AnsweredRequest) => {
          if (route !== 'mentions' || answer.status !== 200 || query['after'] !== undefined) return undefined;
          const name = `${path} ${query['limit']} ${actor?.agentId}`;
          const known = kept.get(name);
          const nowMs = elapsedMs();
          if (known !== undefined && nowMs - known.atMs < 1_000) return { ...answer, body: known.body };
          kept.set(name, { body: answer.body, atMs: nowMs });
          return undefined;
        },
      };
    },
  },
  'item-left-out-beside-a-send': {
    what: 'a page that is read while a send is on its way lacks its second item',
    shows: ['poll-skip', 'late-commit', 'newest-page-hole'],
    make: () => {
      const sends = new SendsInHand();
      let met = 0;
      return sends.overlay({
        answer: spoilBody('read', (body) => {
          const items = itemsOf(body, 'read');
          const hasMet = sends.others.length > 0 && items.length > 2;
          if (hasMet) met += 1;
          const isTorn = hasMet && met % 3 === 0;
          return isTorn ? { ...body, messages: items.toSpliced(1, 1) } : body;
        }),
      });
    },
  },
});
