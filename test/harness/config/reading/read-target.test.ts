import { afterAll, describe, expect, it } from 'vitest';
import { defaultBindings, defaultNames } from '../../../../harness/config/target.ts';
import { readTarget } from '../../../../harness/config/reading/read-target.ts';
import { channelId, refusalOf, secondChannelId, TargetFolder, targetOf } from '../target-folder.ts';

const folder = new TargetFolder().with({
  'author.token': 'from-a-file\r\n',
  'ca.pem': '-----BEGIN CERTIFICATE-----\nca\n-----END CERTIFICATE-----\n',
  'tls/client.pem': 'a comment\n-----BEGIN CERTIFICATE-----\nclient\n-----END CERTIFICATE-----\n',
  'tls/client.key': '-----BEGIN EC PRIVATE KEY-----\nkey\n-----END EC PRIVATE KEY-----\n',
});
afterAll(() => folder.remove());
const reading = (yaml: string, input: Parameters<TargetFolder['read']>[0] = {}) =>
  folder.with({ 'conform.yaml': yaml }).read(input);

describe('readTarget', () => {
  it('needs nothing but a base URL and fills in the defaults', () => {
    const { target, warnings } = readTarget({
      flags: { baseUrl: 'https://host' },
      env: {},
      cwd: folder.path,
    });
    expect(target).toEqual({
      baseUrl: 'https://host',
      roles: {},
      files: [],
      channelId: undefined,
      secondChannelId: undefined,
      workspaceId: undefined,
      names: defaultNames,
      bindings: defaultBindings,
      hooks: {},
      settleMs: undefined,
      budgetMs: undefined,
      limits: { ratePerSecond: undefined, maxBytes: 5_000_000, isReadOnly: false },
      connection: {
        headers: {},
        secretHeaders: [],
        headerSources: {},
        ca: undefined,
        cert: undefined,
        key: undefined,
      },
    });
    expect(warnings).toEqual([]);
  });

  it('says what is missing when nothing names a server', () => {
    const refusal = refusalOf(() => readTarget({ flags: {}, env: {}, cwd: folder.path }));
    expect(refusal).toBe(
      'command line: `base_url` is missing – set it in the target file, by --base-url or CONFORM_BASE_URL',
    );
  });

  it('lets a run write a gibibyte to this machine', () => {
    expect(targetOf({ baseUrl: 'http://127.0.0.1:1' }).limits.maxBytes).toBe(1024 ** 3);
  });

  it('takes sections that are there and empty, as a commented file leaves them', () => {
    const sections = ['roles', 'names', 'bindings', 'hooks', 'limits', 'connection'];
    const yaml = `base_url: https://host\n${sections.map((name) => `${name}:\n`).join('')}`;
    expect(reading(yaml).target.roles).toEqual({});
  });

  it('takes a file with a byte order mark and Windows line ends', () => {
    expect(reading('\uFEFFbase_url: https://host\r\nsettle_ms: 1\r\n').target.settleMs).toBe(1);
  });

  it('finds the files that a target file names from its own folder, those of flags from the working directory', () => {
    folder.with({
      'ci/author.token': 'beside the file'.replaceAll(' ', '-'),
      'ci/conform.yaml':
        'base_url: https://host\nroles: {author: "file:author.token"}\nhooks: {file: {command: [x]}}\n',
    });
    const file = 'ci/conform.yaml';
    const fromFile = folder.read({ file }).target;
    expect(fromFile.roles.author?.token).toBe('beside-the-file');
    expect(fromFile.hooks.file).toMatchObject({ cwd: `${folder.path}/ci` });
    const flags = { tokens: { author: 'file:author.token' } };
    expect(folder.read({ file, flags }).target.roles.author?.token).toBe('from-a-file');
  });

  it('reads the PEM files of the connection', () => {
    const { connection } = reading(
      'base_url: https://host\nconnection: {ca: ca.pem, cert: tls/client.pem, key: tls/client.key}\n',
    ).target;
    expect(connection.ca).toContain('\nca\n');
    expect(connection.cert).toContain('\nclient\n');
    expect(connection.key).toContain('\nkey\n');
  });

  it('lets an author also be the API key, as one credential can be both', () => {
    const { roles } = reading('base_url: https://host\nroles: {author: same, api_key: same}\n').target;
    expect(roles['api-key']?.token).toBe(roles.author?.token);
  });

  it('lets a server swap two provider words', () => {
    const { names } = reading(
      'base_url: https://host\nnames: {providers: {provider_a: provider_b, provider_b: provider_a, provider_c: provider_c, provider_d: provider_d}}\n',
    ).target;
    expect(names.providers).toMatchObject({ provider_a: 'provider_b', provider_b: 'provider_a' });
  });
});

describe('precedence', () => {
  const yaml = `base_url: https://file
channel: ${channelId}
roles: {author: in-the-file, reader: env:NOT_SET}
settle_ms: 1
names: {providers: {provider_a: a-file, provider_b: b-file, provider_c: c-file, provider_d: d-file}}
connection: {headers: {X-One: file, X-Two: file}}
`;
  const env = {
    CONFORM_BASE_URL: 'https://env',
    CONFORM_AUTHOR_TOKEN: 'in-env',
    CONFORM_READER_TOKEN: 'env:r',
  };

  it('puts the environment before the file', () => {
    const { target } = reading(yaml, { env });
    expect(target.baseUrl).toBe('https://env');
    expect(target.roles.author).toEqual({ token: 'in-env', source: 'env:CONFORM_AUTHOR_TOKEN' });
    expect(target.channelId).toBe(channelId);
  });

  it('takes a token variable as it is, and follows no reference that it overrides', () => {
    expect(reading(yaml, { env }).target.roles.reader?.token).toBe('env:r');
  });

  it('counts an empty variable as absent', () => {
    const { target } = reading(yaml, { env: { ...env, CONFORM_BASE_URL: '', CONFORM_CHANNEL: '' } });
    expect(target.baseUrl).toBe('https://file');
    expect(target.channelId).toBe(channelId);
  });

  it('puts flags before both', () => {
    const flags = {
      baseUrl: 'https://flag',
      secondChannel: secondChannelId,
      tokens: { author: 'env:MINE' },
      settleMs: 2,
      budgetMs: 3,
      ratePerSecond: 4,
      maxBytes: 5,
      readOnly: true,
      agentIdHeader: 'X-Mine',
      provider: ['provider_b=b-flag'],
      header: ['x-two: flag: it', 'X-Three:env:MINE'],
    };
    const { target, warnings } = reading(yaml, { env: { ...env, MINE: 'm1' }, flags });
    expect(target).toMatchObject({
      baseUrl: 'https://flag',
      secondChannelId,
      roles: { author: { token: 'm1', source: 'env:MINE' } },
      settleMs: 2,
      budgetMs: 3,
      limits: { ratePerSecond: 4, maxBytes: 5, isReadOnly: true },
      names: { agentIdHeader: 'x-mine', providers: { provider_a: 'a-file', provider_b: 'b-flag' } },
    });
    expect(target.connection.headers).toEqual({ 'x-one': 'file', 'x-two': 'flag: it', 'x-three': 'm1' });
    expect(target.connection.secretHeaders).toEqual(['x-three']);
    expect(warnings).toEqual([]);
  });
});

it('warns of secrets that flags hold as they are, by the name of the flag alone', () => {
  const flags = {
    baseUrl: 'https://host',
    tokens: { author: 's3cret-one', 'api-key': 's3cret-two' } as const,
    header: ['x-gateway-key: s3cret-three', 'x-run: 1'],
  };
  const { target, warnings } = readTarget({ flags, env: {}, cwd: '/' });
  expect(target.roles.author).toEqual({ token: 's3cret-one', source: 'flag' });
  expect(warnings).toEqual([
    '--author-token: `roles.author` is a secret that shows in process lists – give `env:NAME`, `file:PATH` or the variable CONFORM_AUTHOR_TOKEN',
    '--api-key-token: `roles.api_key` is a secret that shows in process lists – give `env:NAME`, `file:PATH` or the variable CONFORM_API_KEY_TOKEN',
    '--header: `connection.headers.x-gateway-key` is a secret that shows in process lists – give `env:NAME` or `file:PATH` as its value',
  ]);
});
