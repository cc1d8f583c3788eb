import { chmodSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { removeEarlierFailures } from '../../../fuzz/campaign/earlier-failures.ts';
import { writeFailure } from '../../../fuzz/campaign/failure-file.ts';
import { KnownSecrets } from '../../../harness/output/known-secrets.ts';
import { ownFolder } from '../../fixtures/folder.ts';
import { alteredSend } from '../altered-send.ts';

let folder: string;
let earlier: string;
let now: string;
beforeEach(() => {
  folder = join(ownFolder('conform-earlier-'), 'failures');
  const secrets = new KnownSecrets();
  earlier = writeFailure(folder, alteredSend('{}', 'message.content.unaltered'), secrets);
  now = writeFailure(folder, alteredSend('{}', 'send.content-bytes'), secrets);
});

it('a folder that is used again keeps the failures of this campaign, and what is none', () => {
  writeFileSync(join(folder, 'notes.json'), '{}');
  writeFileSync(join(folder, 'notes.txt'), 'x');
  mkdirSync(join(folder, 'more.json'));
  symlinkSync(earlier, join(folder, 'link.json'));
  removeEarlierFailures(folder, { written: new Set([now]) });
  expect(
    readdirSync(folder)
      .map((name) => join(folder, name))
      .toSorted(),
  ).toEqual(
    [
      now,
      ...['link.json', 'more.json', 'notes.json', 'notes.txt'].map((name) => join(folder, name)),
    ].toSorted(),
  );
});

it('a folder that is the corpus keeps everything', () => {
  removeEarlierFailures(folder, { written: new Set(), corpus: join(folder, '..', 'failures') });
  expect(readdirSync(folder)).toHaveLength(2);
});

it.skipIf(process.getuid?.() === 0)('a folder in which nothing can be removed is told', () => {
  chmodSync(folder, 0o500);
  expect(removeEarlierFailures(folder, { written: new Set([now]) })).toMatch(/are still in .* \(EACCES\)$/);
  chmodSync(folder, 0o700);
  expect(readdirSync(folder)).toHaveLength(2);
});

it('a folder that is not there is none', () => {
  removeEarlierFailures(join(folder, 'other'), { written: new Set() });
  expect(readdirSync(folder)).toHaveLength(2);
});
