import { randomUUID } from 'node:crypto';
import type { Entry, Har } from 'har-format';
import type { Target } from '../../harness/config/target.ts';

/** What a browser or a proxy keeps of a few requests to a server: three messages, and pages of the channel by two agents. */
export async function recordedTraffic(target: Target): Promise<Har> {
  const entries: Entry[] = [];
  const [author = '', reader = ''] = [target.roles.author?.token, target.roles.reader?.token];
  const path = `/v0/channels/${target.channelId}/messages`;
  for (const number of [1, 2, 3]) {
    const body = JSON.stringify({
      content: `message ${number}, which somebody sent who is no suite`,
      content_type: 'text/plain',
    });
    entries.push(await recorded(target.baseUrl + path, author, body));
  }
  for (const token of [author, reader])
    for (const query of ['?after=0&limit=100', '?after=0&limit=2'])
      entries.push(await recorded(target.baseUrl + path + query, token));
  for (const query of ['', '?after=0'])
    entries.push(await recorded(`${target.baseUrl}/v0/mentions${query}`, reader));
  return { log: { version: '1.2', creator: { name: 'recorder', version: '1' }, entries } };
}

async function recorded(url: string, token: string, body?: string): Promise<Entry> {
  const headers: Record<string, string> = {
    Authorization: `bearer ${token}`,
    ...(body === undefined ? {} : { 'Content-Type': 'application/json', 'Idempotency-Key': randomUUID() }),
  };
  const method = body === undefined ? 'GET' : 'POST';
  const started = Date.now();
  const answer = await fetch(url, { method, headers, body: body ?? null });
  const bytes = Buffer.from(await answer.arrayBuffer());
  const pairs = (given: Iterable<[string, string]>) => [...given].map(([name, value]) => ({ name, value }));
  return {
    startedDateTime: new Date(started).toISOString(),
    time: Date.now() - started,
    request: {
      method,
      url,
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: pairs(Object.entries(headers)),
      queryString: [],
      headersSize: -1,
      bodySize: -1,
      ...(body === undefined ? {} : { postData: { mimeType: 'application/json', text: body } }),
    },
    response: {
      status: answer.status,
      statusText: '',
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: pairs(answer.headers),
      content: {
        size: bytes.length,
        mimeType: 'application/json',
        text: bytes.toString('base64'),
        encoding: 'base64',
      },
      redirectURL: '',
      headersSize: -1,
      bodySize: bytes.length,
    },
    cache: {},
    timings: { send: 0, wait: 0, receive: 0 },
  };
}
