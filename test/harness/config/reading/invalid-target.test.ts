import { afterAll, describe, expect, it } from 'vitest';
import { refusalOf, TargetFolder } from '../target-folder.ts';
import { readTarget, type TargetInput } from '../../../../harness/config/reading/read-target.ts';

const base = 'base_url: https://host';
const channel = '5b6d5e0c-2f0e-4f6c-9a35-1d3c8f6f2a10';
const folder = new TargetFolder().with({
  'empty.token': '\n',
  'large.token': 'x'.repeat(65_537),
  'note.txt': 'no certificate',
});
afterAll(() => folder.remove());
const refusal = (content: string | Uint8Array, input: Partial<TargetInput> = {}) =>
  folder.with({ 'conform.yaml': content }).refusal(input);

/** What stands after `base_url`, and the whole message. */
const wrongFields: Readonly<Record<string, string>> = {
  [`chanel: ${channel}`]: 'conform.yaml:2:1: unknown field `chanel` – did you mean `channel`?',
  'roles:\n  reeder: env:X': 'conform.yaml:3:3: unknown field `roles.reeder` – did you mean `roles.reader`?',
  'roles:\r\n  api-key: x': 'conform.yaml:3:3: unknown field `roles.api-key` – did you mean `roles.api_key`?',
  '__proto__x: 1':
    'conform.yaml:2:1: unknown field in the target – known here: `base_url`, `workspace`, `channel`, `second_channel`, `files`, `without`, `roles`, `names`, `bindings`, `hooks`, `settle_ms`, `budget_ms`, `limits`, `connection`',
  'author: env:X': 'conform.yaml:2:1: unknown field `author` – did you mean `roles.author`?',
  'hooks: {provisoin: {command: [x]}}':
    'conform.yaml:2:9: unknown field `hooks.provisoin` – did you mean `hooks.provision`?',
  'limits: {colour: red}':
    'conform.yaml:2:10: unknown field `limits.colour` – known here: `rate_per_second`, `max_bytes`, `read_only`',
  'limits: {a:red}':
    'conform.yaml:2:10: unknown field in `limits` – known here: `rate_per_second`, `max_bytes`, `read_only`',
  'channel: general':
    'conform.yaml:2:10: `channel` must be a UUID, for example `5b6d5e0c-2f0e-4f6c-9a35-1d3c8f6f2a10`',
  [`channel: ${channel}\nsecond_channel: ${channel.toUpperCase()}`]:
    'conform.yaml:3:17: `second_channel` must be another channel than `channel`',
  'roles: [x]': 'conform.yaml:2:8: `roles` must be a mapping from roles to their tokens',
  'roles:\n  author:\n  # nothing':
    'conform.yaml:3:10: `roles.author` must be `env:NAME`, `file:PATH` or the token itself, for example `env:AUTHOR_TOKEN`',
  'roles: {author: 123456}':
    'conform.yaml:2:17: `roles.author` must be `env:NAME`, `file:PATH` or the token itself, for example `env:AUTHOR_TOKEN` – in quotes: without them it is read as a number',
  'roles: {author: Bearer x}':
    'conform.yaml:2:17: `roles.author` starts with `Bearer` – give the token alone',
  'roles: {author: a b}':
    'conform.yaml:2:17: `roles.author` holds whitespace, a control character or a character outside ASCII: no header can carry it',
  'roles: {author: "one\\r\\nX-Two: 3"}':
    'conform.yaml:2:17: `roles.author` holds whitespace, a control character or a character outside ASCII: no header can carry it',
  'roles: {author: tök}':
    'conform.yaml:2:17: `roles.author` holds whitespace, a control character or a character outside ASCII: no header can carry it',
  'roles: {author: same, peer: same}':
    'conform.yaml:2:29: `roles.peer` holds the same token as `roles.author` – each of them is an agent of its own',
  'roles: {author: same, expired: same}':
    'conform.yaml:2:32: `roles.expired` holds the same token as `roles.author` – one of the two is to be refused',
  'roles: {revoked: same, machine: same}':
    'conform.yaml:2:33: `roles.machine` holds the same token as `roles.revoked` – one of the two is to be refused',
  'roles: {author: env:NOT_SET}':
    'conform.yaml:2:17: `roles.author` needs the environment variable `NOT_SET`, which is not set',
  'roles: {author: env:EMPTY}':
    'conform.yaml:2:17: `roles.author` needs the environment variable `EMPTY`, which is empty',
  'roles: {author: env:pasted_t0ken}':
    'conform.yaml:2:17: `roles.author` needs the environment variable it names, which is not set',
  'roles: {author: "env:a.b"}':
    'conform.yaml:2:17: `roles.author` needs the name of an environment variable after `env:`: letters, digits and `_`',
  'roles: {author: file:nope.token}':
    'conform.yaml:2:17: `roles.author` needs the file `nope.token`, which does not exist',
  'roles: {author: file:empty.token}':
    'conform.yaml:2:17: `roles.author` needs the file `empty.token`, which is empty',
  'roles: {author: file:.}': 'conform.yaml:2:17: `roles.author` needs the file `.`, which is a directory',
  'roles: {author: file:large.token}':
    'conform.yaml:2:17: `roles.author` needs the file `large.token`, which is larger than 65536 bytes',
  'roles: {author: "file:"}': 'conform.yaml:2:17: `roles.author` needs the path of a file after `file:`',
  'names: {agent_id_header: "a b"}':
    'conform.yaml:2:26: `names.agent_id_header` must be the name of a header, for example `X-Service-Agent-ID`',
  'names: {providers: {provider_a: provider_b}}':
    'conform.yaml:2:33: `names.providers.provider_a` has the value of `names.providers.provider_b` – each needs its own',
  'names: {providers: {provider_a: own_a, provider_c: own_c}}':
    'conform.yaml:2:33: `names.providers.provider_a` needs `names.providers.provider_b`, `names.providers.provider_d` beside it – give a neutral word where the server has no other',
  'bindings: {mentions: content}':
    'conform.yaml:2:22: `bindings.mentions` must be the name of a JSON field other than `content` and `content_type`',
  'bindings: {attachments: agent_host}':
    'conform.yaml:2:25: `bindings.attachments` has the value of `bindings.agent_host` – each needs its own',
  'hooks: {revoke: node x}':
    'conform.yaml:2:17: `hooks.revoke` must be a mapping with either a `command` or a `url`',
  'hooks: {revoke: {}}':
    'conform.yaml:2:17: `hooks.revoke` must be a mapping with either a `command` or a `url`',
  'hooks: {revoke: {command: [x], url: "https://h"}}':
    'conform.yaml:2:17: `hooks.revoke` must be a mapping with either a `command` or a `url`',
  'hooks: {revoke: {url: "http://host.example/x"}}':
    'conform.yaml:2:23: `hooks.revoke.url` must be https: only a server on this machine is asked over http',
  'hooks: {revoke: {url: "https://me:s3cret@host/x"}}':
    'conform.yaml:2:23: `hooks.revoke.url` holds a user name or password – credentials belong under `headers`',
  'hooks: {revoke: {url: "https://host/x#y"}}':
    'conform.yaml:2:23: `hooks.revoke.url` has a fragment – leave out everything from `#` on',
  'hooks: {revoke: {url: "ftp://host/x"}}':
    'conform.yaml:2:23: `hooks.revoke.url` must be an https URL, or an http one on this machine, for example `https://operator.example/hooks`',
  'hooks: {revoke: {url: "https://host", stays: true}}':
    'conform.yaml:2:46: `hooks.revoke.stays` belongs to a `command`',
  'hooks: {revoke: {command: [x], headers: {a: b}}}':
    'conform.yaml:2:41: `hooks.revoke.headers` belong to a `url`',
  'hooks: {revoke: {url: "https://host", headers: {Conform-Hook: b}}}':
    'conform.yaml:2:63: `hooks.revoke.headers.Conform-Hook` is a header that each request sets itself',
  'hooks: {revoke: {url: "https://host", headers: {authorization: "env:NOT_SET"}}}':
    'conform.yaml:2:64: `hooks.revoke.headers.authorization` needs the environment variable `NOT_SET`, which is not set',
  'hooks: {revoke: {command: []}}':
    'conform.yaml:2:27: `hooks.revoke.command` must be a list of at least one word: the program and its arguments, no shell, for example `["node","hooks/revoke.js"]`',
  'hooks:\n  revoke:\n    command:\n      - node\n      - 1':
    'conform.yaml:6:9: `hooks.revoke.command[1]` must be text – in quotes: without them it is read as a number',
  'settle_ms: 400ms':
    'conform.yaml:2:12: `settle_ms` must be a whole number of milliseconds, 0 to 600000, for example `400`',
  'settle_ms: 0.5':
    'conform.yaml:2:12: `settle_ms` must be a whole number of milliseconds, 0 to 600000, for example `400`',
  'budget_ms: 2147483648':
    'conform.yaml:2:12: `budget_ms` must be a whole number of milliseconds, 1 to 2147483647, for example `300000`',
  'budget_ms: .nan':
    'conform.yaml:2:12: `budget_ms` must be a whole number of milliseconds, 1 to 2147483647, for example `300000`',
  'budget_ms: 0':
    'conform.yaml:2:12: `budget_ms` must be a whole number of milliseconds, 1 to 2147483647, for example `300000`',
  'limits: {rate_per_second: .nan}':
    'conform.yaml:2:27: `limits.rate_per_second` must be a number of requests a second, 0.1 to 100000, for example `50`',
  'limits: {rate_per_second: 0}':
    'conform.yaml:2:27: `limits.rate_per_second` must be a number of requests a second, 0.1 to 100000, for example `50`',
  'limits: {rate_per_second: 1e-9}':
    'conform.yaml:2:27: `limits.rate_per_second` must be a number of requests a second, 0.1 to 100000, for example `50`',
  'limits: {max_bytes: 5_000_000}':
    'conform.yaml:2:21: `limits.max_bytes` must be a whole number of bytes, 0 to 9007199254740991, for example `5000000`',
  'limits: {max_bytes: -1}':
    'conform.yaml:2:21: `limits.max_bytes` must be a whole number of bytes, 0 to 9007199254740991, for example `5000000`',
  'limits: {read_only: yes}': 'conform.yaml:2:21: `limits.read_only` must be true or false',
  'connection: {headers: {Authorization: x}}':
    'conform.yaml:2:39: `connection.headers.Authorization` is a header that each request sets itself – tokens belong under `roles`',
  'connection: {headers: {"a b": x}}':
    'conform.yaml:2:24: a name under `connection.headers` cannot be that of a header',
  'connection: {headers: {x-a:}}':
    'conform.yaml:2:28: `connection.headers.…` must be `env:NAME`, `file:PATH` or the value itself, for example `env:GATEWAY_KEY`',
  'connection: {headers: {x-a: 1, X-A: "1"}}':
    '2 problems in the target:\n' +
    '  conform.yaml:2:29: `connection.headers.x-a` must be `env:NAME`, `file:PATH` or the value itself, for example `env:GATEWAY_KEY` – in quotes: without them it is read as a number\n' +
    '  conform.yaml:2:37: `connection.headers.X-A` is given twice, in different letter case',
  'connection: {headers: {x-a: "a\\nb"}}':
    'conform.yaml:2:29: `connection.headers.x-a` has a value that no header can carry: ASCII, no line ends, no spaces around it',
  'connection: {ca: nope.pem}':
    'conform.yaml:2:18: `connection.ca` needs the file `nope.pem`, which does not exist',
  'connection: {ca: note.txt}':
    'conform.yaml:2:18: `connection.ca` needs a PEM file with a certificate; `note.txt` has none',
  'connection: {key: "-----BEGIN PRIVATE KEY-----"}':
    'conform.yaml:2:19: `connection.key` must be the path of a PEM file, for example `tls/client.pem`',
};

const wrongBaseUrls: Readonly<Record<string, string>> = {
  'host:8080': 'must be an http or https URL, for example `https://messaging.example/api`',
  'file:///etc/passwd': 'must be an http or https URL, for example `https://messaging.example/api`',
  'ftp://host': 'must be an http or https URL, for example `https://messaging.example/api`',
  'https://': 'must be an http or https URL with a host',
  'https:///path': 'must be an http or https URL with a host',
  'https://a..b:x/': 'is not a URL',
  'https://u:p@host/':
    'holds a user name or password – credentials belong under `roles` or `connection.headers`',
  'https://@host/':
    'holds a user name or password – credentials belong under `roles` or `connection.headers`',
  'https://host/?': 'has a query or a fragment – leave out everything from `?` or `#` on',
  'https://host/#a': 'has a query or a fragment – leave out everything from `?` or `#` on',
  'https://host/a b': 'holds whitespace, a backslash or a control character',
  'https://host\\a': 'holds whitespace, a backslash or a control character',
};

const brokenYaml: Readonly<Record<string, string>> = {
  '': 'conform.yaml:1:1: the target file is empty – it needs at least `base_url: https://…`',
  '# later\n': 'conform.yaml:1:1: the target file is empty – it needs at least `base_url: https://…`',
  '- a\n- b\n': 'conform.yaml:1:1: the target file must be a mapping of fields, the first of them `base_url`',
  'settle_ms: 1\n':
    'conform.yaml:1:1: `base_url` is missing – set it in the target file, by --base-url or CONFORM_BASE_URL',
  [`${base}\nroles:\n  author: x\n  author: y\n`]:
    'conform.yaml:4:3: the field `author` is given twice – keep one',
  [`${base}\nroles: {a:x, a:x}\n`]: 'conform.yaml:2:14: a field is given twice – keep one',
  [`base_url: "https://host\n`]:
    'conform.yaml:2:1: something is missing here: a space after `:` or `-`, a comma, a closing quote or bracket',
  [`${base}\nroles:\n\tauthor: x\n`]: 'conform.yaml:3:1: a tab indents this line – use spaces',
  [`${base}\nroles:\n  author:x\n  reader: y\n`]:
    'conform.yaml:3:3: the name of a field spans lines – is the space after a `:` missing?',
  [`${base}\nroles: {author: @x}\n`]:
    'conform.yaml:2:17: text that starts with `@`, `%` or a backtick belongs in quotes',
  [`${base}\nroles: {author: !x y}\n`]:
    'conform.yaml:2:17: tags (`!name`) are not supported – text that starts with `!` belongs in quotes',
  [`${base}\nroles: {author: &a x, reader: *a}\n`]:
    'conform.yaml:2:31: aliases (`*name`) are not supported – repeat the value here',
  [`${base}\nhooks: &a [*a]\n`]:
    'conform.yaml:2:12: aliases (`*name`) are not supported – repeat the value here',
  [`${base}\n---\nx: 1\n`]: 'conform.yaml:2:1: a second YAML document starts here – one file holds one',
  [`${base}\n? [a]\n: b\n`]: 'conform.yaml:2:3: the name of a field must be text',
};

describe('a target file with one thing wrong', () => {
  it.each(Object.entries(wrongFields))('is refused by line, column and field: %j', (yaml, message) => {
    expect(refusal(`${base}\n${yaml}\n`, { env: { EMPTY: '' } })).toBe(message);
  });

  it.each(Object.entries(wrongBaseUrls))('is refused for the base URL %j', (url, what) => {
    expect(refusal(`base_url: ${JSON.stringify(url)}\n`)).toBe(`conform.yaml:1:11: \`base_url\` ${what}`);
  });

  it.each(Object.entries(brokenYaml))(
    'is refused when it is not the YAML it should be: %j',
    (yaml, message) => {
      expect(refusal(yaml)).toBe(message);
    },
  );
});

describe('a target with several things wrong', () => {
  it('lists them together, in the order of the file', () => {
    const yaml = `${base}\nroles:\n  author: env:NOT_SET\n  autor: x\nsettle_ms: soon\ncolor: red\n`;
    expect(refusal(yaml, { flags: { channel: 'general', provider: ['own_a'] } })).toBe(
      [
        '6 problems in the target:',
        '  --provider: must have the form `provider_a=own_a`',
        '  --channel: `channel` must be a UUID, for example `5b6d5e0c-2f0e-4f6c-9a35-1d3c8f6f2a10`',
        '  conform.yaml:3:11: `roles.author` needs the environment variable `NOT_SET`, which is not set',
        '  conform.yaml:4:3: unknown field `roles.autor` – did you mean `roles.author`?',
        '  conform.yaml:5:12: `settle_ms` must be a whole number of milliseconds, 0 to 600000, for example `400`',
        '  conform.yaml:6:1: unknown field `color` – known here: `base_url`, `workspace`, `channel`, `second_channel`, `files`, `without`, `roles`, `names`, `bindings`, `hooks`, `settle_ms`, `budget_ms`, `limits`, `connection`',
      ].join('\n'),
    );
  });

  it('lists twenty of them and says that there are more', () => {
    const yaml = Array.from({ length: 21 }, (_, index) => `field_${index}: 1\n`).join('');
    const lines = refusal(`${base}\n${yaml}`).split('\n');
    expect(lines[0]).toBe('more than 20 problems in the target:');
    expect(lines).toHaveLength(21);
  });
});

describe('flags and variables', () => {
  const from = (input: Partial<TargetInput>) =>
    refusalOf(() => readTarget({ flags: { baseUrl: 'https://host' }, env: {}, cwd: folder.path, ...input }));

  it('are refused by their own names', () => {
    expect(from({ env: { CONFORM_CHANNEL: 'general' } })).toBe(
      'CONFORM_CHANNEL: `channel` must be a UUID, for example `5b6d5e0c-2f0e-4f6c-9a35-1d3c8f6f2a10`',
    );
    expect(from({ env: { CONFORM_READER_TOKEN: 'a b' } })).toContain(
      'CONFORM_READER_TOKEN: `roles.reader` holds',
    );
    expect(from({ flags: { baseUrl: 'host' } })).toContain('--base-url: `base_url` must be');
    expect(from({ flags: { baseUrl: 'https://host', settleMs: Number.NaN } })).toContain('--settle-ms: ');
    expect(from({ flags: { baseUrl: 'https://host', header: ['x-a'] } })).toBe(
      '--header: must have the form `name: value`',
    );
    expect(from({ flags: { baseUrl: 'https://host', provider: ['provider_x=own_a'] } })).toBe(
      '--provider: must have the form `provider_a=own_a`',
    );
    expect(from({ flags: { baseUrl: 'https://host', provider: ['provider_a='] } })).toBe(
      "--provider: `names.providers.provider_a` must be a word of the server's, for example `own_a`",
    );
    expect(from({ flags: { baseUrl: 'https://host', cert: 'note.txt' } })).toContain('--cert: ');
    expect(from({ flags: { baseUrl: 'https://host', tokens: { author: 'file:nope' } } })).toContain(
      '--author-token: `roles.author` needs the file `nope`, which does not exist',
    );
  });
});

describe('what is no target file at all', () => {
  it('is refused by name', () => {
    expect(folder.refusal({ file: 'nope.yaml' })).toBe('nope.yaml: the target file does not exist');
    expect(folder.refusal({ file: 'http://127.0.0.1:1' })).toBe(
      'http://127.0.0.1:1: the target file does not exist – a URL is for --base-url',
    );
    expect(folder.refusal({ file: '.' })).toBe('.: the target file is a directory');
    expect(folder.refusal({ file: 'conform.yaml/x' })).toBe('conform.yaml/x: the target file does not exist');
    expect(folder.refusal({ file: 'a\0b' })).toContain(
      'the target file cannot be read (ERR_INVALID_ARG_VALUE)',
    );
  });

  it('is refused when it is not UTF-8', () => {
    expect(refusal(new Uint8Array([0xff, 0xfe, 0x61, 0]))).toBe(
      'conform.yaml: the target file is not UTF-8 text',
    );
  });

  it('is refused unread when it is large', () => {
    expect(refusal(`${base}\n#`.padEnd(10_000_000, 'x'))).toBe(
      'conform.yaml: the target file is larger than 65536 bytes',
    );
  });

  it.each([
    ['flow lists', '['.repeat(60_000)],
    ['flow mappings', '{a: '.repeat(15_000)],
    ['lists', '- '.repeat(30_000)],
    ['names', '? '.repeat(30_000)],
    ['mixed', '- ? '.repeat(15_000)],
    ['mappings', Array.from({ length: 350 }, (_, depth) => `${' '.repeat(depth)}a:`).join('\n')],
    [
      'thousands of fields',
      Array.from({ length: 12_000 }, (_, index) => `${index.toString(36)}:`).join('\n'),
    ],
    [
      'a bomb',
      `a0: &a0 [x, x]\n${Array.from({ length: 30 }, (_, n) => `a${n + 1}: &a${n + 1} [*a${n}, *a${n}]\n`).join('')}`,
    ],
  ])('is refused in bounded time when it is a tower: %s', (_, text) => {
    expect(refusal(text)).toMatch(/conform\.yaml:\d+:\d+: /);
  });
});
