import { setTimeout as sleep } from 'node:timers/promises';
import type { PageFacts } from '../../reference/model/page-facts.ts';
import type { OutgoingMessage } from '../../reference/model/resources.ts';
import { contractRules, type Rules } from '../../reference/rules/rules.ts';
import { secondSender } from './base/agents-noted.ts';
import {
  inStream,
  readingAfter,
  shown,
  sinceRestart,
  zeroHasNoLimit,
  zeroIsNone,
} from './base/changed-rules.ts';
import { breaking, type Mutant } from './base/mutant.ts';
import { stopwatch } from './base/overlay.ts';
import {
  isEmptyPage,
  itemsOf,
  objectOf,
  otherUuid,
  sequenceOf,
  sortedAsText,
  sortedBy,
  spoilBody,
  spoilList,
  successAs,
  swappedItems,
  swappedNumbers,
  vanishing,
  type JsonObject,
} from './base/spoil-answer.ts';

/** Statuses and parameters of the call. */
const parameterMutants: readonly Mutant[] = breaking({
  'channel-read.success-is-2xx': {
    'read-is-404': successAs(404, 'read'),
    'empty-read-is-404: a read that finds nothing is answered with 404': successAs(
      404,
      'read',
      isEmptyPage('read'),
    ),
    'read-is-302': successAs(302, 'read'),
    'read-without-a-limit-is-300': successAs(300, 'read', ({ query }) => query['limit'] === undefined),
  },
  'channel-read.after-type': {
    'read-after-may-be-a-word: a cursor that is no number counts as 0': readingAfter('read', /^(?!-?\d+$)/),
    'read-after-may-be-a-fraction: a fraction as a cursor is rounded down': readingAfter(
      'read',
      /^\d+\.\d+$/,
      Number,
    ),
  },
  'channel-read.after-negative': {
    'read-after-may-be-negative: a negative cursor counts as 0': readingAfter('read', /^-\d+$/),
  },
  'channel-read.limit-100-accepted': {
    'read-limit-ends-at-99': { maxLimit: (route) => (route === 'read' ? 99 : 100) },
    'read-limit-ends-at-50': { maxLimit: (route) => (route === 'read' ? 50 : 100) },
  },
  'channel-read.limit-respected': {
    'read-limit-is-one-more': inStream('channel', ({ after, limit }) => ({ after, limit: limit + 1 })),
    'read-limit-needs-no-zero: with a cursor of 0 the limit is not looked at': inStream(
      'channel',
      zeroHasNoLimit,
    ),
  },
  'channel-read.after-zero': {
    'read-from-zero-is-newest: with a cursor of 0 the newest page is read': inStream('channel', zeroIsNone),
    'read-from-zero-skips-the-first: with a cursor of 0 the first message is left out': {
      firstSequenceAfter: (after, stream) => (stream === 'channel' && after === 0n ? 2n : after + 1n),
    },
  },
  'channel-read.issued-cursor-is-no-conflict': {
    'read-cursor-0-is-a-conflict: a cursor of 0 is a conflict': {
      conflictsWithWatermark: ({ after, streamEnd }) => after === 0n && streamEnd < 1000n,
    },
    'read-cursor-at-the-end-is-a-conflict: a cursor at the end of the channel is a conflict': {
      conflictsWithWatermark: ({ after, streamEnd }) => streamEnd < 1000n && after > 0n && after >= streamEnd,
    },
    'every-fifth-read-cursor-is-a-conflict': {
      conflictsWithWatermark: ({ after, streamEnd }) => streamEnd < 1000n && after % 5n === 3n,
    },
  },
  'channel-read.after-exclusive': {
    'channel-cursor-is-ignored': {
      firstSequenceAfter: (after, stream) => (stream === 'channel' ? 1n : after + 1n),
    },
    'restart-reads-from-the-oldest: after a restart a channel is read from its oldest until something is sent to it':
      sinceRestart((restartedMs) => {
        const sentMs = new Map<string, number>();
        return {
          nextChannelSequence: (last, _event, _author, channelId) => {
            sentMs.set(channelId, Date.now());
            return last + 1n;
          },
          firstSequenceAfter: (after, stream, history) =>
            stream === 'channel' && (sentMs.get(history) ?? 0) < restartedMs() ? 1n : after + 1n,
        };
      }),
  },
  'channel-read.restart-reuses-no-sequence': {
    'restart-numbers-anew: a restart empties the channels, which then number from the start': {
      lostAtRestart: () => 1000,
    },
  },
});

/** Reads that wait. */
const waitMutants: readonly Mutant[] = breaking({
  'channel-read.wait-25-accepted': {
    'wait-25-is-too-long: a wait of more than 20 s is refused': { settings: { maxWaitSeconds: 20 } },
    'wait-is-unknown: the call has no parameter wait': {
      acceptsParameter: (route, name, isKnown) => isKnown && !(route === 'read' && name === 'wait'),
    },
  },
  'channel-read.wait-wakes': {
    'polls-are-not-woken: a message wakes nobody': { wakesPolls: () => false },
    'polls-see-the-channel-as-it-was: a wait that found nothing at first ends empty, whatever comes': {
      wakesPolls: () => false,
      limitAfterWake: () => 0,
      hasMore: (facts) => facts.limit > 0 && contractRules.hasMore(facts),
    },
  },
  'channel-read.wait-answers-at-once': {
    'a-wait-of-0-is-the-longest': {
      answer: async (_answer, { route, query }) => {
        if (route === 'read' && query['wait'] === '0') await sleep(20_000);
      },
    },
    'polls-wait-for-messages-that-are-there': {
      answer: async (answer, { route, query }) => {
        if (route === 'read' && answer.status < 300 && query['wait'] !== undefined)
          await sleep(Math.min(Number(query['wait']), 10) * 1000);
        return answer;
      },
    },
  },
});

/** Reads that wait while several messages come, or one with all that a message can have, or several others wait. */
const crowdedWaitMutants: readonly Mutant[] = breaking({
  'message.mentions.captured': {
    'a-woken-read-shows-no-targets': ofAWokenRead(() => ({ mentions: [] })),
  },
  'message.immutable': {
    'a-woken-read-lacks-the-first-target': ofAWokenRead(({ mentions = [] }) => ({
      mentions: mentions.slice(1),
    })),
  },
  'channel-read.walk-is-complete': {
    'a-wait-passes-over-all-but-the-first: a wait that several messages end shows the first of them, and the cursor of the last':
      ({ elapsedMs }) => {
        const sinceLastMs = stopwatch(elapsedMs);
        let isWoken = false;
        const isFirstOfSeveral = (facts: PageFacts): boolean => isWoken && facts.limit === 1;
        return {
          wakesPolls: () => sinceLastMs() < 50,
          limitAfterWake: () => {
            isWoken = true;
            return 1;
          },
          nextAfter: (facts: PageFacts) =>
            isFirstOfSeveral(facts) ? facts.streamEnd : contractRules.nextAfter(facts),
          hasMore: (facts: PageFacts) => {
            const isMore = !isFirstOfSeveral(facts) && contractRules.hasMore(facts);
            isWoken &&= facts.limit !== 1;
            return isMore;
          },
        };
      },
  },
  'channel-read.after-exclusive': {
    'who-waits-gets-the-page-of-another: of two that wait in a channel the one answered later gets the page of the first':
      ({ elapsedMs }) => {
        let known: { readonly path: string; readonly ms: number; readonly body: unknown } | undefined;
        return {
          answer: (answer, { route, path, query }) => {
            if (route !== 'read' || Number(query['wait']) < 25 || answer.status !== 200) return answer;
            if (itemsOf(objectOf(answer.body), 'read').length === 0) return answer;
            const nowMs = elapsedMs();
            if (known !== undefined && known.path === path && nowMs - known.ms < 100)
              return { ...answer, body: known.body };
            known = { path, ms: nowMs, body: answer.body };
            return answer;
          },
        };
      },
  },
});

/** The order of messages, and what is not among them. */
const orderMutants: readonly Mutant[] = breaking({
  'channel-read.ascending': {
    'read-descends': spoilList('read', (items) => items.toReversed()),
    'read-descends-from-zero': spoilList('read', (items, { query }) =>
      query['after'] === '0' ? items.toReversed() : items,
    ),
    'read-descends-without-a-cursor': spoilList('read', (items, { query }) =>
      query['after'] === undefined ? items.toReversed() : items,
    ),
    'read-swaps-the-last-two': spoilList('read', (items) => swappedItems(items, items.length - 2)),
    'read-swaps-after-50': spoilList('read', (items) =>
      items.length > 50 ? swappedItems(items, items.length - 2) : items,
    ),
    'read-groups-by-author': spoilList('read', (items) => sortedBy(items, authorOf)),
    'read-sorts-by-size': spoilList('read', (items) =>
      items.toSorted((left, right) => Number(left['size_bytes']) - Number(right['size_bytes'])),
    ),
    'read-sorts-as-text: a read orders numbers as texts, so that 10 comes before 9': spoilList(
      'read',
      sortedAsText,
    ),
  },
  'channel-read.no-duplicate-sequence': {
    'messages-share-a-number: every third message has the number of the one before': ({ nth }) => ({
      nextChannelSequence: (last) => (nth(3) ? last : last + 1n),
    }),
    'messages-of-one-moment-share-a-number: messages within a millisecond have one number': ({ now }) => {
      const sinceLastMs = stopwatch(now);
      return { nextChannelSequence: (last) => (sinceLastMs() === 0 ? last : last + 1n) };
    },
  },
  'channel-read.sequence-names-one-message': {
    'number-stands-for-another-message': ({ nth }) =>
      spoilList('read', (items) => (nth(2) ? items : swappedNumbers(items))),
  },
  'page.next-after-never-falls-back': {
    'empty-waits-start-over: a wait that ends empty gives out a cursor of 0': {
      presentRead: (read, { query }) =>
        query['wait'] !== undefined && read.items.length === 0
          ? { ...read, page: { ...read.page, next_after: 0n } }
          : read,
    },
  },
  'channel-read.cursor-never-skips': {
    'every-second-waiter-is-passed-over: of several that wait for one message every second goes on without it':
      ({ nth }) =>
        spoilList('read', (items, { path, query }) =>
          query['wait'] !== undefined && items.length > 0 && nth(2, `${path} ${String(items[0]?.['id'])}`)
            ? []
            : items,
        ),
    'empty-waits-end-at-the-last-event: a wait that ends empty moves the cursor to the last event of the workspace':
      {
        presentRead: (read, { page, query }) => {
          const isEmptyWait = query['wait'] !== undefined && read.items.length === 0;
          const last = page.lastEvent();
          return isEmptyWait && last > (page.after ?? 0n)
            ? { ...read, page: { ...read.page, next_after: last } }
            : read;
        },
      },
    'empty-waits-pass-the-next-message: a wait that ends empty moves the cursor past the next message':
      spoilBody('read', (body, { query }) => {
        const page = objectOf(body['page']);
        const isEmptyWait = query['wait'] !== undefined && itemsOf(body, 'read').length === 0;
        return isEmptyWait
          ? { ...body, page: { ...page, next_after: Number(page['next_after']) + 1 } }
          : body;
      }),
    'late-messages: every third message is shown 300 ms after the next': {
      commitDelayMs: ({ stream, sequence }) => (stream === 'channel' && sequence % 3n === 0n ? 300 : 0),
    },
    'slow-commits-of-long-texts: a text over 1,000 bytes is shown 200 ms after its number was given': {
      commitDelayMs: ({ stream, sizeBytes }) => (stream === 'channel' && sizeBytes > 1_000 ? 200 : 0),
    },
    'quick-messages-are-late: the first of two messages within 5 ms is shown 250 ms later': ({
      elapsedMs,
    }) => {
      const late = new Set<bigint>();
      const sinceLastMs = stopwatch(elapsedMs);
      return {
        nextChannelSequence: (last) => {
          if (sinceLastMs() < 5) late.add(last);
          return last + 1n;
        },
        commitDelayMs: ({ stream, sequence }) => (stream === 'channel' && late.has(sequence) ? 250 : 0),
      };
    },
  },
  'channel-read.reads-repeat': {
    'read-consumes: an agent is not shown a message twice': ({ isNew }) =>
      spoilList('read', (items, { actor }) =>
        items.filter(({ id }) => isNew(`${actor?.agentId} ${String(id)}`)),
      ),
    'third-messages-are-shown-once: an agent is shown every third message of a channel once': ({ isNew }) =>
      spoilList('read', (items, { actor, path }) =>
        items.filter(
          (item) => sequenceOf(item) % 3n !== 0n || isNew(`${actor?.agentId} ${path} ${sequenceOf(item)}`),
        ),
      ),
    'same-read-is-empty: a read with the cursor and limit of an earlier one is empty': ({ isNew }) =>
      spoilList('read', (items, { actor, path, query: { after, limit } }) =>
        items.length === 0 || isNew(`${actor?.agentId} ${path} ${after} ${limit}`) ? items : [],
      ),
  },
  'states.messages-do-not-vanish': { 'third-messages-vanish': () => vanishing('read') },
  'channel-read.after-zero': {
    'messages-vanish-and-return': ({ nth }) =>
      spoilList('read', (items) => (nth(2) ? items.slice(Math.ceil(items.length / 2)) : items)),
  },
  'channel-read.recency': {
    'lagging-reads: every second read shows how things were 2 s ago': ({ nth }) => ({
      snapshotAgeMs: (stream) => (stream === 'channel' && nth(2) ? 2_000 : 0),
    }),
  },
  'channel-read.reads-own-writes': {
    'own-messages-come-late': { snapshotAgeMs: (stream) => (stream === 'channel' ? 80 : 0) },
  },
  'channel-read.reads-are-monotonic': {
    'reads-step-back: every third read shows how things were 1 s ago': ({ nth }) => ({
      snapshotAgeMs: (stream) => (stream === 'channel' && nth(3) ? 1_000 : 0),
    }),
  },
  'channel-read.nothing-unsent': {
    'texts-have-a-sequel: beside every fifth message stands another one that nobody sent': ({ nth }) => {
      let [copies, stored] = [1, ''];
      return {
        timesStored: () => (copies = nth(5) ? 2 : 1),
        storedContent: (content) => {
          copies -= 1;
          return (stored = copies > 0 ? content.replace(/(\d+)\./, '987654$1.') : content);
        },
        sizeBytes: () => Buffer.byteLength(stored),
      };
    },
    'service-speaks: the service adds a message of its own to each channel': () => ({
      rules: { nextChannelSequence: (last) => last + 2n },
      ...spoilList('read', (items) =>
        items.flatMap((item, index) => (index === 0 && items.length > 1 ? [item, greeting(item)] : [item])),
      ),
    }),
  },
  'service.channels-are-shared': {
    'latecomers-read-from-their-first-request: an agent reads nothing of a channel that was sent before its first request':
      () => {
        const firstMs = new Map<unknown, number>();
        return {
          rules: {
            hasWorkspaceAccess: ({ now }, { authorization }) => {
              if (!firstMs.has(authorization)) firstMs.set(authorization, Date.now());
              return now;
            },
          },
          ...spoilList('read', (items, { headers }) => {
            const fromMs = firstMs.get(headers['authorization']) ?? 0;
            return items.filter((item) => Date.parse(String(item['created_at'])) >= fromMs);
          }),
        };
      },
    'a-reader-lacks-a-sender: a reader reads nothing of the second of all other senders': () => {
      const isSecond = secondSender();
      return { maySeeMessage: (entry, reader) => !isSecond(entry, reader) };
    },
    'others-are-hidden': { maySeeMessage: (entry, reader) => entry.authorId === reader.id },
    'other-humans-are-hidden': () => {
      const humans = new Map<string, string | null>();
      return {
        capturedAgentId: (agent) => {
          humans.set(agent.id, agent.humanUserId);
          return agent.id;
        },
        maySeeMessage: (entry, reader) =>
          reader.humanUserId === null || humans.get(entry.authorId) === reader.humanUserId,
      };
    },
  },
  'channel-read.survives-a-restart': {
    // Numbers by the events of the workspace, which a restart does not take back, be the channel empty after it or not.
    'restart-forgets': {
      lostAtRestart: () => 20,
      firstChannelSequence: (_id, event) => event,
      nextChannelSequence: (_last, event) => event,
    },
    'restart-puts-another-in-the-place-of-the-newest': sinceRestart((restartedMs) =>
      spoilList('read', (items) => {
        const isOld = (item: JsonObject): boolean => Date.parse(String(item['created_at'])) < restartedMs();
        const newest = items.findLast(isOld);
        return items.map((item) =>
          item === newest
            ? { ...item, id: otherUuid(String(item['id'])), content: 'Back!', size_bytes: 5 }
            : item,
        );
      }),
    ),
  },
  'channel-read.restart-reuses-no-sequence': {
    'restart-reuses-numbers': { lostAtRestart: () => 1 },
    'restart-reuses-numbers-of-the-second-channel': { lostAtRestart: (channel) => channel % 2 },
  },
});

/** The first message of a read that was woken is shown otherwise. */
function ofAWokenRead(change: (message: OutgoingMessage) => Partial<OutgoingMessage>): () => Partial<Rules> {
  return () => {
    let isWoken = false;
    return {
      limitAfterWake: (limit) => {
        isWoken = true;
        return limit;
      },
      ...shown('presentMessage', (message, route) => {
        const isMeant = isWoken && route === 'read';
        isWoken &&= !isMeant;
        return isMeant ? change(message) : {};
      }),
    };
  };
}

function authorOf(message: JsonObject): string {
  return String(objectOf(message['author'])['id']);
}

function greeting(before: JsonObject): JsonObject {
  return {
    ...before,
    id: otherUuid(String(before['id'])),
    sequence: Number(sequenceOf(before)) + 1,
    content: 'Welcome!',
    size_bytes: 8,
  };
}

export const channelReadMutants: readonly Mutant[] = [
  ...parameterMutants,
  ...waitMutants,
  ...crowdedWaitMutants,
  ...orderMutants,
];
