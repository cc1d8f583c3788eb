import { createHash } from 'node:crypto';
import { check } from '../../harness/check/check.ts';
import type { Check } from '../../harness/check/check.ts';
import { unmet } from '../../harness/verdict/outcome.ts';
import { fileAmong, fileIn, judgeFileConstant } from '../../oracles/messages/files.ts';
import { textsIn } from '../../oracles/values/json-texts.ts';
import { allOf } from '../../oracles/values/judgement.ts';
import { attach, firstShown, readAgain } from '../arrange/file/attached.ts';

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
    async ({ author, bindings, channel, draft, expect, recordedFile, settleMs, sleep }) => {
      const from = await channel.since();
      const file = await recordedFile();
      const [first, second] = [draft(), draft()];
      const about = { bindings, channelId: channel.id, ids: [file.id] };
      await attach(author, { ...about, draft: first });
      const shownFirst = await firstShown(channel, first, about.ids, bindings);
      const recorded = { ...shownFirst[0], ...fileIn(file.exchange?.response?.json) };
      await sleep(settleMs);
      await attach(author, { ...about, draft: second });
      const shownSecond = await firstShown(channel, second, about.ids, bindings);
      const again = await readAgain(channel, first, from);
      const shown = [...shownFirst, ...shownSecond, fileAmong(again.attachments, file.id) ?? {}];
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
    async ({ author, bindings, channel, draft, expect, freshFile, marker }) => {
      const names = ['f', marker().padEnd(longestName, 'n')];
      const ids = await Promise.all(
        names.map(async (name) => (await freshFile(marker(), { filename: name })).id),
      );
      const message = draft();
      const sent = await attach(author, { bindings, channelId: channel.id, draft: message, ids });
      const shown = (await firstShown(channel, message, ids, bindings)).map((file) => file['filename']);
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
    async ({ author, bindings, channel, draft, expect, freshFile, marker }) => {
      const content = Buffer.from(`${marker()}\r\n\u0000 é \ufeff`);
      const { id } = await freshFile(content);
      const message = draft();
      const about = { bindings, channelId: channel.id, draft: message, ids: [id] };
      const sent = await attach(author, about);
      const [shown] = await firstShown(channel, message, [id], bindings);
      const digest = createHash('sha256').update(content).digest('hex');
      if (shown?.['sha256'] !== digest && textsIn(sent.response?.json).includes(digest))
        unmet('the answer to the send shows another digest than its message', sent);
      expect.equal('file.sha256.is-the-digest', 'sha256', shown?.['sha256'], digest, sent);
    },
  ),
];
