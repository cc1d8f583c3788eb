import { expect, it } from 'vitest';
import { refusal } from '../../selftest/mutants/base/spoil-answer.ts';
import { allChecks } from '../../suites/index.ts';
import { testNames } from './names-and-bindings.ts';
import { findingsOf, notPassed, runAgainst, withoutPopulation } from './run-suite.ts';

/** Where the names and bindings in question occur, and much besides that hangs on none of them. */
const around =
  /^(?:mentions|file|source-session|message|receipts|overview|send|channel-read|auth\.(?:mentions|agent|api))/;

testNames(
  withoutPopulation(allChecks).filter(
    (check) => around.test(check.id) && check.bodyBytes === 0 && !check.isExclusive,
  ),
);

it.each(['health', 'capabilities'] as const)(
  'bindings that a server does not have are needed to fail one that wants a credential for %s',
  async (route) => {
    const run = await runAgainst(
      allChecks.filter(({ id }) => id.startsWith('discovery.')),
      {
        answer: (_, { route: asked, headers }) =>
          asked === route && headers['authorization'] === undefined ? refusal(401) : undefined,
      },
      {
        target: (target) => ({
          ...target,
          bindings: { ...target.bindings, health: undefined, capabilities: undefined },
        }),
      },
    );
    expect(findingsOf(run)).toEqual([]);
    expect(notPassed(run)).toEqual([expect.stringMatching(`bindings.${route} is not given`)]);
  },
);
