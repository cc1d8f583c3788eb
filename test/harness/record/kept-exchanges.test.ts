import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../../harness/client/exchange.ts';
import { KeptExchanges } from '../../../harness/record/kept-exchanges.ts';
import { read } from '../../stress/operations.ts';

function pageOf(bytes: number): Exchange {
  return {
    id: 7,
    actor: 'reader',
    request: { call: 'channel-read', method: 'GET', path: '/v0/c', headers: {}, body: undefined },
    response: { status: 200, headers: {}, bytes: new Uint8Array(bytes), json: { messages: [] } },
    fault: undefined,
    startedMs: 0,
    endedMs: 1,
  };
}

describe('the exchanges of a run', () => {
  it('are kept as they were, as long as they are short', () => {
    const kept = new KeptExchanges();
    const [operation, exchange] = [read(0, 1, { index: 3 }), pageOf(16_000)];
    kept.add(operation, exchange);
    expect(kept.of([operation])).toEqual([exchange]);
    expect(kept.of([read(0, 1, { index: 4 })])).toEqual([]);
  });

  it('have of a long page what the history has, and its length', () => {
    const kept = new KeptExchanges();
    const operation = read(0, 1, { index: 3, nextAfter: 9, hasMore: true });
    kept.add(operation, pageOf(16_001));
    const [found] = kept.of([operation]);
    expect(found?.response?.json).toBe(undefined);
    expect(found?.response?.leftOut).toMatchObject({
      bytes: 16_001,
      outline: { list: 'messages', sequences: operation.items.map(({ sequence }) => sequence) },
    });
    expect(found?.response?.leftOut?.outline.page).toMatchObject({ next_after: 9, has_more: true });
  });
});
