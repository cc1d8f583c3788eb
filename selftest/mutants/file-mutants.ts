import { createHash } from 'node:crypto';
import type { ClauseId, WorkspaceFile } from '../../spec/index.ts';
import { breaking, mutant, what, type Mutant } from './base/mutant.ts';
import { objectOf, refusal, spoilItems, spoilSuccess } from './base/spoil-answer.ts';

/** What a message and a call say of files, before and after their deletion. */
export const fileMutants: readonly Mutant[] = [
  ...breaking({
    'file.only-in-its-workspace': {
      'files-of-others-can-be-attached': { isAttachable: ({ status }) => status === 'ready' },
    },
    'file.visible-to-the-workspace': {
      'files-stay-in-the-first-channel': () => {
        let first: string | undefined;
        const hidden = spoilItems('mentions', (item) => {
          const message = objectOf(item['message']);
          return message['channel_id'] === first
            ? item
            : { ...item, message: { ...message, attachments: [] } };
        });
        return {
          answer: (answer, request) => {
            if (request.route === 'send') first ??= /channels\/([^/]+)/.exec(request.path)?.[1];
            return hidden(answer, request);
          },
        };
      },
      'foreign-files-are-hidden': what('only the agent that uploaded a file is shown its metadata', {
        answer: spoilSuccess('file', (answer, { actor }) =>
          objectOf(objectOf(answer.body)['file'])['created_by_agent_id'] === actor?.agentId
            ? answer
            : refusal(403),
        ),
      }),
      'attachments-are-hidden-from-others': what('only its author sees the files of a message', {
        answer: spoilItems('read', (message, { actor }) =>
          objectOf(message['author'])['id'] === actor?.agentId ? message : { ...message, attachments: [] },
        ),
      }),
    },
    'message.attachments.stable': {
      'deleted-attachments-are-dropped': what('a deleted file disappears from its messages', {
        presentAttachments: (files) => files.filter(({ status }) => status !== 'deleted'),
      }),
      'deletion-takes-the-others-along': what('a deletion takes the other files of a message with it', {
        presentAttachments: (files) =>
          files.filter(
            (file, _, all) => file.status === 'deleted' || all.every(({ status }) => status !== 'deleted'),
          ),
      }),
    },
    'message.attachments.deleted-not-downloadable': {
      'deleted-files-are-downloadable': { isDownloadable: () => true },
      'deleted-files-are-downloadable-again': what(
        'the first download of a deleted file meets an error of the server, every other one the file',
        () => {
          let deletedAsked = 0;
          return {
            rules: {
              isDownloadable: ({ status }) => {
                if (status === 'deleted') deletedAsked += 1;
                return true;
              },
            },
            answer: (answer, { route }) =>
              route === 'fileContent' && deletedAsked === 1 ? refusal(503) : answer,
          };
        },
      ),
    },
    'file.download-is-intact': {
      'downloads-are-texts': what('what is no UTF-8 is replaced in a download', {
        downloadedBytes: (bytes) => Buffer.from(bytes.toString('utf8')),
      }),
      'downloads-have-other-line-ends': {
        downloadedBytes: (bytes) => Buffer.from(bytes.toString('latin1').replaceAll('\r\n', '\n'), 'latin1'),
      },
      'downloads-lose-their-byte-order-mark': {
        downloadedBytes: (bytes) => (bytes[0] === 0xef ? bytes.subarray(3) : bytes),
      },
      'downloads-end-early': what('a download ends after 32 KiB', {
        downloadedBytes: (bytes) => bytes.subarray(0, 32_768),
      }),
    },
    'file.filename.length': {
      'names-get-an-ending': { presentFile: (file) => ({ ...file, filename: `${file.filename}.bin` }) },
      'names-end-with-their-paths': what('of a name only what follows its last slash is shown', {
        presentFile: (file) => ({ ...file, filename: file.filename.replace(/^.*\//, '') }),
      }),
      'names-lose-their-first-character': {
        presentFile: (file) => ({ ...file, filename: file.filename.slice(1) }),
      },
    },
    'file.filename.as-uploaded': {
      'names-end-after-254-characters': {
        presentFile: (file) => ({ ...file, filename: file.filename.slice(0, 254) }),
      },
      'names-are-decoded-as-a-form': {
        presentFile: (file) => ({ ...file, filename: file.filename.replaceAll('+', ' ') }),
      },
      'names-end-after-250-characters': {
        presentFile: (file) => ({ ...file, filename: file.filename.slice(0, 250) }),
      },
      'names-end-after-255-bytes': {
        presentFile: (file) => ({
          ...file,
          filename: Buffer.from(file.filename)
            .subarray(0, 255)
            .toString()
            .replace(/\ufffd$/, ''),
        }),
      },
    },
    'file.immutable': {
      'files-are-of-whoever-attached-them': what('a file is shown as uploaded by the author of its message', {
        answer: spoilItems('read', (message) => {
          const { id: created_by_agent_id } = objectOf(message['author']);
          const files = message['attachments'];
          return !Array.isArray(files)
            ? message
            : { ...message, attachments: files.map((file) => ({ ...objectOf(file), created_by_agent_id })) };
        }),
      }),
    },
    'file.sha256.is-the-digest': {
      'digest-of-nothing': { presentFile: (file) => ({ ...file, sha256: digestOf('') }) },
      'digest-of-the-name': { presentFile: (file) => ({ ...file, sha256: digestOf(file.filename) }) },
    },
    'file.status.shows-deletion': {
      'deleted-is-ready': what('a deleted file is called ready', {
        presentFile: (file) => (file.status === 'deleted' ? { ...file, status: 'ready' } : file),
      }),
      'deleted-is-expired': what('a deleted file is called expired', {
        presentFile: (file) => (file.status === 'deleted' ? { ...file, status: 'expired' } : file),
      }),
    },
  }),
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
    changingFile(id, 'file.immutable', `a file changes ${what} when it is shown again`, change),
  ]),
];

function changingFile(
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
