import { createServer, type AddressInfo, type Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sendMessage } from '../../../../spec/calls/index.ts';
import { readTarget } from '../../../../harness/config/reading/read-target.ts';
import type { Target } from '../../../../harness/config/target.ts';
import { cutRequest } from '../../../../fuzz/stress/clients/cut-request.ts';

describe('cutRequest', () => {
  const received: string[] = [];
  let server: Server | undefined;
  let target: Target | undefined;

  beforeAll(async () => {
    server = createServer((socket) => {
      const place = received.push('') - 1;
      socket
        .on('error', () => undefined)
        .on('data', (bytes) => {
          received[place] += bytes.toString('latin1');
          if (received[place]?.endsWith('}')) socket.write('HTTP/1.1 201 Created\r\n');
        });
    });
    await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const flags = { baseUrl: `http://127.0.0.1:${port}/prefix`, tokens: {} };
    target = readTarget({ flags, env: {}, cwd: '.' }).target;
  });
  afterAll(() => server?.close());

  const draft = sendMessage('channel', { content: 'text' }, 'key');
  const request = { ...draft, headers: { ...draft.headers, authorization: 'Bearer t' }, body: draft.body };

  async function sentWith(cut: 'answer' | number): Promise<string> {
    await cutRequest(target as Target, request, cut);
    await expect.poll(() => received.at(-1)?.length ?? 0).toBeGreaterThan(0);
    return received.at(-1) ?? '';
  }

  it('sends all of the request where the answer is cut', async () => {
    const text = await sentWith('answer');
    expect(text).toMatch(/^POST \/prefix\/v0\/channels\/channel\/messages HTTP\/1\.1\r\nhost: 127/);
    expect(text).toContain('\r\nauthorization: Bearer t\r\n');
    expect(text).toMatch(/\r\n\r\n\{"content":"text"\}$/);
  });

  it('sends so many bytes of it where the request is cut, modulo its length', async () => {
    expect(await sentWith(9)).toBe('POST /pref');
    const whole = (await sentWith('answer')).length;
    expect(await sentWith(whole + 9)).toBe('POST /pref');
  });

  it('comes back where there is no server', async () => {
    const nowhere = readTarget({ flags: { baseUrl: 'http://127.0.0.1:9', tokens: {} }, env: {}, cwd: '.' });
    await expect(cutRequest(nowhere.target, request, 'answer')).resolves.toBeUndefined();
  });
});
