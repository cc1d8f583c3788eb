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

  const withStatus = (status: number, call: 'send' | 'mentions'): Exchange =>
    exchangeOf({ call }, { status });
  const times = (count: number, each: Exchange): readonly Exchange[] => Array<Exchange>(count).fill(each);

  it.each([
    [401, 'mentions', 'the last 20 requests were answered with 401'],
    [302, 'mentions', 'the last 20 requests were answered with 302'],
    [403, 'send', 'the last 20 sends were answered with 403'],
    [507, 'send', 'the last 20 sends were answered with 507'],
  ] as const)('is bad where %i is all that it answers in the end to a %s', (status, call, words) => {
    const all = [withStatus(201, 'send'), ...times(20, withStatus(status, call))];
    expect(healthAfter(...all).trouble).toContain(words);
    expect(healthAfter(...all.slice(1)).trouble).toContain(words);
    expect(healthAfter(...all.slice(0, -1)).trouble).toBeUndefined();
    expect(healthAfter(...all, withStatus(201, 'send')).trouble).toBeUndefined();
  });

  it('is bad where its last answers turn away in several ways, and names each', () => {
    const all = [302, 401].flatMap((status) => times(10, withStatus(status, 'mentions')));
    expect(healthAfter(...all).trouble).toContain('the last 20 requests were answered with 302, 401');
  });

  it('is bad where nothing is taken any more, whatever is read beside it', () => {
    const all = times(20, withStatus(507, 'send')).flatMap((each) => [each, withStatus(200, 'mentions')]);
    expect(healthAfter(...all).trouble).toContain('the last 20 sends were answered with 507');
  });

  it('is good where refusals say something of what was sent', () => {
    expect(healthAfter(answered, ...times(50, withStatus(409, 'send'))).trouble).toBeUndefined();
  });

  it('is good where it answers again', () => {
    expect(healthAfter(...Array<Exchange>(50).fill(reset), answered).trouble).toBeUndefined();
  });
});
