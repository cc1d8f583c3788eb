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
