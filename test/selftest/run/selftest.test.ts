import { beforeAll, describe, expect, it } from 'vitest';
import { check, type Check } from '../../../harness/check/check.ts';
import { degenerateServers } from '../../../selftest/degenerate/servers.ts';
import { mutant, type Mutant, mutantNamed, mutants, refusing } from '../../../selftest/mutants/index.ts';
import { documentOf, summaryPageOf } from '../../../selftest/run/document.ts';
import { judgeDegenerate } from '../../../selftest/run/judge-degenerate.ts';
import { observeHere } from '../../../selftest/run/observe.ts';
import { summaryOf } from '../../../selftest/run/report.ts';
import { isGreen, runSelftest } from '../../../selftest/run/run-selftest.ts';
import type { SelftestOptions, SelftestReport } from '../../../selftest/run/run-selftest.ts';
import { sampleOf, shareOf } from '../../../selftest/run/sample.ts';
import { degenerateServer, type ServedDegenerate } from '../../../selftest/servers/degenerate-server.ts';
import type { Observation } from '../../../selftest/servers/observation.ts';
import { serverNamed } from '../../../selftest/servers/server-named.ts';
import { contractServer } from '../../../selftest/servers/server.ts';
import { aloneServer } from '../../../selftest/servers/variant-server.ts';
import { variants } from '../../../selftest/variants/index.ts';
import { allChecks } from '../../../suites/index.ts';

function named<Named extends { readonly id: string }>(
  list: readonly Named[],
  ...ids: readonly string[]
): Named[] {
  return list.filter(({ id }) => ids.includes(id));
}

const limitCheck = named(allChecks, 'mentions.limit-of-101-is-refused');

/** A self-test of what is planted in it. */
function selftestWith({ variants: unusual = [], ...planted }: Planted): Promise<SelftestReport> {
  return runSelftest({
    ...planted,
    variants: named(variants, ...unusual).map((variant) => ({ server: aloneServer(variant), parts: 1 })),
    observe: observeHere,
    concurrency: 4,
  });
}

interface Planted extends Pick<SelftestOptions, 'mutants' | 'checks' | 'degenerates'> {
  readonly variants?: readonly string[];
}

/** A check that holds whatever is answered. */
const toothless = check(
  'planted.passes-always',
  { title: 'whatever happens', clauses: ['mentions.limit.max'], needs: ['author'] },
  async ({ expect: expectThat }) =>
    expectThat.holds('mentions.limit.max', true, { expected: '', actual: '' }),
);

/** A report in which one kind of fault is the only one. */
function only(report: SelftestReport, kind: keyof SelftestReport['faults']): SelftestReport {
  const none = Object.keys(report.faults).map((each) => [each, []]);
  return { ...report, faults: { ...Object.fromEntries(none), [kind]: report.faults[kind] } };
}

const idleAmong = ({ faults }: SelftestReport, prefix: string): string[] =>
  faults.idleChecks.filter((id) => id.startsWith(prefix));

/** It asks of a server what the contract leaves open. */
const overStrict = check(
  'planted.wants-201',
  {
    title: 'a send is answered with 201',
    clauses: ['service.sent-is-readable'],
    needs: ['author', 'channel'],
  },
  async ({ author, channel, draft, expect: expectThat }) => {
    const { response } = await author.send(channel.id, draft().text);
    const actual = `status ${response?.status ?? 'none'}`;
    expectThat.holds('service.sent-is-readable', response?.status === 201, {
      expected: 'status 201',
      actual,
    });
  },
);

/** Nothing is wrong with it. */
const harmless = mutant('planted-harmless', 'mentions.limit.max', 'nothing is wrong', { rules: {} });

describe('the self-test', () => {
  let report: SelftestReport;
  beforeAll(async () => {
    report = await selftestWith({
      mutants: named(mutants, 'limit-ends-at-101', 'default-limit-is-49'),
      checks: [...limitCheck, ...named(allChecks, 'mentions.default-limit-is-50')],
    });
  });

  it('counts a mutant as killed by a check of its clause', () => {
    const { results, faults } = report;
    expect(results.map(({ killedBy }) => killedBy.length > 0)).toEqual([true, true]);
    expect(faults.survivors).toEqual([]);
    expect(faults.crashes).toEqual([]);
    expect(documentOf(report)).toMatch(/^\| `mentions\.limit\.max` \| must \| 1 \| 1 \| \d+ \|  \|$/m);
    expect(summaryPageOf(report, '2026-01-31')).toMatch(/^\| mentions \| \d+ \| 2 \| 2 \|$/m);
  });

  it('calls a mutant expensive that was killed only when all checks ran', () => {
    expect(summaryOf(report)).not.toContain('expensive:');
    const [first, ...others] = report.results;
    const results = [...(first ? [{ ...first, neededAll: true, durationMs: 9_000 }] : []), ...others];
    expect(summaryOf({ ...report, results })).toContain(`${first?.mutant.id ?? ''}: all checks ran, for 9 s`);
  });

  it('is red when a clause has no mutant', () => {
    const { faults } = report;
    // Nor did these checks judge any access.
    expect(faults.missingSituations).toContain('auth.missing-credential: send, missing, baseline');
    const left = faults.clausesWithoutMutant.map(({ id }) => id);
    expect(left).toContain('mentions.limit.min');
    expect(left).not.toContain('mentions.limit.max');
  });

  it('counts a mutant that refuses a good credential as killed by a run that names the role and judges nothing', async () => {
    const harmlessThere = mutant('planted-harmless', 'overview.success-is-2xx', 'nothing is wrong', {
      rules: {},
    });
    const { results } = await selftestWith({
      checks: limitCheck,
      mutants: [
        ...named(mutants, 'overview-is-404'),
        refusing('author', {
          ...harmlessThere,
          id: 'planted-other-role',
          options: mutantNamed('overview-is-404').options,
        }),
        refusing('machine', harmlessThere),
      ],
    });
    const killers = Object.fromEntries(results.map(({ mutant: { id }, killedBy }) => [id, killedBy]));
    expect(killers).toMatchObject({
      'overview-is-404': ['preflight'],
      'planted-other-role': [],
      'planted-harmless': [],
    });
  });

  it('is red when the reference itself does not pass a check', async () => {
    const unhappy = check(
      'planted.fails-always',
      { title: 'nothing is right', clauses: ['mentions.limit.max'], needs: ['author'] },
      async ({ expect: expectThat }) =>
        expectThat.holds('mentions.limit.max', false, { expected: 'a', actual: 'b' }),
    );
    const { faults } = await selftestWith({ mutants: [], checks: [unhappy] });
    expect(faults.unhealthyChecks.map(({ check: { id }, trouble }) => `${id}: ${trouble ?? ''}`)).toEqual([
      'planted.fails-always: mentions.limit.max failed 2/2 by planted.fails-always: expected a; got b',
    ]);
  });
});

describe('the self-test with faults planted in it', () => {
  const [alarmed, quiet] = ['a-send-is-answered-with-an-empty-204', 'channel-numbers-have-gaps'];
  // What passes for a server without a contract is the reference itself.
  const planted: ServedDegenerate = {
    ...contractServer,
    id: 'planted',
    name: 'planted',
    expectedExit: [1, 3],
  };
  let report: SelftestReport;
  beforeAll(async () => {
    const liars = named(
      degenerateServers.map(degenerateServer),
      'degenerate empty-page-any',
      'degenerate echo',
    );
    report = await selftestWith({
      mutants: [harmless],
      checks: [...limitCheck, toothless, overStrict],
      variants: [alarmed, quiet],
      degenerates: [...liars, planted],
    });
  });

  it('is red when a mutant that changes nothing survives', () => {
    expect(report.faults.survivors.map(({ mutant: { id } }) => id)).toEqual(['planted-harmless']);
    expect(isGreen(only(report, 'survivors'))).toBe(false);
    expect(summaryOf(report)).toContain('survived:  mentions.limit.max (must): planted-harmless');
  });

  it('is red when a check that can never fail kills nothing', () => {
    expect(idleAmong(report, 'planted.')).toEqual(['planted.passes-always', 'planted.wants-201']);
    expect(isGreen(only(report, 'idleChecks'))).toBe(false);
  });

  it('is red when a check demands of a server what the contract leaves open', () => {
    expect(report.faults.falseAlarms.map(({ server }) => server.id)).toEqual([`variant ${alarmed}`]);
    expect(isGreen(only(report, 'falseAlarms'))).toBe(false);
    expect(summaryOf(report)).toContain(
      `alarm:     variant ${alarmed}: service.sent-is-readable failed 2/2 by planted.wants-201: expected status 201; got status 204`,
    );
    expect(documentOf(report)).toContain('expected status 201; got status 204');
  });

  it('is red when a server that keeps no contract passes something', () => {
    expect(report.degenerates.map(({ passed }) => passed.length > 0)).toEqual([false, false, true]);
    expect(report.faults.escapes.map(({ server }) => server.name)).toEqual(['planted']);
    expect(isGreen(only(report, 'escapes'))).toBe(false);
    expect(summaryOf(report)).toContain('escapes:   planted: exit code 0');
    expect(documentOf(report)).toContain('exit code 0; ');
  });
});

it.each([
  [11_999, []],
  [12_000, ['the run waited for 12 s']],
])('a degenerate server that has a run wait for %i ms escapes with %j', async (idleMs, escapes) => {
  const [server] = named(degenerateServers.map(degenerateServer), 'degenerate echo');
  const observed = { judged: [], inconclusive: {}, end: 'complete', exitCode: 1, idleMs };
  const observe = (): Promise<Observation> => Promise.resolve(observed as unknown as Observation);
  expect((await judgeDegenerate(server as ServedDegenerate, [], observe)).escapes).toEqual(escapes);
});

it('a sample of the mutants covers every area, and is the same each time', () => {
  const areas = (list: readonly Mutant[]): string[] =>
    [...new Set(list.map(({ clause }) => clause.split('.')[0] ?? ''))].toSorted();
  expect(areas(sampleOf(mutants))).toEqual(areas(mutants));
  expect(
    sampleOf(mutants.toReversed())
      .map(({ id }) => id)
      .toSorted(),
  ).toEqual(
    sampleOf(mutants)
      .map(({ id }) => id)
      .toSorted(),
  );
});

describe('a share of the checks', () => {
  const ids = (checks: readonly Check[]): string[] => checks.map(({ id }) => id);

  it('is the same for the same seed and another one for another', () => {
    expect(ids(shareOf(allChecks, 3, 'one'))).toEqual(ids(shareOf(allChecks, 3, 'one')));
    expect(ids(shareOf(allChecks, 3, 'one'))).not.toEqual(ids(shareOf(allChecks, 3, 'other')));
  });

  it('is all of them, or about one in so many', () => {
    expect(shareOf(allChecks, 1, 'one')).toEqual(allChecks);
    const third = shareOf(allChecks, 3, 'one').length / allChecks.length;
    expect(third).toBeGreaterThan(0.25);
    expect(third).toBeLessThan(0.42);
  });

  it('is each check, over enough seeds', () => {
    const seeds = Array.from({ length: 300 }, (_, seed) => `combination ${seed}`);
    const met = new Set(seeds.flatMap((seed) => ids(shareOf(allChecks, 6, seed))));
    expect(ids(allChecks).filter((id) => !met.has(id))).toEqual([]);
  });
});

describe('a server of the self-test', () => {
  it('knows which lists its answers carried, if it is that of the contract', async () => {
    const { carried } = await observeHere(
      contractServer,
      allChecks.filter(({ id }) => id === 'file.is-seen-by-another-agent'),
    );
    expect(carried).toEqual(expect.arrayContaining(['mentions mentions', 'mentions attachments']));
    expect(carried).not.toContain('overview attachments');
  });

  it('is found by its id', () => {
    const named = [
      'contract',
      'mutant limit-ends-at-101',
      'variant channel-numbers-have-gaps',
      'combination 17',
    ];
    expect([...named, 'degenerate echo'].map((id) => serverNamed(id).id)).toEqual([
      ...named,
      'degenerate echo',
    ]);
    expect(() => serverNamed('mutant of-none')).toThrow('there is no server "mutant of-none"');
  });
});
