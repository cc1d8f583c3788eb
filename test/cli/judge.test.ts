import { mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { judgedFiles } from '../../cli/judge/judge-file.ts';
import type { ResultEvent } from '../../harness/results/generated/events.ts';
import { Scoring } from '../../harness/gate/scoring.ts';
import { refusalOf } from '../changed-value.ts';
import { ownFolder } from '../fixtures/folder.ts';
import { conform } from './conform.ts';

const folder = ownFolder('judge-');
const at = (name: string): string => join(folder, name);
const header = '{"history":1,"runId":"x","settleMs":1}\n';

/** Files that cannot be judged, and what is said of each. */
const refused: Readonly<Record<string, readonly [content: string | Buffer, words: string]>> = {
  'other.ndjson': ['{"type":"header"}\n', ', line 1: not a history'],
  'empty.ndjson': ['', ', line 1: it is empty'],
  'no-json.ndjson': [`${header}hello\n{"kind":"read"}\n`, ', line 2: not a JSON object'],
  'breaks-off.ndjson': [`${header}{"kind":"read","star`, ', line 2: it breaks off, as when'],
  'later.ndjson': ['{"history":7,"runId":"x","settleMs":1}\n', ', line 1: a history of version 7'],
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

const judged = (name: string): Promise<string | undefined> =>
  refusalOf(() =>
    judgedFiles([at(name)], { scoring: new Scoring({}, { isStrict: false }), isStrict: false }),
  );

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
  return judgedFiles([at('recorded.har')], {
    scoring: new Scoring({}, { isStrict: false }),
    isStrict: false,
  });
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
    const [first = ''] = readFileSync(at('judged.ndjson'), 'utf8').split('\n');
    expect(JSON.parse(first)).toMatchObject({ command: ['judge', '--strict', file] });
    expect(ended.stdout).toMatch(/nothing failed, \d+ of \d+ must clauses shown; .*\(exit 0\)\n$/);
    expect(readFileSync(file, 'utf8')).not.toMatch(/Bearer/);
  }, 30_000);

  it('says of a HAR file with requests to several servers, or to none that is named, which there are', async () => {
    const entries = ['http://a.example', 'http://b.example'].map((base) =>
      entryOf({ content: {} }, { url: `${base}/v0/mentions` }),
    );
    writeFileSync(at('servers.har'), JSON.stringify({ log: { entries } }));
    const refusal = (baseUrl?: string): Promise<string | undefined> =>
      refusalOf(() =>
        judgedFiles([at('servers.har')], {
          scoring: new Scoring({}, { isStrict: false }),
          isStrict: false,
          baseUrl,
        }),
      );
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
    ],
    ['was behind a gateway that did not find it', { status: 502, content: { text: '<html>' } }],
    ['gave no answer', { status: 0, content: {} }],
  ])('concludes nothing from a server that %s', (_, answer) => {
    const events = judgedHar(
      entryOf({
        headers: headersOf({ 'content-type': 'application/json', 'www-authenticate': 'Bearer' }),
        ...answer,
      }),
    );
    expect(events.at(-1)).toMatchObject({ type: 'footer', exitCode: 3 });
    expect(events.at(-1)).toMatchObject({ reason: expect.stringContaining('is a success (2xx)') as string });
  });

  const feed = (hasMore: boolean): string =>
    JSON.stringify({ mentions: [], page: { next_after: 0, has_more: hasMore, high_watermark: 0 } });

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
    expect(warningsOf(events).join('')).toContain('of 2 requests the form of the answer alone is judged');
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
    [{}, 'judged up to 0.0 ms: later nobody found the server, its credentials and its messages all there'],
    [{ detail: 'interruption' }, 'nothing is judged: the run was interrupted while checks were at work'],
    [{ detail: 'time limit' }, 'nothing is judged: the time of the run was over while checks were at work'],
  ])('says of a history with a loss, %o, why it is not judged to its end', (detail, words) => {
    const loss = { kind: 'change', change: 'lost', startedMs: 0, endedMs: 9, outcome: 'accepted', ...detail };
    writeFileSync(at('loss.ndjson'), `${header}${JSON.stringify(loss)}\n`);
    const options = { scoring: new Scoring({}, { isStrict: false }), isStrict: false };
    expect(judgedFiles([at('loss.ndjson')], options)).toContainEqual({
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
