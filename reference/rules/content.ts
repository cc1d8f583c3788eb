import type { Agent, Credential } from '../model/principals.ts';
import type { WorkspaceFile } from '../../spec/generated/types.ts';

/** What a message may say, and what is kept of it. */
export const contentRules = {
  /** Content is measured in bytes of UTF-8, whatever its type. */
  contentBytes: (content: string, _contentType: string): number => Buffer.byteLength(content, 'utf8'),

  minContentBytes: (): number => 1,

  maxContentBytes: (): number => 500_000,

  /** An unpaired surrogate is refused. */
  acceptsSurrogates: (content: string): boolean => !/\p{Surrogate}/u.test(content),

  /** U+0000 is refused. */
  acceptsNul: (content: string): boolean => !content.includes('\0'),

  /** Content is kept exactly as it came. */
  storedContent: (content: string): string => content,

  /** Whatever else a message carries. */
  contentTypeWhenOmitted: (_hasAttachments: boolean): string => 'text/plain',

  /** Any content type of 1 to 255 characters without control characters is taken; nothing is said to bound it. */
  acceptsContentType: (contentType: string): boolean => /^[^\p{Cc}\p{Surrogate}]{1,255}$/u.test(contentType),

  storedContentType: (contentType: string): string => contentType,

  /** `size_bytes` is the size that the limit was checked against. */
  sizeBytes: (content: string): number => Buffer.byteLength(content, 'utf8'),
} as const;

/** What workspace files are like and who gets at them. */
export const fileRules = {
  /** The length of a name is counted in characters, not in UTF-16 units. */
  filenameLength: (filename: string): number => Array.from(filename).length,

  minFilenameLength: (): number => 1,

  maxFilenameLength: (): number => 255,

  minFileBytes: (): number => 1,

  /** Metadata is visible to the whole workspace, whichever channel the file was shared in. */
  isFileVisible: (
    file: { readonly isOfWorkspace: boolean },
    _agent: Agent,
    _credential: Credential,
  ): boolean => file.isOfWorkspace,

  /** Only a ready file has bytes to hand out. */
  isDownloadable: (file: WorkspaceFile): boolean => file.status === 'ready',

  downloadedBytes: (bytes: Buffer): Buffer => bytes,

  presentFile: (file: WorkspaceFile): WorkspaceFile => file,
} as const;
