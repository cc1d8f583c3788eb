import { setTimeout as sleep } from 'node:timers/promises';
import type { PageFacts } from '../../reference/model/page-facts.ts';
import { contractRules, type Rules } from '../../reference/rules/rules.ts';
import { latestRestart } from './base/latest-restart.ts';
import { breaking, what, type Mutant } from './base/mutant.ts';
import {
  itemsOf,
  objectOf,
  otherUuid,
  refusal,
  sequenceOf,
  sortedBy,
  spoilBody,
  spoilList,
  spoilSuccess,
  swappedItems,
  vanishing,
  type JsonObject,
} from './base/spoil-answer.ts';

/** Statuses and parameters of the call. */
const parameterMutants: readonly Mutant[] = breaking({
  'channel-read.success-is-2xx': {
    'read-is-404': { answer: spoilSuccess('read', () => refusal(404)) },
    'empty-read-is-404': what('a read that finds nothing is answered with 404', {
      answer: spoilSuccess('read', (answer) =>
        itemsOf(objectOf(answer.body), 'read').length === 0 ? refusal(404) : answer,
      ),
    }),
    'read-is-302': { answer: spoilSuccess('read', (answer) => ({ ...answer, status: 302 })) },
    'read-without-a-limit-is-300': {
      answer: spoilSuccess('read', (answer, { query }) =>
        query['limit'] === undefined ? { ...answer, status: 300 } : answer,
      ),
    },
  },
  'channel-read.after-type': {
    'read-after-may-be-a-word': what('a cursor that is no number counts as 0', {
      readAfter: readingAfter((text) => (/^-?\d+$/.test(text) ? undefined : 0n)),
    }),
    'read-after-may-be-a-fraction': what('a fraction as a cursor is rounded down', {
      readAfter: readingAfter((text) =>
        /^\d+\.\d+$/.test(text) ? BigInt(Math.floor(Number(text))) : undefined,
      ),
    }),
  },
  'channel-read.after-negative': {
    'read-after-may-be-negative': what('a negative cursor counts as 0', {
      readAfter: readingAfter((text) => (/^-\d+$/.test(text) ? 0n : undefined)),
    }),
  },
  'channel-read.limit-100-accepted': {
    'read-limit-ends-at-99': { maxLimit: (route) => (route === 'read' ? 99 : 100) },
    'read-limit-ends-at-50': { maxLimit: (route) => (route === 'read' ? 50 : 100) },
  },
  'channel-read.limit-respected': {
    'read-limit-is-one-more': { pageRead: inChannel(({ after, limit }) => ({ after, limit: limit + 1 })) },
    'read-limit-needs-no-zero': what('with a cursor of 0 the limit is not looked at', {
      pageRead: inChannel(({ after, limit }) => ({ after, limit: after === 0n ? 100 : limit })),
    }),
  },
  'channel-read.after-zero': {
    'read-from-zero-is-newest': what('with a cursor of 0 the newest page is read', {
      pageRead: inChannel(({ after, limit }) => ({ after: after === 0n ? undefined : after, limit })),
    }),
    'read-from-zero-skips-the-first': what('with a cursor of 0 the first message is left out', {
      firstSequenceAfter: (after, stream) => (stream === 'channel' && after === 0n ? 2n : after + 1n),
    }),
  },
  'channel-read.issued-cursor-is-no-conflict': {
    'read-cursor-0-is-a-conflict': what('a cursor of 0 is a conflict', {
      conflictsWithWatermark: ({ after, streamEnd }) => after === 0n && streamEnd < 1000n,
    }),
    'read-cursor-at-the-end-is-a-conflict': what('a cursor at the end of the channel is a conflict', {
      conflictsWithWatermark: ({ after, streamEnd }) => streamEnd < 1000n && after > 0n && after >= streamEnd,
    }),
    'every-fifth-read-cursor-is-a-conflict': {
      conflictsWithWatermark: ({ after, streamEnd }) => streamEnd < 1000n && after % 5n === 3n,
    },
  },
  'channel-read.after-exclusive': {
    'channel-cursor-is-ignored': {
      firstSequenceAfter: (after, stream) => (stream === 'channel' ? 1n : after + 1n),
    },
    'restart-reads-from-the-oldest': what(
      'after a restart a channel is read from its oldest until something is sent to it',
      () => {
        const restart = latestRestart();
        const sentMs = new Map<string, number>();
        return {
          lostAtRestart: restart.note,
          nextChannelSequence: (last, _event, _author, channelId) => {
            sentMs.set(channelId, Date.now());
            return last + 1n;
          },
          firstSequenceAfter: (after, stream, history) =>
            stream === 'channel' && (sentMs.get(history) ?? 0) < restart.atMs() ? 1n : after + 1n,
        };
      },
    ),
  },
  'channel-read.restart-reuses-no-sequence': {
    'restart-numbers-anew': what('a restart empties the channels, which then number from the start', {
      lostAtRestart: () => 1000,
    }),
  },
});

function readingAfter(read: (text: string) => bigint | undefined): Rules['readAfter'] {
  return (text, route) => contractRules.readAfter(text, route) ?? (route === 'read' ? read(text) : undefined);
}

type Asked = Parameters<Rules['pageRead']>[0];

function inChannel(read: (asked: Asked) => Asked): Rules['pageRead'] {
  return (asked, stream) => (stream === 'channel' ? read(asked) : asked);
}

/** Reads that wait. */
const waitMutants: readonly Mutant[] = breaking({
  'channel-read.wait-25-accepted': {
    'wait-25-is-too-long': what('a wait of more than 20 s is refused', { settings: { maxWaitSeconds: 20 } }),
    'wait-is-unknown': what('the call has no parameter wait', {
      acceptsParameter: (route, name, isKnown) => isKnown && !(route === 'read' && name === 'wait'),
    }),
  },
  'channel-read.wait-wakes': {
    'polls-are-not-woken': what('a message wakes nobody', { wakesPolls: () => false }),
    'one-waiter-is-woken': what('of those that wait on a channel one is woken', { waitersWoken: () => 1 }),
    'polls-see-the-channel-as-it-was': what('a wait that found nothing at first ends empty, whatever comes', {
      wakesPolls: () => false,
      limitAfterWake: () => 0,
      hasMore: (facts) => facts.limit > 0 && contractRules.hasMore(facts),
    }),
    'polls-of-a-channel-that-spoke-are-not-woken': () => {
      const spoke = new Set<string>();
      return {
        wakesPolls: (channelId) => {
          const isFirst = !spoke.has(channelId);
          spoke.add(channelId);
          return isFirst;
        },
      };
    },
  },
  'channel-read.wait-answers-at-once': {
    'polls-wait-for-messages-that-are-there': {
      answer: async (answer, { route, query }) => {
        if (route !== 'read' || answer.status >= 300 || query['wait'] === undefined) return answer;
        await sleep(Math.min(Number(query['wait']), 10) * 1000);
        return answer;
      },
    },
  },
});

/** Reads that wait while several messages come, or several others wait. */
const crowdedWaitMutants: readonly Mutant[] = breaking({
  'channel-read.walk-is-complete': {
    'a-wait-passes-over-all-but-the-first': what(
      'a wait that several messages end shows the first of them, and the cursor of the last',
      ({ elapsedMs }) => {
        let lastMs = Number.NEGATIVE_INFINITY;
        let isWoken = false;
        const isFirstOfSeveral = (facts: PageFacts): boolean => isWoken && facts.limit === 1;
        return {
          wakesPolls: () => {
            const nowMs = elapsedMs();
            const isNextOfSeveral = nowMs - lastMs < 50;
            lastMs = nowMs;
            return isNextOfSeveral;
          },
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
    ),
  },
  'channel-read.after-exclusive': {
    'who-waits-gets-the-page-of-another': what(
      'of two that wait in a channel the one answered later gets the page of the first',
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
    ),
  },
});

/** The order of messages, and what is not among them. */
const orderMutants: readonly Mutant[] = breaking({
  'channel-read.ascending': {
    'read-descends': { answer: spoilList('read', (items) => items.toReversed()) },
    'read-descends-from-zero': {
      answer: spoilList('read', (items, { query }) => (query['after'] === '0' ? items.toReversed() : items)),
    },
    'read-descends-without-a-cursor': {
      answer: spoilList('read', (items, { query }) =>
        query['after'] === undefined ? items.toReversed() : items,
      ),
    },
    'read-swaps-the-last-two': {
      answer: spoilList('read', (items) => swappedItems(items, items.length - 2)),
    },
    'read-swaps-after-50': {
      answer: spoilList('read', (items) =>
        items.length > 50 ? swappedItems(items, items.length - 2) : items,
      ),
    },
    'read-groups-by-author': { answer: spoilList('read', (items) => sortedBy(items, authorOf)) },
    'read-sorts-by-size': {
      answer: spoilList('read', (items) =>
        items.toSorted((left, right) => Number(left['size_bytes']) - Number(right['size_bytes'])),
      ),
    },
    'read-sorts-as-text': what('a read orders numbers as texts, so that 10 comes before 9', {
      answer: spoilList('read', (items) =>
        items.toSorted((left, right) => (String(sequenceOf(left)) < String(sequenceOf(right)) ? -1 : 1)),
      ),
    }),
  },
  'channel-read.no-duplicate-sequence': {
    'messages-share-a-number': what('every third message has the number of the one before', () => {
      let messages = 0;
      return { nextChannelSequence: (last) => ((messages += 1) % 3 === 0 ? last : last + 1n) };
    }),
    'messages-of-one-moment-share-a-number': what(
      'messages within a millisecond have one number',
      ({ now }) => {
        let lastMs = 0;
        return {
          nextChannelSequence: (last) => {
            const isSame = now() === lastMs;
            lastMs = now();
            return isSame ? last : last + 1n;
          },
        };
      },
    ),
  },
  'channel-read.sequence-names-one-message': {
    'number-stands-for-another-message': () => {
      let reads = 0;
      return {
        answer: spoilList('read', (items) => {
          reads += 1;
          const [first, second] = items;
          if (first === undefined || second === undefined || reads % 2 === 0) return items;
          return [
            { ...second, sequence: first['sequence'] },
            { ...first, sequence: second['sequence'] },
            ...items.slice(2),
          ];
        }),
      };
    },
  },
  'channel-read.cursor-never-skips': {
    'every-second-waiter-is-passed-over': what(
      'of several that wait for one message every second goes on without it',
      () => {
        const woken = new Map<string, number>();
        return {
          answer: spoilBody('read', (body, { path, query }) => {
            const items = itemsOf(body, 'read');
            if (query['wait'] === undefined || items.length === 0) return body;
            const message = `${path} ${String(items[0]?.['id'])}`;
            woken.set(message, (woken.get(message) ?? 0) + 1);
            return (woken.get(message) ?? 0) % 2 === 0 ? { ...body, messages: [] } : body;
          }),
        };
      },
    ),
    'empty-waits-pass-the-next-message': what(
      'a wait that ends empty moves the cursor past the next message',
      {
        answer: spoilBody('read', (body, { query }) => {
          const page = objectOf(body['page']);
          const isEmptyWait = query['wait'] !== undefined && itemsOf(body, 'read').length === 0;
          return isEmptyWait
            ? { ...body, page: { ...page, next_after: Number(page['next_after']) + 1 } }
            : body;
        }),
      },
    ),
    'late-messages': what('every third message is shown 300 ms after the next', {
      commitDelayMs: ({ stream, sequence }) => (stream === 'channel' && sequence % 3n === 0n ? 300 : 0),
    }),
    'slow-commits-of-long-texts': what('a text over 1,000 bytes is shown 200 ms after its number was given', {
      commitDelayMs: ({ stream, sizeBytes }) => (stream === 'channel' && sizeBytes > 1_000 ? 200 : 0),
    }),
    'quick-messages-are-late': what(
      'the first of two messages within 5 ms is shown 250 ms later',
      ({ elapsedMs }) => {
        const late = new Set<bigint>();
        let lastMs = 0;
        return {
          nextChannelSequence: (last) => {
            if (elapsedMs() - lastMs < 5) late.add(last);
            lastMs = elapsedMs();
            return last + 1n;
          },
          commitDelayMs: ({ stream, sequence }) => (stream === 'channel' && late.has(sequence) ? 250 : 0),
        };
      },
    ),
  },
  'channel-read.reads-repeat': {
    'read-consumes': what('an agent is not shown a message twice', () => {
      const shown = new Set<string>();
      return {
        answer: spoilList('read', (items, { actor }) => {
          const fresh = items.filter(({ id }) => !shown.has(`${actor?.agentId} ${String(id)}`));
          for (const { id } of items) shown.add(`${actor?.agentId} ${String(id)}`);
          return fresh;
        }),
      };
    }),
    'third-messages-are-shown-once': what('an agent is shown every third message of a channel once', () => {
      const shown = new Set<string>();
      const isThird = (item: JsonObject): boolean => sequenceOf(item) % 3n === 0n;
      return {
        answer: spoilList('read', (items, { actor, path }) => {
          const keyOf = (item: JsonObject): string => `${actor?.agentId} ${path} ${sequenceOf(item)}`;
          const fresh = items.filter((item) => !isThird(item) || !shown.has(keyOf(item)));
          for (const item of items) shown.add(keyOf(item));
          return fresh;
        }),
      };
    }),
    'same-read-is-empty': what('a read with the cursor and limit of an earlier one is empty', () => {
      const asked = new Set<string>();
      return {
        answer: spoilList('read', (items, { actor, path, query }) => {
          const key = `${actor?.agentId} ${path} ${query['after']} ${query['limit']}`;
          const isRepeated = asked.has(key);
          if (items.length > 0) asked.add(key);
          return isRepeated ? [] : items;
        }),
      };
    }),
  },
  'states.messages-do-not-vanish': { 'third-messages-vanish': () => ({ answer: vanishing('read') }) },
  'channel-read.after-zero': {
    'messages-vanish-and-return': () => {
      let reads = 0;
      return {
        answer: spoilList('read', (items) => {
          reads += 1;
          return reads % 2 === 0 ? items.slice(Math.ceil(items.length / 2)) : items;
        }),
      };
    },
  },
  'channel-read.recency': {
    'lagging-reads': what('every second read shows how things were 2 s ago', () => {
      let reads = 0;
      return { snapshotAgeMs: (stream) => (stream === 'channel' && (reads += 1) % 2 === 0 ? 2_000 : 0) };
    }),
  },
  'channel-read.reads-own-writes': {
    'own-messages-come-late': () => ({ snapshotAgeMs: (stream) => (stream === 'channel' ? 80 : 0) }),
  },
  'channel-read.reads-are-monotonic': {
    'reads-step-back': what('every third read shows how things were 1 s ago', () => {
      let reads = 0;
      return { snapshotAgeMs: (stream) => (stream === 'channel' && (reads += 1) % 3 === 0 ? 1_000 : 0) };
    }),
  },
  'channel-read.nothing-unsent': {
    'texts-have-a-sequel': what('beside every fifth message stands another one that nobody sent', () => {
      let [sends, copies, stored] = [0, 1, ''];
      return {
        timesStored: () => (copies = (sends += 1) % 5 === 0 ? 2 : 1),
        storedContent: (content) => {
          copies -= 1;
          return (stored = copies > 0 ? content.replace(/(\d+)\./, '987654$1.') : content);
        },
        sizeBytes: () => Buffer.byteLength(stored),
      };
    }),
    'service-speaks': what('the service adds a message of its own to each channel', () => ({
      rules: { nextChannelSequence: (last) => last + 2n },
      answer: spoilList('read', (items) =>
        items.flatMap((item, index) => (index === 0 && items.length > 1 ? [item, greeting(item)] : [item])),
      ),
    })),
  },
  'service.channels-are-shared': {
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
    'restart-forgets': () => ({ lostAtRestart: () => 20, ...numbersThatNeverRepeat }),
    'restart-puts-another-in-the-place-of-the-newest': () => {
      const restart = latestRestart();
      const isOld = (item: JsonObject): boolean => Date.parse(String(item['created_at'])) < restart.atMs();
      const answer = spoilList('read', (items) => {
        const newest = items.findLastIndex(isOld);
        return items.map((item, index) =>
          index === newest
            ? { ...item, id: otherUuid(String(item['id'])), content: 'Back!', size_bytes: 5 }
            : item,
        );
      });
      return { rules: { lostAtRestart: restart.note }, answer };
    },
  },
  'channel-read.restart-reuses-no-sequence': {
    'restart-reuses-numbers': { lostAtRestart: () => 1 },
    'restart-reuses-numbers-of-the-second-channel': { lostAtRestart: (channel) => channel % 2 },
  },
});

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

/** Numbers by the events of the workspace, which a restart does not take back, be the channel empty after it or not. */
const numbersThatNeverRepeat: Pick<Rules, 'firstChannelSequence' | 'nextChannelSequence'> = {
  firstChannelSequence: (_id, eventSequence) => eventSequence,
  nextChannelSequence: (_last, eventSequence) => eventSequence,
};

export const channelReadMutants: readonly Mutant[] = [
  ...parameterMutants,
  ...waitMutants,
  ...crowdedWaitMutants,
  ...orderMutants,
];
