import type { Answer, AnsweredRequest } from '../../../reference/model/answer.ts';
import type { Entry, StreamName } from '../../../reference/model/page-facts.ts';
import type { Rules } from '../../../reference/rules/rules.ts';
import { kept } from '../../mutants/base/overlay.ts';
import { type Answering, listOf, objectOf, spoilBody } from '../../mutants/base/spoil-answer.ts';
import { alternatives, leavingOpen, openBy, type Underlay, type Variant } from '../base/variant.ts';

/** How far a replica lags at most, in ms: well within the time in which what was sent may settle. */
const maxLagMs = 80;

/** When a message comes to be seen, and how long it is. */
export const visibilityVariants: readonly Variant[] = [
  ...alternatives({
    ...openBy('nothing says how soon an accepted message can be read', {
      'sends-become-visible-later': { statusOfSend: () => 202, commitDelayMs: () => 80 },
      'sends-become-visible-late': { statusOfSend: () => 202, commitDelayMs: () => 320 },
      'sends-become-visible-after-a-while': ({ random }) => ({ statusOfSend: () => 202, ...inTurn(random) }),
      // Of a key in flight nothing is said either.
      'a-key-is-in-flight-until-its-message-shows': ({ rules, sources }) => ({
        statusOfSend: () => 202,
        commitDelayMs: () => 80,
        onKeyReuse: (record, fingerprint) =>
          sources.now() - record.recordedMs < 80 ? 'conflict' : rules.onKeyReuse(record, fingerprint),
      }),
      'sends-are-created-and-visible-late': { commitDelayMs: () => 320 },
    }),
    'mentions-become-visible-later: nothing says how soon a mention is listed': {
      commitDelayMs: ({ stream }) => (stream === 'mentions' ? 250 : 0),
    },
  }),
  ...alternatives({
    'reads-come-from-replicas: nothing says that a read is as recent as the one before': (under) => ({
      rules: lagging(under),
    }),
    'replicas-clamp-the-cursor: page.next-after-never-falls-back speaks of a quiet stream': (under) => ({
      ...lagging(under),
      nextAfter: ({ entries, after, streamEnd }) =>
        entries.at(-1)?.sequence ?? (after === undefined || after > streamEnd ? streamEnd : after),
    }),
    'replicas-trim-late: channel-read.retention; mentions.retention': (under) => ({
      ...lagging(under),
      retains: ({ newest }) => {
        const [oldest] = newest(40).slice(39);
        return ({ sequence }) => sequence >= (oldest?.sequence ?? 0n);
      },
    }),
  }),
  ...leavingOpen({
    ...openBy('channel-read.retention', {
      'a-channel-keeps-25-messages': { settings: { keepPerChannel: 25 } },
      'a-channel-keeps-100-messages': { settings: { keepPerChannel: 100 } },
      'an-author-keeps-4-messages': { settings: { keepPerAuthor: 4 } },
    }),
    ...openBy('mentions.retention', {
      'a-target-keeps-10-mentions': { settings: { keepMentions: 10 } },
      'a-target-keeps-two-mentions': { settings: { keepMentions: 2 } },
      'a-target-keeps-one-mention': { settings: { keepMentions: 1 } },
      'a-human-and-a-machine-keep-5-mentions': {
        mentionsKept: (keep, target) => (target === undefined || target.kind === 'agent' ? keep : 5),
      },
    }),
  }),
  ...alternatives({
    ...openBy('channel-read.retention; mentions.retention', {
      'messages-over-10000-bytes-are-kept-for-a-short-time': {
        retains: ({ nowMs }) => notOver(10_000, nowMs),
      },
      'messages-over-100000-bytes-are-kept-for-a-short-time': {
        retains: ({ nowMs }) => notOver(100_000, nowMs),
      },
      'messages-with-files-are-kept-for-a-short-time': forgettingFiles,
      'messages-and-their-receipts-go-by-age': forgettingByAge,
    }),
    'a-channel-keeps-100-messages-the-shortest: channel-read.retention': () =>
      keepingTheShortest('channel', 100),
    'a-feed-keeps-30-mentions-the-shortest: mentions.retention': () => keepingTheShortest('mentions', 30),
  }),
];

/** Each shows some time after it was sent, in feeds no earlier than in its channel; what is numbered first shows first. */
function inTurn(random: () => number): Pick<Rules, 'commitDelayMs'> {
  const latestMs = new Map<string, number>();
  const shownMs = new Map<number, Readonly<Record<StreamName, number>>>();
  const inOrder = (history: string, atMs: number): number => {
    const laterMs = Math.max(latestMs.get(history) ?? 0, atMs);
    latestMs.set(history, laterMs);
    return laterMs;
  };
  return {
    // Asked of each message at its commit, before anything else is.
    commitDelayMs: ({ stream, channelId, workspaceId, messageNumber, committedMs }) => {
      const channel = (): number => inOrder(channelId, committedMs + random() * maxLagMs);
      const timesFrom = (atMs: number) => ({
        channel: atMs,
        mentions: inOrder(workspaceId, atMs + random() * maxLagMs),
      });
      const shown = shownMs.get(messageNumber) ?? timesFrom(channel());
      shownMs.set(messageNumber, shown);
      return shown[stream] - committedMs;
    },
  };
}

/** Whatever goes first is kept so long, in ms. */
const leastHeldMs = 5_500;

/** Keeps what is no longer than so many bytes, and what is new. */
export function notOver(bytes: number, nowMs: number): (entry: Entry) => boolean {
  return ({ sizeBytes, committedMs }) => sizeBytes <= bytes || nowMs - committedMs < leastHeldMs;
}

/** Histories that forget what has files some time after it was sent. */
function forgettingFiles({ rules }: Underlay): Partial<Rules> {
  const numbers = new Set<number>();
  let hasFiles = false;
  return {
    capturedAttachments: (fileIds) => {
      const captured = rules.capturedAttachments(fileIds);
      hasFiles = captured.length > 0;
      return captured;
    },
    // Asked of each message at its commit, before another one is written.
    commitDelayMs: (entry) => {
      if (hasFiles) numbers.add(entry.messageNumber);
      hasFiles = false;
      return rules.commitDelayMs(entry);
    },
    retains:
      ({ nowMs }) =>
      ({ messageNumber, committedMs }) =>
        !numbers.has(messageNumber) || nowMs - committedMs < leastHeldMs,
  };
}

/** Histories that forget a message some time after it was sent, and with it what is recorded of its retrieval. */
function forgettingByAge({ rules, sources }: Underlay): Partial<Rules> & Answering {
  const createdMs = new Map<string, number>();
  const isKept = (id: unknown): boolean => {
    const now = sources.now();
    return now - (createdMs.get(String(id)) ?? now) < leastHeldMs;
  };
  return {
    retains:
      ({ nowMs }) =>
      ({ committedMs }) =>
        nowMs - committedMs < leastHeldMs,
    presentMessage: (message, route) => {
      createdMs.set(message.id, Date.parse(message.created_at));
      return rules.presentMessage(message, route);
    },
    ...spoilBody('receipts', (body) => ({
      ...body,
      receipts: listOf(body['receipts']).filter((each) => isKept(objectOf(each)['message_id'])),
    })),
  };
}

/** Histories that forget the longest first, of those that have been there for a while. */
export function keepingTheShortest(of: StreamName, count: number): Partial<Rules> {
  const forgotten = new Set<string>();
  return {
    retains: ({ stream, id, nowMs, newest }) => {
      const nameOf = ({ sequence }: Entry): string => `${id} ${sequence}`;
      const isKept = (entry: Entry): boolean => !forgotten.has(nameOf(entry));
      if (stream !== of) return () => true;
      const kept = newest(Number.MAX_SAFE_INTEGER).filter(isKept);
      const longest = kept
        .filter(({ committedMs }) => nowMs - committedMs >= leastHeldMs)
        .sort((one, other) => other.sizeBytes - one.sizeBytes || Number(one.sequence - other.sequence));
      for (const entry of longest.slice(0, Math.max(0, kept.length - count))) forgotten.add(nameOf(entry));
      return isKept;
    },
  };
}

/** Each read sees the history of some moments ago; a poll is woken once every replica has what it waits for. */
function lagging({ random }: Underlay) {
  return {
    snapshotAgeMs: () => Math.floor(random() * maxLagMs),
    wakeAfterMs: () => maxLagMs + 10,
  };
}

/** Replicas that refuse what they cannot know yet. */
export const replicaVariants: readonly Variant[] = leavingOpen({
  'a-replica-that-is-behind-conflicts: a conflict with a cursor watermark is listed; that an issued cursor draws none is only inferred':
    (under) => ({ ...lagging(under), conflictsWithWatermark: ({ after, streamEnd }) => after > streamEnd }),
});

/** How long an answer stands for later ones to the same request, in ms. */
const freshForMs = 150;

/** A cache between the service and whoever reads. */
export const cacheVariants: readonly Variant[] = leavingOpen({
  'the-same-read-is-answered-from-a-cache: nothing says that a read is as recent as one of another page': ({
    sources: { elapsedMs },
  }) => {
    const answers = kept<Answer>(freshForMs, elapsedMs);
    return {
      answer: (answer, request) =>
        isCached(answer, request) ? answers(keyOf(request), () => answer) : undefined,
    };
  },
});

/** Successful pages; a read that waits is there to see what is new. */
function isCached({ status }: Answer, { route, query }: AnsweredRequest): boolean {
  const isRead = route === 'mentions' || (route === 'read' && query['wait'] === undefined);
  return isRead && status === 200;
}

function keyOf({ path, query, headers }: AnsweredRequest): string {
  return JSON.stringify([path, query, headers['authorization']]);
}
