import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { alteredSend } from '../../fuzz/altered-send.ts';
import { conform } from '../conform.ts';
import { UsedReference } from '../use-reference.ts';

const { folder } = new UsedReference();
const failure = alteredSend('{"content":"{the-mark-of-it} é"}', 'message.content.unaltered');
const told = (tries: number): string =>
  [
    failure.root,
    '~ POST /v0/channels/{channel}/messages',
    '    expected the content',
    '    then: another',
    `    now:  answered 201, and the read-back is right (${tries} tries)`,
    '',
  ].join('\n');

it.each([
  ['showed every time', failure.found, 0, `${told(3)}fixed (0/3)\n`],
  [
    'came and went',
    { ...failure.found, times: 2 },
    3,
    `${told(12)}not shown (0/12), as at 1 of 4 tries of the campaign that found it: it may come again\n`,
  ],
])('a replay of what %s tells once what its tries showed alike', async (_, found, code, expected) => {
  writeFileSync(join(folder, 'failure.json'), JSON.stringify({ ...failure, found }));
  const ended = await conform(['replay', 'failure.json', '--target', 'conform.yaml'], { cwd: folder });
  expect([ended.stdout, ended.code]).toEqual([expected, code]);
});
