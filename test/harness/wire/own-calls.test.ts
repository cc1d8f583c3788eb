import { describe, expect, it } from 'vitest';
import { defaultBindings } from '../../../harness/config/target.ts';
import { isOwnRefusal } from '../../../harness/wire/own-calls.ts';

const channel = '00f0a3c4-7d52-4b7e-8a68-1f0d3c5b7a99';

function isOwn(path: string, status: number, call: 'other' | 'send' = 'other'): boolean {
  const request = { call, method: 'GET', path, headers: {}, body: undefined };
  const response = { status, headers: {}, bytes: new Uint8Array(), json: undefined };
  return isOwnRefusal(request, response, defaultBindings);
}

describe('a refusal of a call of the suite', () => {
  it.each([
    ['/v0/files', 413],
    ['/v0/files/1', 403],
    ['/v0/files/1/content', 410],
    [`/v0/channels/${channel}/receipts`, 401],
  ])('is one at %s with status %d', (path, status) => {
    expect(isOwn(path, status)).toBe(true);
  });

  it.each([
    ['a success', '/v0/files/1', 200],
    ['of a router', '/v0/files/1', 404],
    ['of a method', '/v0/files', 405],
    ['of another path', '/v0/files/1/content/2', 410],
    ['of words', '/v1/human/workspaces/me', 403],
  ])('is not what is %s', (_, path, status) => {
    expect(isOwn(path, status)).toBe(false);
  });

  it('is not that of a call of the contract, which is judged anyway', () => {
    expect(isOwn('/v0/files', 413, 'send')).toBe(false);
  });
});
