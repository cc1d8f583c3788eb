import { check, type Check } from '../../harness/check/check.ts';
import type { Context } from '../../harness/check/context.ts';
import type { Actor } from '../../harness/client/actor.ts';
import { type Exchange, isAccepted, isRefusal } from '../../harness/client/exchange.ts';
import { describeAnswer, given, unmet } from '../../harness/verdict/outcome.ts';
import { fileAmong, judgeFileConstant } from '../../oracles/messages/files.ts';
import { download, readAgain, sendWithFiles } from '../arrange/attached.ts';
import { tokenOf } from '../arrange/auth/credential-faults.ts';
import { eventually } from '../arrange/eventually.ts';
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
      ],
      needs: ['author', 'channel', 'attachments-binding', 'file-hook'],
    },
    async (context) => {
      const { channel, expect, files } = context;
      const from = await channel.since();
      const ids = await uploadTwo(context);
      const [kept, gone] = ids;
      const { draft, shown } = await sendWithFiles(context, ids);
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
      expect.equal('file.status.shows-deletion', 'status', goneAfter?.['status'], 'deleted', exchange);
    },
  ),
  // message.attachments.deleted-not-downloadable: A deleted file can no longer be downloaded.
  check(
    'file.deleted-file-is-not-downloadable',
    {
      title: 'a file that could be downloaded no longer can once it is deleted, while another one still can',
      clauses: ['message.attachments.deleted-not-downloadable'],
      needs: ['author', 'file-binding', 'file-hook'],
    },
    async (context) => {
      const { expect, files } = context;
      const [kept, gone] = await uploadTwo(context);
      requireBytes(await download(context, kept), await download(context, gone));
      await files.delete(gone);
      // An error of the server, or a limit, passes, and the file may come after it.
      const after = await eventually(context, () => download(context, gone), isRefusal);
      requireAnswered(after);
      given(isAccepted(after) || isRefusal(after), 'what became of the file is not shown', after);
      requireBytes(await download(context, kept));
      const problem = { expected: 'no download of a deleted file', actual: describeAnswer(after) };
      expect.holds('message.attachments.deleted-not-downloadable', !isAccepted(after), problem, after);
    },
  ),
];

const content = 'bytes of the conformance suite\n';

/** Two files of the author's, put there by the operator: one to keep and one to delete. */
async function uploadTwo({
  author,
  files,
  marker,
}: Pick<Context<'author' | 'file-hook'>, 'files' | 'marker'> & { readonly author: Actor }): Promise<
  readonly [kept: string, gone: string]
> {
  const token = tokenOf(author);
  const one = (): Promise<string> =>
    files.upload({ token, filename: `${marker()}txt`, contentType: 'text/plain', content });
  return [await one(), await one()];
}

/** Ends the check with its precondition not met unless the bytes of a file come where the bindings say. */
function requireBytes(...downloads: readonly Exchange[]): void {
  requireAnswered(...downloads);
  const other = downloads.find(
    (exchange) => !isAccepted(exchange) || Buffer.from(exchange.response?.bytes ?? []).toString() !== content,
  );
  if (other !== undefined) unmet('a file could not be downloaded: see bindings.file_content', other);
}
