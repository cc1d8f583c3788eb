import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addressOf } from '../../../spec/calls/index.ts';
import { readFailure, readFailures } from '../../../fuzz/campaign/failure-file.ts';
import { isOperators, resolve, stepsOf, type CaseRequest } from '../../../fuzz/cases/case-request.ts';
import { injectionPointsFor } from '../../../fuzz/cases/families/index.ts';
import { isOfTheContract } from '../../../spec/oracles/requests/contract-request.ts';
import { emptyWorld } from '../../../generators/spaces/body/send-body.ts';
import { roleNames } from '../../../harness/config/roles.ts';
import { refusalOf, withChange } from '../../changed-value.ts';
import { ownFolder } from '../../fixtures/folder.ts';
import { alteredSend } from '../altered-send.ts';

const folder = ownFolder('kept-');

const failure = alteredSend('{"content":"{the-mark-of-it} x"}', 'message.content.unaltered');
const { request } = failure;

/** What reading a file of these values is refused with; `undefined` when it is read. */
function refused(value: unknown): Promise<string | undefined> {
  const file = join(folder, 'failure.json');
  writeFileSync(file, typeof value === 'string' ? value : JSON.stringify(value));
  return refusalOf(() => readFailure(file));
}

const id = '00000000-0000-4000-8000-000000000001';
const places = {
  channelId: id,
  secondChannelId: id,
  workspaceId: id,
  tokenOf: () => 'agent_00000000',
  freshKey: () => 'key',
  sharedKey: 'key',
  principalOf: () => id,
};

function isSentToTheService(each: CaseRequest): boolean {
  const resolved = resolve(each, places, () => 'm');
  return resolved !== undefined && isOfTheContract(resolved.sent);
}

describe('a failure file', () => {
  it('is read as it was written', async () => {
    expect(await refused(failure)).toBeUndefined();
  });

  it('may have each request that a campaign fails a server by', async () => {
    const calls = ['mentions', 'channel-read', 'send', 'overview'] as const;
    const points = injectionPointsFor({
      world: emptyWorld,
      roles: new Set(roleNames),
      calls: [...calls],
      has: () => true,
    });
    const drawn = points.flatMap(({ boundaryCount, boundary }) =>
      Array.from({ length: boundaryCount }, (_, index) => boundary(index).request).flatMap((request) =>
        stepsOf(request).flatMap((step) => (isOperators(step) ? [] : [step])),
      ),
    );
    const kept = drawn.filter(isSentToTheService);
    expect(kept.length).toBeGreaterThan(drawn.length / 2);
    const wrong = new Set<string | undefined>();
    const heads = kept.map(({ call, method, path, query, headers }) => ({
      call,
      method,
      headers,
      path: addressOf({ path, query }),
    }));
    // Most differ in their bodies alone.
    for (const head of new Set(heads.map((each) => JSON.stringify(each)))) {
      // One after another: they share a file.
      wrong.add(await refused({ ...failure, request: JSON.parse(head) as unknown }));
    }
    expect(wrong).toEqual(new Set([undefined]));
  });

  it.each([
    ['a DELETE', { method: 'DELETE' }],
    ['a POST to what is read', { call: 'mentions', path: '/v0/mentions' }],
    ['a GET of what is sent', { method: 'GET' }],
    ['a call that nobody knows', { call: 'other', path: '/v0/keys' }],
    ['another path', { path: '/v0/channels/{channel}/members' }],
    ['another host', { path: 'http://127.0.0.1:1/v0/channels/{channel}/messages' }],
    ['another host without a scheme', { path: '//127.0.0.1:1/v0/channels/{channel}/messages' }],
    ['a user before the host', { path: '@127.0.0.1:1/v0/channels/x/messages' }],
    ['a way up', { path: '/v0/channels/../messages' }],
    ['an escaped way up', { path: '/v0/channels/%2E%2e/messages' }],
    ['a way up that is escaped twice', { path: '/v0/channels/%252e%252e/messages' }],
    ['an escaped slash', { path: '/v0/channels/x%2F..%2F..%2Fkeys/messages' }],
    ['an escaped backslash', { path: '/v0/channels/x%5c/messages' }],
    ['a line end in its path', { path: '/v0/channels/x\r\nHost: y/messages' }],
    ['a fragment', { path: '/v0/channels/{channel}/messages?a#b' }],
    ['a credential in its path', { path: '/v0/channels/{token:author}/messages' }],
    ['a credential in its query', { path: '/v0/channels/{channel}/messages?a={token:author}' }],
    ['a credential in another header', { headers: { 'idempotency-key': '{token:author}' } }],
    ['a host of its own', { headers: { host: 'example.com' } }],
    ['a line end in a header', { headers: { 'content-type': 'a\r\nhost: b' } }],
    ['a body of gigabytes', { body: { runs: [['aaaaaaaaaaaa', 8_000_000]] } }],
    ['a body of no characters that are counted', { body: { runs: [['a', -1]] } }],
    ['a body that is a number', { body: 7 }],
    ['a run that is a number', { body: { runs: [7] } }],
    ['a header that is a number', { headers: { authorization: 7 } }],
  ])('is not replayed with %s', async (_, changed) => {
    expect(await refused({ ...failure, request: { ...request, ...changed } })).toMatch(/is not/);
    const earlier = [request, { ...request, ...changed }];
    expect(await refused({ ...failure, request: { ...request, earlier } })).toMatch(/is not/);
  });

  it.each([
    ['a number of times below none', { times: -1 }, '`found.times` must be >= 0'],
    ['more times than tries', { times: 4 }, '`found.times` is more than `found.of`'],
    ['no number of tries', { of: undefined }, "`found` must have required property 'of'"],
    ['more times than looks', { again: { times: 2, of: 1 } }, '`found.again.times` is more than'],
  ])('is not replayed with %s', async (_, changed, fault) => {
    const refusal = await refused({ ...failure, found: { ...failure.found, ...changed } });
    expect(refusal).toContain(`failure.json is not a failure file of this suite: ${fault}`);
  });

  it('is read as older suites wrote it, without a last look', async () => {
    const { again: _again, ...found } = failure.found;
    expect(await refused({ ...failure, found })).toBeUndefined();
  });

  it.skipIf(process.getuid?.() === 0)('is not looked for where nobody may read', async () => {
    const shut = join(folder, 'shut');
    mkdirSync(shut, { mode: 0o300 });
    expect(await refusalOf(() => readFailures(shut))).toMatch(/shut is not readable by this user/);
  });

  it('may have several steps', async () => {
    const steps = { ...request, earlier: [request, { ...request, isBeside: true }] };
    expect(await refused({ ...failure, request: steps })).toBeUndefined();
  });

  it.each([
    ['no JSON', '{'],
    ['a list', '[]'],
    ['nothing', 'null'],
    ['another clause', { ...failure, failure: { ...failure.failure, clause: '__proto__' } }],
    ['another root', { ...failure, root: 'x' }],
    ['no failure', { ...failure, failure: null }],
  ])('is refused in one line if it is %s', async (_, value) => {
    expect(await refused(value)).toMatch(/is not a failure file/);
  });

  it('is read or refused in one line, whatever is changed in it', async () => {
    const odd = fc.oneof(fc.jsonValue(), fc.constantFrom('', '__proto__', 1e308, '\u0000', '../../x'));
    await fc.assert(
      fc.asyncProperty(fc.nat(), odd, async (at, value) => {
        const message = await refused(withChange(failure, at, value));
        expect(message ?? folder).toContain(folder);
      }),
      { numRuns: 300 },
    );
  });
});
