import { createHash } from 'node:crypto';
import type { WorkspaceFile } from '../../spec/generated/types.ts';
import type { FileStatus } from '../model/resources.ts';
import type { Role, RoleName, World } from '../model/world.ts';
import type { UsedKey } from '../rules/idempotency.ts';
import { prepareDataFile } from './data-file.ts';
import { type Database, openDatabase } from './database.ts';
import { openDirectory } from './directory.ts';
import { openMessages } from './messages.ts';
import { openReceipts } from './receipts.ts';
import { remembering } from './remembering.ts';
import { prepareSchema } from './schema.ts';
import { openSeed } from './seed.ts';
import { openWorkspaces } from './workspaces.ts';

/** Everything that the service remembers. */
export type Store = ReturnType<typeof openStore>;

/**
 * Opens the store in `file`, or in memory when that is undefined. A file holds digests of its tokens.
 * @throws DataFileFault when the file cannot be used
 */
export function openStore(file: string | undefined) {
  if (file !== undefined) prepareDataFile(file);
  const database = openDatabase(file);
  prepareSchema(database);
  const remembered = remembering(database);
  return {
    directory: openDirectory(remembered, { asKept: file === undefined ? (token) => token : digestOf }),
    files: openFiles(database),
    idempotencyKeys: openIdempotencyKeys(database),
    messages: openMessages(database, remembered),
    receipts: openReceipts(database, remembered),
    workspaces: openWorkspaces(remembered),
    worlds: openWorlds(database),
    /** Writes a whole history of a channel that nobody sent. */
    seed: openSeed(remembered),
    /** Runs `work` as one atomic write. */
    transaction: <Result>(work: () => Result): Result => {
      try {
        return database.transaction(work);
      } catch (error) {
        // What was read in one that failed was never so.
        remembered.forget();
        throw error;
      }
    },
    close: (): void => database.close(),
  };
}

function digestOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** The remembered uses of idempotency keys, each with the text of its answer. */
function openIdempotencyKeys(database: Database) {
  const find = database.one<UsedKey & { answer: string }>(
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

/** The workspace files: metadata that stays, and bytes that a deletion takes away. */
function openFiles(database: Database) {
  const byId = database.one<{ status: FileStatus; document: string }>(
    'SELECT status, document FROM files WHERE id = ?',
  );
  const content = database.one<{ content: Buffer | null }>('SELECT content FROM files WHERE id = ?');
  const insert = database.run(
    'INSERT INTO files (id, workspace_id, status, document, content) VALUES (?, ?, ?, ?, ?)',
  );

  // What a file is called and holds never changes, only its status.
  const atHand = new Map<string, WorkspaceFile>();
  const removed = database.run(`UPDATE files SET status = 'deleted', content = NULL WHERE id = ?`);

  return {
    file(id: string): WorkspaceFile | undefined {
      const known = atHand.get(id);
      if (known !== undefined) return known;
      const row = byId(id);
      if (row === undefined) return undefined;
      const file = { ...(JSON.parse(row.document) as WorkspaceFile), status: row.status };
      atHand.set(id, file);
      return file;
    },
    /** The bytes of a file, undefined when it has none (any more). */
    content: (id: string): Buffer | undefined => content(id)?.content ?? undefined,
    /** `bytes` is null for a file whose upload never finished. */
    add: (file: WorkspaceFile, bytes: Buffer | null): void =>
      void insert(file.id, file.workspace_id, file.status, JSON.stringify(file), bytes),
    remove(id: string): void {
      removed(id);
      atHand.delete(id);
    },
  };
}

/** A world without its tokens. */
export type KeptWorld = Omit<World, 'roles'> & {
  readonly roles: Readonly<Record<RoleName, Omit<Role, 'token'>>>;
};

/** The provisioned worlds, kept so that a data file can be served again with the same people. */
function openWorlds(database: Database) {
  const first = database.one<{ world: string }>('SELECT world FROM worlds ORDER BY number LIMIT 1');
  const insert = database.run('INSERT INTO worlds (world) VALUES (?)');
  return {
    first(): KeptWorld | undefined {
      const row = first();
      return row && (JSON.parse(row.world) as KeptWorld);
    },
    add: (world: World): void => void insert(JSON.stringify(world, withoutTokens)),
  };
}

function withoutTokens(name: string, value: unknown): unknown {
  return name === 'token' ? undefined : value;
}
