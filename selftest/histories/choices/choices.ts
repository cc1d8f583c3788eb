import type { ClauseId } from '../../../spec/index.ts';

/**
 * What stays of a stream: everything, the newest or, once they have been there for a while, the shortest so many of it, the newest of each
 * author in it, or what is younger than so many ms, of all or of what is longer than so many bytes.
 */
export type Retention =
  | { readonly kind: 'all' }
  | { readonly kind: 'newest' | 'newest-of-author'; readonly than: number }
  | { readonly kind: 'shortest'; readonly than: number; readonly leastMs: number }
  | { readonly kind: 'younger'; readonly than: number; readonly ifOver?: number };

/** What one conforming service does where the contract leaves it open. Times in ms, shares of 1. */
export interface Choices {
  readonly settleMs: number;
  /** Clocks of clients tick so coarsely; 0 is a clock of microseconds. */
  readonly tickMs: number;
  /** Numbers that an append may leave out. */
  readonly gap: number;
  /** Where the numbers of each channel start. */
  readonly starts: readonly bigint[];
  /** Channels count for themselves, or all from one counter, or with the numbers of their mentions. */
  readonly counters: 'own' | 'workspace' | 'event';
  readonly events: {
    readonly start: bigint;
    readonly gap: number;
    /** Messages that name nobody get an event too. */
    readonly countAll: boolean;
    /** Each target has an event of its own; else the message has one. */
    readonly perTarget: boolean;
    /** A feed lists a message once for each matching target. */
    readonly entryPerTarget: boolean;
  };
  readonly appendLagMs: number;
  readonly replicaLagMs: number;
  readonly feedLagMs: number;
  readonly trimLagMs: number;
  readonly retention: Retention;
  /** `with-channel`: a mention goes when its message goes. */
  readonly feedRetention: Retention | 'with-channel';
  readonly page: {
    /** How `next_after` is chosen; `watermark` when nothing was passed over. */
    readonly next: 'last-item' | 'scanned' | 'watermark';
    readonly nextOfEmpty: 'echo' | 'watermark';
    /** `has_more` whenever a page was cut, even if nothing follows. */
    readonly moreWhenFull: boolean;
    /** Events that one read of a feed looks at. */
    readonly scan: number;
    readonly byteCap: number;
    /** What a page without a cursor keeps when it is cut by bytes. */
    readonly newestKeeps: 'older' | 'newer';
    readonly moreOnNewest: boolean;
    readonly defaultOfChannel: number;
    readonly omittedOnChannel: 'newest' | 'oldest' | 'refused';
    readonly beyond: 'empty' | 'clamped' | 'conflict';
    readonly belowRetained: 'served' | 'conflict';
    readonly watermark: 'stream' | 'matches' | 'workspace' | 'cached' | 'ahead';
  };
  readonly sends: {
    readonly status: number;
    readonly replayStatus: number;
    readonly showsMessage: boolean;
    readonly keyScope: 'agent' | 'channel' | 'workspace';
    readonly inFlight: 'conflict' | 'wait';
    readonly conflictStatus: number;
    readonly defaultTypeIsSame: boolean;
    readonly keyIsRequired: boolean;
  };
  readonly wait: {
    readonly mode: 'served' | 'ignored' | 'refused-above' | 'early';
    readonly capMs: number;
    /** A poll that woke may return one item of several. */
    readonly oneItem: boolean;
    readonly wakesEmpty: boolean;
  };
  readonly receipts: 'absent' | 'fresh' | 'late' | 'replica';
  readonly createdAt: 'clock' | 'equal' | 'decreasing';
  readonly feedPrecision: 'same' | 'micros-with-offset';
  /** What another agent of the reader's own human wrote to that human is listed. */
  readonly listsSameHuman: boolean;
  /** How many requests or answers get lost on the way. */
  readonly lossShare: number;
  readonly limitedShare: number;
  readonly troubleShare: number;
  readonly foreignEveryMs: number | undefined;
  readonly ghosts: number;
  readonly restartBurns: number;
  /** Inferred clauses that these choices may break: the contract allows it, a reader may wonder. */
  readonly mayWarn: readonly ClauseId[];
}
