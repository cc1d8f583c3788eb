import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../../harness/client/exchange.ts';
import { judgeWire } from '../../../harness/engine/wire-judgement.ts';
import { defaultNames } from '../../../harness/target/target.ts';

const id = '0d0c1c9e-5f5b-4a39-9f0e-2b8f6a1f0a11';

function judgeListing(headers: Readonly<Record<string, string>>) {
  const json = { mentions: [], page: { next_after: 0, has_more: false, high_watermark: 0 } };
  const lists = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]));
  const response = {
    status: 200,
    headers: { 'content-type': ['application/json'], ...lists },
    bytes: new Uint8Array(2),
    json,
  };
  const request = {
    call: 'mentions' as const,
    method: 'GET',
    path: '/v0/mentions',
    headers: {},
    body: undefined,
  };
  const exchange: Exchange = {
    id: 1,
    actor: 'reader',
    request,
    response,
    fault: undefined,
    startedMs: 0,
    endedMs: 1,
  };
  const judgement = judgeWire(exchange, { names: defaultNames, runId: 'cf-1' });
  return {
    broken: judgement?.problems.map(({ clause }) => clause),
    isPut: judgement?.exercised.has('mentions.agent-id-header.present'),
  };
}

describe('the header that names the caller', () => {
  it('is there, and nothing is broken', () => {
    expect(judgeListing({ 'x-service-agent-id': id })).toEqual({ broken: [], isPut: true });
  });

  it('is missed', () => {
    expect(judgeListing({})).toEqual({ broken: ['mentions.agent-id-header.present'], isPut: true });
  });

  it('is missed although a header of a like name is there, when that holds no id', () => {
    expect(judgeListing({ 'x-agent-id': 'none' })).toEqual({
      broken: ['mentions.agent-id-header.present'],
      isPut: true,
    });
  });

  it('may have another name, which the target is to say: nothing is decided', () => {
    expect(judgeListing({ 'x-forge-agent-id': id })).toEqual({ broken: [], isPut: false });
  });
});
