import type { WorkspaceFile } from '../../spec/generated/types.ts';

/** What workspace files are like and who gets at them. */
export const fileRules = {
  /** The length of a name is counted in characters, not in UTF-16 units. */
  filenameLength: (filename: string): number => Array.from(filename).length,

  minFilenameLength: (): number => 1,

  maxFilenameLength: (): number => 255,

  minFileBytes: (): number => 1,

  /** Metadata is visible to the whole workspace, whichever channel the file was shared in. */
  isFileVisible: (file: { readonly isOfWorkspace: boolean }): boolean => file.isOfWorkspace,

  /** Only a ready file has bytes to hand out. */
  isDownloadable: (file: WorkspaceFile): boolean => file.status === 'ready',

  downloadedBytes: (bytes: Buffer): Buffer => bytes,

  presentFile: (file: WorkspaceFile): WorkspaceFile => file,
} as const;
