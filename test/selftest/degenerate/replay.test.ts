import { createServer } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type DegenerateServer, listen } from '../../../selftest/degenerate/degenerate-server.ts';
import { recordingProxy, type RecordingProxy } from '../../../selftest/degenerate/recording-proxy.ts';
import { startReplay } from '../../../selftest/degenerate/replay.ts';

/** Answers each request with its ordinal, its path and its credential. */
async function countingUpstream(): Promise<DegenerateServer> {
  let ordinal = 0;
  const server = createServer((incoming, outgoing) => {
    ordinal += 1;
    incoming.resume();
    incoming.on('end', () => {
      outgoing.writeHead(incoming.method === 'POST' ? 201 : 200, ['X-Twice', 'one', 'X-Twice', 'two']);
      outgoing.end(`${ordinal} ${incoming.url} ${incoming.headers.authorization}`);
    });
  });
  return kept(await listen('upstream', server, 'request'));
}

async function recordingOfUpstream(): Promise<RecordingProxy> {
  const upstream = await countingUpstream();
  return kept(await recordingProxy(`${upstream.baseUrl}/prefix`));
}

function kept<T extends DegenerateServer>(server: T): T {
  onTestFinished(() => server.close());
  return server;
}

async function ask(server: DegenerateServer, path: string, token: string, body?: string): Promise<string> {
  const method = body === undefined ? 'GET' : 'POST';
  const headers = { authorization: token };
  const answer = await fetch(server.baseUrl + path, {
    method,
    headers,
    ...(body === undefined ? {} : { body }),
  });
  return `${answer.status} ${await answer.text()}`;
}

describe('the recording proxy', () => {
  it('passes requests on under the prefix and keeps the exchanges in order', async () => {
    const proxy = await recordingOfUpstream();
    expect(await ask(proxy, '/a?x=1', 'alice')).toBe('200 1 /prefix/a?x=1 alice');
    expect(await ask(proxy, '/b', 'bob', 'text')).toBe('201 2 /prefix/b bob');
    expect(proxy.requests()).toBe(2);
    expect(proxy.recording()).toMatchObject([
      { method: 'GET', path: '/a?x=1', authorization: 'alice', status: 200 },
      {
        method: 'POST',
        path: '/b',
        authorization: 'bob',
        status: 201,
        // printf text | sha256sum
        requestDigest: '982d9e3eb996f559e633f4d194def3761d909f5a3b647d1a851fead67c32c9d1',
        body: Buffer.from('2 /prefix/b bob'),
      },
    ]);
  });

  it('keeps every occurrence of a header', async () => {
    const proxy = await recordingOfUpstream();
    expect((await fetch(proxy.baseUrl)).headers.get('x-twice')).toBe('one, two');
  });

  it('drops the client when the upstream breaks off, and records nothing', async () => {
    const broken = createServer((_incoming, outgoing) => {
      outgoing.writeHead(200, { 'content-length': 10 });
      outgoing.write('half', () => outgoing.socket?.end());
    });
    const upstream = kept(await listen('broken', broken, 'request'));
    const proxy = kept(await recordingProxy(upstream.baseUrl));
    await expect(ask(proxy, '/', 'alice')).rejects.toThrow('terminated');
    expect(proxy.recording()).toEqual([]);
  });

  it('drops the client when there is no upstream', async () => {
    const upstream = await countingUpstream();
    const proxy = kept(await recordingProxy(upstream.baseUrl));
    await upstream.close();
    await expect(ask(proxy, '/', 'alice')).rejects.toThrow('fetch failed');
  });
});

describe('the replay', () => {
  it('gives equal requests their answers in recorded order and then the last one again', async () => {
    const proxy = await recordingOfUpstream();
    const good = [
      await ask(proxy, '/a', 'alice'),
      await ask(proxy, '/a', 'bob'),
      await ask(proxy, '/a', 'alice'),
    ];
    const replay = kept(await startReplay(proxy.recording()));
    expect(await ask(replay, '/a', 'alice')).toBe(good[0]);
    expect(await ask(replay, '/a', 'alice')).toBe(good[2]);
    expect(await ask(replay, '/a', 'alice')).toBe(good[2]);
    expect(await ask(replay, '/a', 'bob')).toBe(good[1]);
  });

  it('keeps the headers of the recorded answer', async () => {
    const proxy = await recordingOfUpstream();
    await ask(proxy, '/a', 'alice');
    const replay = kept(await startReplay(proxy.recording()));
    expect((await fetch(`${replay.baseUrl}/a`)).headers.get('x-twice')).toBe('one, two');
  });

  it('prefers an equal body, then the query, then the credential, then the path alone', async () => {
    const proxy = await recordingOfUpstream();
    const first = await ask(proxy, '/a?n=1', 'alice', 'one');
    const second = await ask(proxy, '/a?n=1', 'alice', 'two');
    const bobs = await ask(proxy, '/a?n=2', 'bob', 'one');
    const replay = kept(await startReplay(proxy.recording()));
    expect(await ask(replay, '/a?n=1', 'alice', 'two')).toBe(second);
    expect(await ask(replay, '/a?n=1', 'alice', 'new')).toBe(first);
    expect(await ask(replay, '/a?n=9', 'bob', 'new')).toBe(bobs);
    expect(await ask(replay, '/a?n=9', 'carol', 'new')).toBe(first);
  });

  it('answers 404 with an error body to what was never recorded', async () => {
    const replay = kept(await startReplay([]));
    const answer = await fetch(`${replay.baseUrl}/a`);
    expect(answer.status).toBe(404);
    expect(await answer.json()).toHaveProperty('error.code', 'not_found');
  });
});
