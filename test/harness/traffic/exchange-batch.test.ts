import { describe, expect, it } from 'vitest';
import type { PassedExchange } from '../../../harness/front/recorded.ts';
import { batchOf, digestOf, Digests, exchangesOf, sizeOf } from '../../../harness/traffic/exchange-batch.ts';
import { KnownParts } from '../../../harness/traffic/recorded-exchange.ts';
import { judgedPassed } from '../../../selftest/traffic/judge-server.ts';
import { targetOf } from '../config/target-folder.ts';
import { ids } from '../../history/fixtures.ts';
import type { Exchange } from '../../../harness/client/exchange.ts';

const target = targetOf();
const json = ['Content-Type', 'application/json'];

/** A send that was answered by what is no message. */
function passed(changed: Partial<PassedExchange> = {}): PassedExchange {
  return {
    method: 'POST',
    url: `/v0/channels/${ids.channel}/messages`,
    rawHeaders: ['Authorization', 'Bearer one', ...json],
    body: [Buffer.from('{"content":"words of others"}')],
    answer: { status: 200, rawHeaders: json, body: [Buffer.from('{"content":"words of others","id":7}')] },
    end: 'answered',
    startedMs: 1,
    endedMs: 2,
    ...changed,
  };
}

/** What is read of one that went past. */
function readOf(changed: Partial<PassedExchange>, known?: KnownParts): Exchange | undefined {
  const batch = batchOf([passed(changed)], new Digests());
  const [exchange] = exchangesOf(batch, '', 0, known);
  // What is remembered may not change with the memory that it was read from.
  if (known !== undefined) batch.bytes.fill(0);
  return exchange;
}

describe('what went past a proxy', () => {
  it('is shown without the words of others, without values of unknown parameters, and with no line that sends it', () => {
    const url = `${passed().url}?access_token=s3cret&%61fter=1&limit=2`;
    const broken = { status: 400, rawHeaders: json, body: [Buffer.from('{"content":"words of others"}')] };
    const findings = judgedPassed([passed({ url, answer: broken })], target);
    const [exchange] = findings.flatMap(({ exchanges }) => exchanges);
    expect(exchange?.request.path).toMatch(/\?access_token=[0-9a-f]{16}&after=1&limit=2$/);
    expect(exchange?.request.body).toMatchObject({
      totalBytes: 29,
      text: expect.stringMatching(/^<29 bytes, /),
    });
    expect(exchange?.whyNoCurl).toBe('it was recorded without its credential and its body');
    expect(JSON.stringify(findings)).not.toMatch(/words of others|s3cret/);
  });

  const answeredWith = (body: string | Uint8Array, status = 200) => {
    const answer = { status, rawHeaders: json, body: [Buffer.from(body)] };
    const exchange = readOf({ method: 'GET', answer });
    return { fault: exchange?.fault?.kind, json: exchange?.response?.json };
  };

  it.each([
    ['nested deeper than anything of the contract', `{"error":${'['.repeat(50_000)}${']'.repeat(50_000)}}`],
    ['with a number of more digits than anybody reads', `[${'1'.repeat(200_001)}]`],
  ])('has no answer where that is JSON %s, as in a run', (_what, body) => {
    expect(answeredWith(body, 400)).toEqual({ fault: 'oversize', json: undefined });
  });

  it('is read as a run reads it: no JSON is what is no UTF-8, and a byte order mark is passed over', () => {
    const broken = Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xff]), Buffer.from('"}')]);
    expect(answeredWith(broken)).toEqual({ fault: undefined, json: undefined });
    expect(answeredWith('\u{feff}{"a":1}')).toEqual({ fault: undefined, json: { a: 1 } });
  });

  it('is of the contract only behind the prefix of the server', () => {
    const { url } = passed();
    const urls = [`/api${url}`, `/apiv0${url.slice(3)}`, url, `/other${url}`];
    const batch = batchOf(
      urls.map((each) => passed({ url: each })),
      new Digests(),
    );
    expect([...exchangesOf(batch, '/api', 0)].map(({ request }) => request.path)).toEqual([url]);
  });

  it('is read once where it comes again as it was, and anew where anything differs', () => {
    const read = { method: 'GET', body: [] };
    const answer = { status: 200, rawHeaders: json, body: [Buffer.from('{"messages":[]}')] };
    const known = new KnownParts();
    const partsOf = (changed: Partial<PassedExchange>) => {
      const exchange = readOf({ ...read, answer, ...changed }, known);
      return [exchange?.request, exchange?.response] as const;
    };
    const [request, response] = partsOf({});
    expect(partsOf({})).toEqual([request, response]);
    expect(partsOf({})[0]).toBe(request);
    expect(partsOf({})[1]).toBe(response);
    expect(Buffer.from(response?.bytes ?? []).toString()).toBe('{"messages":[]}');
    for (const changed of [
      { url: `${passed().url}?after=1` },
      { method: 'POST' },
      { rawHeaders: ['Authorization', 'Bearer two'] },
      { body: [Buffer.from('{}')] },
    ])
      expect(partsOf(changed)[0]).not.toEqual(request);
    for (const changed of [
      { ...answer, status: 201 },
      { ...answer, rawHeaders: [...json, 'Date', 'now'] },
      { ...answer, body: [Buffer.from('{"messages":{}}')] },
    ])
      expect(partsOf({ answer: changed })[1]).not.toEqual(response);
  });

  it('asks for the id of no agent where the credential was left out: it may be a key of the workspace', () => {
    const page = '{"mentions":[],"page":{"next_after":0,"has_more":false,"high_watermark":0}}';
    const answer = { status: 200, rawHeaders: json, body: [Buffer.from(page)] };
    const asked = { method: 'GET', url: '/v0/mentions', body: [], answer };
    expect(judgedPassed([passed({ ...asked, rawHeaders: [] })], target)).toEqual([]);
    expect(judgedPassed([passed(asked)], target)).toEqual([]);
  });

  it('says nothing of an answer whose body was not kept', () => {
    const answer = { status: 201, rawHeaders: json, body: undefined };
    expect(readOf({ answer })).toMatchObject({ response: undefined, fault: { kind: 'truncated' } });
    expect(judgedPassed([passed({ answer })], target)).toEqual([]);
  });

  it('never came to a server that cannot be reached, whatever had come of it', () => {
    const refused = { end: 'refused', body: undefined, answer: undefined } as const;
    expect(readOf(refused)?.fault?.kind).toBe('refused');
  });

  it('takes the memory of its address and its headers, too', () => {
    const long = 'a'.repeat(10_000);
    expect(sizeOf(passed({ url: `/${long}` }))).toBeGreaterThan(10_000);
    expect(sizeOf(passed({ rawHeaders: ['X-Long', long] }))).toBeGreaterThan(10_000);
    expect(
      sizeOf(passed({ answer: { status: 200, rawHeaders: ['X-Long', long], body: [] } })),
    ).toBeGreaterThan(10_000);
  });

  it.each(['constructor', '__proto__'])('keeps headers by any name: %s', (name) => {
    const answer = { status: 201, rawHeaders: [...json, name, 'a', name, 'b'], body: [Buffer.from('{}')] };
    expect(Object.entries(readOf({ answer })?.response?.headers ?? {})).toContainEqual([name, ['a', 'b']]);
  });

  it.each([
    ['an address that is too long', `/v0/mentions?x=${'a'.repeat(9_000)}`, []],
    ['a query that is none', '/v0/mentions?x=%zz', []],
    ['many cookies', '/v0/mentions', ['Cookie', 'a'.repeat(9_000)]],
    ['a long credential', '/v0/mentions', ['Authorization', `Bearer ${'a'.repeat(9_000)}`]],
    ['a header that is not ASCII', '/v0/mentions', ['X-Name', 'é']],
  ])('lets whatever stands before a service refuse %s in its own words', (_, url, rawHeaders) => {
    const refused = { status: 431, rawHeaders: ['Content-Type', 'text/html'], body: [Buffer.from('no')] };
    const asked = { method: 'GET', url, body: [], rawHeaders, answer: refused };
    expect(judgedPassed([passed(asked)], target)).toEqual([]);
    // As every request of the contract is refused in its words.
    expect(judgedPassed([passed({ ...asked, url: '/v0/mentions?x=1', rawHeaders: [] })], target)).not.toEqual(
      [],
    );
  });

  it.each([
    [407, 'a proxy that wants a credential for itself'],
    [511, 'a network where one has to sign in'],
  ])('has no answer of the service where its status is %i, that of %s', (status) => {
    const refused = { status, rawHeaders: ['Content-Type', 'text/html'], body: [Buffer.from('sign in')] };
    const asked = { method: 'GET', url: '/v0/mentions', body: [], answer: refused };
    expect(judgedPassed([passed(asked)], target)).toEqual([]);
    expect(judgedPassed([passed({ ...asked, answer: { ...refused, status: 403 } })], target)).not.toEqual([]);
  });

  it('lets whatever stands before a service refuse a body in chunks', () => {
    const refused = { status: 411, rawHeaders: [], body: [] };
    const chunked = { rawHeaders: [...passed().rawHeaders, 'Transfer-Encoding', 'chunked'], answer: refused };
    expect(judgedPassed([passed(chunked)], target)).toEqual([]);
    expect(judgedPassed([passed({ answer: refused })], target)).not.toEqual([]);
  });

  it.each(['12|AbC', 'ws_1:secret'])('knows the opaque credential %s by its digest', (token) => {
    expect(new Digests().ofHeader(`bearer ${token}`)).toBe(`Bearer ${digestOf(token)}`);
  });

  it.each(['Bearer', 'Token abc', 'Basic YTpi'])(
    'holds a credential against a client that is none, and was refused: %s',
    (value) => {
      const answer = {
        status: 401,
        rawHeaders: [...json, 'WWW-Authenticate', 'Bearer'],
        body: [Buffer.from('{"error":{"code":"a","message":"b"}}')],
      };
      const asked = { method: 'GET', url: '/v0/mentions', body: [], rawHeaders: ['Authorization', value] };
      const found = judgedPassed([passed({ ...asked, answer })], target);
      expect(found).toMatchObject([
        {
          clause: 'client.requests.carry-a-credential',
          actual: expect.stringContaining('anonymous: '),
        },
      ]);
    },
  );
});
