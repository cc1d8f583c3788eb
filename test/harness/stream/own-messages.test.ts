import { describe, expect, it } from 'vitest';
import type { SentRequest } from '../../../spec/calls/index.ts';
import type { Exchange } from '../../../harness/client/exchange.ts';
import { isQuotation, OwnMessages } from '../../../harness/stream/own-messages.ts';
import { exchangeOf } from '../../fixtures/exchange.ts';

const runId = 'cf-0123456789abcdef';
const facts = { runId, agentIdHeader: 'x-service-agent-id' };
const authorization = 'Bearer of the author';

function ofTheAuthor(request: Partial<SentRequest>, json?: unknown, agent?: string): Exchange {
  const headers = agent === undefined ? {} : { 'x-service-agent-id': [agent] };
  return exchangeOf({ headers: { authorization }, ...request }, { headers, json });
}
const sending = (body: SentRequest['body'], method = 'POST') => ofTheAuthor({ call: 'send', method, body });
const afterSending = (body: SentRequest['body'], method?: string, status = 201): OwnMessages => {
  const own = new OwnMessages(facts);
  const { request } = sending(body, method);
  own.add(exchangeOf(request, { status }));
  return own;
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
    expect(afterSending(body).hasUnmarked(content)).toBe(true);
    expect(afterSending(body).hasUnmarked(`${content}.`)).toBe(false);
  });

  it('may have been taken unless it was refused each time', () => {
    const own = afterSending('{"content":"x"}', 'POST', 422);
    expect([own.hasUnmarked('x'), own.mayHaveTaken('x')]).toEqual([true, false]);
    expect(afterSending('{"content":"x"}').mayHaveTaken('x')).toBe(true);
  });

  it.each([
    ['no JSON', '{"content":"x"', 'POST'],
    ['a list', '["x"]', 'POST'],
    ['a read', '{"content":"x"}', 'GET'],
    ['nothing', undefined, 'POST'],
    ['a body that is too long to be without a marker', `{"content":"x","pad":"${'y'.repeat(1000)}"}`, 'POST'],
  ])('is nothing in %s', (_what, body, method) => {
    expect(afterSending(body, method).hasUnmarked('x')).toBe(false);
  });
});

describe('a message with the marker of one of ours', () => {
  const text = `${runId}-7. hello`;
  const shown = (author: string, content: string) => ({
    id: `by ${author}: ${content}`,
    author: { id: author },
    content,
  });
  const original = shown('a1', text);

  /** Which of some messages quote, read one page after another. */
  function quotationsAmong(messages: readonly ReturnType<typeof shown>[], agent?: string): readonly string[] {
    const own = afterSending(JSON.stringify({ content: text }));
    own.add(ofTheAuthor({ call: 'mentions' }, { mentions: [] }, agent));
    for (const message of messages) own.add(ofTheAuthor({}, { messages: [message] }));
    return messages.filter(isQuotation).map(({ id }) => id);
  }

  it.each([
    ['quotes it above', shown('b2', `> ${text}\nyes`)],
    ['quotes it after more than any marker is looked for in', shown('b2', `${'. '.repeat(20_000)}${text}`)],
    ['repeats it', shown('b2', text)],
    ['quotes it in the name of its own agent', shown('a1', `> ${text}`)],
  ])('%s, once the original has been seen, before or after', (_what, quotation) => {
    expect(quotationsAmong([original, quotation], 'A1')).toEqual([quotation.id]);
    expect(quotationsAmong([quotation, original], 'A1')).toEqual([quotation.id]);
    expect(quotationsAmong([original, quotation])).toEqual([quotation.id]);
  });

  it('repeats it before the original is seen, where only the answer says whose the credential is', () => {
    const repeated = shown('b2', text);
    const own = new OwnMessages(facts);
    const body = JSON.stringify({ content: text });
    own.add(ofTheAuthor({ call: 'send', method: 'POST', body }, { message: original }));
    for (const message of [repeated, original]) own.add(ofTheAuthor({}, { messages: [message] }));
    expect([repeated, original].filter(isQuotation)).toEqual([repeated]);
  });

  it('is the message itself, by its id, where one view shows it altered', () => {
    const altered = { ...original, content: `${text} altered` };
    const own = afterSending(JSON.stringify({ content: text }));
    for (const message of [original, altered]) own.add(ofTheAuthor({}, { messages: [message] }));
    expect([original, altered].filter(isQuotation)).toEqual([]);
  });

  it('is the message itself, however wrong, where none is as it was sent', () => {
    expect(quotationsAmong([shown('b2', text)], 'A1')).toEqual([]);
    expect(quotationsAmong([shown('a1', text.toUpperCase()), shown('a1', `${text} altered`)], 'A1')).toEqual(
      [],
    );
  });

  it('is another copy of it by the same author in the same words', () => {
    expect(quotationsAmong([original, { ...original, id: 'again' }], 'A1')).toEqual([]);
  });
});
