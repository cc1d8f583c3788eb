import { createServer } from 'node:http';
import { describe, expect, it } from 'vitest';
import type { Client } from '../../../../harness/client/client.ts';
import type { Target } from '../../../../harness/config/target.ts';
import { WriteBudget } from '../../../../harness/client/pacing/write-budget.ts';
import { checkOf } from '../../../fixtures/check.ts';
import { clientOf } from '../../../fixtures/client.ts';
import { requestOf } from '../../../fixtures/exchange.ts';
import { listening } from '../../../fixtures/listening.ts';
import { runAgainst } from '../../../suites/run-suite.ts';

async function limitedTo(
  maxBytes: number,
  statusOf: (request: number) => number,
): Promise<{ client: Client; received: () => number }> {
  let received = 0;
  const server = createServer((request, response) => {
    received += 1;
    const status = statusOf(received);
    request
      .resume()
      .on('end', () => response.writeHead(status, { 'content-type': 'application/json' }).end('{}'));
  });
  return { client: clientOf(await listening(server), { limits: { maxBytes } }), received: () => received };
}

const send = (bytes: number) => requestOf({ call: 'send', method: 'POST', body: 'x'.repeat(bytes) });

describe('the budget of what a run may write', () => {
  it('gives what is left, to the last byte, and not one more', async () => {
    const budget = new WriteBudget(10);
    const isTaken: boolean[] = [];
    for (const bytes of [4, 7, 6, 1, 0]) {
      isTaken.push(await budget.take(bytes));
      if (isTaken.at(-1) === true) budget.ended(bytes, false);
    }
    expect(isTaken).toEqual([true, false, true, false, true]);
  });

  it('withholds nothing that fits once what is under way was refused', async () => {
    const budget = new WriteBudget(10);
    await budget.take(6);
    const [small, large] = [budget.take(6), budget.take(11)];
    budget.ended(6, true);
    expect(await small).toBe(true);
    budget.ended(6, false);
    expect(await large).toBe(false);
  });

  it('lets nothing leave the client that goes beyond it, and says what would', async () => {
    const { client, received } = await limitedTo(10, () => 201);
    expect((await client.exchange('author', send(10))).response?.status).toBe(201);
    const { fault, response } = await client.exchange('author', send(1));
    expect(response).toBeUndefined();
    expect(fault).toMatchObject({
      kind: 'withheld',
      message: 'the run may write no more than 10 bytes; --max-bytes allows more',
    });
    expect(received()).toBe(1);
  });

  it('counts what was refused as not written', async () => {
    const { client } = await limitedTo(10, (request) => (request === 1 ? 400 : 201));
    await client.exchange('author', send(10));
    expect((await client.exchange('author', send(10))).response?.status).toBe(201);
  });

  it('never stands in the way of a read', async () => {
    const { client } = await limitedTo(0, () => 200);
    expect((await client.exchange('author', requestOf())).response?.status).toBe(200);
  });

  it('leaves a check inconclusive that it cuts short', async () => {
    const needs = ['author', 'channel'] as const;
    const greedy = checkOf('send.too-much', { needs }, async ({ author, channel, expect: judge }) => {
      judge('send.content-bytes', await author.send(channel.id, 'x'.repeat(1_000))).toBeAccepted();
    });
    const target = (given: Target): Target => ({ ...given, limits: { ...given.limits, maxBytes: 500 } });
    const run = await runAgainst([greedy], {}, { target });
    expect(run.findings).toEqual([]);
    expect(run.checks[0]?.clauses[0]).toMatchObject({
      verdict: 'inconclusive',
      reason: expect.stringMatching(/no more than 500 bytes/) as string,
    });
    expect(run.footer.footprint.bytesWritten).toBe(0);
  });
});
