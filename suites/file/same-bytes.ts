import { check, type Check } from '../../harness/check/check.ts';
import { isAccepted, isRefusal } from '../../harness/client/exchange.ts';
import { given } from '../../harness/verdict/outcome.ts';
import { fileAmong } from '../../spec/oracles/messages/files.ts';
import { asText } from '../../spec/oracles/values/json-texts.ts';
import { expectSpared, readAgain, sendWithFiles } from '../arrange/message/attached.ts';
import { tokenOf } from '../arrange/auth/credential-faults.ts';
import { eventually } from '../arrange/eventually.ts';
import { requireAnswered } from '../arrange/send/accepted-sends.ts';

/** What holds of two files with the same bytes. */
export const sameBytesChecks: readonly Check[] = [
  // file.attachable-by-the-workspace: An agent that can attach a file of its own can attach one that another
  //   agent of its workspace uploaded.
  check(
    'file.same-bytes-are-two-files',
    {
      title:
        'of two files with the same bytes, by two agents, each has its name and type, can be attached by the other, and is deleted alone',
      clauses: [
        'file.attachable-by-the-workspace',
        'file.filename.as-uploaded',
        'file.content-type.as-uploaded',
        'file.deletion-spares-the-others',
      ],
      needs: ['author', 'reader', 'channel', 'attachments-binding', 'file-hook'],
    },
    async (context) => {
      const { author, bindings, channel, draft, expect, files, marker, reader } = context;
      const from = await channel.since();
      const content = marker();
      const [first, second] = [
        { token: tokenOf(author), filename: `${marker()}md`, contentType: 'text/markdown', content },
        { token: tokenOf(reader), filename: `${marker()}txt`, contentType: 'text/plain', content },
      ];
      // A type that a server need not take; and bytes that it may take once alone.
      const goneId = await files.upload({ ...first, isUnusual: true });
      const keptId = await files.upload({ ...second, isUnusual: true });
      const gone = await sendWithFiles(context, [goneId]);
      const kept = await sendWithFiles({ ...context, author: reader }, [keptId]);
      // Where the first is shown under another name or type than it was given, whoever uploads changes them; and so for the second, unless
      // it is that of the first.
      for (const [clause, field, was, expected] of [
        ['file.filename.as-uploaded', 'filename', first.filename, second.filename],
        ['file.content-type.as-uploaded', 'content_type', first.contentType, second.contentType],
      ] as const) {
        const [ofFirst, ofSecond] = [gone, kept].map(({ shown }) => asText(shown[0]?.[field]));
        const isAsGiven = ofFirst === was;
        const isOneOfBoth = ofSecond === was || ofSecond === expected;
        const evidence = [gone, kept].flatMap(({ sent, item }) => [sent, item.exchange]);
        if (isAsGiven && isOneOfBoth) expect.equal(clause, field, ofSecond, expected, ...evidence);
      }
      given(goneId !== keptId, 'the same bytes make one file');
      const borrowed = draft();
      const lent = await eventually(
        context,
        () => reader.send(channel.id, borrowed.text, { fields: { [bindings.attachments]: [goneId] } }),
        isAccepted,
      );
      requireAnswered(lent);
      // Whether a file that one message has can be attached once more is another question.
      if (isRefusal(lent)) await sendWithFiles(context, [goneId]);
      if (isAccepted(lent) || isRefusal(lent))
        expect('file.attachable-by-the-workspace', lent, 'with a file of another agent').toBeAccepted();
      await files.delete(goneId);
      await eventually(
        context,
        () => readAgain(channel, gone.draft, from),
        ({ attachments }) => fileAmong(attachments, goneId)?.['status'] === 'deleted',
      );
      const { attachments, exchange } = await readAgain(channel, kept.draft, from);
      expectSpared(context, fileAmong(attachments, keptId), exchange);
    },
  ),
];
