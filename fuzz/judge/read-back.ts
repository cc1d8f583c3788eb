import { setTimeout as sleep } from 'node:timers/promises';
import type { QueryDraft } from '../../calls/index.ts';
import { presenceIn } from '../../harness/stream/absence.ts';
import { authorOf } from '../../harness/stream/own-messages.ts';
import { findEnd } from '../../harness/stream/find-end.ts';
import { readPage } from '../../harness/stream/page.ts';
import type { PageItem, PageRead } from '../../harness/stream/page.ts';
import { walk } from '../../harness/stream/walk.ts';
import { isAccepted, statusOf } from '../../harness/client/exchange.ts';
import type { Exchange } from '../../harness/client/exchange.ts';
import type { Storing } from '../../oracles/requests/expect-send.ts';
import type { CaseFailure } from './failure.ts';
import { judgeStored } from './judge-stored.ts';
import type { StoredFacts } from './judge-stored.ts';
import type { Markers } from '../cases/markers.ts';

/** How sends and reads reach the server, as the agent whose channel is watched. */
export interface ChannelAccess extends StoredFacts {
  /** Sends a short message of which only the marker counts; resolves to its answer. */
  readonly sendAnchor: (marker: string) => Promise<Exchange>;
  readonly read: (query: QueryDraft) => Promise<Exchange>;
  readonly itemsField: string | undefined;
}

/** What became of a send, as its answer says; `unknown` when no answer came. */
export type SendOutcome = 'accepted' | 'refused' | 'unknown';

interface Watched<Owner> {
  readonly owner: Owner;
  readonly marker: string;
  /** The role that sent it. */
  readonly speaker: string;
  readonly storing: Storing | undefined;
  readonly sizeBytes: number;
  /** Where the stream was read to before the message was sent. */
  readonly start: bigint;
  readonly sentMs: number;
  answeredMs: number;
  outcome: SendOutcome | undefined;
  /** What was wrong with the message where it was first seen; `undefined` as long as it was not seen. */
  seen: readonly CaseFailure[] | undefined;
  /** Where it was first seen: whoever quotes it comes later. */
  first: PageItem | undefined;
}

export interface ReadBackOptions<Owner> {
  readonly access: ChannelAccess;
  readonly markers: Markers;
  /** Time after which what is not visible counts as absent, in ms. */
  readonly settleMs: number;
  /** Called once for every message; `isDecided` is false when nothing could be seen either way. */
  readonly onDecided: (owner: Owner, failures: readonly CaseFailure[], isDecided: boolean) => void;
}

/** As much is watched at one time; whoever wants to send more waits. */
const mostWatched = 4_000;
const mostWatchedBytes = 48 * 1024 * 1024;
/** An anchor is sent as soon as so many answers wait for one, or so long after the first. */
const batchSize = 400;
const batchMs = 150;
/** Anchors that are remembered. */
const keptAnchors = 3;
/** The role that anchors are sent as. */
const anchorSpeaker = 'author';
/** An anchor that is not seen within this decides nothing, in ms. */
const patienceMs = 8_000;
/** The end of a channel is found in 40 requests, or it is walked: more pages than these are no channel. */
const mostPagesToTheEnd = 400;
/** One reading to an anchor takes no longer, in ms: a batch of the largest messages at a slow server does not need it. */
const longestReadingMs = 20_000;

/**
 * Follows a channel behind the sends of a campaign: what was accepted is there, unaltered and once it was settled, what
 * was refused is nowhere up to an anchor that was sent later. Many sends share one anchor and one reading.
 */
export class ReadBack<Owner> {
  /** Messages that were compared with what was sent, and refused sends whose absence an anchor proved. */
  readonly counts = { compared: 0, absent: 0, inconclusive: 0 };
  readonly #options: ReadBackOptions<Owner>;
  readonly #watched = new Map<string, Watched<Owner>>();
  #bytes = 0;
  #nextAfter = 0n;
  #isStopped = false;
  #firstAnswerMs: number | undefined;
  /** The newest anchors that were seen, oldest first: one of them is older than whatever is missing. */
  #anchors: readonly { readonly marker: string; readonly start: bigint; readonly answeredMs: number }[] = [];
  #answered = 0;
  #roomWaiters: (() => void)[] = [];

  constructor(options: ReadBackOptions<Owner>) {
    this.#options = options;
  }

  /** Finds the end of the stream and starts to follow it. Gives why it cannot be followed, if it cannot. */
  async start(): Promise<string | undefined> {
    const { pages, nextAfter = 0n } = await findEnd((after, limit) => this.#page(after, limit), {
      maxPages: mostPagesToTheEnd,
    });
    if (pages[0] === undefined || !isAccepted(pages[0].exchange)) return 'the channel cannot be read';
    if (pages.length === mostPagesToTheEnd)
      return `the channel has no end: after ${mostPagesToTheEnd} pages it still announces more`;
    this.#nextAfter = nextAfter;
    // The first anchor: from here on there is always an older message.
    await this.#decideBatch();
    void this.#work();
    return undefined;
  }

  /** Resolves when another message may be sent. */
  async room(): Promise<void> {
    while (!this.#isStopped && (this.#watched.size >= mostWatched || this.#bytes >= mostWatchedBytes)) {
      await new Promise<void>((resolve) => this.#roomWaiters.push(resolve));
    }
  }

  /** To be called before `speaker` sends the message with this marker; without `storing` an accepted one need not be stored. */
  watch(
    marker: string,
    owner: Owner,
    { speaker, storing }: Pick<Watched<Owner>, 'speaker' | 'storing'>,
  ): void {
    const sizeBytes = 200 + (storing?.content.length ?? 0) * 2;
    this.#bytes += sizeBytes;
    this.#watched.set(marker, {
      owner,
      marker,
      speaker,
      storing,
      sizeBytes,
      start: this.#nextAfter,
      sentMs: performance.now(),
      answeredMs: Number.POSITIVE_INFINITY,
      outcome: undefined,
      seen: undefined,
      first: undefined,
    });
  }

  /** To be called with what its answer says. */
  answered(marker: string, outcome: SendOutcome): void {
    const watched = this.#watched.get(marker);
    if (watched === undefined) return;
    watched.outcome = outcome;
    watched.answeredMs = performance.now();
    this.#answered += 1;
    this.#firstAnswerMs ??= watched.answeredMs;
  }

  /** Resolves when nothing is left to be decided. */
  async idle(): Promise<void> {
    // What was sent and not answered has a time limit of its own.
    while (!this.#isStopped && this.#watched.size > 0) {
      await new Promise<void>((resolve) => this.#roomWaiters.push(resolve));
    }
  }

  /** Lets everything that is still watched go inconclusive. */
  stop(): void {
    this.#isStopped = true;
    for (const watched of this.#watched.values()) this.#decided(watched, 'inconclusive');
    this.#watched.clear();
    this.#letWaitersGo();
  }

  async #work(): Promise<void> {
    while (!this.#isStopped) {
      const waitedMs = this.#firstAnswerMs === undefined ? 0 : performance.now() - this.#firstAnswerMs;
      const isDue = this.#answered >= batchSize || waitedMs >= batchMs;
      await (isDue ? this.#decideBatch() : sleep(20));
    }
  }

  async #decideBatch(): Promise<void> {
    const batch = [...this.#watched.values()].filter(({ outcome }) => outcome !== undefined);
    this.#answered = 0;
    this.#firstAnswerMs = undefined;
    await sleep(this.#options.settleMs);
    const anchor = this.#options.markers.next();
    const start = this.#nextAfter;
    const sent = await this.#options.access.sendAnchor(anchor);
    const answeredMs = performance.now();
    const isThere = isAccepted(sent) && (await this.#readTo(anchor));
    if (this.#isStopped) return;
    const missing = batch.filter(({ seen, outcome }) => seen === undefined && outcome === 'accepted');
    for (const watched of batch) {
      if (watched.seen !== undefined) this.#judgeSeen(watched);
      else if (watched.outcome === 'refused' && isThere) this.#decided(watched, 'absent');
      else if (watched.outcome !== 'accepted' || !isThere) this.#decided(watched, 'inconclusive');
    }
    if (isThere && missing.length > 0) await this.#judgeMissing(missing, anchor);
    if (isThere)
      this.#anchors = [...this.#anchors, { marker: anchor, start, answeredMs }].slice(-keptAnchors);
    for (const { marker, sizeBytes } of batch) {
      if (!this.#watched.delete(marker)) continue;
      this.#bytes -= sizeBytes;
    }
    this.#letWaitersGo();
  }

  #judgeSeen(watched: Watched<Owner>): void {
    if (watched.outcome === 'refused') this.#decided(watched, 'compared', [storedThough]);
    else if (watched.outcome === 'accepted') this.#decided(watched, 'compared', watched.seen);
    else this.#decided(watched, 'inconclusive');
  }

  #decided(
    { owner }: Watched<Owner>,
    how: keyof typeof this.counts,
    failures: readonly CaseFailure[] = [],
  ): void {
    this.counts[how] += 1;
    this.#options.onDecided(owner, failures, how !== 'inconclusive');
  }

  /** Reads once more from before the missing messages; those that are required and not there are lost. */
  async #judgeMissing(missing: readonly Watched<Owner>[], anchor: string): Promise<void> {
    const starts = [...missing, ...this.#anchors].map(({ start }) => start);
    const lowest = starts.reduce((least, each) => (each < least ? each : least));
    const seen: { readonly item: PageItem; readonly marker: string }[] = [];
    await this.#walkTo(lowest, (item) => {
      const marker = this.#options.markers.in(item.content);
      if (marker !== undefined) seen.push({ item, marker });
      return marker === anchor;
    });
    for (const watched of missing) {
      const presence = presenceIn(seen, {
        isIt: ({ marker }) => marker === watched.marker,
        isLater: ({ marker }) => marker === anchor,
        isOlder: ({ marker }) => this.#isOlder(marker, watched),
      });
      const found = seen.find(({ marker }) => marker === watched.marker);
      if (found !== undefined) this.#judgeSeen({ ...watched, seen: this.#judge(watched, found.item) });
      else if (presence === 'absent' && watched.storing !== undefined)
        this.#decided(watched, 'absent', [lost]);
      else this.#decided(watched, 'inconclusive');
    }
  }

  /** True of the marker of a message that the same speaker had sent before. */
  #isOlder(marker: string, { speaker, sentMs }: Watched<Owner>): boolean {
    const anchor = this.#anchors.find((each) => each.marker === marker);
    const other = anchor === undefined ? this.#watched.get(marker) : { ...anchor, speaker: anchorSpeaker };
    return other?.speaker === speaker && other.answeredMs < sentMs;
  }

  /** Reads on until the anchor is seen. */
  async #readTo(anchor: string): Promise<boolean> {
    const deadlineMs = performance.now() + patienceMs;
    for (let pauseMs = 5; !this.#isStopped; pauseMs = Math.min(pauseMs * 2, 200)) {
      const isSeen = await this.#walkTo(
        this.#nextAfter,
        (item) => this.#see(item) === anchor,
        (nextAfter) => {
          this.#nextAfter = nextAfter;
        },
      );
      if (isSeen) return true;
      if (performance.now() > deadlineMs) return false;
      await sleep(pauseMs);
    }
    return false;
  }

  #see(item: PageItem): string | undefined {
    const marker = this.#options.markers.in(item.content);
    const watched = marker === undefined ? undefined : this.#watched.get(marker);
    if (watched === undefined) return marker;
    watched.seen ??= this.#judge(watched, item);
    watched.first ??= item;
    if (isCopy(item, watched.first) && watched.outcome === 'accepted')
      watched.seen = [...watched.seen, storedTwice];
    return marker;
  }

  /**
   * Pages from a cursor on, as long as more is there; true once `isLast` was true of an item. A cursor that is refused may
   * lie below what is kept by now: the beginning never does.
   */
  async #walkTo(
    start: bigint,
    isLast: (item: PageItem) => boolean,
    advance: (nextAfter: bigint) => void = () => undefined,
  ): Promise<boolean> {
    const deadlineMs = performance.now() + longestReadingMs;
    let isFound = false;
    const look: (after: bigint | undefined) => Promise<PageRead> = async (after) => {
      const page = await this.#page(after, 100);
      if (!isAccepted(page.exchange)) return page;
      for (const item of page.items) if (isLast(item)) isFound = true;
      const { nextAfter } = page;
      if (nextAfter !== undefined && (after === undefined || nextAfter > after)) advance(nextAfter);
      return page;
    };
    const until = (): boolean => isFound || this.#isStopped || performance.now() > deadlineMs;
    const last = (await walk(look, start, { until })).pages.at(-1);
    if (last !== undefined && last.after !== 0n && isRefused(last)) await walk(look, 0n, { until });
    return isFound;
  }

  async #page(after: bigint | undefined, limit: number): Promise<PageRead> {
    const { access } = this.#options;
    return readPage(await access.read({ after, limit }), { after, limit }, access.itemsField);
  }

  #judge({ storing }: Watched<Owner>, item: PageItem): readonly CaseFailure[] {
    return judgeStored(item, storing, this.#options.access);
  }

  #letWaitersGo(): void {
    for (const go of this.#roomWaiters.splice(0)) go();
  }
}

/** The same words by the same author under another id: others may quote a message, and any agent may repeat it. */
function isCopy(item: PageItem, first: PageItem): boolean {
  return (
    item.id !== undefined &&
    item.id !== first.id &&
    item.content === first.content &&
    authorOf(item.message) === authorOf(first.message)
  );
}

/** An error of the server says nothing of the cursor. */
function isRefused({ exchange }: PageRead): boolean {
  const status = statusOf(exchange) ?? 500;
  return exchange.fault === undefined && !isAccepted(exchange) && status < 500;
}

const storedThough: CaseFailure = {
  clause: 'send.refused-stores-nothing',
  part: 'stored',
  call: 'send',
  seenIn: 'readBack',
  expected: 'no message of a refused send',
  actual: 'it is there',
};

const storedTwice: CaseFailure = {
  clause: 'send.stored-once',
  part: 'twice',
  call: 'send',
  seenIn: 'readBack',
  expected: 'one message of one accepted send',
  actual: 'two of them, with different ids',
};

const lost: CaseFailure = {
  clause: 'service.sent-is-readable',
  part: 'lost',
  call: 'send',
  seenIn: 'readBack',
  expected: 'the accepted message in its channel',
  actual: 'it is missing, although an older and a later one are visible',
};
