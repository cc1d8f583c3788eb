import { check, type Check } from '../../harness/check/check.ts';
import type { Context } from '../../harness/check/context.ts';
import type { Actor } from '../../harness/client/actor.ts';
import { readPage } from '../../harness/stream/page.ts';
import { findIn } from '../../harness/stream/stream-view.ts';
import { given, unmet } from '../../harness/verdict/outcome.ts';
import { validate } from '../../spec/index.ts';
import { fileAmong, fileIn, judgeFileConstant, type ShownFile } from '../../spec/oracles/messages/files.ts';
import { asText, textsIn } from '../../spec/oracles/values/json-texts.ts';
import { allOf, judgeEach } from '../../spec/oracles/values/judgement.ts';
import { arranged, orElse } from '../arrange/or-else.ts';
import { digestOf, readAgain, sendWithFiles } from '../arrange/message/attached.ts';
import { cursorBefore } from '../arrange/receipts/reports.ts';
import { fileTypes, judgeGiven, nameChanges, nameEnds, typeChanges } from './forms.ts';

/** Characters of a name at most. */
const longestName = 255;
/** Of a name that is neither short nor long; twice as many bytes are no more than a file system takes. */
const usualName = 100;

/** What is recorded of a file. */
export const fileMetadataChecks: readonly Check[] = [
  // file.immutable: What was first recorded of a file never changes; only its state does, and a time of
  //   upload where there was none.
  check(
    'file.metadata-stays-what-it-was',
    {
      title:
        'a file is shown as it was recorded, by its upload, with one message and with others later, be they by another agent or read by one',
      clauses: ['file.immutable'],
      needs: ['author', 'channel', 'attachments-binding', 'files'],
    },
    async (context) => {
      const { channel, expect, recordedFile, settleMs, sleep } = context;
      const from = await channel.since();
      const file = await recordedFile();
      const first = await sendWithFiles(context, [file.id]);
      // How an upload is answered is not shown: what it says counts where it is the object that messages show.
      const answered = fileIn(file.exchange?.response?.json);
      const isRecord = answered !== undefined && validate('workspace-file', answered).length === 0;
      const records = [...first.shown.slice(0, 1), ...(isRecord ? [answered] : [])];
      await sleep(settleMs);
      const second = await sendWithFiles(context, [file.id]);
      const other = context.optional('reader');
      const byAnother =
        other && (await arranged(() => sendWithFiles({ ...context, author: other }, [file.id])));
      const recording = file.exchange === undefined ? [] : [file.exchange];
      for (const message of [first, second, byAnother].filter((each) => each !== undefined)) {
        const { draft, item, shown, sent } = message;
        const again = [await readAgain(channel, draft, from)];
        if (other !== undefined) again.push(...(await readBy(other, context, message)));
        const judged = (each: ShownFile) => allOf(records.map((record) => judgeFileConstant(record, each)));
        const evidence = [...recording, sent, item.exchange, ...again.map(({ exchange }) => exchange)];
        const shownAgain = again.map(({ attachments }) => fileAmong(attachments, file.id) ?? {});
        const all = [...shownAgain, ...shown].map(judged);
        expect.judgement('file.immutable', allOf(all), ...evidence);
      }
    },
  ),
  // file.filename.length: A `filename` has between 1 and 255 characters.
  check(
    'file.shortest-and-longest-names-are-shown',
    {
      title:
        'files whose names have 1 to 255 characters are shown under names as long, and under their own where shorter ones are; none is decoded, normalised or put into other letters',
      clauses: ['file.filename.length', 'file.filename.as-uploaded'],
      arranges: ['message.attachments.captured'],
      needs: ['author', 'channel', 'attachments-binding', 'files'],
    },
    async (context) => {
      const { expect, freshFile, marker } = context;
      const upload = async (name: string) => (await freshFile(marker(), { filename: name })).id;
      const named = (length: number, character = 'n'): string => marker().padEnd(length, character);
      const plain = ['f', named(usualName), named(longestName - 1), named(longestName)];
      const ids = await Promise.all(plain.map(upload));
      // What is no ASCII may not come to a server at all: how files are uploaded is not shown.
      const others = [named(usualName, 'é'), named(longestName, 'é')];
      const otherIds = await orElse<readonly string[]>(Promise.all(others.map(upload)), () => []);
      // Whoever uploads may cut what looks like a path: what is left of it has characters all the same.
      const paths = [`${marker()}/`, `/${marker()}/${marker()}`];
      const pathIds = await orElse<readonly string[]>(Promise.all(paths.map(upload)), () => []);
      const formed = nameEnds.map((end) => `${marker()}${end}`);
      const formedIds = await Promise.all(formed.map((name) => arranged(() => upload(name))));
      const names = [...plain, ...others.slice(0, otherIds.length)];
      const all = [...ids, ...otherIds, ...pathIds, ...formedIds].filter((id) => id !== undefined);
      const { sent, item, shown: files } = await sendWithFiles(context, all);
      const evidence = [sent, item.exchange];
      const shown = files.map((file) => file['filename']);
      const lengths = shown.map((name) => (typeof name === 'string' ? Array.from(name).length : undefined));
      const isWithin = lengths.every((length = 0) => length >= 1 && length <= longestName);
      const problem = {
        expected: `names of 1 to ${longestName} characters`,
        actual: `of ${lengths.map((length) => length ?? 'no').join(' and ')} characters`,
      };
      const isOther = (name: string): boolean => shown[names.indexOf(name)] !== name;
      if (isWithin && plain.slice(0, 2).some(isOther))
        unmet('files are shown under other names than they were given', sent);
      expect.holds('file.filename.length', isWithin, problem, ...evidence);
      const long = [plain.slice(2), others.slice(0, 1).some(isOther) ? [] : names.slice(plain.length)].flat();
      expect.judgement(
        'file.filename.as-uploaded',
        judgeEach(long, (name) =>
          isOther(name)
            ? { expected: `the name ${name}`, actual: asText(shown[names.indexOf(name)]) }
            : undefined,
        ),
        ...evidence,
      );
      const made = formed.filter((_, at) => formedIds[at] !== undefined);
      const shownAs = shown.slice(-made.length);
      expect.judgement('file.filename.as-uploaded', judgeGiven(made, shownAs, nameChanges), ...evidence);
    },
  ),
  // file.content-type.as-uploaded: A file that was given a content type is shown with the whole of it.
  check(
    'file.types-are-shown-as-uploaded',
    {
      title: 'files whose types have parameters are shown with them, and long types as a whole',
      clauses: ['file.content-type.as-uploaded'],
      needs: ['author', 'channel', 'attachments-binding', 'files'],
    },
    async (context) => {
      const { expect, freshFile, marker } = context;
      const ids = await Promise.all(
        fileTypes.map((contentType) => arranged(async () => (await freshFile(marker(), { contentType })).id)),
      );
      const made = fileTypes.filter((_, at) => ids[at] !== undefined);
      given(made.length > 0, 'no file with a type that has parameters could be made');
      const { sent, item, shown } = await sendWithFiles(
        context,
        ids.filter((id) => id !== undefined),
      );
      const types = shown.map((file) => file['content_type']);
      const judgement = judgeGiven(made, types, typeChanges);
      given(judgement.judged > 0, 'files are shown with other types than they were given', sent);
      expect.judgement('file.content-type.as-uploaded', judgement, sent, item.exchange);
    },
  ),
  // file.sha256.is-the-digest: `sha256` is the digest of the bytes that were uploaded.
  check(
    'file.sha256-is-the-digest-of-its-bytes',
    {
      title: 'the sha256 of a file is the digest of the bytes that were uploaded',
      clauses: ['file.sha256.is-the-digest'],
      needs: ['author', 'channel', 'attachments-binding', 'files'],
    },
    async (context) => {
      const { expect, freshFile, marker } = context;
      const content = Buffer.from(`${marker()}\r\n\u0000 é \ufeff`);
      const { id, exchange } = await freshFile(content);
      const { sent, item, shown: files } = await sendWithFiles(context, [id]);
      const [shown] = files;
      const digest = digestOf(content);
      // How files are uploaded is not shown: the call that the suite tries may take the text of the base64 for the file.
      const size = shown?.['size_bytes'];
      const isOther = size !== undefined && asText(size) !== String(content.length);
      const isOfText = shown?.['sha256'] === digestOf(Buffer.from(content.toString('base64')));
      if (exchange !== undefined && (isOther || isOfText))
        unmet('POST /v0/files took other bytes than were meant: hooks.file can upload them', exchange);
      if (shown?.['sha256'] !== digest && textsIn(sent.response?.json).includes(digest))
        unmet('the answer to the send shows another digest than its message', sent);
      expect.equal('file.sha256.is-the-digest', 'sha256', shown?.['sha256'], digest, sent, item.exchange);
    },
  ),
];

/** A message as another agent sees it in the channel; nothing where that is closed to it. */
async function readBy(
  reader: Actor,
  { bindings, channel }: Context<'channel'>,
  { draft, item }: Pick<Awaited<ReturnType<typeof sendWithFiles>>, 'draft' | 'item'>,
): Promise<readonly Awaited<ReturnType<typeof readAgain>>[]> {
  const exchange = await reader.readChannel(channel.id, { after: cursorBefore(item), limit: 1 });
  const shown = findIn(readPage(exchange, bindings.items).items, draft);
  return shown === undefined ? [] : [{ attachments: shown.message['attachments'], exchange }];
}
