import type { Entry } from '../model/page-facts.ts';
import type { WrittenMessage } from '../model/resources.ts';
import type { Database } from './database.ts';

/** Where a message stands in its own channel, next to what was written. */
export interface StoredMessage {
  readonly sequence: bigint;
  readonly written: WrittenMessage;
}

type EntryRow = Pick<Entry, 'sequence' | 'channelId' | 'workspaceId' | 'authorId'> &
  Readonly<Record<'messageNumber' | 'sizeBytes' | 'committedMs', bigint>>;

const maxSequence = 2n ** 63n - 1n;

/** Bytes of content that are kept at hand at most, and of the largest message that is: most pages cost no query for their messages. */
const keptBytes = 24_000_000;
const largestAtHand = 500_000;
/** Counted for a message beside its content. */
const bytesBeside = 1_000;

/** The messages and the histories that list them; who reads a history asks for the same stretch as others do. */
export function openMessages(database: Database, remembered: Database) {
  const columns = `h.sequence, m.number AS messageNumber, m.channel_id AS channelId, m.workspace_id AS workspaceId,
    m.author_id AS authorId, m.size_bytes AS sizeBytes, m.committed_ms AS committedMs`;
  const channel = `SELECT ${columns} FROM channel_history h JOIN messages m ON m.number = h.message WHERE h.channel_id = ?`;
  const mentions = `SELECT ${columns} FROM mention_history h JOIN messages m ON m.number = h.message WHERE h.target = ?`;
  const histories = {
    channel: {
      up: remembered.allExact<EntryRow>(`${channel} AND h.sequence >= ? ORDER BY h.sequence LIMIT ?`),
      down: remembered.allExact<EntryRow>(`${channel} AND h.sequence <= ? ORDER BY h.sequence DESC LIMIT ?`),
    },
    mentions: {
      up: remembered.allExact<EntryRow>(`${mentions} AND h.sequence >= ? ORDER BY h.sequence LIMIT ?`),
      down: remembered.allExact<EntryRow>(`${mentions} AND h.sequence <= ? ORDER BY h.sequence DESC LIMIT ?`),
    },
  };
  const byNumber = database.oneExact<{ sequence: bigint; document: string }>(
    'SELECT sequence, document FROM messages WHERE number = ?',
  );
  // What was written never changes, so that it need not be read again.
  const atHand = new Map<number, StoredMessage>();
  let bytesAtHand = 0;
  const keep = (number: number, message: StoredMessage): StoredMessage => {
    if (message.written.size_bytes > largestAtHand) return message;
    atHand.set(number, message);
    bytesAtHand += bytesOf(message);
    for (const [oldest, { written }] of atHand) {
      if (bytesAtHand <= keptBytes) break;
      atHand.delete(oldest);
      bytesAtHand -= bytesOf({ written });
    }
    return message;
  };
  const channelOf = database.one<{ channel_id: string }>('SELECT channel_id FROM messages WHERE id = ?');
  const dropAbove = remembered.run('DELETE FROM channel_history WHERE channel_id = ? AND sequence > ?');
  const insert = database.insert(
    `INSERT INTO messages (id, workspace_id, channel_id, sequence, author_id, size_bytes, committed_ms, document)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  );

  return {
    /** Up to `count` entries of a history from `from` on, ascending, `from` included. `key` is a channel or a target. */
    ascending: (stream: Entry['stream'], key: string, from: bigint, count: number): Entry[] =>
      from > maxSequence ? [] : histories[stream].up(key, from, count).map((row) => asEntry(stream, row)),
    /** The same downwards. */
    descending: (stream: Entry['stream'], key: string, from: bigint, count: number): Entry[] =>
      from < 0n ? [] : histories[stream].down(key, from, count).map((row) => asEntry(stream, row)),

    read(number: number): StoredMessage {
      const known = atHand.get(number);
      if (known) return known;
      const row = byNumber(number);
      if (!row) throw new Error(`message ${number} is listed but not stored`);
      return keep(number, { sequence: row.sequence, written: JSON.parse(row.document) as WrittenMessage });
    },
    channelOf: (messageId: string): string | undefined => channelOf(messageId)?.channel_id,

    /** Stores what was written and returns its number, under which the histories list it. */
    add: (written: WrittenMessage, sequence: bigint, committedMs: number): number =>
      insert(
        written.id,
        written.workspace_id,
        written.channel_id,
        sequence,
        written.author.id,
        written.size_bytes,
        committedMs,
        JSON.stringify(written),
      ),
    listInChannel: remembered.run(
      'INSERT INTO channel_history (channel_id, sequence, message, author_id) VALUES (?, ?, ?, ?)',
    ),
    listAsMention: remembered.run(
      'INSERT OR IGNORE INTO mention_history (target, sequence, message) VALUES (?, ?, ?)',
    ),
    unlistMention: remembered.run('DELETE FROM mention_history WHERE target = ? AND sequence = ?'),

    /** Retention: leaves the newest `keep` entries of a channel, of an author in it, or of a target. */
    keepInChannel: remembered.run(
      `DELETE FROM channel_history WHERE channel_id = ?1 AND sequence <=
        (SELECT sequence FROM channel_history WHERE channel_id = ?1 ORDER BY sequence DESC LIMIT 1 OFFSET ?2)`,
    ),
    /** Takes the newest `count` entries out of a channel; the sequence that is the newest afterwards, null for none. */
    forgetNewest(channelId: string, count: number): bigint | null {
      const left = histories.channel.down(channelId, maxSequence, count + 1)[count]?.sequence ?? null;
      dropAbove(channelId, left ?? 0n);
      return left;
    },
    keepOfAuthor: remembered.run(
      `DELETE FROM channel_history WHERE channel_id = ?1 AND author_id = ?2 AND sequence <=
        (SELECT sequence FROM channel_history WHERE channel_id = ?1 AND author_id = ?2
          ORDER BY sequence DESC LIMIT 1 OFFSET ?3)`,
    ),
    /** Forgets messages that no history lists any more. */
    dropUnlisted: database.run(
      `DELETE FROM messages WHERE number NOT IN
        (SELECT message FROM channel_history UNION ALL SELECT message FROM mention_history)`,
    ),
    keepMentionsOf: remembered.run(
      `DELETE FROM mention_history WHERE target = ?1 AND sequence <=
        (SELECT sequence FROM mention_history WHERE target = ?1 ORDER BY sequence DESC LIMIT 1 OFFSET ?2)`,
    ),
  };
}

function bytesOf({ written }: Pick<StoredMessage, 'written'>): number {
  return Number(written.size_bytes) + bytesBeside;
}

function asEntry(stream: Entry['stream'], row: EntryRow): Entry {
  return {
    stream,
    sequence: row.sequence,
    messageNumber: Number(row.messageNumber),
    channelId: row.channelId,
    workspaceId: row.workspaceId,
    authorId: row.authorId,
    sizeBytes: Number(row.sizeBytes),
    committedMs: Number(row.committedMs),
  };
}
