import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { targetOfReference } from '../../embedded/reference-hooks.ts';
import type { Target } from '../../harness/config/target.ts';
import { runWideAreas } from '../../harness/judging/run-wide-checks.ts';
import { startReference, type Reference } from '../../reference/index.ts';
import { degenerateServers } from '../../selftest/degenerate/servers.ts';
import { allChecks } from '../../suites/index.ts';
import { findingsOf, runOn, type SuiteRun } from './run-suite.ts';

let reference: Reference;
let target: Target;
let run: SuiteRun;
const methods: string[] = [];

const readOnly = ({ limits, ...rest }: Target): Target => ({
  ...rest,
  limits: { ...limits, isReadOnly: true },
});

beforeAll(async () => {
  reference = await startReference({ answer: (_, { method }) => void methods.push(method) });
  target = targetOfReference(reference);
  run = await runOn(allChecks, readOnly(target));
});

afterAll(() => reference.close());

const ranReadOnly = new Set(allChecks.filter(({ isReadOnly }) => isReadOnly).map(({ id }) => id));

describe('a read-only run', () => {
  it('sends nothing but GET and HEAD', () => {
    expect(methods.filter((method) => method !== 'GET' && method !== 'HEAD')).toEqual([]);
    expect(methods.length).toBeGreaterThan(ranReadOnly.size);
    expect(run.footer.footprint).toMatchObject({ messages: 0, bytesWritten: 0 });
  });

  it('decides what can be decided so, and ends with exit 0', () => {
    const passed = run.checks.filter(({ verdict, area }) => verdict === 'passed' && !runWideAreas.has(area));
    expect(passed.map(({ check }) => check).toSorted()).toEqual([...ranReadOnly].toSorted());
    expect(findingsOf(run)).toEqual([]);
    expect(run.footer.exitCode).toBe(0);
  });

  it('runs no check that writes, and says why and what would let it', () => {
    const others = run.checks.filter(({ check, area }) => !runWideAreas.has(area) && !ranReadOnly.has(check));
    expect(others.length).toBeGreaterThan(0);
    for (const { check, requests, clauses } of others) {
      expect({ check, requests }).toEqual({ check, requests: 0 });
      for (const clause of clauses) {
        expect(clause).toMatchObject({
          verdict: 'inconclusive',
          reason: 'the run is read-only',
          enable: 'run without --read-only',
        });
      }
    }
  });
});

it('at an older server, whose messages show no receipts and which lists none, a read-only run sends nothing either', async () => {
  const asked: string[] = [];
  await using older = await startReference({
    rules: { presentReceipts: () => undefined },
    answer: (answer, { method, route }) => {
      asked.push(method);
      const body = { error: { code: 'not_found', message: 'There is no such call.' } };
      return route === 'receipts' ? { ...answer, status: 404, body } : undefined;
    },
  });
  const { checks } = await runOn(allChecks, readOnly(targetOfReference(older)));
  expect(asked.filter((method) => method !== 'GET' && method !== 'HEAD')).toEqual([]);
  expect(checks.filter(({ verdict }) => verdict === 'passed').length).toBeGreaterThan(20);
});

describe.concurrent('against a degenerate server a read-only run', () => {
  // Of those that keep no authentication the ones that look most like the service; every night all of them meet all checks.
  const blind = degenerateServers.filter(({ name }) => /plausible|empty-page|echo/.test(name));

  it.each(blind)('passes nothing: $name', async ({ start }) => {
    const server = await start();
    try {
      const { checks, footer } = await runOn(allChecks, readOnly({ ...target, baseUrl: server.baseUrl }));
      expect(checks.filter(({ verdict }) => verdict === 'passed').map(({ check }) => check)).toEqual([]);
      expect(footer.exitCode).not.toBe(0);
    } finally {
      await server.close();
    }
  });
});
