import type { SentRequest } from '../../../spec/calls/index.ts';
import { describe, expect, it } from 'vitest';
import { defaultBindings } from '../../../harness/config/target.ts';
import { InputMeter } from '../../../harness/totals/input-meter.ts';
import { requestOf } from '../../fixtures/exchange.ts';

const listing = (query: SentRequest['query']) => requestOf({ call: 'mentions', query });

function send(given: unknown): SentRequest {
  const headers = { 'content-type': 'application/json' };
  const body = typeof given === 'string' ? given : JSON.stringify(given);
  return requestOf({ call: 'send', method: 'POST', headers, body });
}

/** The bounds that requests reach, as `limit of mentions 101 forbidden`. */
function reached(...requests: readonly SentRequest[]): readonly string[] {
  const meter = new InputMeter(defaultBindings);
  for (const request of requests) meter.add(request);
  return meter.bounds.flatMap(({ of, at, side, times }) =>
    times > 0 ? `${of} ${at} ${side} ×${times}` : [],
  );
}

const many = (count: number): readonly string[] => Array.from({ length: count }, () => 'f');

describe('a bound of an input is reached', () => {
  it('by a listing that asks with its very value', () => {
    expect(
      reached(listing([['limit', '100']]), listing('limit=101&after=-1'), listing([['after', '0']])),
    ).toEqual([
      'limit of mentions 100 allowed ×1',
      'limit of mentions 101 forbidden ×1',
      'after of mentions -1 forbidden ×1',
      'after of mentions 0 allowed ×1',
    ]);
  });

  it('by no other value, none that is no integer, and none that stands twice', () => {
    expect(
      reached(listing([['limit', '99']]), listing('limit=1.0'), listing('limit=1&limit=1'), listing([])),
    ).toEqual([]);
  });

  it('by a send whose content, lists and texts are as long', () => {
    const long = { content: 'é', attachments: many(21), mentions: many(20), agent_host: '𝄞'.repeat(80) };
    expect(reached(send(long), send({ content: '' }), send({ content: 'x', agent_host: '' }))).toEqual([
      'bytes of content 0 forbidden ×1',
      'bytes of content 1 allowed ×1',
      'attachments of a send 21 forbidden ×1',
      'mention targets of a send 20 allowed ×1',
      'characters of agent_host 0 forbidden ×1',
      'characters of agent_host 80 allowed ×1',
    ]);
    const session = { provider: 'provider_b', surface: 'cli', session_id: 'a'.repeat(129) };
    expect(reached(send({ content: 'xy', source_session: session }))).toEqual([
      'characters of session_id 129 forbidden ×1',
    ]);
    expect(reached(send({ content: 'a'.repeat(500_001) }), send({ content: 'é'.repeat(250_000) }))).toEqual([
      'bytes of content 500,000 allowed ×1',
      'bytes of content 500,001 forbidden ×1',
    ]);
  });

  it('by no send with a body that is none, or of another call', () => {
    expect(
      reached(send('{"content":'), send('[]'), { ...listing([['limit', '0']]), call: 'channel-read' }),
    ).toEqual([]);
  });
});
