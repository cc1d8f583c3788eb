import { createHash } from 'node:crypto';
import type { Always, Context } from '../../../harness/check/context.ts';
import {
  type Exchange,
  isAccepted,
  isRedirection,
  isRefusal,
  statusOf,
} from '../../../harness/client/exchange.ts';
import { type Arrival, type Draft, findIn, type StreamView } from '../../../harness/stream/stream-view.ts';
import { describeAnswer, given, unmet } from '../../../harness/verdict/outcome.ts';
import { isRecord } from '../../../spec/calls/index.ts';
import { fileAmong, type ShownFile } from '../../../spec/oracles/messages/files.ts';
import { asText } from '../../../spec/oracles/values/json-texts.ts';
import { tokenOf } from '../auth/credential-faults.ts';
import { eventually, settle } from '../eventually.ts';
import { arranged, orElse } from '../or-else.ts';
import { cursorBefore } from '../receipts/reports.ts';
import { readOn, requireAccepted, requireAnswered, requireEffect } from '../send/accepted-sends.ts';

/** A message with files, and what it shows of them when it first comes. */
interface SentWithFiles {
  readonly draft: Draft;
  readonly sent: Exchange;
  readonly item: Arrival;
  readonly shown: readonly ShownFile[];
}

/**
 * A message with files by the author. Ends the check with its precondition not met when one is missing: then the field of a send may be
 * called otherwise.
 */
export async function sendWithFiles(
  context: Context<'author' | 'channel'>,
  ids: readonly string[],
): Promise<SentWithFiles> {
  const message = await sendShowingFiles(context, ids);
  const { sent, shown } = message;
  // Of a file that no message shows nobody knows whether it is there: those that are missing are first in another.
  if (shown.length < ids.length) await arranged(() => sendShowingFiles(context, ids.toReversed()));
  given(shown.length === ids.length, 'the message lacks some of its files', sent);
  return message;
}

async function sendShowingFiles(
  { author, bindings, channel, draft: newDraft }: Context<'author' | 'channel'>,
  ids: readonly string[],
): Promise<SentWithFiles> {
  const draft = newDraft();
  const sent = await author.send(channel.id, draft.text, { fields: { [bindings.attachments]: ids } });
  requireAccepted(sent);
  const item = await channel.arrival(draft);
  const found = ids.map((id) => fileAmong(item.message['attachments'], id));
  const shown = found.filter((file) => file !== undefined);
  requireEffect(bindings, 'attachments', shown.length > 0, sent);
  return { draft, sent, item, shown };
}

/** Judges that a file that nobody deleted is not shown as deleted; `undefined` where a message does not show it. */
export function expectSpared(
  { expect }: Pick<Always, 'expect'>,
  file: ShownFile | undefined,
  ...evidence: readonly Exchange[]
): void {
  if (file === undefined) return;
  const problem = { expected: `the file ${asText(file['id'])}, which was not deleted`, actual: 'deleted' };
  expect.holds('file.deletion-spares-the-others', file['status'] !== 'deleted', problem, ...evidence);
}

/** A file, and what its bytes begin with. */
export interface FileWithBytes {
  readonly id: string;
  readonly content: string;
}

/** A message with a file, as it first showed that, and a cursor right before it. */
interface Attached extends FileWithBytes {
  readonly draft: Draft;
  readonly file: ShownFile;
  readonly before: bigint;
}

/** A message with a file that the operator puts there. */
export async function attachOne(context: Context<'author' | 'channel' | 'file-hook'>): Promise<Attached> {
  const { author, files, marker } = context;
  const [filename, content] = [`${marker()}txt`, marker()];
  const file = { token: tokenOf(author), filename, contentType: 'text/plain', content };
  const id = await files.upload(file);
  const { draft, item, shown } = await sendWithFiles(context, [id]);
  return { draft, id, content, file: shown[0] ?? {}, before: cursorBefore(item) };
}

/** One of those, made once in a run: many messages come between it and whoever asks last. */
export function attachedLongBefore(context: Context<'author' | 'channel' | 'file-hook'>): Promise<Attached> {
  return context.shared('a message with a file', () => attachOne(context));
}

/**
 * A file of the same bytes as one that is there, put there by the operator; of one byte more where a server takes the same bytes only once,
 * or makes one file of them.
 */
export async function uploadBeside(
  files: Context<'file-hook'>['files'],
  first: string,
  file: Omit<Parameters<Context<'file-hook'>['files']['upload']>[0], 'content'> & {
    readonly content: string;
  },
): Promise<string> {
  const second = await orElse(files.upload({ ...file, isUnusual: true }), () => first);
  return second === first ? files.upload({ ...file, content: `${file.content}.` }) : second;
}

/** What a download of a file is answered with. */
export function download({ author, bindings }: Context<'author'>, id: string): Promise<Exchange> {
  const path = bindings.fileContent.replaceAll('{file_id}', id);
  return author.request({ path, headers: { accept: '*/*' } });
}

/** Whether an answer has the bytes of a file. */
export function isDownload(exchange: Exchange, { content }: Pick<FileWithBytes, 'content'>): boolean {
  const bytes = Buffer.from(exchange.response?.bytes ?? []);
  return isAccepted(exchange) && bytes.toString().startsWith(content);
}

/** Whether what a download is answered with is no file but a word on it: where its bytes are, as a large one's may be, or that they come later. */
export function isWordOnFile(exchange: Exchange): boolean {
  const isEmpty = [202, 204].includes(statusOf(exchange) ?? 0);
  return isAccepted(exchange) && (isEmpty || saysWhere(exchange));
}

/** Whether a download is answered with where the bytes are: by a redirect, which is not followed, or in words. */
export function comesByLink(exchange: Exchange): boolean {
  return isRedirection(statusOf(exchange)) || (isAccepted(exchange) && saysWhere(exchange));
}

/** An address is hardly longer, in bytes. */
const longestAddress = 4_000;

/** Whether an answer is an object, or an address alone. */
function saysWhere({ response }: Exchange): boolean {
  const bytes = Buffer.from(response?.bytes ?? []);
  const isAddress = bytes.length <= longestAddress && /^\s*"?https?:\/\/\S+\s*$/i.test(bytes.toString());
  return isAddress || isRecord(response?.json);
}

/**
 * Asks for a file until it is told that it does not come, by a refusal or by what is not its bytes, and a few times more, since another
 * part of the server may not know of its deletion: the answer that has it nevertheless, and else the one that told, be it so or not.
 */
export async function downloadOfDeleted(context: Context<'author'>, file: FileWithBytes): Promise<Exchange> {
  const { author, optional } = context;
  // An error of the server, or a limit, passes, and the file may come after it.
  const told = await eventually(
    context,
    () => download(context, file.id),
    (answer) => isGone(answer, file),
  );
  if (!isGone(told, file)) return told;
  await settle(context);
  for (const asking of [author, author, author, optional('reader') ?? author]) {
    const again = await download({ ...context, author: asking }, file.id);
    if (isDownload(again, file)) return again;
  }
  return told;
}

/** Whether an answer tells that a file does not come. */
export function isGone(exchange: Exchange, file: FileWithBytes): boolean {
  return isRefusal(exchange) || (isAccepted(exchange) && !isDownload(exchange, file));
}

/** Judges that what {@link downloadOfDeleted} gave is no download; ends the check with its precondition not met when it does not say. */
export function expectGone({ expect }: Pick<Always, 'expect'>, file: FileWithBytes, after: Exchange): void {
  requireAnswered(after);
  given(isAccepted(after) || isRefusal(after), 'what became of the file is not shown', after);
  const problem = {
    expected: 'no download of a deleted file',
    actual: `${describeAnswer(after)} with what was uploaded`,
  };
  expect.holds('message.attachments.deleted-not-downloadable', isGone(after, file), problem, after);
}

/** The digest that a file of these bytes shows. */
export function digestOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** A message as a stream shows it now. */
interface Again {
  readonly attachments: unknown;
  readonly exchange: Exchange;
}

/** Reads one that has its place alone again; ends the check with its precondition not met when it is gone. */
export async function readAlone(
  view: StreamView,
  { draft, before }: Pick<Attached, 'draft' | 'before'>,
): Promise<Again> {
  const { items, exchange } = await view.readPage(before, 1);
  const item = findIn(items, draft) ?? unmet(`${view.label} no longer shows the message`, exchange);
  return { attachments: item.message['attachments'], exchange };
}

/** Reads a message again; ends the check with its precondition not met when it is gone. */
export async function readAgain(view: StreamView, draft: Draft, from: bigint | undefined): Promise<Again> {
  const { pages } = await readOn(view, from);
  for (const { items, exchange } of pages) {
    const item = findIn(items, draft);
    if (item === undefined) continue;
    const { attachments } = item.message;
    // A page that holds much may leave out what need not be shown, and a page of one message shows it.
    return attachments === undefined && items.length > 1
      ? readAlone(view, { draft, before: cursorBefore(item) })
      : { attachments, exchange };
  }
  return unmet(`${view.label} no longer shows the message`);
}
