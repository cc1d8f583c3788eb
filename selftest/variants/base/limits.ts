import type { ClauseId } from '../../../spec/index.ts';

/** What a variant cannot be combined with, what a run may say of it, and what it costs. */
export interface VariantLimits {
  /** Ids of variants that it is not combined with: together they would break the contract, or undo each other. */
  readonly excludes?: readonly string[];
  /** Inferred clauses whose reading it does not share, so that a run may warn of them. */
  readonly mayWarn?: readonly ClauseId[];
  /** It makes a run long; no two such variants are combined. */
  readonly isSlow?: boolean;
  /** What it keeps is less than judges of histories take a server to keep (docs/bounds.md): beside others it would be told so. */
  readonly isAlone?: boolean;
}

type Ids = readonly string[];

const replicas: Ids = ['reads-come-from-replicas', 'replicas-clamp-the-cursor', 'replicas-trim-late'];
const toldReplays: Ids = ['a-replay-is-told-by-200', 'a-replay-has-no-body'];
const severalNumbers: Ids = [
  'a-number-for-each-target',
  'a-number-for-each-target-and-a-line-for-each-message',
  'a-number-for-each-target-backwards',
];
const highStarts: Ids = ['channels-start-at-2-to-the-60', 'events-start-at-2-to-the-60'];
/** Other shapes of the same list. */
const channelLists: Ids = [
  'channels-are-a-bare-list',
  'channels-come-in-pages',
  'channels-are-listed-by-name',
];
/** By which a message goes from a feed under one target and stays under another, where it would have another number. */
const keptByTarget: Ids = ['a-target-keeps-10-mentions', 'a-human-and-a-machine-keep-5-mentions'];
/** By which something comes to be seen later than it was sent. */
const late: Ids = [
  'sends-become-visible-later',
  'a-key-is-in-flight-until-its-message-shows',
  'sends-become-visible-late',
  'sends-become-visible-after-a-while',
  'mentions-become-visible-later',
  ...replicas,
];
/** By which a cursor would pass a number that is still kept free. */
const passing: Ids = [
  'the-last-page-ends-at-the-watermark',
  'an-empty-page-ends-at-the-watermark',
  'reads-scan-a-bounded-stretch',
  'sends-are-created-and-visible-late',
  ...late,
];
/** Whose pages may be short and announce more all the same. */
const shortenedPages: Ids = [
  'pages-have-any-length',
  'reads-scan-a-bounded-stretch',
  'a-page-holds-one-item',
  'a-page-holds-few-items',
  'a-page-holds-two-items',
  'a-page-holds-seven-items',
  'a-larger-message-comes-alone',
  'the-cap-keeps-the-newer-end',
  'the-cap-counts-more-than-content',
];
const numberedOtherwise: Ids = ['channel-numbers-are-event-numbers', 'channels-share-a-counter'];
const refusedCursors = 'cursors-beyond-2-to-the-53-are-refused';
const lenientIntegers = 'integers-are-read-leniently';

/** What each does not go together with, beside its alternatives; said of one of two. */
const excludes: Readonly<Record<string, Ids>> = {
  'others-report-sessions-in-own-words': [
    'self-reports-are-ignored',
    'self-reports-are-refused',
    'mentions-of-a-send-are-refused',
  ],
  'mentions-show-ids-in-upper-case': ['ids-are-in-upper-case'],
  'integers-are-written-with-a-fraction': highStarts,
  'integers-are-written-with-an-exponent': [
    'integers-are-written-with-a-fraction',
    'texts-are-escaped',
    'json-is-laid-out',
    ...highStarts,
  ],
  'agents-share-a-machine': ['authors-have-no-machine', 'names-are-empty'],
  'agents-of-one-machine-are-one-author': [
    'authors-have-no-machine',
    'names-are-empty',
    'agents-of-one-human-are-one-author',
  ],
  // A target that is named twice is one target all the same: it has one number.
  'repeated-targets-are-kept': severalNumbers,
  'mentions-of-a-send-are-refused': ['unknown-fields-are-taken'],
  'self-reports-are-ignored': ['an-agent-host-is-always-named'],
  'self-reports-are-refused': ['unknown-fields-are-taken', 'mentions-of-a-send-are-refused'],
  'providers-have-other-names': ['self-reports-are-ignored'],
  'a-repeated-target-counts-once': ['repeated-targets-are-kept'],
  'a-repeated-file-counts-once': ['repeated-attachments-are-kept'],
  'channels-start-at-500': numberedOtherwise,
  'channels-start-just-below-2-to-the-53': [...numberedOtherwise, refusedCursors],
  'channels-start-at-2-to-the-60': [...numberedOtherwise, refusedCursors],
  'events-start-at-2-to-the-60': [refusedCursors],
  'only-mentions-are-events': ['channel-numbers-are-event-numbers'],
  'events-are-numbered-out-of-order': [...passing, 'channel-numbers-are-event-numbers', ...severalNumbers],
  'taken-sends-are-numbered-out-of-order': [...passing, ...toldReplays],
  'a-number-for-each-target': keptByTarget,
  'a-number-for-each-target-and-a-line-for-each-message': keptByTarget,
  'a-number-for-each-target-backwards': keptByTarget,
  'a-used-key-always-conflicts': toldReplays,
  'a-router-knows-ids-by-their-form': ['a-workspace-has-aliases', 'a-workspace-has-a-slug'],
  'channels-are-keyed-by-their-ids': channelLists,
  'channels-are-listed-as-links': channelLists,
  'a-cursor-beyond-the-watermark-conflicts': replicas,
  'a-cursor-below-what-is-kept-conflicts': replicas,
  // A shorter page that announces more would look as if there were no least size.
  'channel-limits-are-ten-at-least': shortenedPages,
  'a-cursor-may-have-any-size': [lenientIntegers],
  [refusedCursors]: [lenientIntegers],
  'a-huge-cursor-conflicts': [
    lenientIntegers,
    'a-cursor-may-have-any-size',
    refusedCursors,
    'a-cursor-beyond-the-watermark-conflicts',
    'a-cursor-below-what-is-kept-conflicts',
  ],
  'a-key-is-in-flight-until-its-message-shows': [...toldReplays, 'a-used-key-always-conflicts'],
  'a-replica-that-is-behind-conflicts': late,
  'the-same-read-is-answered-from-a-cache': [...late, 'a-replica-that-is-behind-conflicts'],
  'the-list-of-receipts-is-behind-the-previews': [
    'some-reports-wait-in-a-queue',
    'hosts-time-retrievals-by-clocks-of-their-own',
    'receipts-refer-to-messages-by-number',
    'receipts-are-listed-newest-first',
  ],
  'previews-come-from-replicas': ['retrievals-are-shown-later', 'some-reports-wait-in-a-queue'],
  'retrievals-are-shown-later': ['some-reports-wait-in-a-queue'],
  'hosts-time-retrievals-by-clocks-of-their-own': [
    'retrievals-are-shown-later',
    'some-reports-wait-in-a-queue',
    'previews-come-from-replicas',
  ],
  'receipts-are-listed-newest-first': [
    'some-reports-wait-in-a-queue',
    'receipts-refer-to-messages-by-number',
    'receipts-are-listed-in-columns',
    'receipts-name-agents-by-kind',
  ],
  'others-report-receipts': ['receipts-cannot-be-reported', 'undocumented-calls-do-not-exist'],
  'feeds-and-channels-keep-the-newest': severalNumbers,
};

const lagging: Ids = [
  ...replicas,
  'a-replica-that-is-behind-conflicts',
  'the-same-read-is-answered-from-a-cache',
];

/** By inferred clause, those that do not share its reading. */
const mayWarn: Readonly<Partial<Record<ClauseId, Ids>>> = {
  'service.timestamps-are-rfc-3339': [
    'times-are-basic-iso-8601',
    'times-are-local-iso-8601',
    'mentions-show-whole-minutes',
  ],
  'auth.no-access-is-not-hidden': ['a-closed-channel-is-404'],
  'auth.revoked-is-401': ['a-revoked-credential-is-403'],
  'errors.mentions-revoked-credential-is-401': ['a-revoked-credential-is-403'],
  'errors.limit-elsewhere-is-429': [
    'an-agent-makes-40-requests-a-second-and-learns-only-from-mentions-when-to-try',
  ],
  'overview.members.leave-at-once': ['members-who-are-away-are-inactive'],
  'mentions.at-in-the-text': [
    'an-at-in-a-text-adds-a-target',
    'an-at-in-a-text-reaches-without-a-target',
    'a-word-for-everybody-adds-targets',
  ],
  'mentions.duplicate-message': ['a-target-is-an-entry-of-its-own'],
  'mentions.peers-reach-each-other': [
    'agents-of-one-machine-are-one-author',
    'agents-of-one-human-are-one-author',
  ],
  // Two sends that are both under way for longer do not meet in it.
  'send.retry-stores-once': ['keys-are-forgotten-after-300-ms', 'keys-are-forgotten-at-a-restart'],
  'send.concurrent-conflict-stores-one': ['keys-are-forgotten-after-300-ms'],
  'send.conflict-status-409': ['a-key-conflict-is-422'],
  'send.conflict-in-other-parts': ['only-content-makes-a-difference'],
  'send.key-of-another-channel': ['keys-belong-to-an-agent', 'keys-belong-to-the-workspace'],
  'send.key-of-another-agent': ['keys-belong-to-a-channel', 'keys-belong-to-the-workspace'],
  'send.similar-keys-are-different': ['keys-have-100-small-letters'],
  'send.acknowledged-order': ['taken-sends-are-numbered-out-of-order'],
  'send.content.scalars-refused': ['scalars-become-texts'],
  'send.content-type.type': ['scalars-become-texts'],
  'send.content-in-long-spelling-accepted': [
    'bodies-end-at-520-kb',
    'bodies-end-at-800-kb',
    'bodies-end-at-1-mb',
    'bodies-end-at-1200-kb',
    'bodies-end-at-2-mb',
  ],
  'send.blank-content-accepted': ['blank-content-is-refused'],
  'send.equal-replay-is-no-conflict': ['a-used-key-always-conflicts'],
  'message.author.shows-present-names': ['an-agent-runs-on-two-machines-by-turns'],
  // Which of several machines is an agent's, where its messages show one at a time, nobody can tell.
  'mentions.other-machines-excluded': ['an-agent-runs-on-two-machines-by-turns'],
  'source-session.invalid-is-refused': ['session-ids-are-lowered'],
  'message.optional-fields-in-every-view': [
    'a-feed-shows-no-targets',
    'a-feed-shows-no-files',
    'a-feed-shows-no-sessions',
    'a-feed-shows-what-it-has-to',
    'a-channel-shows-no-targets',
    'a-channel-shows-no-files',
    'a-channel-shows-what-it-has-to',
    'nobody-is-shown-targets',
    'a-channel-shows-no-sessions',
    'a-session-is-shown-to-its-own-agent',
    'a-page-of-many-files-shows-none',
    'an-older-release-answers-now-and-then',
    'two-releases-take-turns',
  ],
  'page.next-after-rises': ['an-empty-page-ends-at-the-last-match'],
  'page.has-more-ends-with-the-items': ['a-full-page-announces-more', 'reads-scan-a-bounded-stretch'],
  'page.high-watermark-never-falls': [
    'the-watermark-is-of-the-matches',
    'the-watermark-is-the-end-of-the-page',
    ...lagging,
  ],
  'mentions.override-is-400': ['unknown-parameters-are-ignored'],
  'errors.unsupported-parameter-is-400': ['unknown-parameters-are-ignored'],
  'channel-read.reads-own-writes': ['sends-are-created-and-visible-late', ...lagging],
  'channel-read.recency': lagging,
  'channel-read.reads-are-monotonic': lagging,
  'mentions.recency': lagging,
  'mentions.issued-cursor-is-no-conflict': ['a-replica-that-is-behind-conflicts'],
  'channel-read.issued-cursor-is-no-conflict': ['a-replica-that-is-behind-conflicts'],
  'receipts.agent-ids.earlier-is-a-prefix': [
    'previews-come-from-replicas',
    'hosts-time-retrievals-by-clocks-of-their-own',
  ],
  'receipts.agent-ids.ordered-by-time': ['hosts-time-retrievals-by-clocks-of-their-own'],
  'receipts.has-more.only-true': ['a-preview-says-that-there-are-no-more'],
};

const alone: Ids = ['a-target-keeps-two-mentions', 'a-target-keeps-one-mention'];

const slow: Ids = [
  'load-is-refused-now-and-then',
  'an-agent-makes-100-requests-a-second',
  'an-agent-makes-40-requests-a-second-and-is-told-to-try-at-once',
  'an-agent-makes-40-requests-a-second-and-learns-only-from-mentions-when-to-try',
  'all-agents-together-make-60-requests-a-second',
  'reads-scan-a-bounded-stretch',
  'a-page-holds-one-item',
  'pages-have-any-length',
  'others-post-all-the-time',
  'an-author-is-at-work-elsewhere-too',
  'answers-take-50-ms',
];

/** The limits of a variant. */
export function limitsOf(id: string): VariantLimits {
  const { [id]: apart } = excludes;
  const clauses = (Object.keys(mayWarn) as ClauseId[]).filter((clause) => mayWarn[clause]?.includes(id));
  return {
    ...(apart && { excludes: apart }),
    ...(clauses.length > 0 && { mayWarn: clauses }),
    ...(slow.includes(id) && { isSlow: true }),
    ...(alone.includes(id) && { isAlone: true }),
  };
}

/** Every id of which there is a limit, those included that others exclude. */
export const limitedIds: Ids = [
  ...Object.entries(excludes).flatMap(([id, others]) => [id, ...others]),
  ...Object.values(mayWarn).flat(),
  ...slow,
];
