import { createServer } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { recordedWhile, startReplay } from '../../../selftest/degenerate/replay.ts';
import { listening } from '../../fixtures/listening.ts';

type Ask = (path: string, token: string, body?: string) => Promise<string>;

const askAt =
  (baseUrl: string): Ask =>
  async (path, token, body) => {
    const method = body === undefined ? 'GET' : 'POST';
    const headers = { authorization: token };
    const answer = await fetch(baseUrl + path, {
      method,
      headers,
      ...(body === undefined ? {} : { body }),
    });
    return `${answer.status} ${await answer.text()}`;
  };

/** A replay of what is asked of a server that answers each request with its ordinal, its path and its credential. */
async function replayOf(
  work: (ask: Ask) => Promise<unknown>,
): Promise<{ readonly baseUrl: string; ask: Ask }> {
  let ordinal = 0;
  const counting = createServer((incoming, outgoing) => {
    ordinal += 1;
    incoming.resume();
    incoming.on('end', () => {
      outgoing.writeHead(incoming.method === 'POST' ? 201 : 200, ['X-Twice', 'one', 'X-Twice', 'two']);
      outgoing.end(`${ordinal} ${incoming.url} ${incoming.headers.authorization}`);
    });
  });
  const upstream = `${await listening(counting)}/prefix`;
  const replay = await startReplay(await recordedWhile(upstream, (baseUrl) => work(askAt(baseUrl))));
  onTestFinished(() => replay.close());
  return { ...replay, ask: askAt(replay.baseUrl) };
}

describe('the replay', () => {
  it('gives equal requests their answers in recorded order and then the last one again', async () => {
    const good: string[] = [];
    const { ask } = await replayOf(async (asked) => {
      for (const token of ['alice', 'bob', 'alice']) good.push(await asked('/a', token));
    });
    expect(good[0]).toBe('200 1 /prefix/a alice');
    expect(await ask('/prefix/a', 'alice')).toBe(good[0]);
    expect(await ask('/prefix/a', 'alice')).toBe(good[2]);
    expect(await ask('/prefix/a', 'alice')).toBe(good[2]);
    expect(await ask('/prefix/a', 'bob')).toBe(good[1]);
  });

  it('keeps the headers of the recorded answer', async () => {
    const { baseUrl } = await replayOf((asked) => asked('/a', 'alice'));
    expect((await fetch(`${baseUrl}/prefix/a`)).headers.get('x-twice')).toBe('one, two');
  });

  it('prefers an equal body, then the query, then the credential, then the path alone', async () => {
    const said: string[] = [];
    const { ask } = await replayOf(async (asked) => {
      said.push(await asked('/a?n=1', 'alice', 'one'));
      said.push(await asked('/a?n=1', 'alice', 'two'));
      said.push(await asked('/a?n=2', 'bob', 'one'));
    });
    const [first, second, bobs] = said;
    expect(await ask('/prefix/a?n=1', 'alice', 'two')).toBe(second);
    expect(await ask('/prefix/a?n=1', 'alice', 'new')).toBe(first);
    expect(await ask('/prefix/a?n=9', 'bob', 'new')).toBe(bobs);
    expect(await ask('/prefix/a?n=9', 'carol', 'new')).toBe(first);
  });

  it('answers 404 with an error body to what was never recorded', async () => {
    const { baseUrl } = await replayOf(() => Promise.resolve());
    const answer = await fetch(`${baseUrl}/a`);
    expect(answer.status).toBe(404);
    expect(await answer.json()).toHaveProperty('error.code', 'not_found');
  });
});
