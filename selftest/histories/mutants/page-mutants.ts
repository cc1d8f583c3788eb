import type { ClauseId } from '../../../spec/index.ts';
import type { Random } from '../base/random.ts';
import type { Inside } from '../service/inside.ts';
import { endOf, isFilled } from '../service/page.ts';
import type { Page, Question, Spot } from '../service/page.ts';
import type { Rules } from '../service/rules.ts';
import { isChosen, plain, plus, showing, times, usualPages } from './mutant.ts';
import type { HistoryMutant, MutantDraft } from './mutant.ts';

type Spoil = (page: Page, question: Question, spots: readonly Spot[], inside: Inside) => Page;

/** A wrong page now and then, of one call. */
function spoiling(call: Question['call'], share: number, spoil: Spoil): (random: Random) => Partial<Rules> {
  return (random) => ({
    page: (page, question, spots, inside) =>
      question.call === call && random.chance(share) ? spoil(page, question, spots, inside) : page,
  });
}

/** The same in a channel and in a feed. */
function inBoth(
  { channel, feed }: { readonly channel: readonly ClauseId[]; readonly feed: readonly ClauseId[] },
  share: number,
  spoil: Spoil,
  more: Partial<MutantDraft> = {},
): Readonly<Record<string, MutantDraft>> {
  return {
    'in a channel': {
      choices: usualPages,
      ...more,
      clauses: channel,
      rules: spoiling('channel-read', share, spoil),
    },
    'in a feed': { choices: usualPages, ...more, clauses: feed, rules: spoiling('mentions', share, spoil) },
  };
}

function both(clause: ClauseId): {
  readonly channel: readonly ClauseId[];
  readonly feed: readonly ClauseId[];
} {
  return { channel: [clause], feed: [clause] };
}

const falls: readonly ClauseId[] = ['page.next-after-never-falls-back', 'page.next-after-rises'];
const fallingBack = { channel: falls, feed: falls };

const swapped: Spoil = (page) => {
  const [first, second, ...rest] = page.items;
  return first === undefined || second === undefined ? page : { ...page, items: [second, first, ...rest] };
};

const withCursor: Spoil = (page, { after, limit = 50 }, spots) => {
  const at = spots.find(({ sequence }) => sequence === after);
  if (at === undefined || !isFilled(at)) return page;
  const items = [at, ...page.items].slice(0, limit);
  const isCut = items.length <= page.items.length;
  return isCut
    ? { ...page, items, nextAfter: items.at(-1)?.sequence ?? 0, hasMore: true }
    : { ...page, items };
};

const oneMore: Spoil = (page, { limit }, spots) => {
  const last = page.items.at(-1);
  if (limit === undefined || page.items.length < limit || last === undefined) return page;
  const next = spots.filter(isFilled).find(({ sequence }) => sequence > last.sequence);
  return next === undefined ? page : { ...page, items: [...page.items, next], nextAfter: next.sequence };
};

const behindLast: Spoil = (page) => {
  const before = page.items.at(-2);
  return before === undefined ? page : { ...page, nextAfter: before.sequence };
};

const stalled: Spoil = (page, { after = 0 }) =>
  page.hasMore && page.items.length > 0 ? { ...page, nextAfter: after } : page;

const startOver: Spoil = (page, { after = 0 }, spots) =>
  page.items.length === 0 && after > 0 && after <= endOf(spots) ? { ...page, nextAfter: 0 } : page;

const lowWatermark: Spoil = (page) => {
  const last = page.items.at(-1);
  return last === undefined ? page : { ...page, highWatermark: plus(last.sequence, -1) };
};

const twice: Spoil = (page) => {
  const last = page.items.at(-1);
  return last === undefined ? page : { ...page, items: [...page.items, last] };
};

/** The item in the middle is missing. */
const holed: Spoil = (page) => {
  const middle = Math.floor(page.items.length / 2);
  return page.items.length < 3 ? page : { ...page, items: page.items.filter((_, place) => place !== middle) };
};

/** The cursor was computed before the page was cut. */
const cutAfterwards: Spoil = (page) =>
  page.items.length < 2 ? page : { ...page, items: page.items.slice(0, Math.ceil(page.items.length / 2)) };

const claimsEnd: Spoil = (page) => ({ ...page, hasMore: false });

const oldest: Spoil = (page, { after, limit = 50 }, spots) => {
  const matching = spots.filter(isFilled);
  if (after !== undefined || matching.length <= limit) return page;
  const items = matching.slice(0, limit);
  return { ...page, items, nextAfter: items.at(-1)?.sequence ?? 0, hasMore: true };
};

const holedIfNewest: Spoil = (page, question, spots, inside) =>
  question.after === undefined ? holed(page, question, spots, inside) : page;

/** What a message larger than the cap does to a server that counts before it fills. */
const largeStalls: Spoil = (page, { after = 0 }) => {
  const isLarge = (page.items[0]?.stored.bytes ?? 0) > 120;
  return isLarge ? { ...page, items: [], nextAfter: after, hasMore: true } : page;
};

/** Some stand once more, under the next number. */
function again(spot: Spot): readonly Spot[] {
  return isFilled(spot) && isChosen(spot.stored.seen.id, 3)
    ? [{ ...spot, sequence: plus(spot.sequence, 1) }]
    : [];
}

/** What else a page that passed over an item, or ended too early, shows. */
const missing = [
  'late-commit',
  'poll-skip',
  'has-more-false',
  'newest-page-hole',
  'newest-page-not-newest',
  'stale-read',
  'read-your-writes',
  'monotonic-reads',
  'long-poll-disagrees',
  'missed-wakeup',
];

const quiet: Partial<MutantDraft> = { choices: (drawn) => ({ ...plain(drawn), foreignEveryMs: undefined }) };

/** Wrong pages of a stream that is right. */
export const pageMutants: readonly HistoryMutant[] = [
  ...showing(
    'unordered-page',
    inBoth(
      { channel: ['channel-read.ascending'], feed: ['mentions.ascending', 'mentions.newest-page-ascends'] },
      0.2,
      swapped,
    ),
  ),
  ...showing('duplicate-in-page', {
    'in a channel': {
      clauses: ['channel-read.ascending', 'channel-read.no-duplicate-sequence', 'message.id.one-message'],
      consequences: ['unordered-page', 'duplicate-sequence', 'over-limit'],
      rules: spoiling('channel-read', 0.2, twice),
    },
    'in a feed, under two numbers': {
      clauses: ['mentions.duplicate-message'],
      consequences: ['moved', 'newest-page-hole', 'late-commit', 'poll-skip'],
      choices: (drawn) => ({ ...plain(drawn), counters: 'own' }),
      rules: () => ({
        eventNumber: (sequence) => times(sequence, 4),
        view: (spots, { call }) =>
          call === 'mentions' ? spots.flatMap((spot) => [spot, ...again(spot)]) : spots,
      }),
    },
  }),
  ...showing(
    'inclusive-cursor',
    inBoth(
      { channel: ['channel-read.after-exclusive'], feed: ['mentions.after.exclusive'] },
      0.5,
      withCursor,
      {
        consequences: ['cursor-stall'],
      },
    ),
  ),
  ...showing(
    'over-limit',
    inBoth({ channel: ['channel-read.limit-respected'], feed: ['mentions.limit.respected'] }, 0.3, oneMore, {
      choices: usualPages,
    }),
  ),
  ...showing('next-behind-page', inBoth(both('page.next-after-not-behind-items'), 0.2, behindLast)),
  ...showing(
    'cursor-stall',
    inBoth(both('page.next-after-passes-the-cursor'), 0.3, stalled, { consequences: ['next-behind-page'] }),
  ),
  ...showing(
    'empty-stall',
    inBoth(both('page.empty-page-moves-on'), 1, largeStalls, { ...quiet, consequences: missing }),
  ),
  // What lies between the two cursors may have left the history by then.
  ...showing('cursor-regression', inBoth(fallingBack, 0.7, startOver, quiet)),
  ...showing(
    'above-watermark',
    inBoth(both('page.high-watermark-covers-the-page'), 0.3, lowWatermark, {
      consequences: ['watermark-regression'],
    }),
  ),
  ...showing('watermark-regression', {
    'in any stream': {
      clauses: ['page.high-watermark-never-falls'],
      choices: (drawn) => ({ ...drawn, page: { ...drawn.page, watermark: 'ahead' } }),
      rules: (random) => ({
        page: (page) =>
          random.chance(0.3) ? { ...page, highWatermark: plus(page.highWatermark, -1) } : page,
      }),
    },
  }),
  ...showing('poll-skip', {
    'a hole in a page of a channel': {
      clauses: ['channel-read.walk-is-complete'],
      consequences: missing,
      choices: usualPages,
      rules: spoiling('channel-read', 0.15, holed),
    },
    'a hole in a page of a feed': {
      clauses: ['mentions.walk-is-complete', 'mentions.newest-page'],
      consequences: missing,
      choices: usualPages,
      rules: spoiling('mentions', 0.2, holed),
    },
    'a channel cut after its cursor was made': {
      clauses: ['channel-read.walk-is-complete', 'limits.byte-cap-loses-nothing'],
      consequences: missing,
      choices: usualPages,
      rules: spoiling('channel-read', 0.1, cutAfterwards),
    },
    'a feed cut after its cursor was made': {
      clauses: [
        'mentions.walk-is-complete',
        'mentions.newest-page',
        'limits.byte-cap-loses-nothing',
        'mentions.shortened-first-page-continues',
      ],
      consequences: missing,
      choices: usualPages,
      rules: spoiling('mentions', 0.2, cutAfterwards),
    },
  }),
  ...showing(
    'has-more-false',
    inBoth(
      {
        channel: ['page.has-more-while-items-remain'],
        feed: ['page.has-more-while-items-remain', 'mentions.shortened-first-page-continues'],
      },
      0.2,
      claimsEnd,
      { consequences: missing },
    ),
  ),
  ...showing('newest-page-not-newest', {
    'it is the oldest': {
      clauses: ['mentions.after.omitted-is-newest', 'mentions.newest-page'],
      consequences: ['has-more-false'],
      rules: spoiling('mentions', 0.6, oldest),
    },
  }),
  ...showing('newest-page-hole', {
    'in the middle': {
      clauses: ['mentions.newest-page', 'mentions.walk-is-complete'],
      consequences: missing,
      choices: usualPages,
      rules: spoiling('mentions', 0.6, holedIfNewest),
    },
  }),
  ...showing('long-poll-disagrees', {
    'an item is missing': {
      clauses: ['channel-read.walk-is-complete', 'channel-read.cursor-never-skips'],
      consequences: missing,
      choices: (drawn) => ({
        ...plain(drawn),
        wait: { mode: 'served', capMs: 2_000, oneItem: false, wakesEmpty: false },
      }),
      rules: () => ({
        page: (page, { wait }) =>
          wait === undefined || page.items.length < 2 ? page : { ...page, items: page.items.slice(1) },
      }),
    },
  }),
];
