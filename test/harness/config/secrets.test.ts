import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { readTarget, type TargetInput } from '../../../harness/config/reading/read-target.ts';
import { TargetFolder } from './target-folder.ts';

const folder = new TargetFolder();
afterAll(() => folder.remove());

const letters = fc.string({
  unit: fc.constantFrom(...Array.from('abcxyz019')),
  minLength: 10,
  maxLength: 20,
});
/** What YAML and headers choke on, in the middle of a text and before it. */
const within = ['', ', ', '\\q', ...Array.from('=./: \t@%!*&"\'#-{\0\nö')];
const ahead = ['', '? ', '- ', 'Bearer ', '-----BEGIN KEY-----', ...Array.from('@!*&%`[{"')];
/** Secrets as they come: long enough not to be part of a message by chance. */
const secret = fc
  .tuple(letters, fc.constantFrom(...within), letters, fc.constantFrom(...ahead))
  .map(([head, middle, tail, before]) => ({ text: `${before}${head}${middle}${tail}`, parts: [head, tail] }));

/** Ways to put a secret into a file, the right ones and slips; as YAML text and, so that more gets through, quoted. */
const places: readonly ((secret: string) => string)[] = [
  (s) => `roles:\n  author: ${s}\n  nonsense: 1\n`,
  (s) => `roles:\n  author: ${s}\n  reader: ${s}\n`,
  (s) => `roles:\n  author:${s}\n`,
  (s) => `roles:\n  author:${s}\n  reader: x\n`,
  (s) => `roles: {author:${s}}\n`,
  (s) => `roles: {${s}}\n`,
  (s) => `roles: [${s}]\n`,
  (s) => `roles: ${s}\n`,
  (s) => `roles:\n  author: [${s}]\n`,
  (s) => `roles:\n  author: {token: ${s}}\n`,
  (s) => `roles:\n  author: env:${s}\n`,
  (s) => `roles: {author: ${s}, author: ${s}}\n`,
  (s) => `roles:\n  - author: ${s}\n`,
  (s) => `author: ${s}\n`,
  (s) => `${s}\n`,
  (s) => `${s}\n${s}\n`,
  (s) => `channel: ${s}\n`,
  (s) => `base_url: https://${s}@host\n`,
  (s) => `base_url: https://user:${s}@host/\n`,
  (s) => `base_url: https://host/?token=${s}\n`,
  (s) => `base_url: ${s}\n`,
  (s) => `settle_ms: ${s}\n`,
  (s) => `limits: {read_only: ${s}, max_bytes: ${s}}\n`,
  (s) => `names: {agent_id_header: ${s}, providers: {provider_a: ${s}, provider_b: ${s}}}\n`,
  (s) => `bindings: {mentions: ${s}, attachments: ${s}}\n`,
  (s) => `hooks: {revoke: ${s}, expire: {command: ${s}}, limit: {command: [x], timeout_ms: ${s}}}\n`,
  (s) => `connection: {headers: {authorization: ${s}, x-key: ${s}, X-Key: ${s}}}\n`,
  (s) => `connection: {headers: {x-key:${s}}}\n`,
  (s) => `connection: {headers: {x-key: [${s}]}}\n`,
  (s) => `connection:\n  key: |\n    -----BEGIN PRIVATE KEY-----\n    ${s}\n`,
  (s) => `connection:\n  key: >-\n    -----BEGIN PRIVATE KEY-----\n    ${s}\n`,
];

const flagPlaces: readonly ((secret: string) => Pick<TargetInput, 'flags' | 'env'>)[] = [
  (s) => ({ flags: { tokens: { author: s, reader: s } }, env: {} }),
  (s) => ({ flags: { tokens: { author: `env:${s}` } }, env: {} }),
  (s) => ({ flags: { tokens: { author: 'env:A' } }, env: { A: s } }),
  (s) => ({ flags: { baseUrl: `https://${s}@host` }, env: {} }),
  (s) => ({ flags: { header: [s] }, env: {} }),
  (s) => ({ flags: { header: [`x-key ${s}: 1`, `authorization: ${s}`, `x-token: ${s}`] }, env: {} }),
  (s) => ({ flags: { provider: [s, `provider_a ${s}=x`] }, env: {} }),
  (s) => ({ flags: { channel: s, workspace: s, agentIdHeader: `${s}(` }, env: {} }),
  (s) => ({ flags: {}, env: { CONFORM_AUTHOR_TOKEN: s, CONFORM_READER_TOKEN: s } }),
  (s) => ({ flags: {}, env: { CONFORM_BASE_URL: `https://u:${s}@host`, CONFORM_CHANNEL: s } }),
];

/** Everything that a reading says, whether it ends in a target or not. */
function said(input: TargetInput): string {
  try {
    return readTarget(input).warnings.join('\n');
  } catch (error) {
    return error instanceof Error ? `${error.message}\n${String(error.cause)}` : String(error);
  }
}

describe('a secret', () => {
  it('is in no message about a target file, wherever it stands and however it is misspelt', () => {
    fc.assert(
      fc.property(secret, fc.constantFrom(...places), fc.boolean(), ({ text, parts }, place, isQuoted) => {
        const written = isQuoted ? JSON.stringify(text) : text;
        folder.with({ 'conform.yaml': place(written) });
        const message = said({ file: 'conform.yaml', flags: {}, env: {}, cwd: folder.path });
        for (const part of parts) expect(message).not.toContain(part);
      }),
      { numRuns: 2000 },
    );
  });

  it('is in no message or warning about flags and variables', () => {
    fc.assert(
      fc.property(secret, fc.constantFrom(...flagPlaces), ({ text, parts }, place) => {
        const message = said({ ...place(text), cwd: folder.path });
        for (const part of parts) expect(message).not.toContain(part);
      }),
      { numRuns: 1000 },
    );
  });
});
