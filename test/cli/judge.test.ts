import { mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { judgedFiles } from '../../cli/judge/judge-file.ts';
import type { ResultEvent } from '../../harness/results/generated/events.ts';
import { Scoring } from '../../harness/gate/scoring.ts';
import { refusalOf } from '../changed-value.ts';
import { ownFolder } from '../fixtures/folder.ts';
import { messageOf } from '../fixtures/message.ts';
import { conform } from './conform.ts';
import { eventsIn } from '../fixtures/stream.ts';

const folder = ownFolder('judge-');
const at = (name: string): string => join(folder, name);
const header = '{"history":1,"runId":"x","settleMs":1}\n';

/** Files that cannot be judged, and what is said of each; test/history/ndjson has what else is no history. */
const refused: Readonly<Record<string, readonly [content: string | Buffer, words: string]>> = {
  'other.ndjson': ['{"type":"header"}\n', ', line 1: not a history'],
  'breaks-off.ndjson': [`${header}{"kind":"read","star`, ', line 2: it breaks off, as when'],
  'endless.ndjson': [`${header}${'x'.repeat(17_000_000)}`, ', line 2: longer than 16000000 characters'],
  'bytes.ndjson': [Buffer.from([0x1f, 0x8b, 0, 255, 10]), ', line 1: not a JSON object'],
  'no-entries.har': ['{"log": {}}', "`log` must have required property 'entries'"],
  'nothing.har': ['{"log": {"entries": []}}', 'holds no request of the contract'],
  'own.har': [
    '{"log": {"creator": {"name": "conform"}, "entries": []}}',
    'keep its history (--history), and judge that',
  ],
  'no-time.har': [
    '{"log":{"entries":[{"startedDateTime":"2026-13-41T00:00:00Z","time":1,"request":{"method":"GET","url":"http://a.example/v0/mentions","headers":[]},"response":{"status":200,"headers":[],"content":{}}}]}}',
    '`log.entries.0.startedDateTime` is no time',
  ],
  'text.har': ['nothing', 'is no HAR file: it is not JSON'],
};

/** What a file of this name is judged to be. */
function judgedAs(name: string, baseUrl?: string): readonly ResultEvent[] {
  return judgedFiles([at(name)], {
    scoring: new Scoring({}, { isStrict: false }),
    isStrict: false,
    baseUrl,
  });
}

const judged = (name: string): Promise<string | undefined> => refusalOf(() => judgedAs(name));

beforeAll(() => {
  for (const [name, [content]] of Object.entries(refused)) writeFileSync(at(name), content);
  mkdirSync(at('folder'));
  writeFileSync(at('large.ndjson'), header);
  truncateSync(at('large.ndjson'), 100_000_000_000);
});

describe('what is judged', () => {
  it.each(Object.entries(refused))(
    'is refused in one line where it is no history: %s',
    async (name, [, words]) => {
      expect(await judged(name)).toContain(`${at(name)}${words.startsWith(',') ? words : ''}`);
      expect(await judged(name)).toContain(words);
    },
  );

  it.each([
    ['none', /cannot be read \(ENOENT\)$/],
    ['folder', /cannot be read \(EISDIR\)$/],
    ['large.ndjson', /takes about 300000 MB .* NODE_OPTIONS=--max-old-space-size=300000$/],
  ])('is refused where it is no file that can be read: %s', async (name, words) => {
    expect(await judged(name)).toMatch(words);
  });
});

/** An entry of a HAR file: a listing of mentions. */
function entryOf(response: object, request: object = {}): object {
  return {
    startedDateTime: '2026-01-01T00:00:00Z',
    time: 1,
    request: { method: 'GET', url: 'http://a.example/v0/mentions', headers: [], ...request },
    response: { status: 200, headers: [], ...response },
  };
}

function headersOf(headers: Readonly<Record<string, string>>): readonly object[] {
  return Object.entries(headers).map(([name, value]) => ({ name, value }));
}

function judgedHar(...entries: readonly object[]): readonly ResultEvent[] {
  writeFileSync(at('recorded.har'), JSON.stringify({ log: { entries } }));
  return judgedAs('recorded.har');
}

const channelUrl = 'http://a.example/v0/channels/00000000-0000-4000-8000-000000001002/messages';
const ofAgent = { authorization: 'Bearer opaque-1' };

/** An entry so many seconds after the first. */
function after(seconds: number, entry: object, more: object = {}): object {
  return {
    ...entry,
    startedDateTime: new Date(Date.UTC(2026, 0, 1) + seconds * 1_000).toISOString(),
    ...more,
  };
}

/** A read of a channel that shows these messages. */
function shown(...messages: readonly { readonly sequence: number }[]): object {
  const last = messages.at(-1)?.sequence ?? 0;
  const page = { next_after: last, has_more: false, high_watermark: last };
  return entryOf(
    { content: { text: JSON.stringify({ messages, page }) } },
    { url: `${channelUrl}?after=0`, headers: headersOf(ofAgent) },
  );
}

/** A send that no answer came to, as a recorder has it, or one that was taken. */
function sent(key: string, content: string, answer: object): object {
  return entryOf(answer, {
    method: 'POST',
    url: channelUrl,
    headers: headersOf({ ...ofAgent, 'idempotency-key': key }),
    postData: { text: JSON.stringify({ content }) },
  });
}

function clausesIn(events: readonly ResultEvent[]): readonly string[] {
  return events.flatMap((event) => (event.type === 'finding' ? event.clause : []));
}

function warningsOf(events: readonly ResultEvent[]): readonly string[] {
  return events.flatMap((event) =>
    event.type === 'notice' && event.severity === 'warning' ? [event.text] : [],
  );
}

describe('conform judge', () => {
  it('judges what a run has kept, without its server and without its secrets', async () => {
    const file = at('history.ndjson');
    const run = await conform(['--only', 'channel-read', '--history', file]);
    expect(run.code).toBe(0);
    const ended = await conform(['judge', '--strict', '--out', at('judged.ndjson'), file]);
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    expect(eventsIn(at('judged.ndjson'))[0]).toMatchObject({ command: ['judge', '--strict', file] });
    expect(ended.stdout).toMatch(/nothing failed, \d+ of \d+ must clauses shown; .*\(exit 0\)\n$/);
    expect(readFileSync(file, 'utf8')).not.toMatch(/Bearer/);
  }, 30_000);

  it('says of a HAR file with requests to several servers, or to none that is named, which there are', async () => {
    const entries = ['http://a.example', 'http://b.example'].map((base) =>
      entryOf({ content: {} }, { url: `${base}/v0/mentions` }),
    );
    writeFileSync(at('servers.har'), JSON.stringify({ log: { entries } }));
    const refusal = (baseUrl?: string): Promise<string | undefined> =>
      refusalOf(() => judgedAs('servers.har', baseUrl));
    const held = `${at('servers.har')} holds requests to http://a.example and http://b.example`;
    expect(await refusal()).toBe(`${held}: say which with --base-url`);
    expect(await refusal('http://nowhere.example/')).toBe(
      `${held}, and none to http://nowhere.example (--base-url)`,
    );
    expect(await refusal('http://b.example')).toBeUndefined();
  });

  it('says of what a recorder left out, or cut, that it is not judged', () => {
    const asked = (content: object, status = 200): object => entryOf({ status, content });
    const noticesOf = (...entries: readonly object[]): readonly string[] => warningsOf(judgedHar(...entries));
    const words = "2 requests of the contract's calls not judged";
    expect(noticesOf(asked({}), asked({ size: 4_000_000 }), asked({ text: '{}' }))).toContainEqual(
      expect.stringContaining(words),
    );
    expect(noticesOf(asked({ text: '{}' }), asked({}, 304)).join('')).not.toContain('not judged:');
  });

  it.each([
    [
      'refused everybody',
      { status: 401, content: { text: '{"error":{"code":"unauthenticated","message":"no","details":{}}}' } },
      'none of 1 judged calls got a success (2xx)',
    ],
    [
      'was behind a gateway that did not find it',
      { status: 502, content: { text: '<html>' } },
      'no call of the contract was answered',
    ],
    ['gave no answer', { status: 0, content: {} }, 'no call of the contract was answered'],
  ] as const)('concludes nothing from a server that %s', (_, answer, reason) => {
    const events = judgedHar(
      entryOf({
        headers: headersOf({ 'content-type': 'application/json', 'www-authenticate': 'Bearer' }),
        ...answer,
      }),
    );
    expect(events.at(-1)).toMatchObject({ type: 'footer', exitCode: 3 });
    expect(events.at(-1)).toMatchObject({ reason: expect.stringContaining(reason) as string });
  });

  const feed = (hasMore: boolean): string =>
    JSON.stringify({ mentions: [], page: { next_after: 0, has_more: hasMore, high_watermark: 0 } });

  it('says of server errors that come now and then how many there were, and finds those that come again soon', () => {
    const asked = (seconds: number, answer: object): object =>
      after(seconds, entryOf(answer, { headers: headersOf(ofAgent) }));
    const error = { status: 500, content: { text: '{"error":{"code":"internal","message":"no"}}' } };
    const served = { content: { text: feed(false) } };
    const apart = (seconds: number): readonly ResultEvent[] =>
      judgedHar(asked(0, error), asked(seconds / 2, served), asked(seconds, error));
    expect(clausesIn(apart(7_200))).toEqual([]);
    expect(warningsOf(apart(7_200))).toContainEqual(
      expect.stringMatching(/^2 requests drew a server error \(500\): it is a finding where it comes again/),
    );
    expect(clausesIn(apart(30))).toEqual(['mentions.error-statuses']);
  });

  it('takes every spelling of an address for one server', async () => {
    const asked = ['https://a.example/v0/mentions', 'HTTPS://A.example:443/v0/mentions'].map((url) =>
      entryOf({ content: { text: feed(false) } }, { url }),
    );
    expect(warningsOf(judgedHar(...asked)).join('')).toContain('of 2 requests');
  });

  it.each([
    '***',
    'XXXX-XXXX',
    '00000',
    'abc***',
    '<token>',
    '{{TOKEN}}',
    '[Filtered]',
    '...',
    '%TOKEN%',
    '$TOKEN',
  ])('takes %s for what stands in place of several credentials', (token) => {
    const headers = headersOf({ authorization: `Bearer ${token}` });
    const events = judgedHar(
      entryOf({ content: { text: feed(false) } }, { headers }),
      entryOf({ content: { text: feed(false) } }, { headers }),
    );
    expect(warningsOf(events).join('')).toContain(
      'of 2 requests the form of the answer alone is judged, as far as it was recorded',
    );
  });

  it('leaves out what a browser had kept, and what is shorter than its answer says', () => {
    const cut = { content: { text: '{"mentions":[', size: 13 } };
    const length = headersOf({ 'content-length': '4000' });
    const kept = { ...entryOf({ content: { text: '{}', size: 2 } }), _fromCache: 'disk' };
    const events = judgedHar(
      entryOf({ content: { text: feed(false) } }),
      entryOf({ ...cut, headers: length }),
      kept,
    );
    expect(events.filter(({ type }) => type === 'finding')).toEqual([]);
    expect(warningsOf(events).join('')).toContain("1 request of the contract's calls not judged");
  });

  it.each([
    ['a browser', { status: 0, _error: 'net::ERR_CONNECTION_REFUSED' }],
    ['a browser that is driven', { status: -1, _failureText: 'connect ECONNREFUSED 127.0.0.1:80' }],
    ['a proxy', { status: 0, _error: "[Errno 111] Connect call failed ('127.0.0.1', 80)" }],
  ])('carries nothing on where the server could not be reached, in the words of %s', (_, answer) => {
    const judged = (between: object): readonly string[] =>
      clausesIn(
        judgedHar(
          shown(messageOf(1)),
          after(10, entryOf({ content: {}, ...between }, { headers: headersOf(ofAgent) })),
          after(20, shown(messageOf(1, { id: '00000000-0000-4000-8000-000000000009' }))),
        ),
      );
    expect(judged(answer)).toEqual([]);
    expect(judged({ status: 0, _error: 'net::ERR_EMPTY_RESPONSE' })).toEqual([
      'channel-read.sequence-names-one-message',
    ]);
  });

  it('takes for a lost answer only that to a request which came to a server', () => {
    const clientsIn = (error: string): readonly string[] =>
      clausesIn(
        judgedHar(
          ...['one', 'two', 'three'].flatMap((content, at) => [
            after(at * 10, sent(`${content} 1`, content, { status: 0, _error: error, content: {} })),
            after(at * 10 + 5, sent(`${content} 2`, content, { status: 201, content: { text: '{}' } })),
          ]),
        ),
      );
    expect(clientsIn('net::ERR_INTERNET_DISCONNECTED')).toEqual([]);
    expect(clientsIn('net::ERR_EMPTY_RESPONSE')).toEqual(['client.keys.kept-for-retries']);
  });

  it.each([
    [{ _fromCache: 'disk' }],
    [{ _fetchType: 'Disk Cache' }],
    [{ cache: { beforeRequest: { lastAccess: '2026-01-01T00:00:00Z', eTag: '', hitCount: 1 } } }],
  ])('leaves out what a cache may have answered: %o', (marked) => {
    const judged = (more: object): readonly string[] =>
      clausesIn(
        judgedHar(
          shown(messageOf(1)),
          after(20, shown(messageOf(1), messageOf(2))),
          after(30, shown(messageOf(1)), more),
          after(40, shown(messageOf(1), messageOf(2))),
        ),
      );
    expect(judged(marked)).toEqual([]);
    expect(judged({ _fromCache: null, _fetchType: 'Network Load', cache: { beforeRequest: null } })).toEqual([
      'page.has-more-while-items-remain',
    ]);
  });

  it('leaves out what a cache answered that says nothing of itself, and judges by time what is beside it', () => {
    const dated = (seconds: number, entry: object, ageSeconds = 0): object => {
      const { response } = entry as { readonly response: object };
      const date = new Date(Date.UTC(2026, 0, 1) + (seconds - ageSeconds) * 1_000).toUTCString();
      const headers = headersOf({ date, 'content-type': 'application/json' });
      return after(seconds, entry, { response: { ...response, headers } });
    };
    const both = (seconds: number): object => dated(seconds, shown(messageOf(1), messageOf(2)));
    const one = (seconds: number, ageSeconds?: number): object =>
      dated(seconds, shown(messageOf(1)), ageSeconds);
    const events = judgedHar(one(0), both(20), one(30, 25), both(40), both(50));
    expect(clausesIn(events)).toEqual([]);
    expect(warningsOf(events).join('')).not.toContain('more than one clock');
    expect(clausesIn(judgedHar(one(0), both(20), one(30, 25), one(35), both(40), both(50)))).toEqual([
      'page.has-more-while-items-remain',
    ]);
  });

  it('misses no header where a recorder may have seen those alone that any page sees', () => {
    const refused = (headers: Readonly<Record<string, string>>): readonly string[] =>
      clausesIn(
        judgedHar(
          entryOf({
            status: 401,
            headers: headersOf({ 'Content-Type': 'application/json', ...headers }),
            content: { text: '{"error":{"code":"unauthenticated","message":"no","details":{}}}' },
          }),
        ),
      );
    expect(refused({ 'Content-Length': '64', 'Cache-Control': 'no-store' })).toEqual([]);
    expect(refused({ Date: 'Thu, 01 Jan 2026 00:00:00 GMT' })).toEqual(['auth.www-authenticate']);
  });

  it('takes JSON for whole though its packed form was longer, and null for what a recorder does not have', () => {
    const packed = { headers: headersOf({ 'content-encoding': 'gzip' }) };
    const text = feed(false);
    const warned = (...entries: readonly object[]): string => warningsOf(judgedHar(...entries)).join('');
    expect(warned(entryOf({ ...packed, content: { text, size: text.length + 9 } }))).not.toContain(
      'not judged',
    );
    expect(warned(entryOf({ ...packed, content: { text: text.slice(0, 9), size: 90 } }))).toContain(
      "1 request of the contract's calls not judged",
    );
    const without = { content: { text: null, encoding: null, size: 0 } };
    expect(warned(entryOf(without, { postData: null }), entryOf({ content: { text } }))).toContain(
      "1 request of the contract's calls not judged",
    );
  });

  it('takes no request of a HAR file for one that shows that clients carry a credential', () => {
    const verdicts = judgedHar(shown(messageOf(1))).flatMap((event) =>
      event.type === 'check' ? event.clauses : [],
    );
    const verdictOf = (clause: string): unknown => verdicts.find((each) => each.clause === clause)?.verdict;
    expect(verdictOf('client.requests.after-in-range')).toBe('passed');
    expect(verdictOf('client.requests.carry-a-credential')).toBe('inconclusive');
  });

  it('counts no other call where it says of how many requests nobody knows whose they are', () => {
    const ask = { method: 'OPTIONS', headers: headersOf({ origin: 'http://b.example' }) };
    const health = { url: 'http://a.example/v0/health' };
    const events = judgedHar(
      entryOf({ status: 204, content: {} }, ask),
      entryOf({ content: { text: '{}' } }, health),
      entryOf({ content: { text: feed(false) } }),
    );
    expect(warningsOf(events).join('')).toContain('of 1 request the form');
  });

  it('concludes nothing from a server that let nobody in, be it in good health', () => {
    const headers = headersOf({ 'content-type': 'application/json', 'www-authenticate': 'Bearer' });
    const text = '{"error":{"code":"unauthenticated","message":"no","details":{}}}';
    const asked = { headers: headersOf(ofAgent) };
    const events = judgedHar(
      entryOf({ headers, content: { text: '{"status":"ok"}' } }, { url: 'http://a.example/v0/health' }),
      entryOf({ status: 401, headers, content: { text } }, asked),
    );
    expect(events.at(-1)).toMatchObject({ exitCode: 3 });
    expect(events.at(-1)).toMatchObject({
      reason: expect.stringContaining('none of 1 judged calls') as string,
    });
  });

  it.each([
    [{}, 'judged up to 0.0 ms: later nobody found the server, its credentials and its messages all there'],
    [{ detail: 'interruption' }, 'nothing is judged: the run was interrupted while checks were at work'],
    [{ detail: 'time limit' }, 'nothing is judged: the time of the run was over while checks were at work'],
  ])('says of a history with a loss, %o, why it is not judged to its end', (detail, words) => {
    const loss = { kind: 'change', change: 'lost', startedMs: 0, endedMs: 9, outcome: 'accepted', ...detail };
    writeFileSync(at('loss.ndjson'), `${header}${JSON.stringify(loss)}\n`);
    expect(judgedAs('loss.ndjson')).toContainEqual({
      type: 'notice',
      severity: 'warning',
      text: expect.stringContaining(words) as string,
    });
  });

  it('counts nothing twice that two chapters of a proxy hold, and misses nothing where the first is gone', () => {
    const shown = ['one', 'other'].map((digest, at) => [
      `{"message":${at},"id":"m","content":{"digest":"${digest}","bytes":4}}\n`,
      `{"item":${at},"sequence":1,"id":"m","message":${at}}\n`,
      `{"kind":"read","index":${at},"client":"a","agent":"a","startedMs":${at * 10},"endedMs":${at * 10 + 1},"outcome":"accepted","status":200,"call":"channel-read","stream":"channel c","after":0,"items":[${at}],"nextAfter":1,"hasMore":false}\n`,
    ]);
    const facts = '"history":1,"runId":"recorded-by-others","settleMs":1,"isPartial":true';
    const lines = shown.flat().join('');
    writeFileSync(at('first.ndjson'), `{${facts}}\n${lines}`);
    writeFileSync(at('next.ndjson'), `{${facts},"carried":{"operations":2,"older":0}}\n${lines}`);
    const timesIn = (...names: readonly string[]): readonly unknown[] =>
      judgedFiles(names.map(at), { scoring: new Scoring({}, { isStrict: false }), isStrict: false }).flatMap(
        (event) => (event.type === 'finding' ? [[event.clause, event.seen.times]] : []),
      );
    expect(timesIn('first.ndjson')).toEqual([['message.immutable', 1]]);
    expect(timesIn('first.ndjson', 'next.ndjson')).toEqual([['message.immutable', 1]]);
    expect(timesIn('next.ndjson')).toEqual([['message.immutable', 1]]);
  });

  it('hands on the line that a file is refused with', async () => {
    const ended = await conform(['judge', at('other.ndjson')]);
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(ended.stderr).toBe(`conform: ${await judged('other.ndjson')}\n`);
  });
});
