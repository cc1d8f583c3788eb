import { check, type Check } from '../../harness/check/check.ts';
import { type Exchange, isAccepted } from '../../harness/client/exchange.ts';
import { unmet } from '../../harness/verdict/outcome.ts';
import { judgeEach } from '../../spec/oracles/values/judgement.ts';
import { comesByLink, digestOf, download, isWordOnFile, sendWithFiles } from '../arrange/message/attached.ts';
import { noDownload } from '../arrange/message/files.ts';
import { requireAnswered } from '../arrange/send/accepted-sends.ts';

/** Whether a file arrives as it was. */
export const fileIntegrityChecks: readonly Check[] = [
  // file.download-is-intact: A download gives the very bytes that were uploaded.
  check(
    'file.downloads-are-what-was-uploaded',
    {
      title: 'what is downloaded of a file is what was uploaded, be it text, long, or any bytes at all',
      clauses: ['file.download-is-intact'],
      needs: ['author', 'channel', 'attachments-binding', 'file-binding', 'files'],
    },
    async (context) => {
      const { expect, freshFile, marker } = context;
      const contents = contentsBeside(marker());
      const ids = await Promise.all(
        contents.map(async (content, index) => (await freshFile(content, index === 0 ? undefined : {})).id),
      );
      const { shown } = await sendWithFiles(context, ids);
      const files = await Promise.all(
        contents.map(async (content, index): Promise<Downloaded> => ({
          content,
          answer: await download(context, ids[index] ?? ''),
          // What was recorded with another digest may have been changed on its way there.
          isRecorded: shown[index]?.['sha256'] === digestOf(content),
        })),
      );
      requireAnswered(...files.map(({ answer }) => answer));
      const [control, ...others] = files;
      // Where the plainest text does not come, another call may stand there.
      if (control === undefined) unmet('no file was made');
      if (!control.isRecorded || !isWhole(control)) unmet(noDownload(control.answer), control.answer);
      // Small ones may come at once, and large ones from elsewhere.
      const given = others.filter(
        ({ answer, isRecorded }) => isRecorded && isAccepted(answer) && !isWordOnFile(answer),
      );
      const problems = judgeEach(given, (file) => (isWhole(file) ? undefined : problemOf(file)));
      const wrong = given.find((file) => !isWhole(file)) ?? control;
      expect.judgement('file.download-is-intact', problems, wrong.answer);
      // What comes by a link may come from where nothing of the service is asked: the others are judged without it.
      const lacking = others.filter((file) => !given.includes(file) && !comesByLink(file.answer));
      if (given.length === 0 || lacking.length > 0)
        unmet('some kinds of files could not be uploaded or downloaded', lacking[0]?.answer);
    },
  ),
];

interface Downloaded {
  readonly content: Buffer;
  /** To its download. */
  readonly answer: Exchange;
  /** Its digest is shown as that of what was uploaded. */
  readonly isRecorded: boolean;
}

const longBytes = 60_000;

/** Plain text first; then line ends and blanks that somebody may tidy up, every byte there is, and more than a block. */
function contentsBeside(marker: string): readonly Buffer[] {
  const bytes = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
  return [
    Buffer.from(`${marker} a file of the conformance suite`),
    Buffer.from(`\ufeff${marker}\r\n\tindented \r\n\r\n`),
    Buffer.concat([Buffer.from(marker), bytes]),
    Buffer.from(marker.repeat(Math.ceil(longBytes / marker.length))),
  ];
}

function isWhole({ content, answer }: Downloaded): boolean {
  return isAccepted(answer) && content.equals(answer.response?.bytes ?? Buffer.alloc(0));
}

function problemOf({ content, answer }: Downloaded): { expected: string; actual: string } {
  const bytes = answer.response?.bytes ?? Buffer.alloc(0);
  const describe = (of: Uint8Array): string => `${of.byteLength} bytes with the digest ${digestOf(of)}`;
  return { expected: `${describe(content)}, as they were uploaded`, actual: describe(bytes) };
}
