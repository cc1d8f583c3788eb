import { check, type Check } from '../../harness/check/check.ts';
import { isAccepted, isRefusal } from '../../harness/client/exchange.ts';
import { describeAnswer, given } from '../../harness/verdict/outcome.ts';
import { fileAmong, judgeFileConstant } from '../../oracles/messages/files.ts';
import { download, readAgain, sendWithFiles } from '../arrange/attached.ts';
import { tokenOf } from '../arrange/auth/credential-faults.ts';
import { eventually } from '../arrange/eventually.ts';
import { requireAnswered } from '../arrange/send/accepted-sends.ts';

/** What a restart of the server leaves of the files. */
export const fileRestartChecks: readonly Check[] = [
  // message.attachments.deleted-not-downloadable: A deleted file can no longer be downloaded.
  check(
    'file.deleted-file-stays-deleted-after-a-restart',
    {
      title: 'after a restart a deleted file is still on its message, deleted, and not to be downloaded',
      clauses: [
        'message.attachments.deleted-not-downloadable',
        'message.attachments.stable',
        'message.attachments.deleted-keep-metadata',
        'file.status.shows-deletion',
      ],
      needs: ['author', 'channel', 'attachments-binding', 'file-hook', 'restart-hook'],
    },
    async (context) => {
      const { author, channel, expect, files, marker, restart } = context;
      const from = await channel.since();
      const filename = `${marker()}txt`;
      const content = marker();
      const id = await files.upload({ token: tokenOf(author), filename, contentType: 'text/plain', content });
      const { draft, shown } = await sendWithFiles(context, [id]);
      const [first = {}] = shown;
      await files.delete(id);
      const look = async () => {
        const { attachments, exchange } = await readAgain(channel, draft, from);
        return { file: fileAmong(attachments, id), exchange };
      };
      const isDeleted = ({ file }: Awaited<ReturnType<typeof look>>): boolean =>
        file?.['status'] === 'deleted';
      const before = await eventually(context, look, isDeleted);
      const refused = await eventually(context, () => download(context, id), isRefusal);
      given(isDeleted(before) || isRefusal(refused), 'a file is not deleted even before a restart');
      await restart();
      const { file, exchange } = await eventually(context, look, isDeleted);
      const missing = { expected: `the file ${id} with its message`, actual: 'it is not there' };
      expect.holds('message.attachments.stable', file !== undefined, missing, exchange);
      const constant = judgeFileConstant(first, file ?? {});
      expect.judgement('message.attachments.deleted-keep-metadata', constant, exchange);
      if (isDeleted(before))
        expect.equal('file.status.shows-deletion', 'status', file?.['status'], 'deleted', exchange);
      given(isRefusal(refused), 'a deleted file could be downloaded even before a restart', refused);
      const after = await eventually(context, () => download(context, id), isRefusal);
      requireAnswered(after);
      given(isAccepted(after) || isRefusal(after), 'what became of the file is not shown', after);
      const problem = { expected: 'no download of a deleted file', actual: describeAnswer(after) };
      expect.holds('message.attachments.deleted-not-downloadable', isRefusal(after), problem, after);
    },
  ),
];
