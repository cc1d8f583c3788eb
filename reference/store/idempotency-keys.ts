import type { KeyRecord } from '../rules/idempotency.ts';
import type { Database } from './database.ts';

/** The remembered uses of idempotency keys, each with the text of its answer. */
export type IdempotencyKeys = ReturnType<typeof openIdempotencyKeys>;

export function openIdempotencyKeys(database: Database) {
  const find = database.one<KeyRecord & { answer: string }>(
    'SELECT fingerprint, recorded_ms AS recordedMs, answer FROM idempotency_keys WHERE scope = ? AND key = ?',
  );
  const withKey = database.one<object>('SELECT 1 FROM idempotency_keys WHERE key = ?');
  return {
    find: (scope: string, key: string) => find(scope, key),
    /** Whether anybody used a key. */
    isKnown: (key: string): boolean => withKey(key) !== undefined,
    /** Retention: leaves the newest `keep` uses. */
    keepNewest: database.run(
      'DELETE FROM idempotency_keys WHERE rowid <= (SELECT MAX(rowid) FROM idempotency_keys) - ?',
    ),
    /** Remembers a use; a later one under the same key replaces it. */
    record: database.run(
      'INSERT OR REPLACE INTO idempotency_keys (scope, key, fingerprint, recorded_ms, answer) VALUES (?, ?, ?, ?, ?)',
    ),
  };
}
