import { contractRules, type Rules } from '../../../reference/rules/rules.ts';
import { trueSources } from '../../../reference/model/sources.ts';
import { drawVariants, serviceVariants, type Variant } from '../../variants/index.ts';
import { alternatives, openBy } from '../../variants/base/variant.ts';
import { keepingTheShortest, notOver } from '../../variants/reading/visibility.ts';
import type { Random } from '../base/random.ts';

/** Retention within seconds: a run of checks would see nothing for long enough. */
const shortLived: readonly Variant[] = alternatives({
  ...openBy('channel-read.retention; mentions.retention', {
    'messages-are-kept-for-seconds': ({ random, sources }) => {
      const keptMs = 600 + random() * 2_400;
      return {
        retains:
          () =>
          ({ committedMs }) =>
            committedMs + keptMs > sources.now(),
      };
    },
    'longer-messages-are-kept-for-a-short-time': ({ random }) => {
      const bytes = 60 + random() * 60;
      return { retains: ({ nowMs }) => notOver(bytes, nowMs) };
    },
    'feeds-and-channels-keep-the-newest': ({ random }) => ({
      settings: { keepPerChannel: few(random), keepMentions: few(random) },
    }),
    'an-author-keeps-few-messages': ({ random }) => ({
      settings: { keepPerAuthor: 3 + Math.floor(random() * 10) },
    }),
    'a-channel-keeps-a-few-messages-the-shortest': ({ random }) => keepingTheShortest('channel', few(random)),
    'a-feed-keeps-a-few-mentions-the-shortest': ({ random }) => keepingTheShortest('mentions', few(random)),
    'a-cursor-below-the-few-that-are-kept-conflicts': ({ random }) => ({
      settings: { keepPerChannel: few(random) },
      rules: {
        nextChannelSequence: (last) => last + 1n,
        conflictsWithWatermark: ({ after, oldest }) => after > 0n && after < oldest() - 1n,
      },
    }),
  }),
});

function few(random: () => number): number {
  return 8 + Math.floor(random() * 32);
}

/**
 * What the clients of a history cannot do with: they know the providers by the words of the contract, and attach a few files again and again;
 * what makes no difference there: no judge knows of what name a shown one was made, nor reads a list of receipts; and what keeps fewer mentions
 * of a target than judges of histories take one to keep (docs/bounds.md).
 */
const beyondClients: readonly string[] = [
  'providers-have-other-names',
  'a-file-goes-with-one-message',
  'names-have-a-form-of-their-own',
  'a-target-keeps-two-mentions',
  'a-target-keeps-one-mention',
  'the-list-of-receipts-is-behind-the-previews',
  'a-report-counts-for-ten-messages-and-says-so',
  'mentions-show-whole-minutes',
  'larger-files-come-by-a-link',
  'messages-with-files-are-kept-for-a-short-time',
  'files-come-by-a-link-after-a-second',
  'a-channel-without-a-cursor-ends-before-the-last',
  'a-channel-holds-one-long-poll-and-locks-others-out',
  'an-agent-runs-on-two-machines-by-turns',
  'a-number-for-each-target-and-a-line-for-each-message',
  'a-page-without-a-limit-has-a-cap-of-its-own',
  'keys-belong-to-a-session',
  'keys-belong-to-a-host',
  'keys-are-forgotten-at-a-restart',
  'members-who-are-away-are-inactive',
  'a-channel-read-without-messages-has-no-list',
  'receipts-are-listed-one-a-page',
  'a-wrong-method-is-404',
  'ready-files-have-no-time-of-upload',
  'a-deleted-file-is-404',
  'names-have-300-characters',
  'no-channel-is-the-default',
  'a-wait-that-ends-with-nothing-is-204',
];

const freedoms: readonly Variant[] = [...shortLived, ...serviceVariants].filter(
  (variant) => !beyondClients.includes(variant.id) && !hasCompany(variant),
);

function hasCompany(variant: Variant): boolean {
  const { company } = variant.options({ rules: contractRules, random: () => 0, sources: trueSources });
  return company !== undefined;
}

/** What one conforming service does where the contract leaves it open; in a third of all nothing that a reader may wonder at. */
export function drawFreedoms(random: Random): readonly Variant[] {
  const from = random.chance(0.3) ? freedoms.filter(({ mayWarn }) => mayWarn === undefined) : freedoms;
  return drawVariants(random.integer(0, 2 ** 31), { from, fewest: 4, most: 32 });
}

/** The contract's rules where nothing takes no time, and a target need not be there. */
export function rulesInTime(random: Random): Rules {
  return {
    ...contractRules,
    pauseBeforeCommitMs: () => random.between(0, 12),
    wakeAfterMs: (hiddenMs) => hiddenMs + random.between(1, 15),
    acceptsTarget: () => true,
  };
}
