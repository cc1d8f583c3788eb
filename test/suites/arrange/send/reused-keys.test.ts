import { expect, it } from 'vitest';
import type { Context } from '../../../../harness/check/context.ts';
import { reuseKey } from '../../../../suites/arrange/send/reused-keys.ts';
import { exchangeOf } from '../../../fixtures/exchange.ts';

/**
 * What is made of a server that takes each message, whatever its key, so slowly that the key may have been forgotten before the answer is
 * there; who comes back to an older key gets an answer of this status.
 */
async function isKeptWhere(statusOfOlder: number): Promise<boolean> {
  const keys: unknown[] = [];
  let [nowMs, drafts] = [0, 0];
  const send = (_channel: string, _text: string, { key }: { readonly key: string }) => {
    const isBack = keys.includes(key) && keys.slice(keys.indexOf(key)).some((each) => each !== key);
    keys.push(key);
    // One answer comes soon: it is no far server, and took long for the others.
    const isSoon = keys.filter((each) => each === key).length === 2;
    const times = { startedMs: nowMs, endedMs: (nowMs += isSoon ? 5 : 400) };
    const json = isBack ? { error: { code: 'no', message: 'no' } } : {};
    return Promise.resolve(
      exchangeOf({ method: 'POST' }, { status: isBack ? statusOfOlder : 201, json }, times),
    );
  };
  const context = {
    author: { send },
    channel: { id: 'c' },
    draft: (text = '') => ({ marker: `marker ${(drafts += 1)}`, text }),
    marker: () => 'marker',
  } as unknown as Context<'author' | 'channel'>;
  return (await reuseKey(context)).isKept;
}

it('a key that drew a server error when it came back is not taken for one that is kept', async () => {
  expect(await isKeptWhere(409)).toBe(true);
  expect(await isKeptWhere(503)).toBe(false);
});
