import type { Receipt } from '../rules/receipts.ts';
import type { Database } from './database.ts';

type ReceiptRow = Omit<Receipt, 'recordedMs'> & { recordedMs: bigint };

/** The reported retrievals of messages. */
export function openReceipts(database: Database, remembered: Database) {
  const columns = 'sequence, message_id AS messageId, agent_id AS agentId, recorded_ms AS recordedMs';
  const ofMessage = remembered.allExact<ReceiptRow>(`SELECT ${columns} FROM receipts WHERE message_id = ?`);
  const listOfMessage = database.allExact<ReceiptRow>(
    `SELECT ${columns} FROM receipts WHERE channel_id = ? AND message_id = ? AND sequence > ? ORDER BY sequence LIMIT ?`,
  );
  const listOfChannel = database.allExact<ReceiptRow>(
    `SELECT ${columns} FROM receipts WHERE channel_id = ? AND sequence > ? ORDER BY sequence LIMIT ?`,
  );
  const last = database.oneExact<{ last: bigint | null }>(
    'SELECT max(sequence) AS last FROM receipts WHERE channel_id = ?',
  );

  // Most messages have none, and every message that is shown is asked for its own.
  const retrieved = new Set(
    database
      .all<{ messageId: string }>('SELECT DISTINCT message_id AS messageId FROM receipts')()
      .map(({ messageId }) => messageId),
  );
  const recording = (verb: 'IGNORE' | 'REPLACE') => {
    const insert = remembered.run(
      `INSERT OR ${verb} INTO receipts (message_id, channel_id, agent_id, recorded_ms) VALUES (?, ?, ?, ?)`,
    );
    return (messageId: string, channelId: string, agentId: string, nowMs: number): void => {
      insert(messageId, channelId, agentId, nowMs);
      retrieved.add(messageId);
    };
  };

  return {
    ofMessage: (messageId: string): Receipt[] =>
      retrieved.has(messageId) ? ofMessage(messageId).map(asReceipt) : [],
    /** Receipts of a channel, or of one message in it, past the exclusive cursor `after`, in order of recording. */
    list: (channelId: string, messageId: string | undefined, after: bigint, count: number): Receipt[] =>
      (messageId === undefined
        ? listOfChannel(channelId, after, count)
        : listOfMessage(channelId, messageId, after, count)
      ).map(asReceipt),
    lastSequence: (channelId: string): bigint => last(channelId)?.last ?? 0n,
    /** Records a retrieval, keeping an earlier one of the same agent. */
    add: recording('IGNORE'),
    /** Records a retrieval, forgetting an earlier one of the same agent. */
    replace: recording('REPLACE'),
  };
}

function asReceipt(row: ReceiptRow): Receipt {
  return { ...row, recordedMs: Number(row.recordedMs) };
}
