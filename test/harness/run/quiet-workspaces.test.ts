import { describe, expect, it } from 'vitest';
import type { Check } from '../../../harness/check/check.ts';
import type { Context } from '../../../harness/check/context.ts';
import type { Target } from '../../../harness/config/target.ts';
import { unmet } from '../../../harness/verdict/outcome.ts';
import { checkOf } from '../../fixtures/check.ts';
import { withAround, withHooks } from '../../fixtures/hooks.ts';
import { notPassed, runAgainst, type SuiteRun } from '../../suites/run-suite.ts';

interface Seen {
  readonly id: string;
  readonly channelId: string;
  readonly reader: string;
  readonly beganMs: number;
  readonly endedMs: number;
}

type Facts = Partial<Pick<Check, 'isExclusive' | 'bodyBytes' | 'isReadOnly'>>;

/** Checks that note where and when they ran; `body` may do more. */
function checksNoting(
  seen: Seen[],
  facts: readonly Facts[],
  body: (context: Context<'author' | 'reader' | 'channel'>) => Promise<void> = async () => undefined,
): Check[] {
  return facts.map((fact, index) => {
    const id = `a${index % 3}.check-${index}`;
    return checkOf(id, { needs: ['author', 'reader', 'channel'], ...fact }, async (context) => {
      const { author, channel, clock, draft, expect: judge, reader } = context;
      const beganMs = performance.now();
      const sent = draft();
      judge('send.content-bytes', await author.send(channel.id, sent.text)).toBeAccepted();
      // A server that shows nothing of a run proves nothing.
      await channel.arrival(sent);
      await clock.elapse(30);
      const endedMs = performance.now();
      seen.push({ id, channelId: channel.id, reader: reader.name, beganMs, endedMs });
      await body(context);
    });
  });
}

/** Runs such checks, and what they noted. */
async function noted(
  facts: readonly Facts[],
  options: Parameters<typeof runAgainst>[2] = {},
  body?: Parameters<typeof checksNoting>[2],
): Promise<{ seen: readonly Seen[]; run: SuiteRun }> {
  const seen: Seen[] = [];
  return { seen, run: await runAgainst(checksNoting(seen, facts, body), {}, options) };
}

const exclusive = { isExclusive: true };
const ten = Array.from({ length: 10 }, () => exclusive);
const large = { bodyBytes: 200_000 };

function without(...names: readonly (keyof Target['hooks'])[]): (target: Target) => Target {
  return (target) => ({
    ...target,
    hooks: Object.fromEntries(
      Object.entries(target.hooks).filter(([name]) => !names.includes(name as never)),
    ),
  });
}

/** True when any two of them went on at one time. */
function overlap(seen: readonly Seen[]): boolean {
  return seen.some((one) =>
    seen.some((other) => one !== other && one.beganMs < other.endedMs && other.beganMs < one.endedMs),
  );
}

function byChannel(seen: readonly Seen[]): Seen[][] {
  return [...new Set(seen.map(({ channelId }) => channelId))].map((id) =>
    seen.filter(({ channelId }) => channelId === id),
  );
}

describe('checks that want quiet', () => {
  it('run beside each other, each alone in a workspace that the operator makes', async () => {
    const { seen, run } = await noted(ten);
    expect(notPassed(run)).toEqual([]);
    expect(seen).toHaveLength(10);
    expect(overlap(seen)).toBe(true);
    expect(byChannel(seen)).toHaveLength(4);
    for (const each of byChannel(seen)) expect(overlap(each)).toBe(false);
    expect(seen.every(({ reader }) => /^reader of fresh workspace \d$/.test(reader))).toBe(true);
  });

  it('and those with large bodies need not wait for the others, nor are there with them', async () => {
    const { seen, run } = await noted([{}, {}, {}, large, large, exclusive, exclusive]);
    expect(notPassed(run)).toEqual([]);
    const here = seen.filter(({ reader }) => reader === 'reader').map(({ id }) => id);
    expect(here.toSorted()).toEqual(['a0.check-0', 'a1.check-1', 'a2.check-2']);
    expect(overlap(seen)).toBe(true);
  });

  it('and look at the same messages share a workspace', async () => {
    const { seen } = await noted(ten);
    const areas = byChannel(seen).map((each) => new Set(each.slice(0, 2).map(({ id }) => id.split('.')[0])));
    expect(areas.map(({ size }) => size)).toEqual(areas.map(() => 1));
  });

  it.each([
    ['few', ten.slice(0, 3), {}],
    ['given a number to run at once', ten, { concurrency: 8 }],
    ['not given a workspace', ten, { target: without('provision') }],
  ])('run one after another in the target when they are %s', async (_, facts, options) => {
    const { seen, run } = await noted(facts, options);
    expect(notPassed(run)).toEqual([]);
    expect(byChannel(seen)).toHaveLength(1);
    expect(overlap(seen)).toBe(false);
  });

  it.each([
    ['cannot be made', () => ({ unsupported: 'one workspace is all there is' })],
    [
      'lacks who they need',
      ({ roles, ...rest }: Output) => ({ ...rest, roles: { author: roles['author'] } }),
    ],
  ])('run in the target after all when a workspace %s', async (_, made) => {
    const target = withAround(['provision'], async (_input, provision) =>
      made((await provision()) as Output),
    );
    const { seen, run } = await noted(ten, { target });
    expect(notPassed(run)).toEqual([]);
    expect(run.footer.end).toBe('complete');
    expect(seen.map(({ reader }) => reader)).toEqual(ten.map(() => 'reader'));
    expect(overlap(seen)).toBe(false);
  });

  it('and are large and of one area are all in one workspace', async () => {
    const { seen, run } = await noted([...Array.from({ length: 12 }, () => large), ...ten]);
    expect(notPassed(run)).toEqual([]);
    const isLargeOne = ({ id }: Seen): boolean => Number(id.split('-')[1]) < 12;
    for (const area of ['a0', 'a1', 'a2'])
      expect(byChannel(seen.filter((each) => isLargeOne(each) && each.id.startsWith(area)))).toHaveLength(1);
  });

  it('are given no workspace in a read-only run', async () => {
    const readers = ten.map((fact) => ({ ...fact, isReadOnly: true }));
    let calls = 0;
    const call = async (): Promise<unknown> => ({ unsupported: String((calls += 1)) });
    const target = (given: Target): Target =>
      withHooks({ provision: { call } })({ ...given, limits: { ...given.limits, isReadOnly: true } });
    await noted(readers, { target });
    expect(calls).toBe(0);
  });

  it('are tried in the target as well when they come to no verdict elsewhere', async () => {
    const { seen, run } = await noted(ten, {}, async ({ reader }) => {
      if (reader.name !== 'reader') unmet('there is something missing');
    });
    expect(notPassed(run)).toEqual([]);
    expect(seen.filter(({ reader }) => reader === 'reader')).toHaveLength(10);
  });

  it('fail there as anywhere', async () => {
    const { seen, run } = await noted(ten, {}, async ({ expect: judge }) => {
      judge.holds('send.content-bytes', false, { expected: 'this', actual: 'that' });
    });
    expect(run.findings).toHaveLength(1);
    expect(seen.filter(({ reader }) => reader === 'reader')).toHaveLength(0);
  });
});

type Output = Readonly<Record<string, unknown>> & { readonly roles: Readonly<Record<string, string>> };
