import { isRecord, type JsonRecord } from '../../spec/calls/index.ts';

/** What a message is told by, however malformed it is otherwise: a file has five of these fields, but not one of the first two. */
const tellingFields = [
  'content',
  'author',
  'id',
  'workspace_id',
  'channel_id',
  'sequence',
  'content_type',
  'size_bytes',
  'created_at',
];
const fewestTelling = 4;
/** Objects within objects that are looked into for a list. */
const maxDepth = 3;

/** The list anywhere in `body` whose elements look most like messages, the first of equals; empty when none does. */
export function likeliestList(body: JsonRecord): readonly JsonRecord[] {
  const scored = listsIn(body, maxDepth).map((list) => ({
    list,
    score: list.reduce((most, item) => Math.max(most, likeness(item)), 0),
  }));
  return scored.reduce((best, each) => (each.score > best.score ? each : best), {
    list: [],
    score: fewestTelling - 1,
  } as Scored).list;
}

/** The message that an item is, or is wrapped around under any name. */
export function messageIn(record: JsonRecord): JsonRecord {
  if (isRecord(record['message'])) return record['message'];
  const inner = Object.values(record).filter(isRecord);
  return inner.reduce((best, each) => (ownLikeness(each) > ownLikeness(best) ? each : best), record);
}

interface Scored {
  readonly list: readonly JsonRecord[];
  readonly score: number;
}

function listsIn(value: JsonRecord, depth: number): (readonly JsonRecord[])[] {
  return Object.values(value).flatMap((each) => {
    if (Array.isArray(each)) return each.some(isRecord) ? [each.filter(isRecord)] : [];
    return isRecord(each) && depth > 0 ? listsIn(each, depth - 1) : [];
  });
}

function likeness(item: JsonRecord): number {
  return ownLikeness(messageIn(item));
}

function ownLikeness(record: JsonRecord): number {
  if (!('content' in record) && !('author' in record)) return 0;
  return tellingFields.filter((name) => name in record).length;
}
