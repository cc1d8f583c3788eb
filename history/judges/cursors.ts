import type { Read, Send } from '../operation.ts';
import type { Sequence } from '../sequence.ts';
import { inWords, type Page } from '../world/page.ts';
import { push } from '../../spec/groups.ts';
import { countWhile, Highest, Spans } from '../world/sorted.ts';
import type { Place } from '../world/sight.ts';
import type { Stream } from '../world/stream.ts';
import type { World } from '../world/world.ts';
import { mayHaveMoved, restartBetween } from '../world/changes.ts';
import { mustMatch } from './coverage.ts';
import { judgeOf, type Findings, pageRoot } from '../anomalies/findings.ts';

/** The same cursor, handed out this often in a row and for longer than the settle time, is handed out for ever. */
const stallsForEver = 5;

/** What pages say of themselves: next cursor, more to come, watermark; and that an issued cursor is taken. */
export const cursors = judgeOf(
  [
    'next-behind-page',
    'cursor-stall',
    'empty-stall',
    'cursor-regression',
    'above-watermark',
    'watermark-regression',
    'issued-cursor-conflict',
  ],
  (findings, world) => {
    const quiet = new Quiet(world);
    for (const stream of world.streams.values()) {
      for (const page of stream.pages) {
        judgeNext(findings, page);
        judgeFallBack(findings, stream, page, world);
        judgeCovered(findings, page);
      }
      judgeEmptyStalls(findings, stream, quiet, world.settleMs);
      judgeWatermark(findings, stream, world);
      judgeConflicts(findings, stream, world);
    }
  },
);

/**
 * Whether a stream may end lower at a later read than at an earlier one: a restart may lose what is not durable, and what matches a reader may be
 * less once its membership or its machine was ended.
 */
function mayHaveShrunk({ isFeed }: Stream, [earlier, later]: readonly [Read, Read], world: World): boolean {
  const span = { fromMs: earlier.startedMs, toMs: later.endedMs };
  const { history, principals } = world;
  if (!history.facts.isDurable && restartBetween(world, span.fromMs, span.toMs) !== undefined) return true;
  return isFeed && mayHaveMoved(world, principals.agentOf(later.agent) ?? later.agentId, span);
}

function judgeNext(findings: Findings, page: Page): void {
  const { read, top, first, isRising, nextAfter, after, hasMore } = page;
  if (nextAfter === undefined || top === undefined) return;
  const isAbove = (cursor: Sequence): boolean =>
    isRising
      ? first !== undefined && first > cursor
      : read.items.every(({ sequence }) => sequence === undefined || sequence > cursor);
  const about = () => ({ witness: [read], root: pageRoot(read), breaks: [pageRoot(read)] });
  if (after !== undefined && hasMore === true && isAbove(after)) {
    if (nextAfter <= after) {
      findings.add({
        ...about(),
        name: 'cursor-stall',
        clause: 'page.next-after-passes-the-cursor',
        expected: `${inWords(read)}: next_after beyond ${after}, since it announces more`,
        actual: `next_after ${nextAfter}`,
      });
      return;
    }
    findings.count('page.next-after-passes-the-cursor');
  }
  if (nextAfter < top)
    findings.add({
      ...about(),
      name: 'next-behind-page',
      clause: 'page.next-after-not-behind-items',
      expected: `${inWords(read)}: next_after of at least ${top}, the highest sequence of the page`,
      actual: `next_after ${nextAfter}`,
    });
  else findings.count('page.next-after-not-behind-items');
}

/**
 * A replica that lags may answer with its own end, for as long as the settle time. That cursors rise is nowhere said: a smaller one
 * breaks what the procedure of clients rests on once something between the two would be handed out again.
 */
function judgeFallBack(findings: Findings, stream: Stream, page: Page, world: World): void {
  const { read, after, nextAfter, size, startedMs } = page;
  if (after === undefined || after === 0 || nextAfter === undefined || size > 0) return;
  const issuer = stream.issuerOf(after, startedMs - world.settleMs);
  if (issuer === undefined) return;
  if (nextAfter >= after) {
    findings.count('page.next-after-never-falls-back');
    findings.count('page.next-after-rises');
    return;
  }
  const again = shownAgain(stream, page, [nextAfter, after], world);
  if (again === undefined && mayHaveShrunk(stream, [issuer, read], world)) return;
  findings.add({
    name: 'cursor-regression',
    clause: again === undefined ? 'page.next-after-rises' : 'page.next-after-never-falls-back',
    expected: `${inWords(read)}: next_after of at least ${after}, which had been issued or shown`,
    actual: `next_after ${nextAfter}${again === undefined ? '' : `, below message ${again.id} at ${again.sequence}`}`,
    witness: [read, issuer, again?.knownBy, again?.lastBy],
    root: pageRoot(read),
    breaks: [pageRoot(read)],
  });
}

/** The first message between two cursors that was shown before a page and after it, and that its reader has to be shown. */
function shownAgain(
  stream: Stream,
  { read, startedMs, endedMs }: Page,
  [low, high]: readonly [Sequence, Sequence],
  world: World,
): Place | undefined {
  const { places, sights } = stream;
  const end = stream.ranksUpTo(high);
  for (
    let rank = sights.nextShownAfter(stream.ranksUpTo(low), endedMs);
    rank < end;
    rank = sights.nextShownAfter(rank + 1, endedMs)
  ) {
    const place = places[rank];
    if (place !== undefined && place.knownMs < startedMs && mustMatch(stream, place, read, world))
      return place;
  }
  return undefined;
}

/** What is shown lies below the watermark. A cursor may lie above: of what a watermark is, is left open, be it of what matches alone. */
function judgeCovered(findings: Findings, { read, top }: Page): void {
  const { highWatermark } = read;
  if (highWatermark === undefined || top === undefined) return;
  findings.hold('page.high-watermark-covers-the-page', top <= highWatermark, () => ({
    name: 'above-watermark',
    expected: `${inWords(read)}: no item above high_watermark ${highWatermark}`,
    actual: `one at ${top}`,
    witness: [read],
    root: pageRoot(read),
  }));
}

/** Reads of one agent with one cursor that were answered with an empty page that announces more, one after another. */
function judgeEmptyStalls(
  findings: Findings,
  { pages, isFeed, channel }: Stream,
  quiet: Quiet,
  settleMs: number,
): void {
  const chains = new Map<string, Read[]>();
  for (const { read, agent, after, size, hasMore, nextAfter } of pages) {
    if (after === undefined || nextAfter === undefined) continue;
    const isStill = hasMore === true && size === 0 && nextAfter <= after;
    if (hasMore === true && !isStill && !quiet.isUnknown) findings.count('page.empty-page-moves-on');
    if (!isStill) {
      if (chains.size > 0) chains.delete(`${agent} ${after}`);
      continue;
    }
    const key = `${agent} ${after}`;
    push(chains, key, read);
    const chain = chains.get(key) ?? [];
    const scopes = isFeed ? quiet.scopesOfFeed(agent) : [channel ?? anywhere];
    const isQuietSince = ({ startedMs }: Read): boolean =>
      scopes.every((scope) => quiet.isQuiet(scope, startedMs, read.endedMs));
    // What came while others wrote says nothing, and what follows may.
    while (chain[0] !== undefined && !isQuietSince(chain[0])) chain.shift();
    const [first = read] = chain;
    if (chain.length < stallsForEver || read.startedMs <= first.endedMs + settleMs) continue;
    findings.add({
      name: 'empty-stall',
      clause: 'page.empty-page-moves-on',
      expected: `${inWords(read)}: pages without items to move on while has_more is true`,
      actual: `next_after ${nextAfter} ${chain.length} times in a row`,
      // The first and the last span the settle time.
      witness: [read, ...chain.slice(0, stallsForEver - 1)],
      root: pageRoot(first),
      breaks: [pageRoot(read)],
    });
  }
}

/** Compared are reads as one agent: of what a watermark is, is left open, and a key may act as several. */
function judgeWatermark(findings: Findings, stream: Stream, world: World): void {
  const byReader = new Map<string, Marked[]>();
  for (const { read } of stream.pages) if (isMarked(read)) push(byReader, readerOf(read), read);
  const highest = new Map(
    [...byReader].map(([reader, reads]) => [
      reader,
      new Highest(
        reads,
        ({ endedMs }) => endedMs,
        ({ highWatermark }) => highWatermark,
      ),
    ]),
  );
  for (const { read } of stream.pagesByStart) {
    const untilMs = read.startedMs - world.settleMs;
    const top = highest.get(readerOf(read))?.before(untilMs);
    if (top === undefined || !isMarked(read)) continue;
    if (read.highWatermark >= top.highWatermark) {
      findings.count('page.high-watermark-never-falls');
      continue;
    }
    // Where the highest came before a restart, what was read since still counts.
    const by = [top, lastBefore(byReader.get(readerOf(read)) ?? [], untilMs)].find(
      (each) =>
        each !== undefined &&
        each.highWatermark > read.highWatermark &&
        !mayHaveShrunk(stream, [each, read], world),
    );
    if (by === undefined) continue;
    findings.add({
      name: 'watermark-regression',
      clause: 'page.high-watermark-never-falls',
      expected: `${inWords(read)}: high_watermark of at least ${by.highWatermark} as before`,
      actual: `high_watermark ${read.highWatermark}`,
      witness: [read, by],
      root: pageRoot(read),
    });
  }
}

/** Of reads by their ends the last one that ended before `ms`. */
function lastBefore<T extends Read>(reads: readonly T[], ms: number): T | undefined {
  return reads[countWhile(reads.length, (rank) => (reads[rank]?.endedMs ?? 0) < ms) - 1];
}

/** A read of a page that tells its watermark. */
type Marked = Read & { readonly highWatermark: Sequence };

function isMarked(read: Read): read is Marked {
  return read.highWatermark !== undefined;
}

function readerOf({ agent, agentId }: Read): string {
  return `${agent} ${agentId}`;
}

/** A cursor below what is retained may be a conflict, so something at or below it must have been shown afterwards. */
function judgeConflicts(findings: Findings, stream: Stream, world: World): void {
  const { settleMs } = world;
  const clause = stream.isFeed
    ? 'mentions.issued-cursor-is-no-conflict'
    : 'channel-read.issued-cursor-is-no-conflict';
  let taken = 0;
  for (const { after } of stream.pages)
    if (after === 0 || (after !== undefined && stream.isIssued(after))) taken += 1;
  findings.count(clause, taken);
  for (const read of stream.refused) {
    const { status, after, startedMs, endedMs } = read;
    if (status !== 409 || after === undefined) continue;
    const issuer = stream.issuerOf(after, startedMs - settleMs);
    if (after !== 0 && (issuer === undefined || mayHaveShrunk(stream, [issuer, read], world))) continue;
    // What a cache shows may be gone already.
    const rank = stream.sights.nextShownAfter(0, endedMs + settleMs);
    const anchor = stream.places[rank];
    const isRetained = anchor !== undefined && anchor.sequence <= after;
    if (after !== 0 && !isRetained) continue;
    findings.add({
      name: 'issued-cursor-conflict',
      clause,
      expected: `${inWords(read)}: an answer, since the cursor ${after === 0 ? 'is 0' : 'had been issued or shown'}`,
      actual: 'status 409',
      witness: [read, issuer, after === 0 ? undefined : anchor?.lastBy],
      root: pageRoot(read),
    });
  }
}

/** The scope of all sends, and of those to channels whose workspace no message shows. */
const anywhere = 'anywhere';
const unknown = 'unknown';

/** When sends were under way: while a channel is written to, what a read may say is less certain. */
class Quiet {
  /** By channel, by workspace, and anywhere; sorted when they are first asked for: few histories have to. */
  #sends: ReadonlyMap<string, Spans> | undefined;
  readonly #world: World;

  constructor(world: World) {
    this.#world = world;
  }

  /** Where it has to be quiet for what an agent's feed says: nothing of another workspace comes there. */
  scopesOfFeed(agent: string): readonly string[] {
    const workspace = this.#world.principals.workspaceOfAgent(agent);
    return workspace === undefined ? [anywhere] : [`of ${workspace}`, unknown];
  }

  #collect(): ReadonlyMap<string, Spans> {
    const { history, principals } = this.#world;
    const byScope = new Map<string, Pick<Send, 'startedMs' | 'endedMs'>[]>();
    for (const operation of history.operations) {
      if (operation.kind !== 'send' || operation.outcome === 'refused') continue;
      const { channel, startedMs, outcome } = operation;
      const workspace = principals.workspaceOfChannel(channel);
      const home = workspace === undefined ? unknown : `of ${workspace}`;
      // A send without an answer may take effect at any later time.
      const endedMs = outcome === 'accepted' ? operation.endedMs : Number.POSITIVE_INFINITY;
      for (const scope of [channel, home, anywhere]) push(byScope, scope, { startedMs, endedMs });
    }
    return new Map([...byScope].map(([scope, sends]) => [scope, new Spans(sends)]));
  }

  /** Whether nobody knows when it is: others may send at any time. */
  get isUnknown(): boolean {
    return this.#world.history.facts.isPartial === true;
  }

  /** Whether nothing was sent in a scope between two times, nor had been within the settle time before. */
  isQuiet(scope: string, fromMs: number, toMs: number): boolean {
    const { settleMs } = this.#world;
    if (this.isUnknown) return false;
    this.#sends ??= this.#collect();
    return (this.#sends.get(scope)?.count({ startedMs: fromMs - settleMs, endedMs: toMs }) ?? 0) === 0;
  }
}
