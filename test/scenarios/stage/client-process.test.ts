import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { ClientProcess } from '../../../scenarios/stage/client-process.ts';
import { runFolder } from '../../run-folder.ts';

let client: ClientProcess | undefined;
afterEach(() => client?.stop());

/** A client without an end that ends at its first start, and stays at any other. When it started is noted in the list. */
function endsOnce(name: string, startedMs: number[], waitsUntil = () => 0): ClientProcess {
  const script = 'echo started; [ -e "$0" ] && exec sleep 30; touch "$0"';
  client = new ClientProcess({
    command: ['sh', '-c', script, join(runFolder(), name)],
    env: process.env,
    input: '',
    isEndless: true,
    waitsUntil,
    onLine: () => startedMs.push(performance.now()),
  });
  return client;
}

/** The same, started, and stopped soon after it has ended. */
async function stoppedOnce(name: string, startedMs: number[]): Promise<ClientProcess> {
  const once = endsOnce(name, startedMs);
  once.start();
  await expect.poll(() => startedMs.length).toBe(1);
  await sleep(60);
  await once.stop();
  return once;
}

it('a client that has ended, and is restarted before its time, is not started once more', async () => {
  const startedMs: number[] = [];
  const once = await stoppedOnce('restarted', startedMs);
  once.start();
  await sleep(500);
  expect(startedMs).toHaveLength(2);
});

it('a client that has ended is not started after it was stopped', async () => {
  const startedMs: number[] = [];
  await stoppedOnce('stopped', startedMs);
  await sleep(400);
  expect(startedMs).toHaveLength(1);
});

it('a client that was asked to wait, and has ended, is started again no sooner', async () => {
  const startedMs: number[] = [];
  const untilMs = performance.now() + 1_200;
  endsOnce('limited', startedMs, () => untilMs).start();
  await expect.poll(() => startedMs.length, { timeout: 10_000 }).toBe(2);
  expect(startedMs[1]).toBeGreaterThanOrEqual(untilMs - 2);
});
