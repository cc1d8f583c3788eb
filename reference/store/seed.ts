import type { Database } from './database.ts';
import type { Entry } from '../model/page-facts.ts';

/** What all messages of a history have in common; {@link idPlace} and {@link numberPlace} in a document are filled in. */
export interface SeededHistory extends Omit<Entry, 'stream' | 'messageNumber'> {
  readonly count: number;
  /** Channel sequence, and number of the event, of the first. */
  readonly sequence: bigint;
  readonly event: bigint;
  /** First 24 characters of every id; the others are the count. */
  readonly idPrefix: string;
  /** JSON of a message that mentions nobody, and of one that mentions a target: that is every `mentionEvery`-th. */
  readonly plain: string;
  readonly mentioning: string;
  readonly mentionEvery: number;
  readonly mentionKey: string;
}

/** Stand in a document for the id of its message, and for its number with leading zeros. */
export const idPlace = '{id}';
export const numberPlace = '{number}';
/** Digits of a number in a content, so that all are of one size. */
export const numberDigits = 12;

/** Writes messages by the million: one statement a table, since a statement for each takes half a minute. */
export function openSeed(database: Database) {
  const counted = 'WITH RECURSIVE seeded(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM seeded WHERE n + 1 < ?)';
  const nextNumber = database.one<{ next: number }>(
    'SELECT coalesce(max(number), 0) + 1 AS next FROM messages',
  );
  const messages = database.run(
    `INSERT INTO messages (number, id, workspace_id, channel_id, sequence, author_id, size_bytes, committed_ms, document)
      ${counted}
      SELECT ?2 + n, ?3 || printf('%012x', n), ?4, ?5, ?6 + n, ?7, ?8, ?9,
        replace(replace(CASE WHEN n % ?10 = 0 THEN ?12 ELSE ?11 END,
          '${idPlace}', ?3 || printf('%012x', n)), '${numberPlace}', printf('%0${numberDigits}d', n))
      FROM seeded`,
  );
  const channel = database.run(
    `INSERT INTO channel_history (channel_id, sequence, message, author_id)
      ${counted} SELECT ?2, ?3 + n, ?4 + n, ?5 FROM seeded`,
  );
  const mentions = database.run(
    `INSERT INTO mention_history (target, sequence, message)
      ${counted} SELECT ?2, ?3 + n, ?4 + n FROM seeded WHERE n % ?5 = 0`,
  );
  return (history: SeededHistory): void => {
    const { count, sequence, event, authorId, channelId, mentionEvery } = history;
    const first = nextNumber()?.next ?? 1;
    messages(
      count,
      first,
      history.idPrefix,
      history.workspaceId,
      channelId,
      sequence,
      authorId,
      history.sizeBytes,
      history.committedMs,
      mentionEvery,
      history.plain,
      history.mentioning,
    );
    channel(count, channelId, sequence, first, authorId);
    mentions(count, history.mentionKey, event, first, mentionEvery);
  };
}
