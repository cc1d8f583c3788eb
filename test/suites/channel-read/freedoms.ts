import { contractRules } from '../../../reference/index.ts';
import type { Rules } from '../../../reference/index.ts';
import type { ReferenceOptions } from '../run-suite.ts';

/** A server that keeps the contract in an unusual way. */
export interface Freedom {
  readonly name: string;
  readonly options: () => ReferenceOptions;
  /** Inferred rules that it does not keep. */
  readonly warnings?: readonly string[];
  /** Includes the checks that take longest. */
  readonly isEveryCheckRun?: true;
  /** What somebody else goes on sending with the author's token while the checks run. */
  readonly foreign?: string;
}

function rules(unusual: Partial<Rules>): ReferenceOptions {
  return { rules: { ...contractRules, ...unusual } };
}

const own = (stream: string, value: bigint): bigint => (stream === 'channel' ? value : 0n);
const foreign = 'cf-0000000000000000-1. of another run';

export const freedoms: readonly Freedom[] = [
  {
    name: 'numbers have gaps',
    options: () => rules({ nextChannelSequence: (last) => last + 1n + (last % 7n) }),
  },
  {
    name: 'numbers begin at 2^60',
    options: () => rules({ firstChannelSequence: () => 2n ** 60n }),
  },
  {
    name: 'numbers are those of the workspace',
    options: () => rules({ firstChannelSequence: () => 1000n, nextChannelSequence: (_, event) => event }),
  },
  {
    name: 'the byte cap leaves one message to a page',
    isEveryCheckRun: true,
    options: () => ({ settings: { historyBytes: 1 } }),
  },
  {
    name: 'the byte cap leaves two or three messages to a page',
    options: () => ({ settings: { historyBytes: 160 } }),
  },
  {
    name: 'a read looks through four numbers at a time, which are mostly gaps',
    options: () =>
      rules({
        nextChannelSequence: (last) => last + 3n,
        scanEnd: ({ after, streamEnd, stream }) =>
          stream === 'channel' && after + 4n < streamEnd ? after + 4n : streamEnd,
        nextAfter: (facts) =>
          facts.stream === 'channel' && facts.after !== undefined && facts.entries.length < facts.limit
            ? facts.scannedTo
            : contractRules.nextAfter(facts),
      }),
  },
  {
    name: 'next_after is the watermark when nothing is left',
    options: () =>
      rules({ nextAfter: (facts) => (facts.isMoreAbove ? contractRules.nextAfter(facts) : facts.streamEnd) }),
  },
  {
    name: 'has_more is true on every full page',
    options: () => rules({ hasMore: (facts) => facts.isMoreAbove || facts.entries.length === facts.limit }),
  },
  {
    name: 'the watermark is counted once in a second',
    options: () => {
      const known = new Map<string, { mark: bigint; atMs: number }>();
      return rules({
        highWatermark: ({ stream, streamEnd }) => {
          const last = known.get(stream);
          if (last !== undefined && performance.now() - last.atMs < 1000) return last.mark;
          known.set(stream, { mark: streamEnd, atMs: performance.now() });
          return streamEnd;
        },
      });
    },
    warnings: ['page.high-watermark-covers-the-page warned'],
  },
  {
    name: 'an accepted message is visible a little later',
    options: () =>
      rules({ snapshotAgeMs: (stream) => (stream === 'channel' ? 60 : 0), statusOfSend: () => 202 }),
    warnings: ['channel-read.reads-own-writes warned'],
  },
  {
    name: 'each read is answered by a replica with a lag of its own',
    isEveryCheckRun: true,
    options: () => rules({ snapshotAgeMs: (stream) => (stream === 'channel' ? Math.random() * 110 : 0) }),
    warnings: [
      'channel-read.reads-own-writes warned',
      'channel-read.reads-are-monotonic warned',
      'channel-read.recency warned',
      'page.high-watermark-covers-the-page warned',
    ],
  },
  {
    name: 'the last 25 messages are kept',
    options: () => ({ settings: { keepPerChannel: 25 } }),
  },
  {
    name: 'the last 6 messages of each author are kept',
    options: () => ({ settings: { keepPerAuthor: 6 } }),
  },
  {
    name: 'a cursor below the retained messages is a conflict, and the last 25 are kept',
    options: () => ({
      ...rules({ conflictsWithWatermark: ({ after, oldest }) => after > 0n && after < oldest() - 1n }),
      settings: { keepPerChannel: 25 },
    }),
    warnings: ['channel-read.issued-cursor-is-no-conflict warned'],
  },
  {
    name: 'a cursor above the watermark is a conflict',
    options: () => rules({ conflictsWithWatermark: ({ after, streamEnd }) => after > streamEnd }),
  },
  {
    name: 'a cursor above the watermark is answered with the watermark',
    options: () =>
      rules({
        nextAfter: (facts) =>
          own(facts.stream, facts.after ?? 0n) > facts.streamEnd
            ? facts.streamEnd
            : contractRules.nextAfter(facts),
      }),
  },
  {
    name: 'waiting is not supported',
    isEveryCheckRun: true,
    options: () => rules({ waitMs: () => 0 }),
  },
  {
    name: 'waiting reads come back without the message that woke them',
    isEveryCheckRun: true,
    options: () => rules({ returnsEmptyAfterWake: () => true }),
  },
  {
    name: 'an agent has one long poll at a time',
    isEveryCheckRun: true,
    options: () => ({ settings: { longPollSlots: 1 } }),
  },
  {
    name: 'an agent has 60 requests a second',
    isEveryCheckRun: true,
    options: () => ({ settings: { requestsPerSecond: 60 } }),
  },
  {
    name: 'limits beyond the greatest are cut to it',
    options: () => rules({ readLimit: (text, min, max) => Math.min(max, Math.max(min, Number(text))) }),
  },
  {
    name: 'somebody else writes to the channel all the time',
    options: () => ({}),
    foreign,
  },
  {
    name: 'somebody else writes all the time, the last 40 messages are kept, replicas lag, and numbers have gaps',
    options: () => ({
      ...rules({
        nextChannelSequence: (last) => last + 1n + (last % 3n),
        snapshotAgeMs: (stream) => (stream === 'channel' ? Math.random() * 60 : 0),
      }),
      settings: { keepPerChannel: 40, historyBytes: 2000 },
    }),
    foreign,
    warnings: [
      'channel-read.reads-own-writes warned',
      'channel-read.reads-are-monotonic warned',
      'channel-read.recency warned',
      'page.high-watermark-covers-the-page warned',
    ],
  },
];
