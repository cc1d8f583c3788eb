import { createHash } from 'node:crypto';
import { prepareDataFile } from './data-file.ts';
import { openDatabase } from './database.ts';
import { openDirectory, type Directory } from './directory.ts';
import { openFiles, type Files } from './files.ts';
import { openIdempotencyKeys, type IdempotencyKeys } from './idempotency-keys.ts';
import { openMessages, type Messages } from './messages.ts';
import { openReceipts, type Receipts } from './receipts.ts';
import { prepareSchema } from './schema.ts';
import { openSeed, type SeededHistory } from './seed.ts';
import { openWorkspaces, type Workspaces } from './workspaces.ts';
import { openWorlds, type Worlds } from './worlds.ts';

/** Everything that the service remembers. */
export interface Store {
  readonly directory: Directory;
  readonly files: Files;
  readonly idempotencyKeys: IdempotencyKeys;
  readonly messages: Messages;
  readonly receipts: Receipts;
  readonly workspaces: Workspaces;
  readonly worlds: Worlds;
  /** Writes a whole history of a channel that nobody sent. */
  readonly seed: (history: SeededHistory) => void;
  /** Runs `work` as one atomic write. */
  transaction<Result>(work: () => Result): Result;
  close(): void;
}

/**
 * Opens the store in `file`, or in memory when that is undefined. A file holds digests of its tokens.
 * @throws DataFileFault when the file cannot be used
 */
export function openStore(file: string | undefined): Store {
  if (file !== undefined) prepareDataFile(file);
  const database = openDatabase(file);
  prepareSchema(database);
  return {
    directory: openDirectory(database, { asKept: file === undefined ? (token) => token : digestOf }),
    files: openFiles(database),
    idempotencyKeys: openIdempotencyKeys(database),
    messages: openMessages(database),
    receipts: openReceipts(database),
    workspaces: openWorkspaces(database),
    worlds: openWorlds(database),
    seed: openSeed(database),
    transaction: (work) => database.transaction(work),
    close: () => database.close(),
  };
}

function digestOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
