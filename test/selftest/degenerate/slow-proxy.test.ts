import { createServer, type RequestListener } from 'node:http';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { type DegenerateServer, listen } from '../../../selftest/degenerate/degenerate-server.ts';
import { type ProxiedRequest, type SlowProxyOptions, startSlowProxy } from './slow-proxy.ts';

async function upstreamOf(
  listener: RequestListener,
  counted: 'request' | 'connection' = 'request',
): Promise<DegenerateServer> {
  const upstream = await listen('upstream', createServer(listener), counted);
  onTestFinished(() => upstream.close());
  return upstream;
}

async function proxyOf(upstream: string, options: SlowProxyOptions): ReturnType<typeof startSlowProxy> {
  const proxy = await startSlowProxy(upstream, options);
  onTestFinished(() => proxy.close());
  return proxy;
}

/** Says what it was asked, and gives the body back as it comes. */
const echo: RequestListener = (incoming, outgoing) => {
  outgoing.writeHead(200, { 'x-asked': `${incoming.method} ${incoming.url}` });
  incoming.pipe(outgoing);
};

describe('the slow proxy', () => {
  it('passes method, path, prefix and body on', async () => {
    const upstream = await upstreamOf(echo);
    const proxy = await proxyOf(`${upstream.baseUrl}/prefix/`, { delayMs: 0 });
    const answer = await fetch(`${proxy.baseUrl}/v0/mentions?after=0`, { method: 'PUT', body: 'a body' });
    expect(answer.headers.get('x-asked')).toBe('PUT /prefix/v0/mentions?after=0');
    expect(await answer.text()).toBe('a body');
  });

  it('adds its delay to every request, side by side', async () => {
    const upstream = await upstreamOf(echo);
    const proxy = await proxyOf(upstream.baseUrl, { delayMs: 150 });
    const startedMs = performance.now();
    await Promise.all(Array.from({ length: 20 }, async () => (await fetch(proxy.baseUrl)).text()));
    const tookMs = performance.now() - startedMs;
    expect(tookMs).toBeGreaterThanOrEqual(148);
    // One after the other would take 3 s.
    expect(tookMs).toBeLessThan(1_500);
  });

  it('carries a body of 5 MB both ways', async () => {
    const upstream = await upstreamOf(echo);
    const proxy = await proxyOf(upstream.baseUrl, { delayMs: 20 });
    const body = Buffer.alloc(5_000_000, 'abcdefg');
    const answer = await fetch(proxy.baseUrl, { method: 'POST', body });
    expect(body.equals(Buffer.from(await answer.arrayBuffer()))).toBe(true);
  });

  it('passes the beginning of an answer on before its end', async () => {
    const upstream = await upstreamOf((_incoming, outgoing) => outgoing.write('begun'));
    const proxy = await proxyOf(upstream.baseUrl, { delayMs: 0 });
    const chunk = await (await fetch(proxy.baseUrl)).body?.getReader().read();
    expect(Buffer.from(chunk?.value ?? []).toString()).toBe('begun');
  });

  it('records every request in order of arrival', async () => {
    const upstream = await upstreamOf(echo);
    const recordTo: ProxiedRequest[] = [];
    const proxy = await proxyOf(upstream.baseUrl, { delayMs: 0, recordTo });
    await fetch(`${proxy.baseUrl}/one?x=1`);
    await fetch(`${proxy.baseUrl}/two`, { method: 'POST' });
    expect(recordTo).toEqual([
      { method: 'GET', path: '/one?x=1' },
      { method: 'POST', path: '/two' },
    ]);
    expect(proxy.recorded).toBe(recordTo);
    expect(proxy.requests()).toBe(2);
  });

  it('does not connect to the upstream for a client that has gone', async () => {
    const upstream = await upstreamOf(echo, 'connection');
    const proxy = await proxyOf(upstream.baseUrl, { delayMs: 300 });
    const leaving = new AbortController();
    const answer = fetch(proxy.baseUrl, { signal: leaving.signal });
    await vi.waitUntil(() => proxy.requests() === 1, { interval: 1 });
    leaving.abort();
    await expect(answer).rejects.toThrow('aborted');
    await (await fetch(proxy.baseUrl)).text();
    expect(proxy.requests()).toBe(2);
    expect(upstream.requests()).toBe(1);
  });

  it('hangs up on the upstream when the client hangs up', async () => {
    let isUpstreamDropped = false;
    const upstream = await upstreamOf((_incoming, outgoing) => {
      outgoing.once('close', () => {
        isUpstreamDropped = true;
      });
    });
    const proxy = await proxyOf(upstream.baseUrl, { delayMs: 0 });
    await expect(fetch(proxy.baseUrl, { signal: AbortSignal.timeout(100) })).rejects.toThrow('timeout');
    await expect.poll(() => isUpstreamDropped).toBe(true);
  });

  it('closes at once while requests wait for their turn', async () => {
    const upstream = await upstreamOf(echo);
    const proxy = await proxyOf(upstream.baseUrl, { delayMs: 2_000 });
    const outcome = fetch(proxy.baseUrl).then(
      () => 'answered',
      () => 'dropped',
    );
    await expect.poll(() => proxy.requests()).toBe(1);
    const startedMs = performance.now();
    await proxy.close();
    expect(await outcome).toBe('dropped');
    expect(performance.now() - startedMs).toBeLessThan(1_000);
  });
});
