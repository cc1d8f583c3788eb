import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import type * as Beside from '../../cli/proxy/judge-beside.ts';
import type { JudgingInput } from '../../cli/proxy/judging-process.ts';
import type { PassedExchange } from '../../harness/front/recorded.ts';
import type { CheckEvent, FindingEvent } from '../../harness/results/generated/events.ts';
import { packageFile } from '../../spec/index.ts';
import { targetOf } from '../harness/config/target-folder.ts';

const target = targetOf({ baseUrl: 'http://127.0.0.1:1' });

/** A read of the mentions that the service refuses. */
function refusedRead(query: string): PassedExchange {
  const now = performance.now();
  return {
    method: 'GET',
    url: `/v0/mentions?${query}`,
    rawHeaders: ['Authorization', 'Bearer one'],
    body: [],
    answer: {
      status: 400,
      rawHeaders: ['Content-Type', 'application/json'],
      body: [Buffer.from('{"error":{"code":"invalid","message":"no"}}')],
    },
    end: 'answered',
    startedMs: now,
    endedMs: now + 1,
  };
}

/** What no process can read. */
const unreadable = { ...refusedRead(''), url: [] as unknown as string };

/** What was heard of judging. */
interface Heard {
  readonly judging: Beside.JudgeBeside;
  readonly findings: readonly FindingEvent[];
  readonly skipped: readonly (readonly [count: number, why: string])[];
}

type Time = [time?: ConstructorParameters<typeof Beside.JudgeBeside>[2]];

async function begun(chapterMs = 100, ...time: Time): Promise<Heard> {
  return begunWith({ chapterMs }, ...time);
}

async function begunWith(own: Partial<JudgingInput>, ...time: Time): Promise<Heard> {
  const built = pathToFileURL(packageFile('dist/cli/proxy/judge-beside.js')).href;
  const { JudgeBeside } = (await import(built)) as typeof Beside;
  const findings: FindingEvent[] = [];
  const skipped: (readonly [number, string])[] = [];
  const options = { report: [], require: [] } as never;
  const judging = new JudgeBeside(
    { target, prefix: '', settleMs: 100, chapterMs: 100, options, keep: undefined, ...own },
    {
      onFinding: (finding) => findings.push(finding),
      onBreach: () => undefined,
      onLost: () => undefined,
      onSkipped: (...each) => skipped.push(each),
    },
    ...time,
  );
  return { judging, findings, skipped };
}

describe('judging beside traffic', () => {
  it('goes on after its process was lost, says what went through unjudged, and forgets no finding', async () => {
    const { judging, findings, skipped } = await begun();
    const told = () => findings.map(({ id, clause }) => `${id} ${clause}`);
    judging.add(refusedRead('limit=1000'));
    await expect.poll(told, { timeout: 30_000 }).toEqual(['F1 client.requests.limit-in-range']);
    judging.add(unreadable);
    await expect.poll(() => skipped, { timeout: 30_000 }).toHaveLength(1);
    expect(skipped[0]).toEqual([1, expect.stringContaining('the process that judges ended')]);
    judging.add(refusedRead('after=1'));
    judging.add(refusedRead('after=1'));
    await sleep(1_500);
    judging.add(refusedRead('after=-1'));
    expect(skipped[1]).toEqual([2, 'nothing judged them']);
    const events = await judging.end();
    expect(told()).toEqual(['F1 client.requests.limit-in-range', 'F2 client.requests.after-in-range']);
    const checks = events.filter((event): event is CheckEvent => event.type === 'check');
    const failed = checks.filter(({ verdict }) => verdict === 'failed');
    expect(failed.map(({ check }) => check)).toEqual(['client.requests']);
    const clauses = failed.flatMap((each) => each.clauses.filter(({ verdict }) => verdict === 'failed'));
    expect(clauses.map(({ clause }) => clause)).toEqual([
      'client.requests.after-in-range',
      'client.requests.limit-in-range',
    ]);
    expect(events.at(-1)).toMatchObject({ type: 'footer', exitCode: 1 });
  }, 120_000);

  it('counts as unjudged what was taken of a chapter that was lost', async () => {
    const { judging, skipped } = await begun(600_000);
    judging.add(refusedRead('limit=1'));
    await sleep(2_000);
    judging.add(unreadable);
    await expect.poll(() => skipped, { timeout: 30_000 }).toHaveLength(1);
    expect(skipped[0]).toEqual([2, expect.stringContaining('the process that judges ended')]);
    await judging.end();
  });

  it('leaves out what there is no time for, says how much, and judges what follows', async () => {
    const turns = [true, false, false, true];
    const time = { hasTimeForNext: () => turns.shift() ?? true, end: () => undefined };
    const { judging, findings, skipped } = await begun(100, time);
    for (const query of ['after=1', 'limit=1000', 'limit=1000']) judging.add(refusedRead(query));
    expect(judging.isRecording).toBe(false);
    judging.add(refusedRead('after=-1'));
    expect(judging.isRecording).toBe(true);
    expect(skipped).toEqual([[2, 'no processor had time to spare']]);
    await judging.end();
    expect(findings.map(({ clause }) => clause)).toEqual(['client.requests.after-in-range']);
  });

  it('says how much is left out while that goes on', async () => {
    const { judging, skipped } = await begun(100, { hasTimeForNext: () => false, end: () => undefined });
    for (let sent = 0; sent < 2_500; sent += 1) judging.add(refusedRead('after=1'));
    expect(skipped.map(([count]) => count)).toEqual([1_000, 1_000]);
    await judging.end();
    expect(skipped.map(([count]) => count)).toEqual([1_000, 1_000, 500]);
  });

  it.each(['before', 'at'])(
    'ends with all that was told where its process is lost %s the end',
    async (when) => {
      const { judging, findings, skipped } = await begun();
      judging.add(refusedRead('limit=1000'));
      await expect.poll(() => findings, { timeout: 30_000 }).toHaveLength(1);
      judging.add(unreadable);
      await expect.poll(() => skipped.length, { timeout: 30_000 }).toBe(when === 'before' ? 1 : 0);
      expect((await judging.end()).at(-1)).toMatchObject({ type: 'footer', exitCode: 1 });
      expect(skipped).toEqual([[1, expect.stringContaining('the process that judges ended')]]);
    },
    120_000,
  );

  it('ends its stream, and says why nothing is concluded, where every process that judges is lost', async () => {
    // What no process can reckon with.
    const { judging } = await begunWith({ chapterMs: 1n as never });
    expect((await judging.end()).at(-1)).toMatchObject({
      type: 'footer',
      exitCode: 3,
      reason: expect.stringContaining('the process that judges ended') as string,
    });
  });

  it('says of what it cannot read that it went through unjudged, and of nothing that was judged', async () => {
    const { judging, skipped } = await begun();
    const answer = { status: 200, rawHeaders: ['Content-Encoding', 'zstd'], body: [Buffer.from('not JSON')] };
    judging.add({ ...refusedRead('limit=2'), answer });
    judging.add({ ...refusedRead('limit=3'), answer: { ...answer, body: undefined } });
    // No call of the contract.
    judging.add({ ...refusedRead(''), url: '/v0/files/1', answer });
    judging.add(refusedRead('limit=4'));
    await judging.end();
    expect(skipped).toEqual([[2, expect.stringContaining('a body of theirs was not kept as a whole')]]);
  }, 120_000);
});
