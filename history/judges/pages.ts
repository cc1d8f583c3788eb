import type { ClauseId } from '../../spec/index.ts';
import type { Read } from '../operation.ts';
import { mayHaveSeveralTargets, type Item } from '../seen-message.ts';
import type { Sequence } from '../sequence.ts';
import { defaultLimit, inWords, type Page } from '../world/page.ts';
import type { Place } from '../world/sight.ts';
import type { World } from '../world/world.ts';
import { judgeOf, type Findings, messageRoot, pageRoot, type Finding } from '../anomalies/findings.ts';

/** What one page shows by itself: order, distinct places, exclusiveness, limit. */
export const pages = judgeOf(
  ['unordered-page', 'duplicate-sequence', 'duplicate-in-page', 'inclusive-cursor', 'over-limit'],
  (findings, { streams }) => {
    const smallest = new Smallest(streams);
    // Whoever lists everything in a wrong order does so without a cursor as well.
    for (const hasCursor of [true, false])
      for (const { pages: all, repeated, reader } of streams.values()) {
        for (const page of all) {
          if ((page.after !== undefined) !== hasCursor) continue;
          judgeOrder(findings, page, { mayRepeat: repeated.size > 0, reader });
          judgeExclusive(findings, page);
          judgeLimit(findings, page.read, smallest);
        }
      }
  },
);

/** A finding about one page alone. */
function ofPage(
  read: Read,
  finding: Pick<Finding, 'name' | 'clause' | 'actual'> & { expected: string },
): Finding {
  return {
    ...finding,
    expected: `${inWords(read)}: ${finding.expected}`,
    witness: [read],
    root: pageRoot(read),
    breaks: [pageRoot(read)],
  };
}

function judgeOrder(
  findings: Findings,
  { read, isRising }: Page,
  { mayRepeat, reader }: { readonly mayRepeat: boolean; readonly reader: string | undefined },
): void {
  const { items, call, after } = read;
  if (items.length < 2) return;
  const isFeed = call === 'mentions';
  const orderClause = !isFeed
    ? 'channel-read.ascending'
    : after === undefined
      ? 'mentions.newest-page-ascends'
      : 'mentions.ascending';
  if (!isRising) {
    judgeFalls(findings, read, orderClause);
    judgeDistinct(findings, read, reader);
    return;
  }
  findings.count(orderClause, items.length - 1);
  findings.count(isFeed ? 'mentions.no-duplicate-sequence' : 'channel-read.no-duplicate-sequence');
  // Where no message has two places none can stand twice on a page that rises.
  if (mayRepeat) judgeRepeated(findings, read, reader);
  else findings.count(isFeed ? 'mentions.duplicate-message' : 'message.id.one-message');
}

function judgeFalls(findings: Findings, read: Read, clause: ClauseId): void {
  let before: Sequence | undefined;
  const falls = read.items.flatMap(({ sequence }, index) => {
    if (sequence === undefined) return [];
    const above = before;
    before = sequence;
    return above !== undefined && sequence < above ? { index, sequence, above } : [];
  });
  addFirst(findings, falls, ({ index, sequence, above }) =>
    ofPage(read, {
      name: 'unordered-page',
      clause,
      expected: `a sequence above ${above}`,
      actual: `${sequence} right after it: ${rowAround(read, [index - 1, index])}`,
    }),
  );
}

/** Of faults of one name on one page the first is told, and the others are counted. */
function addFirst<Fault>(
  findings: Findings,
  faults: readonly Fault[],
  findingOf: (fault: Fault) => Finding,
): void {
  if (faults.length === 0) return;
  const finding = findingOf(faults[0] as Fault);
  findings.add(finding);
  findings.count(finding.clause, faults.length - 1);
}

/** Items shown on either side of those that are marked. */
const shownAround = 3;

/** The sequences of a page in its order, those at fault marked and what is far from them left out: `… 4 5 ⟦9⟧ ⟦6⟧ 7`. */
function rowAround({ items }: Read, marked: readonly number[]): string {
  const isNear = (index: number): boolean => marked.some((each) => Math.abs(each - index) <= shownAround);
  return items
    .flatMap(({ sequence }, index) => {
      if (!isNear(index)) return index === 0 || isNear(index - 1) ? ['…'] : [];
      return [marked.includes(index) ? `⟦${String(sequence)}⟧` : String(sequence)];
    })
    .join(' ');
}

function placesOf({ items }: Read, isMeant: (item: Item) => boolean): readonly number[] {
  return items.flatMap((item, index) => (isMeant(item) ? index : []));
}

/** Two items of one sequence, and then one message twice. */
function judgeDistinct(findings: Findings, read: Read, reader: string | undefined): void {
  const isFeed = read.call === 'mentions';
  const bySequence = new Map<Sequence, Item>();
  const again = read.items.flatMap((item) => {
    const { sequence } = item;
    if (sequence === undefined) return [];
    const known = bySequence.get(sequence);
    bySequence.set(sequence, item);
    // One message twice under one number is a matter of its own.
    return known !== undefined && (!isFeed || known.message.id !== item.message.id) ? sequence : [];
  });
  addFirst(findings, again, (sequence) =>
    ofPage(read, {
      name: 'duplicate-sequence',
      clause: isFeed ? 'mentions.no-duplicate-sequence' : 'channel-read.no-duplicate-sequence',
      expected: 'a sequence of its own for every item',
      actual: `sequence ${sequence} twice: ${rowAround(
        read,
        placesOf(read, (each) => each.sequence === sequence),
      )}`,
    }),
  );
  judgeRepeated(findings, read, reader);
}

function judgeRepeated(findings: Findings, read: Read, reader: string | undefined): void {
  const isFeed = read.call === 'mentions';
  const clause = isFeed ? 'mentions.duplicate-message' : 'message.id.one-message';
  const numbers = new Map<string, readonly (Sequence | undefined)[]>();
  const again = read.items.flatMap(({ message, sequence }) => {
    const { id } = message;
    if (id === undefined) return [];
    const known = numbers.get(id);
    numbers.set(id, [...(known ?? []), sequence]);
    // For each target of the reader a message may be an event of its own.
    const mayBeAnother =
      isFeed && mayHaveSeveralTargets(message, reader) && known?.includes(sequence) === false;
    return known !== undefined && !mayBeAnother ? message : [];
  });
  addFirst(findings, again, (message) => ({
    ...ofPage(read, {
      name: 'duplicate-in-page',
      clause,
      expected: 'each message once',
      actual: `message ${message.id} twice: ${rowAround(
        read,
        placesOf(read, (each) => each.message.id === message.id),
      )}`,
    }),
    breaks: [pageRoot(read), messageRoot(message)],
  }));
  findings.count(clause, numbers.size > 1 && numbers.size === read.items.length ? 1 : 0);
}

function judgeExclusive(findings: Findings, { read, first, isRising }: Page): void {
  const { after, items, call } = read;
  if (after === undefined || items.length === 0) return;
  const clause = call === 'mentions' ? 'mentions.after.exclusive' : 'channel-read.after-exclusive';
  if (isRising && first !== undefined && first > after) {
    findings.count(clause, items.length);
    return;
  }
  const sequences = items.flatMap(({ sequence }) => sequence ?? []);
  const within = sequences.filter((sequence) => sequence <= after);
  addFirst(findings, within, (sequence) =>
    ofPage(read, {
      name: 'inclusive-cursor',
      clause,
      expected: `only sequences above ${after}`,
      actual: `an item at ${sequence}: ${rowAround(
        read,
        placesOf(read, (each) => each.sequence === sequence),
      )}`,
    }),
  );
  findings.count(clause, sequences.length - within.length);
}

/** The limit that the contract shows a channel read with: whoever gives as many whatever is asked for heeds no limit. */
const usedLimit = 100;
/** Pages of so few bytes no cap cuts. */
const surelyUncutBytes = 50_000;

/**
 * What shows that a page has more than its limit though the server has no least size of a page, which is left open: another page that
 * was asked for fewer than stand on this one, and got fewer while there was more. How long a page without a cursor is may have a rule of
 * its own.
 */
class Smallest {
  readonly #streams: World['streams'];
  #found: { readonly read: Read | undefined; readonly most: number } | undefined;

  constructor(streams: World['streams']) {
    this.#streams = streams;
  }

  /** That page, where it was asked for fewer than `count`, and has fewer. */
  below(count: number): Read | undefined {
    this.#found ??= this.#find();
    return this.#found.most < count ? this.#found.read : undefined;
  }

  #find() {
    let read: Read | undefined;
    let most = Number.POSITIVE_INFINITY;
    for (const { isFeed, pages: all, places } of this.#streams.values())
      for (const page of isFeed ? [] : all) {
        const { limit = usedLimit, items } = page.read;
        const own = Math.max(limit, items.length);
        if (own < most && isCutByItsLimit(page, places)) [read, most] = [page.read, own];
      }
    return { read, most };
  }
}

/** Whether a page from a cursor announces more, and no byte cap can be why that is not on it. */
function isCutByItsLimit({ read: { after, items, hasMore }, end }: Page, places: readonly Place[]): boolean {
  const next = places[end];
  // What comes next may be too long for the page.
  if (after === undefined || hasMore !== true || next === undefined) return false;
  return bytesOf([...items, next.item]) <= surelyUncutBytes;
}

function bytesOf(items: Read['items']): number {
  return items.reduce((sum, { message }) => sum + (message.content?.bytes ?? 0), 0);
}

function judgeLimit(findings: Findings, read: Read, smallest: Smallest): void {
  const { call, limit, items } = read;
  const isFeed = call === 'mentions';
  // Bounds and default of the limit of a channel are left open.
  if (!isFeed && (limit === undefined || limit > 100)) return;
  const most = limit ?? defaultLimit;
  if (most < 1) return;
  const clause = !isFeed
    ? 'channel-read.limit-respected'
    : limit === undefined
      ? 'mentions.limit.default'
      : 'mentions.limit.respected';
  findings.count(clause, items.length === most ? 1 : 0);
  if (items.length <= most) return;
  const count = messagesAbove(read);
  if (count <= most) return;
  const smaller = isFeed || count >= usedLimit ? undefined : smallest.below(count);
  if (!isFeed && count < usedLimit && smaller === undefined) return;
  findings.add({
    ...ofPage(read, { name: 'over-limit', clause, expected: `at most ${most} messages`, actual: `${count}` }),
    witness: [read, smaller],
  });
}

/** A message counts once, and one at or below the cursor is another matter. */
function messagesAbove({ items, after }: Read): number {
  const asked = items.filter(
    ({ sequence }) => after === undefined || sequence === undefined || sequence > after,
  );
  return new Set(asked.map(({ message }, place) => message.id ?? place)).size;
}
