import type { AnomalyName } from '../../history/anomalies/catalogue.ts';
import type { ClauseId } from '../../spec/index.ts';
import type { Event } from './clients/operator.ts';

/** The mutants whose histories show an anomaly. */
interface Showing {
  /** Ids in the table of mutants, or in that of concurrency mutants. */
  readonly mutants: readonly string[];
  /** Other anomalies that their histories may show as well. */
  readonly along?: readonly AnomalyName[];
  /** Clauses that a history may name in place of that of the mutant: which one hangs on the ids that are drawn. */
  readonly or?: readonly ClauseId[];
}

/** By which mutants of the reference each anomaly is proved. */
export const showings: Readonly<Record<AnomalyName, Showing>> = {
  'unordered-page': {
    mutants: [
      'read-swaps-the-last-two',
      'listing-swaps-the-last-two',
      'listing-descends-without-a-cursor',
      'read-groups-by-author',
    ],
    along: ['unordered-page'],
  },
  'duplicate-sequence': {
    mutants: ['two-sends-one-sequence', 'mentions-share-a-number'],
    along: ['inconsistent-offsets', 'sequence-reuse', 'poll-skip', 'shared-number'],
  },
  'duplicate-in-page': {
    mutants: ['one-mention-has-two-numbers', 'every-id-is-the-channel-s'],
    along: ['moved', 'feed-channel-disagree', 'left-out', 'mutated', 'duplicate-in-page'],
  },
  'inclusive-cursor': { mutants: ['channel-cursor-is-ignored', 'mentions-cursor-is-inclusive'] },
  'over-limit': { mutants: ['read-limit-is-one-more', 'limit-is-one-more'] },
  'next-behind-page': { mutants: ['mentions-next-after-is-the-first', 'channel-next-after-is-the-first'] },
  'cursor-stall': { mutants: ['channel-next-after-stays', 'mentions-next-after-stays'] },
  'empty-stall': { mutants: ['channel-has-more-is-true', 'mentions-has-more-is-true'] },
  'cursor-regression': {
    mutants: ['mentions-empty-page-starts-over', 'channel-empty-page-goes-back'],
    along: ['cursor-regression'],
  },
  'above-watermark': { mutants: ['channel-watermark-is-zero', 'mentions-watermark-is-zero'] },
  'watermark-regression': {
    mutants: [
      'channel-watermark-follows-the-page',
      'mentions-watermark-follows-the-page',
      'channel-watermark-swings',
    ],
  },
  'issued-cursor-conflict': { mutants: ['read-cursor-0-is-a-conflict', 'cursor-0-is-a-conflict'] },
  'inconsistent-offsets': {
    mutants: ['two-sends-one-sequence', 'number-stands-for-another-mention'],
    along: ['duplicate-sequence', 'moved', 'sequence-reuse'],
  },
  'sequence-reuse': {
    mutants: [
      'restart-reuses-numbers-of-the-second-channel',
      'number-stands-for-another-mention',
      'restart-loses-the-newest',
    ],
    along: ['lost-across-restart', 'inconsistent-offsets', 'moved', 'lost-write'],
  },
  'shared-number': { mutants: ['each-feed-has-numbers-of-its-own'] },
  moved: {
    mutants: ['mention-is-renumbered', 'every-id-is-the-channel-s', 'mentions-are-joined-with-all-targets'],
    along: [
      'late-commit',
      'monotonic-reads',
      'poll-skip',
      'stale-read',
      'duplicate-in-page',
      'feed-channel-disagree',
      'left-out',
      'mutated',
      'moved',
    ],
  },
  mutated: {
    mutants: [
      'human-name-is-looked-up',
      'agent-name-is-looked-up',
      'author-name-changes',
      'created-at-is-now',
      'renamed-targets-are-dropped',
      'targets-changes',
      'content-changes',
      'size-changes',
      'attachments-changes',
    ],
    along: [
      'feed-channel-disagree',
      'wrong-files',
      'unmentioned',
      'wrong-targets',
      'content-corruption',
      'wrong-size',
    ],
  },
  'feed-channel-disagree': { mutants: ['listed-author-has-another-name', 'listed-time-is-a-second-off'] },
  'left-out': { mutants: ['listed-targets-are-not-shown', 'listed-agent-host-is-left-out'] },
  'poll-skip': {
    mutants: [
      'read-from-zero-is-newest',
      'zero-is-like-none',
      'mentions-next-after-adds-the-limit',
      'channel-next-after-adds-the-limit',
      'poll-takes-the-event-of-another',
      'channel-pages-lack-their-second-item',
      'cut-page-loses-one',
      'cut-newest-page-is-passed-over',
    ],
    along: [
      'vanished',
      'lost-write',
      'mention-lost',
      'late-commit',
      'long-poll-disagrees',
      'hidden-from-reader',
      'newest-page-hole',
      'monotonic-reads',
      'stale-read',
      'poll-skip',
    ],
  },
  'late-commit': {
    mutants: ['slow-commits-of-long-texts', 'late-mentions', 'commit-after-a-later-one', 'late-messages'],
    along: ['long-poll-disagrees', 'read-your-writes'],
  },
  'newest-page-hole': {
    mutants: ['listing-newest-page-has-a-hole'],
    along: ['long-poll-disagrees', 'poll-skip', 'late-commit'],
  },
  resurrection: {
    mutants: ['same-read-is-empty'],
    along: ['hidden-from-reader', 'late-commit', 'long-poll-disagrees', 'poll-skip'],
  },
  'long-poll-disagrees': {
    mutants: ['slow-commits-of-long-texts', 'poll-takes-the-event-of-another'],
    along: ['late-commit', 'poll-skip'],
  },
  'hidden-from-reader': { mutants: ['others-are-hidden'] },
  'has-more-false': {
    mutants: ['mentions-has-more-is-false', 'channel-has-more-is-false'],
    along: ['monotonic-reads', 'stale-read', 'read-your-writes'],
  },
  'newest-page-not-newest': {
    mutants: ['newest-page-consumes'],
    along: ['newest-page-hole'],
  },
  'late-insert': {
    mutants: ['authors-have-blocks-of-numbers'],
    along: ['late-commit', 'long-poll-disagrees', 'nonmonotonic-send'],
  },
  'nonmonotonic-send': {
    mutants: ['quick-sends-are-swapped'],
    along: ['late-commit', 'late-insert', 'long-poll-disagrees', 'read-your-writes'],
  },
  vanished: {
    mutants: ['third-messages-are-shown-once', 'third-messages-vanish'],
    along: [
      'lost-write',
      'late-commit',
      'long-poll-disagrees',
      'newest-page-hole',
      'poll-skip',
      'resurrection',
      'lost-across-restart',
      'vanished',
    ],
  },
  'lost-write': { mutants: ['second-of-two-is-lost'], along: ['silent-drop', 'lost-across-restart'] },
  'silent-drop': { mutants: ['long-texts-are-forgotten'] },
  'lost-across-restart': {
    mutants: ['restart-forgets', 'restart-loses-the-newest'],
    along: ['watermark-regression', 'sequence-reuse', 'lost-write'],
  },
  'mention-lost': {
    mutants: [
      'every-second-agent-is-not-reached',
      'every-second-human-is-not-reached',
      'every-second-machine-is-not-reached',
    ],
    along: ['mention-lost'],
  },
  'stale-read': {
    mutants: ['lagging-reads', 'lagging-listings'],
    along: [
      'has-more-false',
      'hidden-from-reader',
      'monotonic-reads',
      'read-your-writes',
      'watermark-regression',
      'newest-page-not-newest',
    ],
  },
  'read-your-writes': { mutants: ['own-messages-come-late'] },
  'monotonic-reads': {
    mutants: ['reads-step-back', 'lagging-listings'],
    along: [
      'has-more-false',
      'read-your-writes',
      'stale-read',
      'watermark-regression',
      'newest-page-not-newest',
    ],
  },
  'missed-wakeup': { mutants: ['polls-see-the-channel-as-it-was'], along: ['long-poll-disagrees'] },
  'aborted-read': { mutants: ['nul-is-stored'] },
  'conflict-applied': {
    mutants: ['conflict-stored-all-the-same'],
    along: ['conflict-concurrent-double', 'duplicate'],
  },
  unexpected: { mutants: ['texts-have-a-sequel'], along: ['wrong-size'] },
  duplicate: {
    mutants: ['replay-is-sent-again', 'messages-are-stored-twice', 'long-texts-are-stored-twice'],
    along: ['duplicate'],
  },
  'conflict-accepted': {
    mutants: ['key-serves-twice', 'key-hides-another-body'],
    along: ['conflict-concurrent-double'],
  },
  'conflict-concurrent-double': { mutants: ['keys-in-flight-are-not-seen'], along: ['duplicate'] },
  'replay-conflict': { mutants: ['replay-is-a-conflict'] },
  'cross-channel-leak': {
    mutants: ['message-channel-is-another', 'messages-go-elsewhere-alone'],
    along: ['cross-channel-leak'],
  },
  'foreign-workspace': {
    mutants: ['listing-holds-a-foreign-message', 'channel-message-workspace-is-another'],
    along: ['late-commit', 'newest-page-hole', 'poll-skip', 'feed-channel-disagree'],
  },
  'content-corruption': { mutants: ['case-folds-sharp-s', 'trims-the-end'] },
  'wrong-size': { mutants: ['size-is-one-more'] },
  'wrong-content-type': { mutants: ['content-type-has-a-charset', 'content-type-is-always-plain'] },
  'wrong-targets': {
    mutants: ['a-stranger-is-a-target', 'two-targets-are-kept', 'targets-of-the-other-send'],
    along: ['unmentioned'],
  },
  'wrong-files': { mutants: ['first-attachment-is-kept'] },
  'wrong-session': { mutants: ['surfaces-become-cli'] },
  'wrong-host': {
    mutants: ['host-is-the-latest', 'author-host-changes'],
    along: ['feed-channel-disagree', 'left-out', 'mutated'],
  },
  'wrong-author': { mutants: ['message-author-is-another', 'every-author-is-the-first'] },
  'feed-crosstalk': { mutants: ['agent-id-is-random'], along: ['unmentioned'] },
  'mention-id': { mutants: ['mention-has-an-id-of-its-own'] },
  'self-authored': { mutants: ['own-messages-reach'] },
  unmentioned: { mutants: ['broadcasts-reach', 'mentions-reach-everybody'] },
  'feed-order-disagreement': { mutants: ['feeds-count-by-target'], along: ['late-commit'] },
  'receipt-on-read': {
    mutants: ['listing-records-retrieval', 'reading-records'],
    along: ['receipt-order', 'receipt-on-read'],
  },
  'receipt-author': { mutants: ['author-is-listed'] },
  'receipt-order': {
    mutants: ['receipts-are-shuffled', 'receipts-newest-first'],
    along: ['receipts-shrink', 'receipt-order'],
    or: ['receipts.agent-ids.ordered-by-time'],
  },
  'receipts-shrink': { mutants: ['preview-slides'] },
  'receipt-lost': { mutants: ['reports-are-lost'] },
  'server-error': { mutants: ['some-mentions-are-500'] },
  'let-in': { mutants: ['access-is-not-looked-up-beside-a-send'] },
  'turned-away': { mutants: ['mentions-are-closed-beside-a-send', 'no-channel-is-there-beside-a-send'] },
};

/** What a mutant needs to show. */
interface Circumstances {
  /** What has to happen, and nothing else. */
  readonly events?: readonly Event[];
  /** Ids of variants: what the service has to do. */
  readonly does?: readonly string[];
}

const restart: Circumstances = { events: ['restart'] };
const undisturbed: Circumstances = { events: [] };
const capped: Circumstances = { does: ['a-page-holds-seven-items'] };
/** Of the mutants that need some, by their ids. */
export const circumstances: Readonly<Record<string, Circumstances>> = {
  'agent-name-is-looked-up': { events: ['rename'] },
  'human-name-is-looked-up': { events: ['rename human'] },
  'renamed-targets-are-dropped': { events: ['rename', 'rename human'] },
  'restart-loses-the-newest': restart,
  'restart-reuses-numbers-of-the-second-channel': restart,
  'restart-forgets': restart,
  'every-second-agent-is-not-reached': undisturbed,
  'every-second-human-is-not-reached': undisturbed,
  'every-second-machine-is-not-reached': undisturbed,
  'second-of-two-is-lost': undisturbed,
  'access-is-not-looked-up-beside-a-send': { events: ['trespass'] },
  'mentions-are-closed-beside-a-send': undisturbed,
  'no-channel-is-there-beside-a-send': undisturbed,
  'long-texts-are-forgotten': undisturbed,
  'third-messages-are-shown-once': undisturbed,
  'third-messages-vanish': undisturbed,
  'cut-page-loses-one': capped,
  'cut-newest-page-is-passed-over': capped,
};
