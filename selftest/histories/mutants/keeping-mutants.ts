import type { ClauseId } from '../../../spec/index.ts';
import type { Inside } from '../service/inside.ts';
import { isChannel, plain, showing } from './mutant.ts';
import type { HistoryMutant, MutantDraft } from './mutant.ts';

/** What else a history shows in which messages are missing. */
const absence = [
  'lost-write',
  'vanished',
  'silent-drop',
  'mention-lost',
  'read-your-writes',
  'monotonic-reads',
  'stale-read',
  'lost-across-restart',
  'missed-wakeup',
];

/** What else a history shows in which reads are late. */
const lateness = [
  'stale-read',
  'read-your-writes',
  'monotonic-reads',
  'watermark-regression',
  'missed-wakeup',
];

/** Forgets the newest messages of each channel, and says which numbers they had. */
function forgetTails({ channels, clock }: Inside): readonly (bigint | undefined)[] {
  return channels.map(({ places }) => {
    const tail = places.slice(-2).filter(({ visibleMs }) => visibleMs <= clock.nowMs);
    for (const place of tail) place.goneMs = Math.min(place.goneMs, clock.nowMs);
    const [first] = tail;
    return first === undefined ? undefined : BigInt(first.sequence);
  });
}

function stale(clauses: readonly ClauseId[]): Readonly<Record<string, MutantDraft>> {
  return {
    'reads of an older state': {
      clauses,
      consequences: lateness,
      choices: (drawn) => ({ ...plain(drawn), settleMs: 600 }),
      rules: (random) => ({
        lagMs: (_lagMs, { wait }) =>
          wait === undefined && random.chance(0.4) ? random.between(150, 500) : 0,
      }),
    },
  };
}

/** Messages that get lost, and reads of an older state. */
export const keepingMutants: readonly HistoryMutant[] = [
  ...showing('vanished', {
    'a message goes after it was read': {
      events: [],
      clauses: [
        'channel-read.reads-repeat',
        'mentions.acknowledges-nothing',
        'states.messages-do-not-vanish',
        'states.mentions-do-not-vanish',
      ],
      consequences: absence,
      choices: plain,
      rules: (random) => ({
        added: (place, stream, inside) => {
          if (isChannel(stream, inside) && random.chance(0.12))
            place.goneMs = place.visibleMs + random.between(300, 800);
        },
      }),
    },
  }),
  ...showing('lost-write', {
    'some sends are acknowledged for nothing': {
      events: [],
      clauses: ['service.sent-is-readable'],
      consequences: absence,
      choices: plain,
      rules: (random) => ({ capture: (message) => (random.chance(0.1) ? undefined : message) }),
    },
    'one content type is never stored': {
      events: [],
      clauses: ['service.sent-is-readable'],
      consequences: absence,
      choices: plain,
      rules: () => ({
        capture: (message) => (message.contentType === 'text/markdown' ? undefined : message),
      }),
    },
    'messages with files are never stored': {
      events: [],
      clauses: ['service.sent-is-readable'],
      consequences: absence,
      choices: plain,
      rules: () => ({ capture: (message) => (message.files.length > 0 ? undefined : message) }),
    },
  }),
  ...showing('silent-drop', {
    'large messages are never stored': {
      events: [],
      clauses: ['service.sent-is-readable'],
      consequences: absence,
      choices: plain,
      rules: () => ({ capture: (message) => (Number(message.sizeBytes) > 1_000 ? undefined : message) }),
    },
  }),
  ...showing('resurrection', {
    'retention is undone': {
      clauses: ['channel-read.nothing-returns'],
      consequences: [
        'late-commit',
        'poll-skip',
        'newest-page-hole',
        'newest-page-not-newest',
        'has-more-false',
        'long-poll-disagrees',
        'hidden-from-reader',
        ...lateness,
      ],
      choices: (drawn) => ({ ...plain(drawn), settleMs: 400, retention: { kind: 'newest', than: 8 } }),
      rules: () => ({
        view: (spots, _question, { channels, clock }) => {
          if (clock.nowMs > 3_500)
            for (const place of channels.flatMap(({ places }) => places))
              place.goneMs = Number.POSITIVE_INFINITY;
          return spots;
        },
      }),
    },
  }),
  ...showing('hidden-from-reader', {
    'what others wrote': {
      clauses: ['service.channels-are-shared'],
      choices: plain,
      rules: () => ({
        view: (spots, { call, agent }, { agents }) =>
          call === 'channel-read' && agent === agents[0]
            ? spots.map((spot) =>
                spot.stored?.authorId === agent.id ? spot : { ...spot, stored: undefined },
              )
            : spots,
      }),
    },
  }),
  ...showing('stale-read', stale(['channel-read.recency', 'mentions.recency'])),
  ...showing('read-your-writes', stale(['channel-read.reads-own-writes'])),
  ...showing('monotonic-reads', stale(['channel-read.reads-are-monotonic', 'mentions.recency'])),
  ...showing('has-more-false', {
    'reads of a much older state': {
      clauses: ['page.has-more-while-items-remain'],
      consequences: [...lateness, 'newest-page-not-newest', 'poll-skip', 'late-commit', 'hidden-from-reader'],
      choices: (drawn) => ({ ...plain(drawn), settleMs: 400 }),
      rules: (random) => ({ lagMs: () => (random.chance(0.2) ? random.between(800, 1_500) : 0) }),
    },
  }),
  ...showing('lost-across-restart', {
    'the newest messages': {
      clauses: ['channel-read.survives-a-restart', 'service.sent-is-readable'],
      consequences: absence,
      choices: plain,
      events: ['restart'],
      rules: () => ({
        restarted: (inside) => {
          forgetTails(inside);
        },
      }),
    },
  }),
  ...showing('sequence-reuse', {
    'the newest numbers': {
      clauses: ['channel-read.restart-reuses-no-sequence'],
      consequences: [
        ...absence,
        'inconsistent-offsets',
        'late-insert',
        'nonmonotonic-send',
        'late-commit',
        'poll-skip',
        'watermark-regression',
        'above-watermark',
        'duplicate-sequence',
        'newest-page-hole',
        'feed-channel-disagree',
      ],
      choices: (drawn) => ({ ...plain(drawn), counters: 'own', gap: 0, restartBurns: 0 }),
      events: ['restart'],
      rules: () => ({
        restarted: (inside, counters) => {
          for (const [index, first] of forgetTails(inside).entries())
            if (first !== undefined) counters[index]?.rewindTo(first - 1n);
        },
      }),
    },
  }),
  ...showing('issued-cursor-conflict', {
    'now and then': {
      clauses: ['channel-read.issued-cursor-is-no-conflict', 'mentions.issued-cursor-is-no-conflict'],
      choices: plain,
      rules: (random) => ({
        conflictsOnCursor: ({ after }) => after !== undefined && random.chance(0.1),
      }),
    },
  }),
  ...showing('missed-wakeup', {
    'a poll sees what was there when it began': {
      clauses: ['channel-read.wait-wakes'],
      consequences: lateness,
      choices: (drawn) => ({
        ...plain(drawn),
        settleMs: 400,
        wait: { mode: 'served', capMs: 2_000, oneItem: false, wakesEmpty: false },
      }),
      rules: () => {
        const began = new Map<unknown, number>();
        return {
          lagMs: (lagMs, question, { clock }) => {
            if (question.wait === undefined) return lagMs;
            const beganMs = began.get(question) ?? clock.nowMs;
            began.set(question, beganMs);
            return clock.nowMs - beganMs;
          },
        };
      },
    },
  }),
];
