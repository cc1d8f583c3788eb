import { bySequence } from '../../../history/sequence.ts';
import type { Sequence } from '../../../history/sequence.ts';
import type { Random } from '../base/random.ts';
import type { Choices } from '../choices/choices.ts';
import type { Counter } from '../service/counter.ts';
import type { Inside } from '../service/inside.ts';
import type { Spot } from '../service/page.ts';
import type { Rules } from '../service/rules.ts';
import type { Place, Stream } from '../service/stream.ts';
import { isChannel, isChosen, plain, plus, showing, times } from './mutant.ts';
import type { HistoryMutant } from './mutant.ts';

/** What else a stream shows whose numbers, or whose order of appearing, are wrong. */
const disorder = [
  'late-commit',
  'late-insert',
  'nonmonotonic-send',
  'poll-skip',
  'inconsistent-offsets',
  'duplicate-sequence',
  'unordered-page',
  'moved',
  'mutated',
  'vanished',
  'lost-write',
  'mention-lost',
  'has-more-false',
  'newest-page-hole',
  'newest-page-not-newest',
  'stale-read',
  'read-your-writes',
  'monotonic-reads',
  'watermark-regression',
  'long-poll-disagrees',
  'missed-wakeup',
  'feed-channel-disagree',
  'feed-order-disagreement',
  'resurrection',
  'above-watermark',
  'sequence-reuse',
  'lost-across-restart',
];

/** Takes the last place of a stream away and gives its number out again. */
function takeBack(stream: Stream | undefined, nowMs: number): Sequence | undefined {
  const last = stream?.places.at(-1);
  if (last?.stored === undefined || last.visibleMs > nowMs - 30 || last.goneMs <= nowMs) return undefined;
  last.goneMs = nowMs;
  return last.sequence;
}

/** A number with room before it, so that another fits in. */
function spaced(counter: Counter): Sequence {
  counter.burn(3);
  return counter.next();
}

function sorted(_place: Place, { places }: Stream): void {
  places.sort((one, other) => bySequence(one.sequence, other.sequence));
}

/** Some messages stand one number further on, from some time on. */
function moving(call: 'channel-read' | 'mentions'): (random: Random) => Partial<Rules> {
  return (random) => {
    const movesAtMs = random.between(1_500, 2_000);
    return {
      number: spaced,
      eventNumber: (sequence) => times(sequence, 4),
      view: (spots, question, inside) =>
        question.call === call && inside.clock.nowMs > movesAtMs
          ? spots.map((spot) => moved(spot, inside, call === 'mentions'))
          : spots,
    };
  };
}

function moved(spot: Spot, { intern }: Inside, isFeed: boolean): Spot {
  const { stored } = spot;
  if (stored === undefined || !isChosen(stored.seen.id, 2)) return spot;
  const sequence = plus(spot.sequence, 1);
  if (isFeed) return { ...spot, sequence };
  return { ...spot, sequence, stored: { ...stored, seen: intern.message({ ...stored.seen, sequence }) } };
}

function outOfOrder(isOfChannel: boolean): (random: Random) => Partial<Rules> {
  return (random) => ({
    visibleMs: (earliestMs, stream, inside) =>
      isChannel(stream, inside) === isOfChannel
        ? inside.clock.nowMs + (random.chance(0.35) ? random.between(60, 250) : 0)
        : earliestMs,
  });
}

/** Gives a message a number below one that nobody can have read yet, and shows both at once. */
function numberedAfterwards(): Partial<Rules> {
  const passed = new Set<Place>();
  let below: Place | undefined;
  return {
    number: (counter, stream, { clock }) => {
      const last = stream.places.at(-1);
      const isUnseen = last !== undefined && !passed.has(last) && last.visibleMs > clock.nowMs;
      if (isUnseen) passed.add(last);
      below = isUnseen ? last : undefined;
      return isUnseen ? plus(last.sequence, -1) : spaced(counter);
    },
    visibleMs: (earliestMs, stream, inside) =>
      isChannel(stream, inside) ? (below?.visibleMs ?? earliestMs + 150) : earliestMs,
    added: (place, stream, inside) => {
      if (isChannel(stream, inside)) sorted(place, stream);
    },
  };
}

function plainNumbers(drawn: Choices): Choices {
  return {
    ...plain(drawn),
    settleMs: 400,
    counters: 'own',
    events: { ...drawn.events, perTarget: false, countAll: false },
  };
}

const more = { choices: plainNumbers, consequences: disorder };

/** Wrong numbers, and messages that appear in another order than that of their numbers. */
export const orderMutants: readonly HistoryMutant[] = [
  ...showing('duplicate-sequence', {
    'in a channel': {
      ...more,
      clauses: ['channel-read.no-duplicate-sequence'],
      rules: (random) => ({
        number: (counter, stream) =>
          (random.chance(0.15) ? stream.places.at(-1)?.sequence : undefined) ?? counter.next(),
      }),
    },
    'in a feed': {
      ...more,
      clauses: ['mentions.no-duplicate-sequence'],
      rules: (random) => ({
        eventNumber: (sequence, reader, { feeds }) =>
          (random.chance(0.2) ? feeds.get(reader)?.places.at(-1)?.sequence : undefined) ?? sequence,
      }),
    },
  }),
  ...showing('inconsistent-offsets', {
    'in a channel': {
      ...more,
      clauses: ['channel-read.sequence-names-one-message'],
      rules: (random) => ({
        number: (counter, stream, { clock }) =>
          (random.chance(0.4) ? takeBack(stream, clock.nowMs) : undefined) ?? counter.next(),
      }),
    },
    'in a feed': {
      ...more,
      clauses: ['mentions.sequence-names-one-mention'],
      rules: (random) => ({
        eventNumber: (sequence, reader, { feeds, clock }) =>
          (random.chance(0.4) ? takeBack(feeds.get(reader), clock.nowMs) : undefined) ?? sequence,
      }),
    },
  }),
  ...showing('moved', {
    'in a channel': {
      ...more,
      clauses: ['message.id.one-message', 'message.immutable'],
      rules: moving('channel-read'),
    },
    'in a feed': { ...more, clauses: ['mention.sequence.immutable'], rules: moving('mentions') },
  }),
  ...showing('late-insert', {
    'in a channel': {
      ...more,
      clauses: ['send.appends'],
      rules: (random) => ({
        number: (counter, stream) => {
          const last = stream.places.at(-1);
          return last !== undefined && random.chance(0.2) ? plus(last.sequence, -1) : spaced(counter);
        },
        added: (place, stream, inside) => {
          if (isChannel(stream, inside)) sorted(place, stream);
        },
      }),
    },
  }),
  ...showing('nonmonotonic-send', {
    'in a channel': {
      clauses: ['send.acknowledged-order'],
      consequences: ['read-your-writes'],
      choices: plainNumbers,
      rules: numberedAfterwards,
    },
  }),
  ...showing('late-commit', {
    'in a channel': {
      ...more,
      clauses: ['channel-read.cursor-never-skips'],
      rules: outOfOrder(true),
    },
    'in a feed': { ...more, clauses: ['mentions.cursor-never-skips'], rules: outOfOrder(false) },
  }),
  ...showing('feed-order-disagreement', {
    'one feed swaps neighbours': {
      ...more,
      clauses: ['mentions.feeds-agree-on-order'],
      rules: (random) => ({
        eventNumber: (sequence, reader, { agents }) =>
          plus(times(sequence, 4), reader === agents[1]?.id && random.chance(0.5) ? 5 : 0),
        added: sorted,
      }),
    },
  }),
];
