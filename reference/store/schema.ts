import { DataFileFault } from './data-file.ts';
import type { Database } from './database.ts';

/**
 * The tables. A message is written once, as one JSON document; `channel_history` and `mention_history` say where
 * it is listed, so that what is retained in one can leave it without leaving the other. Every time is in
 * milliseconds since the epoch.
 */
const tables = [
  `CREATE TABLE workspaces (
    id TEXT PRIMARY KEY, slug TEXT NOT NULL, display_name TEXT NOT NULL, description TEXT NOT NULL,
    created_ms INTEGER NOT NULL, updated_ms INTEGER NOT NULL, last_event INTEGER)`,
  `CREATE TABLE humans (
    id TEXT PRIMARY KEY, display_name TEXT, email TEXT NOT NULL, first_name TEXT NOT NULL, last_name TEXT NOT NULL)`,
  `CREATE TABLE memberships (
    id TEXT PRIMARY KEY, workspace_id TEXT NOT NULL REFERENCES workspaces, human_user_id TEXT NOT NULL REFERENCES humans,
    role TEXT NOT NULL, status TEXT NOT NULL, joined_ms INTEGER NOT NULL, created_ms INTEGER NOT NULL,
    updated_ms INTEGER NOT NULL, UNIQUE (workspace_id, human_user_id))`,
  `CREATE TABLE machines (
    id TEXT PRIMARY KEY, workspace_id TEXT NOT NULL REFERENCES workspaces, human_user_id TEXT NOT NULL REFERENCES humans,
    display_name TEXT NOT NULL, is_active INTEGER NOT NULL)`,
  `CREATE TABLE agents (
    id TEXT PRIMARY KEY, workspace_id TEXT NOT NULL REFERENCES workspaces, display_name TEXT NOT NULL,
    human_user_id TEXT REFERENCES humans, machine_id TEXT REFERENCES machines, has_access INTEGER NOT NULL)`,
  `CREATE TABLE credentials (
    token TEXT PRIMARY KEY, kind TEXT NOT NULL, agent_id TEXT REFERENCES agents, machine_id TEXT REFERENCES machines,
    expires_ms INTEGER, is_revoked INTEGER NOT NULL)`,
  `CREATE TABLE channels (
    id TEXT PRIMARY KEY, workspace_id TEXT NOT NULL REFERENCES workspaces, slug TEXT NOT NULL, display_name TEXT NOT NULL,
    description TEXT NOT NULL, kind TEXT NOT NULL, is_default INTEGER NOT NULL, created_ms INTEGER NOT NULL,
    updated_ms INTEGER NOT NULL, updated_by_agent_id TEXT NOT NULL REFERENCES agents, last_sequence INTEGER)`,
  `CREATE TABLE channel_members (
    channel_id TEXT NOT NULL REFERENCES channels, agent_id TEXT NOT NULL REFERENCES agents,
    PRIMARY KEY (channel_id, agent_id)) WITHOUT ROWID`,
  `CREATE TABLE messages (
    number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, workspace_id TEXT NOT NULL, channel_id TEXT NOT NULL,
    sequence INTEGER NOT NULL, author_id TEXT NOT NULL, size_bytes INTEGER NOT NULL, committed_ms INTEGER NOT NULL,
    document TEXT NOT NULL)`,
  `CREATE TABLE channel_history (
    channel_id TEXT NOT NULL, sequence INTEGER NOT NULL, message INTEGER NOT NULL, author_id TEXT NOT NULL,
    PRIMARY KEY (channel_id, sequence, message)) WITHOUT ROWID`,
  `CREATE INDEX channel_history_by_author ON channel_history (channel_id, author_id, sequence)`,
  `CREATE TABLE mention_history (
    target TEXT NOT NULL, sequence INTEGER NOT NULL, message INTEGER NOT NULL,
    PRIMARY KEY (target, sequence, message)) WITHOUT ROWID`,
  `CREATE TABLE idempotency_keys (
    scope TEXT NOT NULL, key TEXT NOT NULL, fingerprint TEXT NOT NULL, recorded_ms INTEGER NOT NULL,
    answer TEXT NOT NULL, UNIQUE (scope, key))`,
  `CREATE TABLE receipts (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT, message_id TEXT NOT NULL, channel_id TEXT NOT NULL,
    agent_id TEXT NOT NULL, recorded_ms INTEGER NOT NULL, UNIQUE (message_id, agent_id))`,
  `CREATE INDEX receipts_by_channel ON receipts (channel_id, sequence)`,
  `CREATE TABLE files (
    id TEXT PRIMARY KEY, workspace_id TEXT NOT NULL, status TEXT NOT NULL, document TEXT NOT NULL, content BLOB)`,
  `CREATE TABLE worlds (number INTEGER PRIMARY KEY, world TEXT NOT NULL)`,
];

/**
 * Number of the layout above, kept in the file; a file with another one is refused. The first held tokens, this one digests
 * of them.
 */
const layout = 2;

/**
 * Creates the tables in a new database and leaves an existing one alone.
 * @throws DataFileFault when the file was written by another layout
 */
export function prepareSchema(database: Database): void {
  const found = database.one<{ user_version: number }>('PRAGMA user_version')()?.user_version ?? 0;
  if (found === layout) return;
  if (found !== 0)
    throw new DataFileFault(
      `the data file has layout ${found}, this version reads layout ${layout}: use a new file` +
        (found === 1 ? ', and remove that one, which holds its tokens in plain text' : ''),
    );
  database.transaction(() => {
    for (const table of tables) database.run(table)();
    database.run(`PRAGMA user_version = ${layout}`)();
  });
}
