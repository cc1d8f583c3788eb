import { describe, expect, it } from 'vitest';
import type { TargetFlags } from '../../../harness/config/reading/flag-layers.ts';
import { secretsOf, targetDigest } from '../../../harness/config/target-digest.ts';
import type { Target } from '../../../harness/config/target.ts';
import { targetOf } from './target-folder.ts';

const env = { A: 'author-token', G: 'Basic Z2F0ZTprZWVwZXI=' };
const target = (flags: TargetFlags): Target => targetOf(flags, env);

describe('targetDigest', () => {
  const digest = targetDigest(target({ tokens: { author: 'env:A' }, header: ['x-gate: env:G'] }));

  it('is a sha256 in hex', () => {
    expect(digest).toMatch(/^[0-9a-f]{64}$/);
  });

  it('stays when a secret is another, or comes another way', () => {
    const other = target({ tokens: { author: 'another-token' }, header: ['x-gate: env:A'] });
    expect(targetDigest(other)).toBe(digest);
  });

  it('stays when the order of fields and the folder of the file are others', () => {
    const one = { ...target({}), hooks: { file: { command: ['x'], timeoutMs: 1, cwd: '/a' } } };
    const { baseUrl, ...rest } = one;
    const two = { ...rest, baseUrl, hooks: { file: { cwd: '/b', timeoutMs: 1, command: ['x'] } } };
    expect(targetDigest(two)).toBe(targetDigest(one));
  });

  it.each<[string, TargetFlags]>([
    ['the base URL', { baseUrl: 'https://other' }],
    ['a role more', { tokens: { reader: 'x' } }],
    ['a setting', { settleMs: 1 }],
    ['a limit', { maxBytes: 1 }],
    ['an open header', { header: ['x-run: 1'] }],
    ['a provider word', { provider: ['a', 'b', 'c', 'd'].map((each) => `provider_${each}=own_${each}`) }],
  ])('changes with %s', (_, flags) => {
    const same: TargetFlags = { tokens: { author: 'env:A' } };
    const changed = target({ ...same, ...flags, tokens: { ...same.tokens, ...flags.tokens } });
    expect(targetDigest(changed)).not.toBe(targetDigest(target(same)));
  });
});

describe('secretsOf', () => {
  it('has every token, every secret header value and the credential in it, longest first, each once', () => {
    const secrets = secretsOf(
      target({
        tokens: { author: 'env:A', 'api-key': 'env:A', machine: 'machine-token-1' },
        header: ['x-gate: env:G', 'x-api-key: literal-key', 'x-run: conformance'],
      }),
    );
    expect(secrets).toEqual([
      'Basic Z2F0ZTprZWVwZXI=',
      'Z2F0ZTprZWVwZXI=',
      'machine-token-1',
      'author-token',
      'literal-key',
    ]);
  });

  it('is empty for a target without credentials', () => {
    expect(secretsOf(target({}))).toEqual([]);
  });
});
