import type { Entry, PageFacts, PageRequest, StreamName } from '../model/page-facts.ts';
import type { RouteName } from '../model/routes.ts';

/** How a cursor and a limit are read, and what a page made of them holds. */
export const pagingRules = {
  /** A cursor is a plain decimal of at most 2^63 - 1; undefined means refused. */
  readAfter: (text: string, _route: RouteName): bigint | undefined => {
    const after = plainInteger(text);
    return after === undefined || after > 2n ** 63n - 1n ? undefined : after;
  },

  /** A limit is a plain decimal within its bounds; undefined means refused. */
  readLimit: (text: string, min: number, max: number, _route: RouteName): number | undefined => {
    const limit = plainInteger(text);
    return limit === undefined || limit < min || limit > max ? undefined : Number(limit);
  },

  minLimit: (_route: RouteName): number => 1,

  maxLimit: (_route: RouteName): number => 100,

  defaultLimit: (_route: RouteName, _after?: bigint): number => 50,

  /** A query parameter that the call does not have is refused, any override of reader or workspace included. */
  acceptsParameter: (_route: RouteName, _name: string, isKnown: boolean): boolean => isKnown,

  acceptsRepeatedParameter: (_route: RouteName, _name: string): boolean => false,

  /** The cursor is exclusive. */
  firstSequenceAfter: (after: bigint, _stream: StreamName, _history: string): bigint => after + 1n,

  /** A page is read from the cursor and up to the limit that were asked for. */
  pageRead: (asked: PageRequest, _stream: StreamName): PageRequest => asked,

  /** A read without a cursor is taken. */
  requiresAfter: (_route: RouteName): boolean => false,

  /** Without a cursor the newest entries are read, otherwise the ones after it. */
  readsNewestWhenOmitted: (_stream: StreamName): boolean => true,

  /** Pages ascend by the sequence of their own history. */
  comparePlaces: (left: Entry, right: Entry): number =>
    left.sequence < right.sequence ? -1 : left.sequence > right.sequence ? 1 : 0,

  /** No cursor draws a conflict, wherever it stands. */
  conflictsWithWatermark: (_cursor: {
    readonly after: bigint;
    readonly streamEnd: bigint;
    readonly oldest: () => bigint;
  }): boolean => false,

  /** Whether a history, of a channel or of the reading agent, still holds an entry. `newest(n)` are the n newest that the read can see. */
  retains:
    (_history: {
      readonly stream: StreamName;
      readonly id: string;
      readonly nowMs: number;
      readonly newest: (count: number) => readonly Entry[];
    }): ((entry: Entry) => boolean) =>
    () =>
      true,

  /** How far a single read looks; the end of the history by contract, less for a bounded scan. */
  scanEnd: (scan: {
    readonly after: bigint;
    readonly streamEnd: bigint;
    readonly stream: StreamName;
  }): bigint => scan.streamEnd,

  /** What a message weighs under the history byte cap. */
  weightUnderCap: (entry: Entry): number => entry.sizeBytes,

  /** A page takes entries while they fit under the cap, and always its first one. */
  fitsOnPage: (page: {
    readonly stream: StreamName;
    readonly count: number;
    readonly bytes: number;
    readonly nextBytes: number;
    readonly capBytes: number;
  }): boolean => page.count === 0 || page.bytes + page.nextBytes <= page.capBytes,

  /** A newest page that the cap shortens keeps its older end, so that the next cursor leads on to the rest. */
  keepsOlderEndOfNewest: (): boolean => true,

  /** The next cursor is the last entry of the page; an empty page hands the cursor back. */
  nextAfter: (facts: PageFacts): bigint => facts.entries.at(-1)?.sequence ?? facts.after ?? 0n,

  /** More remains when a listed entry follows the page, whatever ended the page. */
  hasMore: (facts: PageFacts): boolean => facts.isMoreAbove,

  /** The watermark is the end of the history, listed for this reader or not. */
  highWatermark: (facts: PageFacts): bigint => facts.streamEnd,
} as const;

function plainInteger(text: string): bigint | undefined {
  return /^(?:0|[1-9][0-9]{0,18})$/.test(text) ? BigInt(text) : undefined;
}

/** How a long poll waits. */
export const waitingRules = {
  /** A wait is a plain number of seconds up to the maximum; undefined means refused. */
  readWait: (text: string, maxSeconds: number): number | undefined =>
    /^(?:0|[1-9][0-9]{0,5})$/.test(text) && Number(text) <= maxSeconds ? Number(text) : undefined,

  /** A poll that found nothing waits as long as it asked for. */
  waitMs: (seconds: number): number => seconds * 1000,

  /** Whose long polls are counted together: those of an agent. */
  holderOfPoll: (agentId: string, _channelId: string): string => agentId,

  /** A poll that found nothing can be woken at once; until then what comes wakes it no more. */
  waitBeginsAfterMs: (): number => 0,

  /** A new message wakes the polls of its channel. */
  wakesPolls: (_channelId: string): boolean => true,

  /** Of those that wait on a channel all are woken. */
  waitersWoken: (): number => Number.POSITIVE_INFINITY,

  /** Channels whose polls a new message wakes: its own. */
  channelsWoken: (channelId: string, _allChannelIds: () => readonly string[]): readonly string[] => [
    channelId,
  ],

  /** Polls are woken as soon as they can see the message: after `hiddenMs`. */
  wakeAfterMs: (hiddenMs: number): number => hiddenMs,

  /** A woken poll returns what it asked for. */
  limitAfterWake: (limit: number): number => limit,

  /** A woken poll that finds nothing it could return goes on waiting. */
  returnsEmptyAfterWake: (): boolean => false,
} as const;
