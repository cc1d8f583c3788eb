import { describe, expect, it } from 'vitest';
import { SentContents } from '../../../harness/stream/sent-contents.ts';
import type { SentRequest } from '../../../harness/client/exchange.ts';

const requestOf = (body: SentRequest['body'], method = 'POST') => ({
  request: { call: 'send', method, path: '/v0/channels/c/messages', headers: {}, body } as const,
});
const afterSending = (body: SentRequest['body'], method?: string): SentContents => {
  const sent = new SentContents();
  sent.add(requestOf(body, method));
  return sent;
};

describe('what a run sent without a marker', () => {
  it.each([
    ['one byte', '{"content":"x"}', 'x'],
    ['a spelled-out escape', '{"\\u0063ontent":"\\u00e9"}', 'é'],
    ['bytes', Buffer.from('{"content":"é"}'), 'é'],
    ['a number', '{"content":7}', '7'],
    ['a number beyond 2^53', '{"content":9007199254740993}', '9007199254740993'],
    ['a truth value', '{"content":true}', 'true'],
  ])('is known: %s', (_what, body, content) => {
    expect(afterSending(body).has(content)).toBe(true);
    expect(afterSending(body).has(`${content}.`)).toBe(false);
  });

  it.each([
    ['no JSON', '{"content":"x"', 'POST'],
    ['a list', '["x"]', 'POST'],
    ['a read', '{"content":"x"}', 'GET'],
    ['nothing', undefined, 'POST'],
    ['a body that is too long to be without a marker', `{"content":"x","pad":"${'y'.repeat(1000)}"}`, 'POST'],
  ])('is nothing in %s', (_what, body, method) => {
    expect(afterSending(body, method).has('x')).toBe(false);
  });
});
