import { check, type Check } from '../../harness/check/check.ts';
import { given } from '../../harness/verdict/outcome.ts';
import { fileAmong, judgeFileConstant } from '../../spec/oracles/messages/files.ts';
import {
  attachedLongBefore,
  attachOne,
  download,
  downloadOfDeleted,
  expectGone,
  isDownload,
  isGone,
  readAlone,
} from '../arrange/message/attached.ts';
import { eventually } from '../arrange/eventually.ts';
import { orElse } from '../arrange/or-else.ts';

/** What a restart of the server leaves of the files. */
export const fileRestartChecks: readonly Check[] = [
  // message.attachments.deleted-not-downloadable: A deleted file can no longer be downloaded.
  check(
    'file.deleted-file-stays-deleted-after-a-restart',
    {
      title:
        'a file that is deleted long after it was sent is deleted on its message, after a restart too, and not to be downloaded',
      clauses: [
        'message.attachments.deleted-not-downloadable',
        'message.attachments.stable',
        'message.attachments.deleted-keep-metadata',
        'file.status.shows-deletion',
      ],
      needs: ['author', 'channel', 'attachments-binding', 'file-hook', 'restart-hook'],
    },
    async (context) => {
      const { channel, expect, files, restart } = context;
      // Retention may have taken away what was sent long before.
      const seen = attachedLongBefore(context).then(async (each) => {
        await readAlone(channel, each);
        return each;
      });
      const attached = await orElse(seen, () => attachOne(context));
      const { id, file: first } = attached;
      const whole = await download(context, id);
      await files.delete(id);
      const look = async () => {
        const { attachments, exchange } = await readAlone(channel, attached);
        return { file: fileAmong(attachments, id), exchange };
      };
      const isDeleted = ({ file }: Awaited<ReturnType<typeof look>>): boolean =>
        file?.['status'] === 'deleted';
      const before = await eventually(context, look, isDeleted);
      const missing = { expected: `the file ${id} with its message`, actual: 'it is not there' };
      expect.holds('message.attachments.stable', before.file !== undefined, missing, before.exchange);
      const gone = await downloadOfDeleted(context, attached);
      const isNoLonger = isDownload(whole, attached) && isGone(gone, attached);
      given(isDeleted(before) || isNoLonger, 'a file is not deleted even before a restart');
      expect.equal(
        'file.status.shows-deletion',
        'status',
        before.file?.['status'],
        'deleted',
        before.exchange,
      );
      await restart();
      const { file, exchange } = await eventually(context, look, isDeleted);
      expect.holds('message.attachments.stable', file !== undefined, missing, exchange);
      const constant = judgeFileConstant(first, file ?? {});
      expect.judgement('message.attachments.deleted-keep-metadata', constant, exchange);
      if (isDeleted(before))
        expect.equal('file.status.shows-deletion', 'status', file?.['status'], 'deleted', exchange);
      // Where it did not come before its deletion, another call may stand there.
      if (!isDownload(whole, attached)) return;
      given(isNoLonger, 'a deleted file could be downloaded even before a restart', gone);
      expectGone(context, attached, await downloadOfDeleted(context, attached));
    },
  ),
];
