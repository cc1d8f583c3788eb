import { check, type Check } from '../../harness/check/check.ts';
import { unmet } from '../../harness/verdict/outcome.ts';
import { fileAmong, fileIn, judgeFileConstant } from '../../oracles/messages/files.ts';
import { textsIn } from '../../oracles/values/json-texts.ts';
import { allOf } from '../../oracles/values/judgement.ts';
import { digestOf, readAgain, sendWithFiles } from '../arrange/attached.ts';

/** Characters of a name at most. */
const longestName = 255;

/** What is recorded of a file. */
export const fileMetadataChecks: readonly Check[] = [
  // file.immutable: What was first recorded of a file never changes; only its state and the time of its
  //   upload do.
  check(
    'file.metadata-stays-what-it-was',
    {
      title: 'a file is shown as it was recorded, by its upload, with one message and with another later',
      clauses: ['file.immutable'],
      needs: ['author', 'channel', 'attachments-binding', 'files'],
    },
    async (context) => {
      const { channel, expect, recordedFile, settleMs, sleep } = context;
      const from = await channel.since();
      const file = await recordedFile();
      const first = await sendWithFiles(context, [file.id]);
      const recorded = { ...first.shown[0], ...fileIn(file.exchange?.response?.json) };
      await sleep(settleMs);
      const second = await sendWithFiles(context, [file.id]);
      const again = await readAgain(channel, first.draft, from);
      const shown = [...first.shown, ...second.shown, fileAmong(again.attachments, file.id) ?? {}];
      const evidence = file.exchange === undefined ? [] : [file.exchange];
      const judgements = shown.map((later) => judgeFileConstant(recorded, later));
      expect.judgement('file.immutable', allOf(judgements), ...evidence, again.exchange);
    },
  ),
  // file.filename.length: A `filename` has between 1 and 255 characters.
  check(
    'file.shortest-and-longest-names-are-shown',
    {
      title:
        'a file whose name has 1 character and one whose name has 255 are shown under a name of 1 to 255',
      clauses: ['file.filename.length'],
      needs: ['author', 'channel', 'attachments-binding', 'files'],
    },
    async (context) => {
      const { expect, freshFile, marker } = context;
      const names = ['f', marker().padEnd(longestName, 'n')];
      const ids = await Promise.all(
        names.map(async (name) => (await freshFile(marker(), { filename: name })).id),
      );
      const { sent, shown: files } = await sendWithFiles(context, ids);
      const shown = files.map((file) => file['filename']);
      const lengths = shown.map((name) => (typeof name === 'string' ? Array.from(name).length : undefined));
      const isWithin = lengths.every((length = 0) => length >= 1 && length <= longestName);
      const problem = {
        expected: `names of 1 to ${longestName} characters`,
        actual: `of ${lengths.map((length) => length ?? 'no').join(' and ')} characters`,
      };
      const isOther = shown.some((name, index) => name !== names[index]);
      if (isWithin && isOther) unmet('files are shown under other names than they were given', sent);
      expect.holds('file.filename.length', isWithin, problem, sent);
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
      const { id } = await freshFile(content);
      const { sent, shown: files } = await sendWithFiles(context, [id]);
      const [shown] = files;
      const digest = digestOf(content);
      if (shown?.['sha256'] !== digest && textsIn(sent.response?.json).includes(digest))
        unmet('the answer to the send shows another digest than its message', sent);
      expect.equal('file.sha256.is-the-digest', 'sha256', shown?.['sha256'], digest, sent);
    },
  ),
];
