import { expect, it } from 'vitest';
import { contractRules } from '../../../../reference/index.ts';
import { allChecks } from '../../../../suites/index.ts';
import { runAgainst } from '../../run-suite.ts';

const course = allChecks.filter(({ id }) => id === 'mentions.changes-take-nothing-away');

/** A server that goes on as it should until a key comes again, and then shows nothing of what was sent before. */
function emptiedByAKeyThatComesAgain() {
  let goneMs = 0;
  return {
    ...contractRules,
    // Late enough that it may be retention.
    commitDelayMs: () => 150,
    onKeyReuse: (...asked: Parameters<typeof contractRules.onKeyReuse>) => {
      goneMs = Date.now();
      return contractRules.onKeyReuse(...asked);
    },
    retains:
      () =>
      ({ committedMs }: { readonly committedMs: number }) =>
        committedMs > goneMs,
  };
}

it('a clause that held after the first changes has not passed where a later one leaves nothing to look at', async () => {
  const { checks } = await runAgainst(
    course,
    { rules: emptiedByAKeyThatComesAgain() },
    { target: (target) => ({ ...target, settleMs: 50 }) },
  );
  const verdicts = new Map(
    checks.flatMap(({ check, clauses }) =>
      check === course[0]?.id ? clauses.map(({ clause, verdict }) => [clause, verdict] as const) : [],
    ),
  );
  expect(verdicts.get('states.mentions-do-not-vanish')).toBe('inconclusive');
  expect(verdicts.get('states.messages-do-not-vanish')).toBe('inconclusive');
  // What no retention takes is there after every change.
  expect(verdicts.get('overview.channels.lists-a-known-one')).toBe('passed');
}, 60_000);
