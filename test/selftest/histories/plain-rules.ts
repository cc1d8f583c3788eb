import type { History, Read } from '../../../history/operation.ts';
import type { Item } from '../../../history/seen-message.ts';
import type { Sequence } from '../../../history/sequence.ts';
import { grouped } from '../../../selftest/run/sample.ts';

/**
 * Rules of the contract in their plainest form, each read against each: slow, and written without a look at the judges, so that the
 * simulator is held against something else than what it is made to prove. Each broken one is a line.
 */
export function brokenRulesOf({ facts, operations }: History): readonly string[] {
  const reads = operations.filter(
    (each): each is Read => each.kind === 'read' && each.outcome === 'accepted',
  );
  const streams = grouped(reads, ({ stream }) => stream);
  return [
    ...reads.flatMap(brokenPage),
    ...[...streams.values()].flatMap((ofStream) => [
      ...twoForOne(
        ofStream,
        ({ sequence }) => String(sequence),
        ({ message }) => message.id,
      ),
      ...passedOver(ofStream, facts.settleMs),
      ...claimedEnd(ofStream, facts.settleMs),
    ]),
    ...twoForOne(
      reads.filter(({ call }) => call === 'channel-read'),
      ({ message }) => message.id ?? '',
      ({ message }) => JSON.stringify([message, String(message.sequence)], bigintAsText),
    ),
  ];
}

function brokenPage({ index, items, after, nextAfter, limit, hasMore, call }: Read): readonly string[] {
  const sequences = items.map(({ sequence }) => sequence ?? 0);
  const last = sequences.at(-1);
  const from = after ?? 0;
  const end = nextAfter ?? 0;
  const rules = {
    ascending: sequences.every((each, place) => place === 0 || each > (sequences[place - 1] ?? 0)),
    exclusive: sequences.every((each) => each > from),
    limit: items.length <= (limit ?? (call === 'mentions' ? 50 : 100)),
    'next after the items': last === undefined || end >= last,
    'more moves on': hasMore !== true || end > from,
    'the mentioned message': call === 'channel-read' || items.every(({ id, message }) => id === message.id),
  };
  return Object.entries(rules).flatMap(([rule, isKept]) => (isKept ? [] : [`${rule}: ${index}`]));
}

/** Values that stand for two others at different places or times. */
function twoForOne(
  reads: readonly Read[],
  keyOf: (item: Item) => string,
  valueOf: (item: Item) => string | undefined,
): readonly string[] {
  const values = new Map<string, string | undefined>();
  return reads.flatMap(({ items, index }) =>
    items.flatMap((item) => {
      const key = keyOf(item);
      if (values.has(key)) return values.get(key) === valueOf(item) ? [] : [`${key} is two: ${index}`];
      values.set(key, valueOf(item));
      return [];
    }),
  );
}

/** Items that a page passed over although a read that began later than settle time after it still showed them. */
function passedOver(reads: readonly Read[], settleMs: number): readonly string[] {
  const seen = sightingsOf(reads);
  return reads.flatMap((read) => {
    const shown = new Set(read.items.map(({ sequence }) => sequence));
    const from = read.after ?? read.items[0]?.sequence ?? 0;
    const end = endOf(read);
    const missing = [...seen].find(
      ([sequence, { lastMs }]) =>
        sequence > from && sequence <= end && !shown.has(sequence) && lastMs > read.endedMs + settleMs,
    );
    return missing === undefined ? [] : [`passed over ${missing[0]}: ${read.index}`];
  });
}

/** Pages that claimed the end of the stream although more was known long before and shown long after. */
function claimedEnd(reads: readonly Read[], settleMs: number): readonly string[] {
  const seen = sightingsOf(reads);
  return reads.flatMap((read) => {
    if (read.hasMore !== false) return [];
    const end = mostOf([endOf(read), read.after ?? 0]);
    const missing = [...seen].find(
      ([sequence, { firstMs, lastMs }]) =>
        sequence > end && firstMs < read.startedMs - settleMs && lastMs > read.endedMs + settleMs,
    );
    return missing === undefined ? [] : [`claimed the end before ${missing[0]}: ${read.index}`];
  });
}

interface Sighting {
  /** End of the first read that showed it. */
  firstMs: number;
  /** Start of the last one. */
  lastMs: number;
}

function sightingsOf(reads: readonly Read[]): ReadonlyMap<Sequence, Sighting> {
  const seen = new Map<Sequence, Sighting>();
  for (const { items, startedMs, endedMs } of reads)
    for (const { sequence = 0 } of items) {
      const known = seen.get(sequence) ?? { firstMs: endedMs, lastMs: startedMs };
      known.firstMs = Math.min(known.firstMs, endedMs);
      known.lastMs = Math.max(known.lastMs, startedMs);
      seen.set(sequence, known);
    }
  return seen;
}

function endOf({ items, nextAfter }: Read): Sequence {
  return mostOf([nextAfter ?? 0, items.at(-1)?.sequence ?? 0]);
}

function mostOf(sequences: readonly Sequence[]): Sequence {
  return sequences.reduce((most, each) => (each > most ? each : most), 0);
}

function bigintAsText(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}
