import { expect, it } from 'vitest';
import { type AdapterTest, TestsOfRun } from '../../adapters/tests-of-run.ts';
import { check } from '../../harness/check/check.ts';
import { openReference } from '../../embedded/reference-hooks.ts';
import { InvalidTarget } from '../../harness/errors.ts';

function testsOf(run: TestsOfRun): readonly AdapterTest[] {
  return [...run.areas.values()].flat();
}

it('the test of the whole run fails where nothing was concluded, although all others are skipped', async () => {
  const run = new TestsOfRun([], openReference, {});
  await run.start();
  const tests = testsOf(run);
  const outcomes = await Promise.all(tests.map(({ outcome }) => outcome()));
  await run.end();
  expect(tests.at(-1)?.name).toBe('run: ends with exit code 0');
  expect(outcomes.at(-1)).toMatchObject({ is: 'failed', message: expect.stringContaining('(exit 3)') });
  expect(new Set(outcomes.slice(0, -1).map((outcome) => outcome.is))).toEqual(new Set(['skipped']));
});

it('a target that cannot be read fails every test with the reason', async () => {
  const run = new TestsOfRun(
    [],
    () => {
      throw new InvalidTarget('conform.yaml is not there');
    },
    {},
  );
  await run.start();
  const outcomes = await Promise.allSettled(testsOf(run).map(({ outcome }) => outcome()));
  await run.end();
  expect(outcomes.length).toBeGreaterThan(10);
  const reasons = outcomes.map((each) => (each.status === 'rejected' ? (each.reason as Error).message : ''));
  expect(new Set(reasons.slice(0, -1))).toEqual(new Set(['conform.yaml is not there']));
  expect(reasons.at(-1)).toBe('the run did not begin');
});

it('a test that fails shows what was found', async () => {
  const refused = check(
    'auth.is-refused',
    { title: 'a listing is refused', clauses: ['auth.bearer-accepted'], needs: ['author'] },
    async ({ author, expect: expecting }) => {
      expecting('auth.bearer-accepted', await author.mentions({ limit: 1 })).toBeRefused();
    },
  );
  const run = new TestsOfRun([refused], openReference, {});
  await run.start();
  const outcome = await testsOf(run)[0]?.outcome();
  await run.end();
  expect(outcome).toMatchObject({ is: 'failed' });
  expect(JSON.stringify(outcome)).toMatch(/got status 200.*curl -sS/);
});
