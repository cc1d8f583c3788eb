import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../../harness/client/exchange.ts';
import { Health } from '../../../harness/watch/health.ts';
import { exchangeOf } from '../../fixtures/exchange.ts';

const answered = exchangeOf();
const reset = exchangeOf(
  {},
  {},
  { response: undefined, fault: { kind: 'reset', message: 'closed', tries: 1 } },
);

function healthAfter(...exchanges: readonly Exchange[]): Health {
  const health = new Health();
  for (const each of exchanges) health.note(each);
  return health;
}

describe('the health of a server under load', () => {
  it('is bad where its last requests were not answered, however soon the end came', () => {
    const { trouble } = healthAfter(answered, ...Array<Exchange>(8).fill(reset));
    expect(trouble).toBe('the last 8 requests were not answered (reset: closed)');
  });

  it('is good where it answers again', () => {
    expect(healthAfter(...Array<Exchange>(50).fill(reset), answered).trouble).toBeUndefined();
  });
});
