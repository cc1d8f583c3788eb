import type { Read, Send } from '../operation.ts';
import type { Sequence } from '../sequence.ts';
import { inWords, type Page } from '../world/page.ts';
import { countWhile, push } from '../world/sorted.ts';
import type { Place } from '../world/sight.ts';
import type { Stream } from '../world/stream.ts';
import type { World } from '../world/world.ts';
import { clausesOf } from '../anomalies/catalogue.ts';
import { mustMatch } from './coverage.ts';
import { Findings, pageRoot } from '../anomalies/findings.ts';
import type { Judge } from '../anomalies/judge.ts';

/** The same cursor, handed out this often in a row and for longer than the settle time, is handed out for ever. */
const stallsForEver = 5;

/** What pages say of themselves: next cursor, more to come, watermark; and that an issued cursor is taken. */
export const cursors: Judge = {
  name: 'cursors',
  clauses: clausesOf(
    'next-behind-page',
    'cursor-stall',
    'empty-stall',
    'cursor-regression',
    'above-watermark',
    'watermark-regression',
    'issued-cursor-conflict',
  ),
  judge: (world: World) => {
    const findings = new Findings();
    const quiet = new Quiet(world);
    for (const stream of world.streams.values()) {
      for (const page of stream.pages) {
        judgeNext(findings, page);
        judgeFallBack(findings, stream, page, world);
        judgeCovered(findings, page);
      }
      judgeEmptyStalls(findings, stream, quiet, world.settleMs);
      judgeWatermark(findings, stream, world.settleMs);
      judgeConflicts(findings, stream, world.settleMs);
    }
    return findings.judged;
  },
};

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
  const again = shownBetween(stream, page, nextAfter, after).find((place) =>
    mustMatch(stream, place, read, world),
  );
  findings.add({
    name: 'cursor-regression',
    clause: again === undefined ? 'page.next-after-rises' : 'page.next-after-never-falls-back',
    expected: `${inWords(read)}: next_after of at least ${after}, which had been issued`,
    actual: `next_after ${nextAfter}${again === undefined ? '' : `, below message ${again.id} at ${again.sequence}`}`,
    witness: [read, issuer, again?.knownBy, again?.lastBy],
    root: pageRoot(read),
    breaks: [pageRoot(read)],
  });
}

/** Messages between two cursors that were shown before a page and after it. */
function shownBetween(
  stream: Stream,
  { startedMs, endedMs }: Page,
  low: Sequence,
  high: Sequence,
): readonly Place[] {
  return stream.places
    .slice(stream.ranksUpTo(low), stream.ranksUpTo(high))
    .filter(({ knownMs, lastMs }) => knownMs < startedMs && lastMs > endedMs);
}

/** What is shown lies below the watermark. A cursor may lie above: of what a watermark is, is left open, be it of what matches alone. */
function judgeCovered(findings: Findings, { read, top }: Page): void {
  const { highWatermark } = read;
  if (highWatermark === undefined || top === undefined) return;
  if (top <= highWatermark) findings.count('page.high-watermark-covers-the-page');
  else
    findings.add({
      name: 'above-watermark',
      clause: 'page.high-watermark-covers-the-page',
      expected: `${inWords(read)}: no item above high_watermark ${highWatermark}`,
      actual: `one at ${top}`,
      witness: [read],
      root: pageRoot(read),
    });
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
    if (hasMore === true && !isStill) findings.count('page.empty-page-moves-on');
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
function judgeWatermark(findings: Findings, { pages, pagesByStart }: Stream, settleMs: number): void {
  const highest = new Map<string, Read>();
  let [ended, kept] = [0, 0];
  for (const { read } of pagesByStart) {
    const { startedMs, highWatermark } = read;
    for (
      let next = pages[ended]?.read;
      next !== undefined && next.endedMs < startedMs - settleMs;
      next = pages[ended]?.read
    ) {
      ended += 1;
      if (next.highWatermark === undefined) continue;
      const reader = readerOf(next);
      const known = highest.get(reader)?.highWatermark;
      if (known === undefined || next.highWatermark > known) highest.set(reader, next);
    }
    const by = highWatermark === undefined ? undefined : highest.get(readerOf(read));
    if (by?.highWatermark === undefined || highWatermark === undefined) continue;
    if (highWatermark >= by.highWatermark) kept += 1;
    else
      findings.add({
        name: 'watermark-regression',
        clause: 'page.high-watermark-never-falls',
        expected: `${inWords(read)}: high_watermark of at least ${by.highWatermark} as before`,
        actual: `high_watermark ${highWatermark}`,
        witness: [read, by],
        root: pageRoot(read),
      });
  }
  findings.count('page.high-watermark-never-falls', kept);
}

function readerOf({ agent, agentId }: Read): string {
  return `${agent} ${agentId}`;
}

/** A cursor below what is retained may be a conflict, so something at or below it must have been shown afterwards. */
function judgeConflicts(findings: Findings, stream: Stream, settleMs: number): void {
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
    if (after !== 0 && issuer === undefined) continue;
    // What a cache shows may be gone already.
    const rank = stream.sights.nextShownAfter(0, endedMs + settleMs);
    const anchor = stream.places[rank];
    const isRetained = anchor !== undefined && anchor.sequence <= after;
    if (after !== 0 && !isRetained) continue;
    findings.add({
      name: 'issued-cursor-conflict',
      clause,
      expected: `${inWords(read)}: an answer, since the cursor ${after === 0 ? 'is 0' : 'had been issued'}`,
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
  /** By channel, by workspace, and anywhere. */
  readonly #sends = new Map<string, { readonly begins: Float64Array; readonly ends: Float64Array }>();
  readonly #world: World;

  constructor(world: World) {
    this.#world = world;
  }

  /** Where it has to be quiet for what an agent's feed says: nothing of another workspace comes there. */
  scopesOfFeed(agent: string): readonly string[] {
    const workspace = this.#world.principals.workspaceOfAgent(agent);
    return workspace === undefined ? [anywhere] : [`of ${workspace}`, unknown];
  }

  /** Sorted when they are first asked for: few histories have to. */
  #collect(): void {
    const { history, principals } = this.#world;
    const byScope = new Map<string, Send[]>();
    for (const operation of history.operations) {
      if (operation.kind !== 'send' || operation.outcome === 'refused') continue;
      const workspace = principals.workspaceOfChannel(operation.channel);
      const home = workspace === undefined ? unknown : `of ${workspace}`;
      for (const scope of [operation.channel, home, anywhere]) push(byScope, scope, operation);
    }
    for (const [scope, sends] of byScope)
      this.#sends.set(scope, {
        begins: Float64Array.from(sends, ({ startedMs }) => startedMs).toSorted(),
        // A send without an answer may take effect at any later time.
        ends: Float64Array.from(sends, ({ endedMs, outcome }) =>
          outcome === 'accepted' ? endedMs : Number.POSITIVE_INFINITY,
        ).toSorted(),
      });
  }

  /** Whether nothing was sent in a scope between two times, nor had been within the settle time before. */
  isQuiet(scope: string, fromMs: number, toMs: number): boolean {
    if (this.#world.history.facts.isPartial === true) return false;
    if (this.#sends.size === 0) this.#collect();
    const sends = this.#sends.get(scope);
    if (sends === undefined) return true;
    const { begins, ends } = sends;
    const begun = countWhile(begins.length, (rank) => (begins[rank] ?? 0) <= toMs);
    const over = countWhile(ends.length, (rank) => (ends[rank] ?? 0) < fromMs - this.#world.settleMs);
    return begun === over;
  }
}
