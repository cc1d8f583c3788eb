import { createHash } from 'node:crypto';
import type { ClauseId, WorkspaceFile } from '../../spec/index.ts';
import { mutant, ruleMutants, type Mutant } from './base/mutant.ts';
import { objectOf, spoilItems } from './base/spoil-answer.ts';

/** What a message and a call say of files, before and after their deletion. */
export const fileMutants: readonly Mutant[] = [
  mutant(
    'files-stay-in-the-first-channel',
    'file.visible-to-the-workspace',
    'a mention from any channel but the first that was written to comes without its files',
    () => {
      let first: string | undefined;
      const hidden = spoilItems('mentions', (item) => {
        const message = objectOf(item['message']);
        return message['channel_id'] === first ? item : { ...item, message: { ...message, attachments: [] } };
      });
      return {
        answer: (answer, request) => {
          if (request.route === 'send') first ??= /channels\/([^/]+)/.exec(request.path)?.[1];
          return hidden(answer, request);
        },
      };
    },
  ),
  ...ruleMutants([
    [
      'deleted-attachments-are-dropped',
      'message.attachments.stable',
      'a deleted file disappears from its messages',
      { presentAttachments: (files) => files.filter(({ status }) => status !== 'deleted') },
    ],
    [
      'deleted-files-are-downloadable',
      'message.attachments.deleted-not-downloadable',
      'a deleted file is downloaded as an empty one',
      { isDownloadable: () => true },
    ],
    [
      'foreign-files-are-hidden',
      'file.visible-to-the-workspace',
      'the call for a file shows it to nobody',
      { isFileVisible: () => false },
    ],
    [
      'digest-of-nothing',
      'file.sha256.is-the-digest',
      'the digest of a file is that of no bytes',
      { presentFile: (file) => ({ ...file, sha256: digestOf('') }) },
    ],
    [
      'digest-of-the-name',
      'file.sha256.is-the-digest',
      'the digest of a file is that of its name',
      { presentFile: (file) => ({ ...file, sha256: digestOf(file.filename) }) },
    ],
    [
      'deleted-is-ready',
      'file.status.shows-deletion',
      'a deleted file is called ready',
      { presentFile: (file) => (file.status === 'deleted' ? { ...file, status: 'ready' } : file) },
    ],
    [
      'deleted-is-expired',
      'file.status.shows-deletion',
      'a deleted file is called expired',
      { presentFile: (file) => (file.status === 'deleted' ? { ...file, status: 'expired' } : file) },
    ],
  ]),
  ...(
    [
      ['filename', 'its name', (file) => ({ ...file, filename: 'deleted' })],
      ['size', 'its size', (file) => ({ ...file, size_bytes: 1 })],
      ['digest', 'its digest', (file) => ({ ...file, sha256: '0'.repeat(64) })],
      ['content-type', 'its type', (file) => ({ ...file, content_type: 'application/octet-stream' })],
      ['agent', 'who uploaded it', (file) => ({ ...file, created_by_agent_id: null })],
      ['time', 'when it was made', (file) => ({ ...file, created_at: '2000-01-01T00:00:00.000Z' })],
    ] as readonly (readonly [string, string, (file: WorkspaceFile) => WorkspaceFile])[]
  ).flatMap(([id, what, change]) => [
    mutant(
      `deletion-loses-the-${id}`,
      'message.attachments.deleted-keep-metadata',
      `a deleted file loses ${what}`,
      {
        rules: { presentFile: (file) => (file.status === 'deleted' ? change(file) : file) },
      },
    ),
    changing(id, 'file.immutable', `a file changes ${what} when it is shown again`, change),
  ]),
  mutant(
    'attachments-are-hidden-from-others',
    'file.visible-to-the-workspace',
    'only its author sees the files of a message',
    {
      answer: spoilItems('read', (message, { actor }) =>
        objectOf(message['author'])['id'] === actor?.agentId ? message : { ...message, attachments: [] },
      ),
    },
  ),
];

function changing(
  id: string,
  clause: ClauseId,
  what: string,
  change: (file: WorkspaceFile) => WorkspaceFile,
): Mutant {
  return mutant(`file-${id}-changes`, clause, what, () => {
    const shown = new Set<string>();
    return {
      rules: {
        presentFile: (file) => {
          const isKnown = shown.has(file.id);
          shown.add(file.id);
          return isKnown ? change(file) : file;
        },
      },
    };
  });
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
