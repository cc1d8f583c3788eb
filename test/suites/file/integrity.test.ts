import { describe, expect, it } from 'vitest';
import type { Answer, AnswerHook } from '../../../reference/model/answer.ts';
import { allChecks } from '../../../suites/index.ts';
import { findingsOf, runAgainst } from '../run-suite.ts';

const id = 'file.downloads-are-what-was-uploaded';
const address = 'https://files.example.com/a-file';

/** What comes of the bytes of files where a download is changed like this. */
async function verdictWhere(changed: (bytes: Buffer, answer: Answer) => Answer | undefined) {
  const answer: AnswerHook = (given, { route }) =>
    route === 'fileContent' && given.status === 200 && Buffer.isBuffer(given.body)
      ? changed(given.body, given)
      : undefined;
  const run = await runAgainst(
    allChecks.filter((check) => check.id === id),
    { answer },
  );
  return { verdict: run.checks.find(({ check }) => check === id)?.verdict, found: findingsOf(run) };
}

const links: readonly (readonly [string, Answer])[] = [
  ['a redirect', { status: 302, headers: { location: address } }],
  ['an object', { status: 200, headers: { 'content-type': 'application/json' }, body: { at: address } }],
  [
    'an address',
    { status: 200, headers: { 'content-type': 'text/plain' }, body: Buffer.from(`${address}\n`) },
  ],
];

describe('files of which a large one comes by a link', () => {
  it.each(links)('are decided by the others: %s', async (_what, link) => {
    const large = (bytes: Buffer): Answer | undefined => (bytes.length > 32_000 ? link : undefined);
    expect(await verdictWhere(large)).toEqual({ verdict: 'passed', found: [] });
    const spoiled = await verdictWhere(
      (bytes, given) =>
        large(bytes) ?? { ...given, body: Buffer.from(bytes.toString().replaceAll('\r\n', '\n')) },
    );
    expect(spoiled.found).toEqual(['file.download-is-intact failed']);
  });

  it.each(links)('prove nothing where all but the plainest do: %s', async (_what, link) => {
    const all = await verdictWhere((bytes) =>
      bytes.length > 32_000 || bytes.includes(0) || bytes.includes(13) ? link : undefined,
    );
    expect(all).toEqual({ verdict: 'inconclusive', found: [] });
  });
});
