import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ownFolder } from '../fixtures/folder.ts';
import { answers, behaviour, input, nightly } from './all-rows.ts';
import { budgetMs, faultsOf } from './frame/faults-of-row.ts';
import type { Row } from './frame/row.ts';
import { runRow } from './frame/run-row.ts';
import { secretForms, secretsIn } from './frame/secret-forms.ts';

const secret = 'agent_GTU60QUkWKCH8XrnBGDkMKT7lhS7ROeU';

/** What is wrong with a program of ours in place of the command line. */
async function faultsOfProgram(source: string, row: Partial<Row> = {}): Promise<readonly string[]> {
  const folder = ownFolder('hostile-frame-', onTestFinished);
  const main = join(folder, 'main.mjs');
  writeFileSync(main, source);
  const whole: Row = { name: 'a row', args: [], expected: { exit: 0, says: 'done', budgetS: 1 }, ...row };
  const server = { asked: new Promise<void>(() => {}) };
  const end = await runRow(whole, [], {
    folder,
    server,
    killMs: 3_000 + 2.5 * budgetMs(whole.expected),
    main,
  });
  const inputs = new Map([['main.mjs', source]]);
  return faultsOf({ row: whole, end, folder, secrets: [secret], inputs, startMs: 500 });
}

/** Programs, each with several faults. */
const faulty: readonly (readonly [
  what: string,
  source: string,
  faults: readonly RegExp[],
  row: Partial<Row>,
])[] = [
  [
    'what it says and leaves',
    String.raw`import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)'], { detached: true, stdio: 'ignore' }).unref();
writeFileSync(tmpdir() + '/left', '');
writeFileSync('out.txt', '${secret}');
console.log('over \x1b[31m', new Error('x').stack);
console.error('\u009b31m ${secret}');
process.exitCode = 3;`,
    [
      /^exit 3 instead of 0/,
      /^does not say done/,
      /^shows a stack trace on stdout/,
      /^writes the control character U\+001b/,
      /^writes the control character U\+009b/,
      /^leaves the temporary file left/,
      /^leaves 1 processes/,
      /^shows a secret in out\.txt: as it is/,
      /^shows a secret in stderr/,
    ],
    {},
  ],
  [
    'memory, a direction and an uncaught error',
    String.raw`console.log('done \u202e', Buffer.alloc(450e6, 1).length); throw new Error('x')`,
    [/^took \d+ MB/, /^writes the control character U\+202e/, /^shows a stack trace on stderr/],
    {},
  ],
  [
    'no end',
    "console.log('done'); setInterval(() => {}, 1_000)",
    [/^exit SIGKILL/, /^took \d+ ms/],
    { expected: { exit: 0, says: 'done', budgetS: 0 } },
  ],
];

describe('the collection', () => {
  const rows = [answers, behaviour, input, nightly].flatMap((families) => Object.values(families).flat());

  it('has a hundred rows and more, each a fact of its own', () => {
    expect(rows.length).toBeGreaterThan(100);
    expect(new Set(rows.map(({ name }) => name)).size).toBe(rows.length);
  });
});

describe.each([
  ['in a process of its own', true],
  ['in one that runs others too', false],
])('a row %s', (_, isAlone) => {
  it('is without fault if its command does what is expected', async () => {
    expect(await faultsOfProgram("console.log('done')", { isAlone })).toEqual([]);
  });

  it.each(faulty)('has a fault with each of %s', async (_name, source, faults, row) => {
    const found = await faultsOfProgram(source, { ...row, isAlone });
    for (const fault of faults) expect(found).toContainEqual(expect.stringMatching(fault));
  });
});

it('a row sees what a terminal is told beside colours', async () => {
  const row = { stdout: { columns: 40 }, onlyWith: 'script' } as const;
  if (process.platform !== 'linux') return;
  expect(await faultsOfProgram(String.raw`console.log('done \x1b[31mred\x1b[0m')`, row)).toEqual([]);
  expect(await faultsOfProgram(String.raw`console.log('done \x1b]0;title\x07')`, row)).toEqual([
    expect.stringMatching(/^writes the control character U\+001b/),
  ]);
});

describe('a secret', () => {
  it('has sixteen forms', () => {
    expect(secretForms(secret)).toHaveLength(16);
  });

  it.each([
    ['as it is', secret],
    ['as it is', secret.toUpperCase()],
    ['as it is', `${secret.slice(0, 20)}\n      ${secret.slice(20)}`],
    ['base64', Buffer.from(secret).toString('base64')],
    ['base64 with Bearer', Buffer.from(`Bearer ${secret}`).toString('base64')],
    ['base64 after one byte', Buffer.from(`{${secret}}`).toString('base64')],
    ['base64 after two bytes', Buffer.from(`{"${secret}"}`).toString('base64')],
    ['percent escapes', escaped('%')],
    ['JSON escapes', escaped(String.raw`\u00`)],
    ['hex', Buffer.from(secret).toString('hex').toUpperCase()],
    ['its first half', `${secret.slice(0, 20)}…`],
    ['its second half', `…${secret.slice(-20)}`],
  ])('is found in another form: %s', (form, text) => {
    expect(secretsIn(`before ${text} after`, [secret])).toContain(form);
  });

  it('is not found in what is none', () => {
    expect(secretsIn('agent_ and Bearer and <token:author>', [secret])).toEqual([]);
  });
});

function escaped(lead: string): string {
  return Buffer.from(secret).toString('hex').replaceAll(/../g, `${lead}$&`);
}
