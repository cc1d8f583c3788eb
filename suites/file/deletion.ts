import { check, type Check } from '../../harness/check/check.ts';
import type { Context } from '../../harness/check/context.ts';
import type { Actor } from '../../harness/client/actor.ts';
import { type Exchange, isAccepted, isRefusal } from '../../harness/client/exchange.ts';
import { describeAnswer, given } from '../../harness/verdict/outcome.ts';
import { noDownload } from '../arrange/message/files.ts';
import { fileAmong, judgeFileConstant } from '../../spec/oracles/messages/files.ts';
import {
  attachedLongBefore,
  download,
  downloadOfDeleted,
  expectGone,
  expectSpared,
  type FileWithBytes,
  isDownload,
  isWordOnFile,
  readAgain,
  sendWithFiles,
  uploadBeside,
} from '../arrange/message/attached.ts';
import { tokenOf } from '../arrange/auth/credential-faults.ts';
import { eventually } from '../arrange/eventually.ts';
import { arranged, orElse } from '../arrange/or-else.ts';
import { requireAnswered } from '../arrange/send/accepted-sends.ts';

const missing = (id: string) => ({ expected: `the file ${id} with its message`, actual: 'it is not there' });

/** What becomes of a file that is deleted. */
export const fileDeletionChecks: readonly Check[] = [
  // message.attachments.stable: A message keeps referring to the same files, whatever becomes of them.
  check(
    'file.deleted-file-stays-on-its-messages',
    {
      title: 'a deleted file stays on its message as it was, in the state deleted, beside one that was not',
      clauses: [
        'message.attachments.stable',
        'file.immutable',
        'message.attachments.deleted-keep-metadata',
        'file.status.shows-deletion',
        'file.deletion-spares-the-others',
      ],
      needs: ['author', 'channel', 'attachments-binding', 'file-hook'],
    },
    async (context) => {
      const { channel, expect, files } = context;
      const from = await channel.since();
      await arranged(() => attachedLongBefore(context));
      const { kept, gone } = await uploadTwo(context);
      const { draft, shown } = await sendWithFiles(context, [kept, gone]);
      const [keptBefore = {}, goneBefore = {}] = shown;
      await files.delete(gone);
      const { attachments, exchange } = await eventually(
        context,
        () => readAgain(channel, draft, from),
        (again) => fileAmong(again.attachments, gone)?.['status'] === 'deleted',
      );
      const [keptAfter, goneAfter] = [fileAmong(attachments, kept), fileAmong(attachments, gone)];
      expect.holds('message.attachments.stable', keptAfter !== undefined, missing(kept), exchange);
      expect.holds('message.attachments.stable', goneAfter !== undefined, missing(gone), exchange);
      expect.judgement('file.immutable', judgeFileConstant(keptBefore, keptAfter ?? {}), exchange);
      const constant = judgeFileConstant(goneBefore, goneAfter ?? {});
      expect.judgement('message.attachments.deleted-keep-metadata', constant, exchange);
      expectSpared(context, keptAfter, exchange);
      expect.equal('file.status.shows-deletion', 'status', goneAfter?.['status'], 'deleted', exchange);
    },
  ),
  // message.attachments.deleted-not-downloadable: A deleted file can no longer be downloaded.
  check(
    'file.deleted-file-is-not-downloadable',
    {
      title: 'a file that could be downloaded no longer can once it is deleted, while another one still can',
      clauses: ['message.attachments.deleted-not-downloadable', 'file.deletion-spares-the-others'],
      needs: ['author', 'file-binding', 'file-hook'],
    },
    async (context) => {
      const { expect, files } = context;
      const { kept, gone, content } = await uploadTwo(context, context.optional('reader'));
      const [spared, deleted] = [kept, gone].map((id) => ({ id, content })) as [FileWithBytes, FileWithBytes];
      const before = [await download(context, kept), await download(context, gone)];
      await files.delete(gone);
      const after = await downloadOfDeleted(context, deleted);
      // Whatever came of it before, what is served of it now is too much.
      const wereThere = before.every((whole) => isDownload(whole, spared));
      if (!wereThere && isDownload(after, deleted)) return expectGone(context, deleted, after);
      for (const whole of before) {
        requireAnswered(whole);
        given(isDownload(whole, spared), noDownload(whole), whole);
      }
      const isThere = (answer: Exchange): boolean => isDownload(answer, spared);
      const other = await eventually(context, () => download(context, kept), isThere);
      requireAnswered(other);
      const isShown = (isAccepted(other) && !isWordOnFile(other)) || isRefusal(other);
      given(isShown, 'what became of the other file is not shown', other);
      const lost = { expected: 'a download of the file that is left', actual: describeAnswer(other) };
      expect.holds('file.deletion-spares-the-others', isThere(other), lost, other);
      expectGone(context, deleted, after);
    },
  ),
];

interface Two {
  readonly kept: string;
  readonly gone: string;
  /** What the bytes of both begin with. */
  readonly content: string;
}

/** Two files that begin with the same bytes, put there by the operator: one to keep, of the keeper where that can be, and one to delete, of the author. */
async function uploadTwo(
  { author, files, marker }: Context<'author' | 'file-hook'>,
  keeper?: Actor,
): Promise<Two> {
  const content = marker();
  const fileOf = (of: Actor) => ({
    token: tokenOf(of),
    filename: `${marker()}txt`,
    isUnusual: of !== author,
    contentType: 'text/plain',
    content,
  });
  const ofAuthor = (): Promise<string> => files.upload(fileOf(author));
  const kept = await (keeper === undefined ? ofAuthor() : orElse(files.upload(fileOf(keeper)), ofAuthor));
  return { kept, gone: await uploadBeside(files, kept, fileOf(author)), content };
}
