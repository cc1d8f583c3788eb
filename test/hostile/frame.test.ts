import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ownFolder } from '../fixtures/folder.ts';
import { answers, behaviour, input, nightly } from './all-rows.ts';
import { faultsOf } from './frame/faults-of-row.ts';
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
  const end = await runRow(whole, [], { folder, server, killMs: 5_500, main });
  const inputs = new Map([['main.mjs', source]]);
  return faultsOf({ row: whole, end, folder, secrets: [secret], inputs, startMs: 500 });
}

const temporaryFile = `import { writeFileSync } from 'node:fs'; import { tmpdir } from 'node:os';
writeFileSync(tmpdir() + '/left', ''); console.log('done')`;
const leftProcess = `import { spawn } from 'node:child_process';
spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)'], { detached: true, stdio: 'ignore' }).unref(); console.log('done')`;

function fileWith(text: string): string {
  return `(await import('node:fs')).writeFileSync('out.txt', ${JSON.stringify(text)})`;
}

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

  it.each([
    ['another exit code', "console.log('done'); process.exitCode = 3", /^exit 3 instead of 0/],
    ['another line', "console.log('over')", /^does not say done/],
    ['too long a time', "console.log('done'); setTimeout(() => {}, 4_000)", /^took \d+ ms/],
    ['no end', "console.log('done'); setInterval(() => {}, 1_000)", /^exit SIGKILL/],
    ['too much memory', "console.log('done', Buffer.alloc(450e6, 1).length)", /^took \d+ MB/],
    ['a stack trace', "console.log('done', new Error('x').stack)", /^shows a stack trace on stdout/],
    ['an uncaught error', "console.log('done'); throw new Error('x')", /^shows a stack trace on stderr/],
    ['an escape sequence', String.raw`console.log('done \x1b[31m')`, /^writes the control character U\+001b/],
    ['a C1 control', String.raw`console.error('done \u009b31m')`, /^writes the control character U\+009b/],
    ['a direction', String.raw`console.log('done \u202e')`, /^writes the control character U\+202e/],
    ['a temporary file', temporaryFile, /^leaves the temporary file left/],
    ['a process', leftProcess, /^leaves 1 processes/],
    [
      'a secret in a file',
      `console.log('done'); ${fileWith(secret)}`,
      /^shows a secret in out\.txt: as it is/,
    ],
    ['a secret on stderr', `console.log('done'); console.error('${secret}')`, /^shows a secret in stderr/],
  ])('has a fault with %s', async (_name, source, fault) => {
    expect(await faultsOfProgram(source, { isAlone })).toContainEqual(expect.stringMatching(fault));
  });
});

describe('a row', () => {
  it('sees what a terminal is told beside colours', async () => {
    const row = { stdout: { columns: 40 }, onlyWith: 'script' } as const;
    if (process.platform !== 'linux') return;
    expect(await faultsOfProgram(String.raw`console.log('done \x1b[31mred\x1b[0m')`, row)).toEqual([]);
    expect(await faultsOfProgram(String.raw`console.log('done \x1b]0;title\x07')`, row)).toEqual([
      expect.stringMatching(/^writes the control character U\+001b/),
    ]);
  });
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
