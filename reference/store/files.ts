import type { WorkspaceFile } from '../../spec/generated/types.ts';
import type { FileStatus } from '../model/resources.ts';
import type { Database } from './database.ts';

/** The workspace files: metadata that stays, and bytes that a deletion takes away. */
export type Files = ReturnType<typeof openFiles>;

export function openFiles(database: Database) {
  const byId = database.one<{ status: FileStatus; document: string }>(
    'SELECT status, document FROM files WHERE id = ?',
  );
  const content = database.one<{ content: Buffer | null }>('SELECT content FROM files WHERE id = ?');
  const insert = database.run(
    'INSERT INTO files (id, workspace_id, status, document, content) VALUES (?, ?, ?, ?, ?)',
  );

  return {
    file(id: string): WorkspaceFile | undefined {
      const row = byId(id);
      return row && { ...(JSON.parse(row.document) as WorkspaceFile), status: row.status };
    },
    /** The bytes of a file, undefined when it has none (any more). */
    content: (id: string): Buffer | undefined => content(id)?.content ?? undefined,
    /** `bytes` is null for a file whose upload never finished. */
    add: (file: WorkspaceFile, bytes: Buffer | null): void =>
      void insert(file.id, file.workspace_id, file.status, JSON.stringify(file), bytes),
    remove: database.run(`UPDATE files SET status = 'deleted', content = NULL WHERE id = ?`),
  };
}
