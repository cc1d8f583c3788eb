import { describe, expect, it } from 'vitest';
import { allFound, foundAndShown, judged, Story } from '../fixtures.ts';

const valid = { expected: 'accept' } as const;
const refused = (status: number): object => ({ ...valid, outcome: 'refused', status });

type Ask = (story: Story, fields: object) => unknown;
const send: Ask = (story, fields) => story.send(fields);
const read: Ask = (story, fields) => story.read([], fields);
const feed: Ask = (story, fields) => story.feed([], fields);

/** A story of requests that are served, but for those with a status. */
function told(ask: Ask, statuses: readonly (number | undefined)[], fields: object = {}, story = new Story()) {
  for (const status of statuses)
    ask(story, { ...(status === undefined ? valid : refused(status)), ...fields });
  return story;
}

const bearer = ['turned-away auth.bearer-accepted'];
const inferred = ['turned-away service.served-requests-stay-served'];

describe('a valid request that is served at other times', () => {
  it.each([
    ['a send', send, 401, bearer],
    ['a read', read, 401, bearer],
    ['a listing', feed, 401, bearer],
    ['a listing', feed, 403, bearer],
    ['a send', send, 403, inferred],
    ['a read', read, 404, inferred],
    ['a send', send, 404, inferred],
  ] as const)('%s, is refused to its agent again and again: %s', (_, ask, status, found) => {
    const story = told(ask, [status, undefined, undefined, status, undefined]);
    expect(foundAndShown(story)).toEqual(found);
    expect(judged(story).anomalies[0]?.actual).toMatch(
      new RegExp(`^status ${status} to 2 of 5 valid requests \\([a-z-]+\\)$`),
    );
  });

  it.each([
    ['comes once', [undefined, 401, undefined]],
    ['lasts for a while', [undefined, 401, 401, 401, undefined]],
    ['comes every time', [401, 401, 401]],
    ['is of a limit', [429, undefined, 429]],
    ['is of what it asks', [400, undefined, 400]],
  ])('may be refused where that %s', (_, statuses) => {
    expect(allFound(told(send, statuses))).toEqual([]);
  });

  const twice = [401, undefined, 401];

  it.each([
    ['as whoever stands behind a key of the workspace', send, { agent: 'api-key' }],
    ['under a key that was used before', send, { key: 'one' }],
    ['where the contract leaves it open', read, { expected: 'open' }],
  ] as const)('may be refused %s', (_, ask, fields) => {
    expect(allFound(told(ask, twice, fields))).toEqual([]);
  });

  it('may be refused in traffic, and where the operator changed who is let in', () => {
    expect(allFound(told(send, twice, {}, new Story({ isPartial: true })))).toEqual([]);
    for (const change of ['deactivate', 'revoke', 'expire']) {
      const story = new Story();
      story.change(change);
      expect(allFound(told(send, twice, {}, story)), change).toEqual([]);
    }
  });

  it('may be refused around a restart', () => {
    const story = new Story();
    for (let times = 0; times < 2; times += 1) {
      story.change('restart');
      told(send, [401], {}, story);
      story.wait(2_000);
      told(send, [undefined], {}, story);
    }
    expect(allFound(story)).toEqual([]);
  });

  it('is refused to one agent, whoever else is served', () => {
    const story = told(read, [401], { agent: 'peer' });
    told(read, [undefined], {}, story);
    told(read, [401], { agent: 'peer' }, story);
    expect(allFound(story)).toEqual([]);
  });

  it('counts for its credential, where nothing speaks against that', () => {
    const countOf = (...statuses: readonly (number | undefined)[]): number | undefined =>
      judged(told(read, statuses)).opportunities.get('auth.bearer-accepted');
    expect(countOf(undefined, undefined)).toBe(2);
    expect(countOf(undefined, 404)).toBe(1);
    expect(countOf(undefined, 401)).toBeUndefined();
  });
});

describe('a request of somebody without access', () => {
  const closed = { expected: 'reject', refusedFor: 'auth.no-access-is-403', agent: 'outsider' } as const;

  it.each([
    ['a send', send],
    ['a read', read],
  ] as const)('%s, that is served is found, and counted where it is not', (_, ask) => {
    const story = new Story();
    ask(story, { ...closed, outcome: 'refused', status: 403 });
    expect([allFound(story), judged(story).opportunities.get('auth.no-access-is-403')]).toEqual([[], 1]);
    ask(story, closed);
    expect(foundAndShown(story)).toEqual(['let-in auth.no-access-is-403']);
  });

  it('says nothing where no answer came, and in traffic', () => {
    const story = new Story();
    read(story, { ...closed, outcome: 'indeterminate', status: undefined });
    expect([allFound(story), judged(story).opportunities.get('auth.no-access-is-403')]).toEqual([
      [],
      undefined,
    ]);
    const traffic = new Story({ isPartial: true });
    read(traffic, closed);
    expect(allFound(traffic)).toEqual([]);
  });

  it('is no business of this judge where something else is wrong with it', () => {
    const story = new Story();
    read(story, { ...closed, refusedFor: 'channel-read.after-negative' });
    expect(allFound(story)).toEqual([]);
  });
});
