import { expect, it } from 'vitest';
import { isSecretHeader } from '../../../../harness/config/reading/read-headers.ts';

it.each([
  ['Authorization', 'Basic x'],
  ['X-Gateway-Pass', 'hunter two'],
  ['X-Gateway-Passphrase', 'one two'],
  ['Cookie', 'a=b'],
  ['X-Credential', 'c'],
  ['X-Session', 's'],
  ['X-Signature', 'v1'],
  ['X-Plain', 'Zm9vYmFyYmF6cXV4MTIz'],
])('%s: %s is a secret', (name, value) => {
  expect(isSecretHeader(name, value)).toBe(true);
});

it.each([
  ['X-Tenant', 'blue'],
  ['X-Request-Id', '5b6d5e0c-2f0e-4f6c-9a35-1d3c8f6f2a10'],
  ['Accept-Language', 'en'],
  ['X-Design', 'flat'],
])('%s: %s is none', (name, value) => {
  expect(isSecretHeader(name, value)).toBe(false);
});
