import { describe, expect, it } from 'vitest';
import type { Exchange, Fault } from '../../../harness/client/exchange.ts';
import { SentMessages } from '../../../harness/wire/sent-messages.ts';
import { KnownSecrets } from '../../../harness/output/known-secrets.ts';

const runId = 'cf-0123456789abcdef';
const rules = { secrets: new KnownSecrets(['s3cret']), runId, baseUrl: 'http://127.0.0.1:1' };

function send(content: string, { status = 201, json, fault }: Partial<SendFacts> = {}): Exchange {
  const body = JSON.stringify({ content });
  return {
    id: 7,
    actor: 'author',
    request: {
      call: 'send',
      method: 'POST',
      path: '/v0/channels/c/messages',
      headers: { authorization: 'Bearer s3cret' },
      body,
    },
    response:
      fault === undefined
        ? { status, headers: {}, bytes: Buffer.from(JSON.stringify(json ?? {})), json }
        : undefined,
    fault,
    startedMs: 0,
    endedMs: 1,
  };
}

interface SendFacts {
  readonly status: number;
  readonly json: unknown;
  readonly fault: Fault;
}

function sentOf(...sends: readonly (readonly [string, Exchange])[]): SentMessages {
  const sent = new SentMessages(rules);
  for (const [check, exchange] of sends) sent.add(check, exchange);
  return sent;
}

const page = (message: object): unknown => ({ messages: [{ id: 'other', content: 'theirs' }, message] });
const within = ['messages', '1', 'author', 'source_session'];

describe('the send that made a message', () => {
  it('is known by the marker in its content', () => {
    const sent = sentOf(['send.a', send(`${runId}-1. one`)], ['send.b', send(`${runId}-12. two`)]);
    const body = page({ content: `before ${runId}-12. two`, author: {} });
    expect(sent.messageAt(body, within)?.send?.check).toBe('send.b');
    expect(sent.messageAt(body, ['messages', '0', 'content'])).toEqual({ send: undefined });
  });

  it('is known by the id that its answer gave, where the content has no marker', () => {
    const sent = sentOf(['send.a', send('.', { json: { message: { id: 'm-1', content: '.' } } })]);
    expect(sent.messageAt(page({ id: 'm-1', content: '.' }), ['messages', '1', 'id'])?.send?.check).toBe(
      'send.a',
    );
  });

  it('is the accepted one; one without an answer stands in for it, and a refused one never', () => {
    const content = `${runId}-1. one`;
    const lost = send(content, { fault: { kind: 'reset', message: 'closed', tries: 1 } });
    const checkOf = (...sends: readonly (readonly [string, Exchange])[]) =>
      sentOf(...sends).messageAt(page({ content }), ['messages', '1'])?.send?.check;
    expect(checkOf(['send.lost', lost])).toBe('send.lost');
    expect(checkOf(['send.lost', lost], ['send.again', send(content)])).toBe('send.again');
    expect(checkOf(['send.first', send(content)], ['send.again', send(content)])).toBe('send.first');
    expect(checkOf(['send.refused', send(content, { status: 400 })])).toBeUndefined();
  });

  it('is nobody for what is in no message', () => {
    expect(
      sentOf().messageAt({ messages: [], page: { next_after: 'x' } }, ['page', 'next_after']),
    ).toBeUndefined();
    expect(sentOf().messageAt({ error: { code: 1 } }, ['error', 'code'])).toBeUndefined();
  });

  it('is kept as bounded evidence without secrets, however long its content is', () => {
    const content = `${runId}-1. ${'x'.repeat(400_000)}`;
    const { send: made } =
      sentOf(['send.long', send(content)]).messageAt(page({ content }), ['messages', '1']) ?? {};
    const text = JSON.stringify(made?.evidence());
    expect(text.length).toBeLessThan(10_000);
    expect(text).toContain(`${runId}-1. xxx`);
    expect(text).not.toContain('s3cret');
  });
});
