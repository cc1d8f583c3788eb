import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { CheckStopped } from '../../../../harness/verdict/outcome.ts';
import { whileInUse } from '../../../../suites/arrange/auth/while-in-use.ts';

const context = { sleep: (durationMs: number) => sleep(durationMs) };

it('reads in turn while a change is made, not after it, and leaves no read on its way', async () => {
  const begun: string[] = [];
  let onItsWay = 0;
  const read = (name: string) => async (): Promise<void> => {
    begun.push(name);
    onItsWay += 1;
    await sleep(120);
    onItsWay -= 1;
  };
  const change = (): Promise<void> => sleep(400);
  let atTheLook = 0;
  await whileInUse(context, [read('first'), read('second')], change, async () => {
    atTheLook = begun.length;
  });
  expect(begun.slice(0, 2)).toEqual(['first', 'second']);
  expect(begun.length).toBe(atTheLook);
  expect(onItsWay).toBe(0);
});

it('reads nothing while a change takes a few ms', async () => {
  let count = 0;
  const read = async (): Promise<number> => (count += 1);
  expect(
    await whileInUse(
      context,
      [read],
      async () => undefined,
      async () => 'seen',
    ),
  ).toBe('seen');
  expect(count).toBe(0);
});

it('tells of a change that failed, whatever became of the reads', async () => {
  const failed = new CheckStopped({ kind: 'unmet', reason: 'the hook failed', exchange: undefined });
  const change = async (): Promise<void> => {
    await sleep(100);
    throw failed;
  };
  const look = async (): Promise<void> => expect.unreachable();
  await expect(whileInUse(context, [async () => undefined], change, look)).rejects.toBe(failed);
});
