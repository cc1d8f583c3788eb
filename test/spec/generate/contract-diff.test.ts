import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Clause } from '../../../spec/clauses.ts';
import { contractChanges, describeChanges } from '../../../spec/generate/contract-diff.ts';
import { digestsOf } from '../../../spec/generate/source-digests.ts';
import { packageFile } from '../../../spec/package-file.ts';
import { ownFolder } from '../../fixtures/folder.ts';

const before = `# Orders

Lists orders.

1. Orders ascend.
2. An order has a buyer.
3. Nothing is deleted.

Limits:

| Item | Limit |
|---|---|
| size | at most 20 |
| name | 1 to 80 |

# Errors

| Item | Status |
|---|---|
| size | 400 |
`;

/** A register of one clause for each of some places; the type's ids are those of another one. */
const register = [
  { id: 'orders.listed', source: { heading: 'Orders', paragraph: 1 } },
  { id: 'orders.ascend', source: { heading: 'Orders', rule: 1 } },
  { id: 'orders.buyer', source: { heading: 'Orders', rule: 2 } },
  { id: 'orders.kept', source: { heading: 'Orders', rule: 3 } },
  { id: 'orders.size', source: { heading: 'Orders', row: 'size' } },
  { id: 'orders.size-at-all', source: { heading: 'Orders', row: 'size', part: 'presence' } },
  { id: 'errors.size', source: { heading: 'Errors', row: 'size' } },
] as unknown as readonly Pick<Clause, 'id' | 'source'>[];

function changes(after: string): string[] {
  return contractChanges(digestsOf(before), digestsOf(after), register).map(({ kind, is, clauses }) =>
    `${kind} ${is?.at ?? ''}: ${clauses.join(' ')}`.trim(),
  );
}

describe('the differences of two texts of a contract', () => {
  it.each<[string, (text: string) => string, readonly string[]]>([
    ['are none for the same text', (text) => text, []],
    [
      'are none for blanks and the width of columns',
      (text) => text.replace('| size | at', '| size   |  at').replaceAll('\n', ' \n'),
      [],
    ],
    [
      'name every clause of a sentence that says something else',
      (text) => text.replace('at most 20', 'at most 21'),
      ['changed size: orders.size orders.size-at-all'],
    ],
    [
      'notice a word of one letter case',
      (text) => text.replace('Orders ascend', 'orders ascend'),
      ['changed 1: orders.ascend'],
    ],
    [
      'name a statement that is gone',
      (text) => text.replace('| size | 400 |\n', ''),
      ['vanished : errors.size'],
    ],
    [
      'name a statement that nobody wrote a clause for',
      (text) => text.replace('| name', '| colour | any |\n| name'),
      ['new colour:'],
    ],
    [
      'tell a rule that moved from one that is new',
      (text) =>
        text.replace(
          '2. An order has a buyer.\n3.',
          '2. An order has a price.\n3. An order has a buyer.\n4.',
        ),
      ['moved 3: orders.buyer', 'moved 4: orders.kept', 'new 2:'],
    ],
    [
      'follow a heading that was renamed',
      (text) => text.replace('# Errors', '# Faults'),
      ['moved size: errors.size'],
    ],
    [
      'follow the rows below a label that was reworded',
      (text) => text.replace('Limits:', 'All limits:'),
      ['moved size: orders.size orders.size-at-all', 'moved name:'],
    ],
  ])('%s', (_, edit, expected) => {
    expect(changes(edit(before))).toEqual(expected);
  });

  it('are told by place and clause', () => {
    const after = digestsOf(before.replace('at most 20', 'any'));
    expect(describeChanges(contractChanges(digestsOf(before), after, register))).toBe(
      'changed   Orders: row size (Limits)\n          orders.size, orders.size-at-all\n1 place differs\n',
    );
  });
});

describe('npm run contract-diff', () => {
  const folder = ownFolder('contract-');

  const run = (...args: readonly string[]) =>
    spawnSync(process.execPath, [packageFile('dist/spec/generate/contract-diff.js'), ...args], {
      encoding: 'utf8',
    });

  it('ends with exit 1 when the text is another, and names the clauses', () => {
    writeFileSync(join(folder, 'other.md'), before);
    const { status, stdout } = run(join(folder, 'other.md'));
    expect(stdout).toMatch(/^vanished .*\n.*mentions\.ascending/m);
    expect(stdout).toMatch(/^new {7}Orders: rule 1\n {10}no clause$/m);
    expect(status).toBe(1);
  });

  it('ends with exit 2 without a text', () => {
    expect(run().status).toBe(2);
    expect(run(join(folder, 'nowhere.md'))).toMatchObject({ status: 2, stdout: '' });
  });
});
