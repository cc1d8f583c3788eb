import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { areaOf } from '../../harness/check/check.ts';
import { contractRules, type Rules } from '../../reference/index.ts';
import { allChecks } from '../../suites/index.ts';
import { withAround } from '../fixtures/hooks.ts';
import { findingsOf, runAgainst } from './run-suite.ts';

/** How long what was found out is remembered, and how long a hook takes before it does anything, in ms. */
const rememberedMs = 3_000;
const slowMs = 3_500;

/**
 * Hooks that end something and sleep first, as a program does that has to start, and a memory that is lost where they took too long: it
 * holds what was last found to hold within `rememberedMs` of the end of the hook that named it, else of the last. What is asked afterwards
 * may be late, on a busy machine, and others have ended by then.
 */
function slowly() {
  const foundMs = new Map<string, number>();
  /** By the input of the hook, as JSON. */
  const endsMs = new Map<string, number>();
  const endOf = (key: string): number => {
    const named = key.replace('Bearer ', '');
    const own = [...endsMs].filter(([input]) => named !== '' && input.includes(named));
    return Math.max(0, ...(own.length > 0 ? own : [...endsMs]).map(([, ms]) => ms));
  };
  return {
    target: withAround(['revoke', 'expire', 'deactivate'], async (input, end) => {
      await sleep(slowMs);
      endsMs.set(JSON.stringify(input), performance.now());
      return end();
    }),
    remembers: (key: string, holds: boolean): boolean => {
      if (holds) foundMs.set(key, performance.now());
      return holds || endOf(key) - (foundMs.get(key) ?? -Infinity) < rememberedMs;
    },
  };
}

const checks = allChecks.filter(
  (check) =>
    areaOf(check) === 'auth' &&
    !check.isExclusive &&
    ['revoke-hook', 'expire-hook', 'deactivate-hook'].some((need) => check.needs.includes(need as never)),
);

/** What a server remembers for seconds, and the clauses that it breaks. */
const memories: readonly (readonly [
  what: string,
  rules: (remembers: ReturnType<typeof slowly>['remembers']) => Partial<Rules>,
  broken: readonly string[],
])[] = [
  [
    'the access of an agent',
    (remembers) => ({
      hasWorkspaceAccess: ({ now }, { authorization = '' }) => remembers(authorization, now),
    }),
    ['auth.no-access-is-403 failed', 'mentions.membership-rechecked failed'],
  ],
  [
    'that a credential was not revoked',
    (remembers) => ({
      isRevoked: (known) => !remembers(known.token, contractRules.isRevoked(known) === false),
    }),
    ['auth.revoked-while-in-use failed'],
  ],
  [
    'that a credential had not expired',
    (remembers) => ({
      isExpired: (known, nowMs) => !remembers(known.token, !contractRules.isExpired(known, nowMs)),
    }),
    ['auth.api-key-expires failed', 'auth.expires-while-in-use failed', 'auth.machine-token-expires failed'],
  ],
  [
    'that a machine is active',
    (remembers) => ({ isMachineAlive: (machine) => remembers(machine.id, machine.isActive) }),
    ['auth.machine-lifecycle failed'],
  ],
  [
    'the membership of a human',
    (remembers) => ({
      isLinkedMembershipActive: (membership) =>
        remembers(membership?.id ?? '', contractRules.isLinkedMembershipActive(membership)),
    }),
    ['auth.machine-membership failed'],
  ],
];

describe('hooks that take longer than a server remembers who gets in', () => {
  it.concurrent.each(memories)(
    'do not hide that it remembers %s',
    async (_what, rules, broken) => {
      const { target, remembers } = slowly();
      const run = await runAgainst(checks, { rules: rules(remembers) }, { target });
      expect(findingsOf(run)).toEqual(expect.arrayContaining([...broken]));
    },
    90_000,
  );

  it.concurrent('find nothing in a server that remembers nothing', async () => {
    const run = await runAgainst(checks, {}, { target: slowly().target });
    expect(findingsOf(run)).toEqual([]);
    expect(run.checks.filter(({ verdict }) => verdict === 'failed')).toEqual([]);
  }, 90_000);
});
