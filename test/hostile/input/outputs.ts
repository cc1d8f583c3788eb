import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { writeEvent } from '../../../harness/results/stream.ts';
import { runs } from '../../reporters/events.ts';
import { front } from '../../fixtures/front.ts';
import { oneCheck, type Room, type Row, rows, words } from '../frame/row.ts';

function targetFileIsWhole({ folder, baseUrl }: Room): readonly string[] {
  const isWhole = readFileSync(join(folder, 'conform.yaml'), 'utf8').includes(`base_url: ${baseUrl}`);
  return isWhole ? [] : ['the target file was written over'];
}

function leaves(name: string): (room: Room) => readonly string[] {
  return ({ folder }) => (existsSync(join(folder, name)) ? [] : [`${name} is missing`]);
}

/** A server whose refusals have a field that the contract does not know. */
const withAnotherField = front({
  changed: ({ body, ...rest }) => ({ ...rest, body: body.replace('{"error":', '{"extra":1,"error":') }),
});

/** Inputs that nobody ever writes to. */
export const pipeInputRows: readonly Row[] = [
  ['judge', 'history.ndjson', 'judge history.ndjson'],
  ['merge', 'part/campaign.ndjson', 'merge part --out whole'],
].map(([command, pipe = '', line = '']) => ({
  name: `${command} waits for no pipe`,
  onlyWith: 'mkfifo',
  given: ({ folder, write }) => {
    write('part/none', '');
    execFileSync('mkfifo', [join(folder, pipe)]);
  },
  args: words(line),
  expected: {
    exit: 2,
    says: `${pipe} is a pipe or a device; write what it gives to a file first`,
    budgetS: 1,
  },
}));

/** Outputs that must not be written over, or cannot be written to their end; test/cli/refused has those that are refused as a line is read. */
export const outputRows = rows({
  'the target file is not written over': {
    args: [...oneCheck, ...words('--out conform.yaml')],
    expected: {
      exit: 2,
      says: 'is a file that this command reads',
      never: /testing http/,
      budgetS: 1,
      leaves: targetFileIsWhole,
    },
  },
  'a history of an embedded reference in a missing folder ends, and does not wait': {
    args: words('fuzz --cases 5 --out out --history none/history'),
    expected: { exit: 2, says: 'is in a folder that does not exist', budgetS: 3 },
  },
  'a failure whose file could not be written is told without a command that reads it': {
    server: withAnotherField,
    given: ({ write }) => write('out/failures', 'a file in place of the folder'),
    args: words('fuzz --target conform.yaml --only mentions --cases 20 --seed 1 --out out'),
    expected: {
      exit: 1,
      says: /its file could not be written.*run again: .* fuzz .*--seed 1.*out\/failures\/api-error\S+ was not written/,
      never: /kept in|replay out/,
    },
  },
  'a campaign is not merged over itself': {
    given: ({ write }) => write('one/campaign.ndjson', 'mine\n'),
    args: words('merge one --out one'),
    expected: {
      exit: 2,
      says: 'is a file that this command reads',
      budgetS: 3,
      leaves: ({ folder }) =>
        readFileSync(join(folder, 'one/campaign.ndjson'), 'utf8') === 'mine\n' ? [] : ['it was written over'],
    },
  },
  'a disk that fills up in mid-run costs the result stream, and not the verdict': {
    args: [...oneCheck, ...words('--out out.ndjson')],
    diskKb: 8,
    expected: {
      exit: 0,
      says: /conforms in what was selected.*conform: out\.ndjson is not complete \(EFBIG\)/,
    },
  },
  'a disk that fills up in mid-run costs the history, and not the verdict': {
    args: words('--target conform.yaml --check mentions.limit-* --history history.ndjson'),
    diskKb: 8,
    expected: { exit: 0, says: /conforms in what was selected.*conform: history\.ndjson is not complete/ },
  },
  'a disk that fills up costs a report, and nothing else was asked for': {
    given: ({ write }) => write('run.ndjson', runs['one failed with two exchanges'].map(writeEvent).join('')),
    args: words('report run.ndjson --format html --out page.html'),
    diskKb: 8,
    expected: { exit: 2, says: 'conform: page.html is not complete (EFBIG)', budgetS: 3 },
  },
  'a disk that is full leaves the list that stood there': {
    given: ({ write }) => write('needed.txt', 'mine\n'),
    args: words('--target conform.yaml --check mentions.* --write-require needed.txt'),
    diskKb: 0.5,
    expected: {
      exit: 0,
      says: 'conform: needed.txt was not written (EFBIG)',
      leaves: ({ folder }) => [
        ...(readFileSync(join(folder, 'needed.txt'), 'utf8') === 'mine\n' ? [] : ['it was written over']),
        ...(existsSync(join(folder, 'needed.txt.part')) ? ['needed.txt.part is left'] : []),
      ],
    },
  },
  'a target file that a full disk has no room for is not left empty': {
    args: words('init other.yaml'),
    diskKb: 0.5,
    expected: {
      exit: 2,
      says: 'other.yaml cannot be written (EFBIG)',
      budgetS: 1,
      leaves: ({ folder }) => (existsSync(join(folder, 'other.yaml')) ? ['other.yaml is left'] : []),
    },
  },
  'a value that is empty is refused': {
    args: [...oneCheck, '--require', ''],
    expected: { exit: 2, says: '--require has an empty value', never: /testing http/, budgetS: 1 },
  },
  'a link that leads nowhere is followed, and stays': {
    given: ({ folder }) => symlinkSync('real.ndjson', join(folder, 'link.ndjson')),
    args: [...oneCheck, ...words('--out link.ndjson')],
    expected: { exit: 0, says: 'conforms', leaves: leaves('real.ndjson') },
  },
  'a port that is taken is no place for the reference': {
    args: ({ baseUrl }) => words(`reference --port ${new URL(baseUrl).port}`),
    expected: { exit: 2, says: '(EADDRINUSE)', budgetS: 1 },
  },
});
