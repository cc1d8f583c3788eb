import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { delimiter, join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { againCommands } from '../../../cli/shared/again-commands.ts';
import { commandLine } from '../../../cli/shared/command-line.ts';
import { secrets } from '../../../cli/shared/output.ts';
import { curlOf } from '../../../harness/client/curl-line.ts';
import type { Exchange } from '../../../harness/client/exchange.ts';
import { asPath, quoted } from '../../../harness/output/in-shell.ts';
import { KnownSecrets } from '../../../harness/output/known-secrets.ts';
import { shownLine } from '../../../harness/output/printable.ts';
import { exchangeOf } from '../../fixtures/exchange.ts';
import { ownFolder } from '../../fixtures/folder.ts';
import { listening } from '../../fixtures/listening.ts';
import { header } from '../../reporters/events.ts';
import { lineOf } from '../client/line-of.ts';

const folder = ownFolder('pasted-');
const [room, bin, record] = [join(folder, 'room'), join(folder, 'bin'), join(folder, 'record')];
const asked: {
  readonly line: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}[] = [];
let baseUrl = '';

beforeAll(async () => {
  mkdirSync(bin);
  // In place of the programs that are named: they write down what they were given.
  for (const name of ['npx', 'conform']) {
    writeFileSync(join(bin, name), `#!/bin/sh\nprintf '%s\\0' "$@" >> '${record}'\n`);
    chmodSync(join(bin, name), 0o755);
  }
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const line = `${request.method} ${request.url}`;
      asked.push({ line, headers: request.headers, body: Buffer.concat(chunks).toString() });
      response.end('{}');
    });
  });
  let close: () => unknown = () => undefined;
  baseUrl = await listening(server, (end) => (close = end));
  return () => void close();
});
beforeEach(() => {
  rmSync(room, { recursive: true, force: true });
  mkdirSync(room);
  writeFileSync(join(room, 'file'), 'of mine');
});

/** Pastes a line as a terminal shows it; what is in the folder afterwards. */
async function paste(line: string, shell = 'bash'): Promise<readonly string[]> {
  asked.length = 0;
  rmSync(record, { force: true });
  const env = {
    PATH: `${bin}${delimiter}${process.env['PATH'] ?? ''}`,
    HOME: room,
    CONFORM_AUTHOR_TOKEN: 'the-token-1',
  };
  const child = spawn(shell, ['-c', shownLine(line)], { cwd: room, env, stdio: 'ignore' });
  await once(child, 'close');
  return readdirSync(room);
}

/** The arguments of the program that was called. */
function given(): readonly string[] {
  return readFileSync(record, 'utf8').split('\0').slice(0, -1);
}

/** Pieces that a shell, curl or a terminal makes something of. */
const pieces = [
  "'",
  '"',
  '`touch pwned`',
  '$(touch pwned)',
  '${IFS}',
  ';touch pwned;',
  '&&touch pwned',
  '|tee pwned',
  '>pwned',
  '\\',
  '!!',
  '{a,b}',
  '[1-3]',
  '~',
  '*',
  '-o',
  '--output=pwned',
  '@file',
  '%s',
  'a',
];
const invisible = [
  '\n',
  '\n touch pwned\n',
  '\r',
  '\u001b]0;x\u0007',
  '\u202e',
  '\u009b',
  '\u00a0',
  '\t',
  ' ',
  'é',
  '\u{1f600}',
];

/** Of a URL that a client would send. */
const inUrls = pieces.map((piece) => piece.replaceAll(' ', '${IFS}'));

function textOf(of: readonly string[]): fc.Arbitrary<string> {
  return fc.array(fc.constantFrom(...of), { minLength: 1, maxLength: 6 }).map((parts) => parts.join(''));
}

const token = 'the-token-1';
const rules = {
  secrets: new KnownSecrets([token]),
  runId: 'cf-1',
  credentials: { author: { token, source: 'env:CONFORM_AUTHOR_TOKEN' } },
};

const unanswered = (request: Partial<Exchange['request']>): Exchange =>
  exchangeOf({ call: 'send', method: 'POST', ...request }, {}, { response: undefined });

describe.skipIf(spawnSync('curl', ['--version']).status !== 0)('a curl line', () => {
  it('sends the request that it shows, and does nothing else', async () => {
    await fc.assert(
      fc.asyncProperty(
        textOf(inUrls),
        textOf(inUrls),
        textOf([...pieces, ...invisible]),
        async (id, cursor, body) => {
          const path = `/v0/channels/${id}/messages`;
          const authorization = `Bearer ${token}`;
          const headers = { authorization, 'idempotency-key': cursor, 'content-type': 'application/json' };
          const exchange = unanswered({ path, query: `after=${cursor}`, headers, body });
          expect(await paste(lineOf(exchange, { ...rules, baseUrl }))).toEqual(['file']);
          expect(asked).toEqual([
            {
              line: `POST ${path}?after=${cursor}`,
              body,
              headers: expect.objectContaining(headers) as object,
            },
          ]);
        },
      ),
      { numRuns: 60 },
    );
  });

  it.each(['..', '.', '%2e%2e', '{a,b}', '[1-9]'])('keeps %s in a path as it is', async (id) => {
    const exchange = unanswered({ method: 'GET', path: `/v0/channels/${id}/messages` });
    await paste(lineOf(exchange, { ...rules, baseUrl }));
    expect(asked.map(({ line }) => line)).toEqual([`GET /v0/channels/${id}/messages`]);
  });

  it.each(['@file', '@/etc/passwd', '', '--next', '\u0000'])(
    'sends no file for the body %j',
    async (body) => {
      expect(await paste(lineOf(unanswered({ body, path: '/x' }), { ...rules, baseUrl }))).toEqual(['file']);
      expect(asked.map((each) => each.body)).toEqual([body]);
    },
  );

  it.each([
    ['of half a million bytes', `{"content":"cf-1-2. ${'é'.repeat(250_000)}"}`],
    ['of three megabytes of escapes', `{"content":"${String.raw`\u0041`.repeat(500_000)}"}`],
    ['with NUL', 'a\0b'],
  ])('makes a body %s, and needs no file', async (_, body) => {
    expect(await paste(lineOf(unanswered({ body, path: '/x' }), { ...rules, baseUrl }))).toEqual(['file']);
    expect(asked.map((each) => each.body === body)).toEqual([true]);
  });

  it('is left out for a body that no line has room for, and for one with a secret that is packed', () => {
    const long = randomBytes(6_000);
    const secret = `${token}${'x'.repeat(5_000)}`;
    for (const body of [long, secret])
      expect(curlOf(unanswered({ body, path: '/x' }), { ...rules, baseUrl })).toHaveProperty('whyNoCurl');
  });

  it('sends no header that the request has not, and one that is empty', async () => {
    await paste(
      lineOf(unanswered({ body: 'x', path: '/x', headers: { 'x-empty': '' } }), { ...rules, baseUrl }),
    );
    expect(asked[0]?.headers).toMatchObject({ 'x-empty': '' });
    expect(asked[0]?.headers).not.toHaveProperty('content-type');
  });

  it('does nothing in a shell that knows fewer quotes', async () => {
    await fc.assert(
      fc.asyncProperty(textOf([...pieces, ...invisible]), async (body) => {
        expect(await paste(`: ${quoted(body)}`, 'sh')).toEqual(['file']);
      }),
      { numRuns: 60 },
    );
  });

  it('says what it lacks in a remark, whatever the name of a file', async () => {
    const source = 'target file a\ntouch pwned\n';
    const credentials = { author: { token, source } };
    const headers = { authorization: `Bearer ${token}` };
    expect(await paste(lineOf(unanswered({ headers }), { ...rules, baseUrl, credentials }))).toEqual([
      'file',
    ]);
  });
});

/** The command that runs a check again of a run with some arguments. */
function again(args: readonly string[]): string {
  const command = commandLine('run', { reference: true }, { argv: args, env: {} });
  return againCommands.rerunCommand(['send.x'], header({ command }));
}

describe('a command', () => {
  it('that runs a check again gets the arguments of the run', async () => {
    await fc.assert(
      fc.asyncProperty(
        textOf([...pieces, ...invisible]),
        textOf([...pieces, ...invisible]),
        async (file, header) => {
          const args = [`--target=${file}`, '--header', `x-a: ${header}`];
          expect(await paste(again(['run', ...args]))).toEqual(['file']);
          expect(given()).toEqual(['conform', '--check', 'send.x', ...args]);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('that replays a failure names its file, and no option', async () => {
    await fc.assert(
      fc.asyncProperty(textOf([...pieces, ...invisible]), async (name) => {
        expect(await paste(againCommands.replayCommand(name, undefined))).toEqual(['file']);
        const last = given().at(-1) ?? '';
        expect([name, `./${name}`]).toContain(last);
        expect(last.startsWith('-')).toBe(false);
      }),
      { numRuns: 60 },
    );
  });

  it('holds no secret, and nothing that a shell reads in its place', async () => {
    const key = 'gk_8Zq1Lw4rT0yVb7cN2m9XsE';
    const args = [
      '--header',
      `X-Gateway-Key: ${key}`,
      `--header=X-Other:${key}`,
      '--agent-id-header',
      key,
      '--strict',
    ];
    secrets.learn([key]);
    const command = again(args);
    expect(command).not.toContain(key);
    expect(await paste(command)).toEqual(['file']);
    expect(given().slice(3)).toEqual([
      '--header',
      'X-Gateway-Key: env:X_GATEWAY_KEY',
      '--header=X-Other: env:X_OTHER',
      '--agent-id-header',
      '<redacted>',
      '--strict',
    ]);
  });

  it('names a path that begins with a dash apart from options', () => {
    expect(asPath('-rf')).toBe('./-rf');
  });
});
