import type { History, Read } from '../../../history/operation.ts';
import type { Item } from '../../../history/seen-message.ts';
import { grouped } from '../../../spec/groups.ts';
import { lackingIn } from './lacking.ts';

/**
 * Rules of the contract in their plainest form, each read against each: slow, and written without a look at the judges, so that the
 * simulator is held against something else than what it is made to prove. Each broken one is a line.
 */
export function brokenRulesOf(history: History): readonly string[] {
  const { passedOver, denied } = lackingIn(history);
  const reads = history.operations.filter(
    (each): each is Read => each.kind === 'read' && each.outcome === 'accepted',
  );
  const streams = grouped(reads, ({ stream }) => stream);
  return [
    ...reads.flatMap(brokenPage),
    ...passedOver.map(({ index }) => `passed over a message: ${index}`),
    ...denied.map(({ index }) => `denied a message: ${index}`),
    ...[...streams.values()].flatMap((ofStream) =>
      twoForOne(
        ofStream,
        ({ sequence }) => String(sequence),
        ({ message }) => message.id,
      ),
    ),
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

function bigintAsText(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}
