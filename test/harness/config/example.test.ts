import { join } from 'node:path';
import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { packageFile } from '../../../spec/package-file.ts';
import { TargetFolder } from './target-folder.ts';

const env = {
  AUTHOR_TOKEN: 'author-1',
  STRANGER_TOKEN: 'stranger-1',
  OUTSIDER_TOKEN: 'outsider-1',
  EXPIRED_TOKEN: 'expired-1',
  REVOKED_TOKEN: 'revoked-1',
  API_KEY: 'key-1',
  MACHINE_TOKEN: 'machine-1',
  GATEWAY_KEY: 'gate-1',
};

describe('a target file that uses every field', () => {
  const folder = new TargetFolder().with({
    'conform.yaml': readFileSync(packageFile('test/harness/config/example.yaml')),
    'secrets/reader.token': 'reader-1\n',
  });
  afterAll(() => folder.remove());

  it('becomes a target with every reference followed', () => {
    expect(folder.read({ env })).toEqual({
      source: { from: 'file', file: 'conform.yaml', by: 'name' },
      target: {
        baseUrl: 'https://messaging.example/api',
        workspaceId: '9f1c2f9e-6f0d-4f67-8a63-7f2b8f1a7d01',
        channelId: '5b6d5e0c-2f0e-4f6c-9a35-1d3c8f6f2a10',
        secondChannelId: '00f0a3c4-7d52-4b7e-8a68-1f0d3c5b7a99',
        files: ['c4a1f0de-52b6-4f0f-9d3f-8e3f6f1b2a70'],
        roles: {
          author: { token: 'author-1', source: 'env:AUTHOR_TOKEN' },
          reader: {
            token: 'reader-1',
            source: 'file:secrets/reader.token',
            file: join(folder.path, 'secrets/reader.token'),
          },
          peer: { token: 'peer-token-as-it-is', source: 'target file' },
          stranger: { token: 'stranger-1', source: 'env:STRANGER_TOKEN' },
          outsider: { token: 'outsider-1', source: 'env:OUTSIDER_TOKEN' },
          expired: { token: 'expired-1', source: 'env:EXPIRED_TOKEN' },
          revoked: { token: 'revoked-1', source: 'env:REVOKED_TOKEN' },
          'api-key': { token: 'key-1', source: 'env:API_KEY' },
          machine: { token: 'machine-1', source: 'env:MACHINE_TOKEN' },
        },
        names: {
          agentIdHeader: 'x-own-agent',
          providers: { provider_a: 'own_a', provider_b: 'own_b', provider_c: 'own_c', provider_d: 'own_d' },
        },
        bindings: {
          mentions: 'to',
          attachments: 'files',
          sourceSession: 'session',
          agentHost: 'host',
          items: 'messages',
          reportReceipt: '/v0/{channel_id}/seen',
          reportReceiptField: 'seen',
          file: '/v0/blobs/{file_id}',
          fileContent: '/v0/blobs/{file_id}/raw',
          health: '/up',
          capabilities: '/features',
        },
        hooks: {
          revoke: { command: ['node', 'hooks/revoke.js'], timeoutMs: 5000, cwd: folder.path },
          restart: { command: ['./restart.sh'], timeoutMs: 10_000, cwd: folder.path },
        },
        settleMs: 800,
        budgetMs: 120_000,
        limits: { ratePerSecond: 50, maxBytes: 20_000_000, isReadOnly: false },
        connection: {
          headers: { 'x-gateway-key': 'gate-1', 'x-run': 'conformance' },
          secretHeaders: ['x-gateway-key'],
          headerSources: { 'x-gateway-key': { source: 'env:GATEWAY_KEY' } },
          ca: undefined,
          cert: undefined,
          key: undefined,
        },
      },
      warnings: [],
    });
  });
});
