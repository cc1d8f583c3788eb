import { beforeAll, describe, expect, it } from 'vitest';
import { targetOfReference } from '../../../embedded/reference-hooks.ts';
import { areaOf } from '../../../harness/check/check.ts';
import { brokenClauses } from '../../../harness/results/broken-clauses.ts';
import type { FindingEvent, ResultEvent } from '../../../harness/results/generated/events.ts';
import { runChecks } from '../../../harness/run/run-checks.ts';
import { startReference } from '../../../reference/index.ts';
import type { Rules } from '../../../reference/rules/rules.ts';
import { compareRuns } from '../../../reporters/compare/comparison.ts';
import { renderComparison } from '../../../reporters/compare/render.ts';
import { mutants } from '../../../selftest/mutants/index.ts';
import { allChecks } from '../../../suites/index.ts';
import { collected, runs } from '../events.ts';
import { shown } from '../screen.ts';
import { reportOn, statesOn } from './report.ts';

const broken = [
  'message-workspace-is-another',
  'no-name-is-an-empty-one',
  'limit-is-one-too-low',
  'provider-b-knows-no-cloud',
  'ignores-unknown-parameters',
  'membership-says-another-workspace',
  'channel-of-another-workspace',
  'send-admits-missing',
];
const faults = mutants.filter(({ id }) => broken.includes(id));

/** The rules of all of them at once. */
const rulesOfAll = Object.assign({}, ...faults.map((fault) => fault.options().rules)) as Partial<Rules>;

/** Those that decide the clauses of the faults, and those whose answers show messages and the workspace. */
const checks = allChecks.filter(
  (check) =>
    check.clauses.some((clause) => faults.some((fault) => fault.clause === clause)) ||
    (['message', 'overview'].includes(areaOf(check)) && !check.isExclusive),
);

async function eventsOfRun(): Promise<readonly ResultEvent[]> {
  await using reference = await startReference({ rules: rulesOfAll });
  const events: ResultEvent[] = [];
  await runChecks(checks, targetOfReference(reference), { onEvent: (event) => events.push(event) });
  return events.filter(({ type }) => type !== 'progress');
}

describe('a server with eight rules broken', () => {
  let events: readonly ResultEvent[] = [];
  let findings: readonly FindingEvent[] = [];
  beforeAll(async () => {
    events = await eventsOfRun();
    findings = events.filter((event) => event.type === 'finding');
  }, 120_000);

  it('is found to break all eight', () => {
    const clauses = new Set(findings.flatMap(brokenClauses).map(({ clause }) => clause));
    expect(faults).toHaveLength(8);
    expect(faults.map(({ clause }) => clause).filter((clause) => !clauses.has(clause))).toEqual([]);
  });

  it.each(['junit', 'ctrf', 'sarif', 'markdown', 'github'])('has the same failures as %s', (format) => {
    const report = reportOn(format, events);
    const missing = findings.filter(({ clause }) => !report.includes(clause));
    expect(missing.map(({ id, clause }) => `${id} ${clause}`)).toEqual([]);
    for (const { clause } of faults) expect(report).toContain(clause);
  });

  it('has the same failures as html', () => {
    const states = statesOn(reportOn('html', events));
    const missing = findings
      .flatMap(brokenClauses)
      .filter(({ clause, verdict }) => states.get(clause) !== verdict);
    expect(missing).toEqual([]);
    for (const { clause } of faults) expect(['failed', 'warned']).toContain(states.get(clause));
  });

  it('has as many broken clauses in every place that counts them as in the tally', () => {
    const tally = collected(events).footer?.clauses;
    const [failed = 0, warned = 0] = [tally?.must.failed, tally?.inferred.warned];
    const open = tally?.must.inconclusive ?? 0;
    expect(open).toBeGreaterThan(0);
    expect(failed).toBeGreaterThan(new Set(findings.map(({ clause }) => clause)).size / 2);
    expect(warned).toBeGreaterThan(0);
    const text = shown(events, {}, { columns: 120 });
    expect(text).toMatch(new RegExp(`^FAILED {2}${failed} clauses(?: in \\d+ findings?)?$`, 'm'));
    expect(text).toMatch(new RegExp(`^WARNED {2}${warned} clauses? that`, 'm'));
    expect(text).toContain(`does not conform: ${failed} clauses failed; ${open} inconclusive (exit 1)`);
    expect(reportOn('badge-json', events)).toContain(`"message":"${failed} broken"`);
  });

  it('has their exchanges as HAR', () => {
    const har = JSON.parse(reportOn('har', events)) as {
      readonly log: { readonly entries: readonly unknown[] };
    };
    const exchanges = new Set(findings.flatMap((finding) => finding.exchanges.map(({ id }) => id)));
    expect(har.log.entries).toHaveLength(exchanges.size);
  });

  it.each(['text', 'markdown', 'html'] as const)(
    'is a regression beside one that keeps them, as %s',
    (format) => {
      const kept = collected(
        events
          .filter(({ type }) => type !== 'finding')
          .map((event) =>
            event.type === 'check'
              ? {
                  ...event,
                  verdict: 'passed',
                  clauses: event.clauses.map((each) => ({ ...each, verdict: 'passed' })),
                }
              : event,
          ),
      );
      const comparison = compareRuns([
        { name: 'before.ndjson', run: kept },
        { name: 'after.ndjson', run: collected(events) },
      ]);
      const text = renderComparison(comparison, format).replaceAll('\\', '');
      for (const { clause } of faults.filter(({ level }) => level === 'must')) expect(text).toContain(clause);
      expect(comparison.fixed).toEqual([]);
      const back = compareRuns([...comparison.runs].toReversed());
      expect(back.regressions).toEqual([]);
      expect(back.fixed.map(({ subject }) => subject)).toEqual(
        comparison.regressions.map(({ subject }) => subject),
      );
    },
  );
});

it('two runs that agree have no difference', () => {
  const run = collected(runs['all passed']);
  const { regressions, fixed, otherwise, observations } = compareRuns([
    { name: 'one', run },
    { name: 'other', run },
  ]);
  expect([regressions, fixed, otherwise, observations].flat()).toEqual([]);
});
