import type { MentionTarget } from '../../spec/generated/types.ts';
import type { Entry, StreamName } from '../model/page-facts.ts';

/** Which numbers messages get, and when they can be seen. */
export const sequenceRules = {
  /** Events start at 1000, so that no event number of a young workspace looks like a channel number. */
  firstEventSequence: (): bigint => 1000n,

  /** Events are numbered as they come; a number below `last` is one that was kept free. */
  nextEventSequence: (last: bigint, _workspaceId: string): bigint => last + 1n,

  firstChannelSequence: (_channelId: string, _eventSequence: bigint): bigint => 1n,

  /** A channel counts by itself, independently of the workspace's events. */
  nextChannelSequence: (
    last: bigint,
    _eventSequence: bigint,
    _authorId: string,
    _channelId: string,
  ): bigint => last + 1n,

  /** A restart forgets none of the newest messages of a channel, nor their numbers; channels count from 0. */
  lostAtRestart: (_channel: number): number => 0,

  /** By how much the numbers of events fall back in a restart. */
  eventsLostAtRestart: (_workspaceId: string): bigint => 0n,

  /** A message is one event, whichever of its targets is looked at. */
  mentionSequences: (eventSequence: bigint, targets: readonly MentionTarget[]): readonly bigint[] =>
    targets.map(() => eventSequence),

  /** A message is visible as soon as it is committed, so visibility follows the order of sequences. */
  commitDelayMs: (_entry: Entry): number => 0,

  /** Where the history ends for a read that sees all below an entry, and neither that nor what follows. */
  endBelow: (hidden: Entry): bigint => hidden.sequence - 1n,

  /** A read sees all that is committed; more would be the lag of a replica, asked once for each read. */
  snapshotAgeMs: (_stream: StreamName): number => 0,

  /** `created_at` is the time of the commit. */
  createdAtMs: (nowMs: number): number => nowMs,
} as const;
