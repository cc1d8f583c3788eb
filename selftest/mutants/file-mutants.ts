import { authorsOfFeeds } from './base/agents-noted.ts';
import { createHash } from 'node:crypto';
import { contractRules, type Rules } from '../../reference/rules/rules.ts';
import type { WorkspaceFile } from '../../spec/index.ts';
import { replacing, shown, sinceRestart } from './base/changed-rules.ts';
import { breaking, type Mutant } from './base/mutant.ts';
import type { Memory } from './base/overlay.ts';
import {
  type Answering,
  inTurn,
  objectOf,
  refusal,
  spoilItems,
  spoilList,
  spoilSuccess,
  successAs,
  without,
} from './base/spoil-answer.ts';

/** What a file shows wrongly, once it is deleted or once it was shown before: by what it is. */
const lost: readonly (readonly [string, string, Partial<WorkspaceFile>])[] = [
  ['filename', 'its name', { filename: 'deleted' }],
  ['size', 'its size', { size_bytes: 1 }],
  ['digest', 'its digest', { sha256: '0'.repeat(64) }],
  ['content-type', 'its type', { content_type: 'application/octet-stream' }],
  ['agent', 'who uploaded it', { created_by_agent_id: null }],
  ['time', 'when it was made', { created_at: '2000-01-01T00:00:00.000Z' }],
  ['upload-time', 'when it was uploaded', { uploaded_at: null }],
];

/** What a message and a call say of files, before and after their deletion. */
export const fileMutants: readonly Mutant[] = breaking({
  'file.only-in-its-workspace': {
    'files-of-others-can-be-attached': { isAttachable: ({ status }) => status === 'ready' },
    'files-of-others-are-attached-as-copies: a file of another workspace is shown under an id of its own': {
      isAttachable: ({ status }) => status === 'ready',
      ...shown('presentMessage', ({ workspace_id: home, attachments = [] }) => ({
        attachments: attachments.map((file) =>
          file.workspace_id === home
            ? file
            : { ...file, id: file.id.replace(/.$/, (end) => (end === '0' ? '1' : '0')), workspace_id: home },
        ),
      })),
    },
    'who-has-no-human-opens-every-file: the workspace of a file is compared with that of the human who asks':
      {
        isFileVisible: ({ isOfWorkspace }, { humanUserId }) => isOfWorkspace || humanUserId === null,
      },
    'keys-open-every-file: an API key opens the files of every workspace': {
      isFileVisible: ({ isOfWorkspace }, _agent, { kind }) => isOfWorkspace || kind === 'api_key',
    },
    'downloads-lead-everybody-to-storage: the download of a file that is there redirects, whoever asks': {
      answer: (answer, { route, path }) =>
        route === 'fileContent' && [200, 403].includes(answer.status)
          ? { ...answer, status: 302, headers: { location: `https://storage.invalid${path}` }, body: '' }
          : undefined,
    },
  },
  'file.visible-to-the-workspace': {
    'files-go-with-their-uploader: the call for a file does not know that of an agent without access': () => {
      const { note, isOut } = authorsOfFeeds();
      const hidden = successAs(404, 'file', (_request, { body }) =>
        isOut(objectOf(objectOf(body)['file'])['created_by_agent_id']),
      );
      return { rules: note, ...hidden };
    },
    'files-stay-in-the-first-channel': () => {
      let first: string | undefined;
      const hidden = spoilItems('mentions', (item) => {
        const message = objectOf(item['message']);
        return message['channel_id'] === first ? item : { ...item, message: { ...message, attachments: [] } };
      });
      return {
        answer: (answer, request) => {
          if (request.route === 'send') first ??= /channels\/([^/]+)/.exec(request.path)?.[1];
          return hidden.answer(answer, request);
        },
      };
    },
    'files-of-a-second-channel-are-left-out: a message of another channel than the first has no files but for its author':
      {
        presentRead: ({ items, page }, { isDefaultChannel, reader }) => ({
          items: items.map((item) =>
            'message' in item || item.author.id === reader.id || isDefaultChannel(item.channel_id)
              ? item
              : (without({ ...item }, 'attachments') as typeof item),
          ),
          page,
        }),
      },
    'foreign-files-are-hidden: only the agent that uploaded a file is shown its metadata': successAs(
      403,
      'file',
      ({ actor }, { body }) => objectOf(objectOf(body)['file'])['created_by_agent_id'] !== actor?.agentId,
    ),
    'attachments-are-hidden-from-others: only its author sees the files of a message': spoilItems(
      'read',
      (message, { actor }) =>
        objectOf(message['author'])['id'] === actor?.agentId ? message : { ...message, attachments: [] },
    ),
  },
  'file.attachable-by-the-workspace': {
    'files-are-attached-by-their-uploaders': {
      isAttachable: (file) => contractRules.isAttachable(file) && file.isOfSender,
    },
  },
  'file.deletion-spares-the-others': {
    'same-bytes-are-deleted-together: a deletion takes every file of the same bytes with it': () => {
      const gone = new Set<string>();
      return {
        presentAttachments: (files) => {
          for (const { sha256, status } of files) if (status === 'deleted') gone.add(sha256);
          return files.map((file) => (gone.has(file.sha256) ? { ...file, status: 'deleted' } : file));
        },
      };
    },
    'bytes-go-with-the-first-of-their-files: a deleted file takes the bytes of its like': () => {
      const gone = new Set<string>();
      return {
        isDownloadable: (file) => {
          if (file.status === 'deleted') gone.add(file.sha256);
          return contractRules.isDownloadable(file) && !gone.has(file.sha256);
        },
      };
    },
  },
  'message.attachments.captured': {
    'page-shows-fifty-files: a page shows no more than fifty different files': spoilList(
      'read',
      (messages) => {
        const shownFiles = new Set<unknown>();
        return messages.map((message) => {
          const files = message['attachments'];
          if (!Array.isArray(files)) return message;
          const attachments = files
            .map(objectOf)
            .filter(({ id }) => shownFiles.has(id) || shownFiles.add(id).size <= 50);
          return { ...message, attachments };
        });
      },
    ),
  },
  'message.attachments.stable': replacing('presentAttachments', {
    'deleted-attachments-are-dropped: a deleted file disappears from its messages': (files) =>
      files.filter(({ status }) => status !== 'deleted'),
    'deletion-takes-the-others-along: a deletion takes the other files of a message with it': (files) =>
      files.filter(
        (file, _, all) => file.status === 'deleted' || all.every(({ status }) => status !== 'deleted'),
      ),
  }),
  'message.attachments.deleted-not-downloadable': {
    'deleted-files-are-downloadable': () => ({
      rules: { isDownloadable: () => true },
      ...rememberingBytes(),
    }),
    'only-deleted-files-are-downloadable: a file is served once it is deleted, and not before': () => {
      let asked = '';
      return {
        rules: {
          isDownloadable: ({ status }) => {
            asked = status;
            return true;
          },
        },
        ...inTurn(rememberingBytes(), {
          answer: (answer, { route }) =>
            route === 'fileContent' && asked === 'ready' ? refusal(404) : answer,
        }),
      };
    },
    'deleted-files-are-downloadable-again: the first download of a deleted file meets an error of the server, every other one the file':
      () => {
        let deletedAsked = 0;
        return {
          rules: {
            isDownloadable: ({ status }) => {
              if (status === 'deleted') deletedAsked += 1;
              return true;
            },
          },
          ...inTurn(rememberingBytes(), {
            answer: (answer, { route }) =>
              route === 'fileContent' && deletedAsked === 1 ? refusal(503) : answer,
          }),
        };
      },
    'restart-revives-deleted-files: after a restart deleted files can be downloaded again': sinceRestart(
      (restartedMs) => ({
        rules: { isDownloadable: (file) => restartedMs() > 0 || contractRules.isDownloadable(file) },
        ...rememberingBytes(),
      }),
    ),
  },
  'file.download-is-intact': {
    ...replacing('downloadedBytes', {
      'downloads-are-texts: what is no UTF-8 is replaced in a download': (bytes) =>
        Buffer.from(bytes.toString('utf8')),
      'downloads-have-other-line-ends': (bytes) =>
        Buffer.from(bytes.toString('latin1').replaceAll('\r\n', '\n'), 'latin1'),
      'downloads-lose-their-byte-order-mark': (bytes) => (bytes[0] === 0xef ? bytes.subarray(3) : bytes),
      'downloads-end-early: a download ends after 32 KiB': (bytes) => bytes.subarray(0, 32_768),
    }),
    'a-deletion-takes-bytes-of-others: once a file was deleted, others are cut to half of it': () => {
      let isDeleted = false;
      return {
        presentFile: (file) => {
          isDeleted ||= file.status === 'deleted';
          return file;
        },
        downloadedBytes: (bytes) => (isDeleted ? bytes.subarray(0, bytes.length / 2) : bytes),
      };
    },
  },
  'file.filename.length': {
    'names-get-an-ending': renamed((name) => `${name}.bin`),
    'names-end-with-their-paths: of a name only what follows its last slash is shown': renamed((name) =>
      name.replace(/^.*\//, ''),
    ),
    'names-lose-their-first-character': renamed((name) => name.slice(1)),
  },
  'file.filename.as-uploaded': {
    'names-end-after-254-characters': renamed((name) => name.slice(0, 254)),
    'names-are-decoded-as-a-form': renamed((name) => name.replaceAll('+', ' ')),
    'names-are-fit-for-every-disk: signs that not every file system takes are underscores': renamed((name) =>
      name.replaceAll(/[<>:"|?*]/g, '_'),
    ),
    'names-are-composed': renamed((name) => name.normalize('NFC')),
    'names-are-in-small-letters': renamed((name) => name.toLowerCase()),
    'same-bytes-have-one-name: a file has the name of the first that has its bytes':
      ofFirstWithItsBytes('filename'),
    'names-end-after-250-characters': renamed((name) => name.slice(0, 250)),
    'names-end-after-255-bytes': renamed((name) =>
      Buffer.from(name)
        .subarray(0, 255)
        .toString()
        .replace(/\ufffd$/, ''),
    ),
  },
  'message.attachments.deleted-keep-metadata': Object.fromEntries(
    lost.map(([id, what, wrong]) => [
      `deletion-loses-the-${id}: a deleted file loses ${what}`,
      shown('presentFile', ({ status }) => (status === 'deleted' ? wrong : {})),
    ]),
  ),
  'file.content-type.as-uploaded': {
    'types-end-after-64-characters': shown('presentFile', ({ content_type: type }) => ({
      content_type: type.slice(0, 64),
    })),
    'types-lose-their-parameters': shown('presentFile', ({ content_type: type }) => ({
      content_type: type.replace(/;.*$/, ''),
    })),
    'same-bytes-have-one-type: a file has the type of the first that has its bytes':
      ofFirstWithItsBytes('content_type'),
  },
  'file.immutable': {
    'files-are-of-whoever-attached-them: a file is shown as uploaded by the author of its message':
      spoilItems('read', (message) => {
        const { id: created_by_agent_id } = objectOf(message['author']);
        const { attachments } = message;
        return Array.isArray(attachments)
          ? {
              ...message,
              attachments: attachments.map((file) => ({ ...objectOf(file), created_by_agent_id })),
            }
          : message;
      }),
    'files-are-of-whoever-reads: a file is shown as uploaded by the agent that reads its message': spoilItems(
      'read',
      (message, { actor }) => {
        const { attachments } = message;
        if (!Array.isArray(attachments)) return message;
        const created_by_agent_id = actor?.agentId;
        return {
          ...message,
          attachments: attachments.map((file) => ({ ...objectOf(file), created_by_agent_id })),
        };
      },
    ),
    'humans-behind-files-go-with-their-access: a file shows no human while the agent that uploaded it has no access':
      () => {
        const { note, isOut } = authorsOfFeeds();
        return {
          ...note,
          ...shown('presentFile', ({ created_by_agent_id: uploader }) =>
            isOut(uploader) ? { created_by_human_user_id: null } : {},
          ),
        };
      },
    'whoever-uploaded-is-found-later: a file is uploaded by nobody until it is shown again': ({
      isNew,
    }: Memory) => shown('presentFile', ({ id }) => (isNew(id) ? { created_by_agent_id: null } : {})),
    ...Object.fromEntries(
      lost.map(([id, what, wrong]) => [
        `file-${id}-changes: a file changes ${what} when it is shown again`,
        ({ isNew }: Memory) => shown('presentFile', (file) => (isNew(file.id) ? {} : wrong)),
      ]),
    ),
  },
  'file.sha256.is-the-digest': {
    'digest-of-nothing': shown('presentFile', () => ({ sha256: digestOf('') })),
    'digest-of-the-name': shown('presentFile', ({ filename }) => ({ sha256: digestOf(filename) })),
  },
  'file.status.shows-deletion': {
    'deleted-is-ready: a deleted file is called ready': deletedAs('ready'),
    'restart-calls-deleted-ready: after a restart a deleted file is called ready': sinceRestart(
      (restartedMs) =>
        shown('presentFile', ({ status }) => ({
          status: restartedMs() > 0 && status === 'deleted' ? 'ready' : status,
        })),
    ),
    'listings-show-files-as-sent: among the mentions a deleted file is ready': shown(
      'presentMessage',
      ({ attachments = [] }, route) => (route === 'mentions' ? { attachments: attachments.map(ready) } : {}),
    ),
    'listings-update-the-first-file: among the mentions a deleted file is ready, but for the first of its message':
      shown('presentMessage', ({ attachments = [] }, route) =>
        route === 'mentions'
          ? { attachments: attachments.map((file, at) => (at === 0 ? file : ready(file))) }
          : {},
      ),
    'the-latest-message-shows-a-deletion: of several messages with a file the last one alone shows that it is deleted':
      () => {
        const latest = new Map<string, string>();
        return shown('presentMessage', ({ id, attachments = [] }) => {
          for (const file of attachments) if (file.status === 'ready') latest.set(file.id, id);
          return {
            attachments: attachments.map((file) => (latest.get(file.id) === id ? file : ready(file))),
          };
        });
      },
    'older-messages-show-files-as-they-were: a message before the last fifty shows a deleted file as ready':
      () => {
        const newest = new Map<string, number>();
        return shown('presentMessage', ({ channel_id: id, sequence, attachments = [] }) => {
          newest.set(id, Math.max(newest.get(id) ?? 0, Number(sequence)));
          const isOld = Number(sequence) <= (newest.get(id) ?? 0) - 50;
          return isOld ? { attachments: attachments.map(ready) } : {};
        });
      },
    'deleted-is-expired: a deleted file is called expired': deletedAs('expired'),
  },
});

function ofFirstWithItsBytes(field: 'filename' | 'content_type'): () => Partial<Rules> {
  return () => {
    const first = new Map<string, string>();
    return shown('presentFile', (file) => {
      const value = first.get(file.sha256) ?? file[field];
      first.set(file.sha256, value);
      return { [field]: value };
    });
  };
}

function ready(file: WorkspaceFile): WorkspaceFile {
  return file.status === 'deleted' ? { ...file, status: 'ready' } : file;
}

function renamed(nameOf: (name: string) => string): Partial<Rules> {
  return shown('presentFile', ({ filename }) => ({ filename: nameOf(filename) }));
}

function deletedAs(other: WorkspaceFile['status']): Partial<Rules> {
  return shown('presentFile', ({ status }) => ({ status: status === 'deleted' ? other : status }));
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Gives what was downloaded of a file once, also where its bytes are gone since. */
function rememberingBytes(): Answering {
  const known = new Map<string, unknown>();
  return spoilSuccess('fileContent', (answer, { path }) => {
    if (Buffer.isBuffer(answer.body) && answer.body.length > 0) known.set(path, answer.body);
    return { ...answer, body: known.get(path) ?? answer.body };
  });
}
