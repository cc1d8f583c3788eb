import { describe, expect, it } from 'vitest';
import { contractRules } from '../../../reference/index.ts';
import type { RouteName, Rules } from '../../../reference/index.ts';
import { findingsOf, notPassed, runAgainst } from '../run-suite.ts';
import { operatorChecks as lifecycleChecks } from '../operator-checks.ts';
import { caughtBy, runBroken } from '../send/broken.ts';
import type { Broken } from '../send/broken.ts';

/** Checks whose id says one of these. */
const only = (...slugs: readonly string[]): readonly string[] =>
  lifecycleChecks.map(({ id }) => id).filter((id) => slugs.some((slug) => id.includes(slug)));

/** Limits are answered with another status, on some calls. */
const limitedAs = (status: number, isMeant: (route: RouteName | null) => boolean) => (): Partial<Rules> => ({
  statusOfRefusal: (kind, route) =>
    kind === 'rate-limited' && isMeant(route) ? status : contractRules.statusOfRefusal(kind, route),
});

const firstShown = <T extends object>(idOf: (value: T) => string): ((value: T) => T) => {
  const known = new Map<string, T>();
  return (value) => {
    const first = known.get(idOf(value)) ?? value;
    known.set(idOf(value), first);
    return first;
  };
};

/** Who was let in once and then lost its access is answered with 404. */
function noAccessAfterUseIs404(): NonNullable<Broken['answer']> {
  const known = new Set<string | null>();
  return (answer, { actor, route }) => {
    if (route !== 'mentions' || actor === null) return undefined;
    if (answer.status === 200) known.add(actor.agentId);
    return answer.status === 403 && known.has(actor.agentId) ? { ...answer, status: 404 } : undefined;
  };
}

const broken: readonly Broken[] = [
  {
    name: 'a token that worked is not looked at again when it is revoked',
    rules: () => {
      const good = new Set<string>();
      return {
        isRevoked: ({ token, isRevoked }) => {
          if (!isRevoked) good.add(token);
          return isRevoked && !good.has(token);
        },
      };
    },
    only: only('while-in-use'),
    findings: ['auth.revoked-while-in-use failed'],
  },
  {
    name: 'a token that worked is not looked at again when it expires',
    rules: () => {
      const good = new Set<string>();
      return {
        isExpired: (credential, nowMs) => {
          const isExpired = contractRules.isExpired(credential, nowMs);
          if (!isExpired) good.add(credential.token);
          return isExpired && !good.has(credential.token);
        },
      };
    },
    only: only('while-in-use'),
    findings: ['auth.expires-while-in-use failed'],
  },
  {
    name: 'an agent that once had access keeps it',
    rules: () => ({ hasWorkspaceAccess: ({ atFirstUse }) => atFirstUse }),
    only: only('mentions.access'),
    findings: ['mentions.membership-rechecked failed'],
  },
  {
    name: 'an agent that lost its access is told that there is nothing',
    answer: noAccessAfterUseIs404(),
    only: only('mentions.access'),
    findings: ['mentions.membership-rechecked failed'],
  },
  {
    name: 'a machine lives on',
    rules: () => ({ isMachineAlive: () => true }),
    findings: ['auth.machine-lifecycle failed'],
  },
  {
    name: 'the membership of the human is not looked at',
    rules: () => ({ isLinkedMembershipActive: () => true }),
    findings: ['auth.machine-membership failed'],
  },
  {
    name: 'former members are listed',
    rules: () => ({ isMemberListed: () => true }),
    findings: ['overview.members.active-only failed'],
  },
  {
    name: 'an author is shown under its present names',
    rules: () => ({ presentAuthor: (_captured, live) => live() }),
    only: only('message.'),
    findings: ['message.author.captured-at-write failed'],
  },
  {
    name: 'a machine is shown under its present name',
    rules: () => ({ presentAuthor: (captured, live) => ({ ...captured, machine: live().machine }) }),
    only: only('message.'),
    findings: ['message.author.captured-at-write failed'],
  },
  {
    name: 'a human is shown under the present name',
    rules: () => ({ presentAuthor: (captured, live) => ({ ...captured, human_user: live().human_user }) }),
    only: only('message.'),
    findings: ['human-user.display-name.captured-at-write failed'],
  },
  {
    name: 'a target that was renamed is no longer shown',
    rules: () => {
      const names = new Map<string, string | null>();
      return {
        presentTargets: (targets, nameNow) =>
          targets.filter((target) => {
            const name = names.get(target.id) ?? nameNow(target);
            names.set(target.id, name);
            return name === nameNow(target);
          }),
      };
    },
    only: only('message.'),
    findings: ['message.mentions.never-re-resolved failed'],
  },
  {
    name: 'a member is shown as it was first shown',
    rules: () => ({ presentMember: firstShown(({ id }) => id ?? '') }),
    findings: ['overview.shows-the-current-names warned'],
  },
  ...[503, 403, 400].map((status) => ({
    name: `a limit on mentions that was reached is answered with ${status}`,
    rules: limitedAs(status, (route) => route === 'mentions'),
    only: only('limit'),
    findings: ['errors.limits-reached-are-429 failed'],
  })),
  {
    name: 'a limit that was reached is answered with 403 everywhere',
    rules: limitedAs(403, () => true),
    only: only('limit'),
    findings: ['errors.limits-reached-are-429 failed'],
  },
  {
    name: 'a limit that was reached elsewhere is answered with 503',
    rules: limitedAs(503, (route) => route !== 'mentions'),
    only: only('limit'),
    findings: ['errors.limit-elsewhere-is-429 warned'],
  },
  {
    name: 'a limit on sends that was reached is answered with 403',
    rules: limitedAs(403, (route) => route === 'send'),
    only: only('limit'),
    findings: ['errors.limit-elsewhere-is-429 warned'],
  },
  {
    name: 'a 429 comes without Retry-After',
    rules: () => ({ retryAfter: () => null }),
    only: only('limit'),
    findings: ['errors.retry-after-present failed'],
  },
  {
    name: 'Retry-After has a unit',
    rules: () => ({ retryAfter: (seconds) => `${seconds}s` }),
    only: only('limit'),
    findings: ['errors.retry-after-is-a-count failed'],
  },
  {
    name: 'a 429 of a read comes without Retry-After',
    answer: (answer, { route }) =>
      route === 'read' && answer.status === 429 ? { ...answer, headers: {} } : undefined,
    only: only('limit'),
    findings: ['errors.limit-elsewhere-is-429 warned'],
  },
  {
    name: 'a restart loses the newest message and gives its number out again',
    rules: () => ({ lostAtRestart: () => 1 }),
    findings: ['channel-read.restart-reuses-no-sequence failed'],
  },
  {
    name: 'a restart begins to number anew',
    rules: () => ({ lostAtRestart: () => 1000 }),
    findings: ['channel-read.restart-reuses-no-sequence failed'],
  },
  {
    name: 'a restart loses the newest messages and not their numbers',
    rules: () => {
      let next = 1n;
      return {
        lostAtRestart: () => 2,
        firstChannelSequence: () => (next += 1n),
        nextChannelSequence: () => (next += 1n),
      };
    },
    findings: ['channel-read.survives-a-restart warned'],
  },
];

const caught = new Set<string>();

describe('what the operator changes, with one thing broken', () => {
  it.concurrent.each(broken)('is found by the clause alone: $name', async (how) => {
    const run = await runBroken(lifecycleChecks, how);
    for (const id of caughtBy(run)) caught.add(id);
    expect(findingsOf(run)).toEqual(how.findings);
  });
});

describe('the checks of what the operator changes', () => {
  it('have none that nothing broken makes fail', () => {
    expect(lifecycleChecks.map(({ id }) => id).filter((id) => !caught.has(id))).toEqual([]);
  });
});

describe('what the operator changes, by the contract', () => {
  it('passes every check', async () => {
    const run = await runAgainst(lifecycleChecks);
    expect(notPassed(run)).toEqual([]);
    expect(findingsOf(run)).toEqual([]);
  });

  it.each([
    ['lets in what was revoked long ago', { isRevoked: () => false }],
    ['lets in what expired long ago', { isExpired: () => false }],
    ['lets in who never had access', { hasWorkspaceAccess: () => true }],
  ])('is not asked of a server that %s', async (_what, rules) => {
    const run = await runBroken(lifecycleChecks, { rules: () => rules });
    expect(findingsOf(run)).toEqual([]);
  });

  it.each([
    ['with and without a limit', () => true],
    ['under a limit too, beside its 429', (count: number) => count % 4 === 0],
  ])('is no limit where requests at one time are answered with 500 %s', async (_when, isBusy) => {
    let [inFlight, met] = [0, 0];
    const limits = lifecycleChecks.filter(({ id }) => only('limit').includes(id));
    const run = await runAgainst(limits, {
      // Whoever asks while somebody else is asking meets a locked database.
      answer: async (answer, { route, actor }) => {
        if (route !== 'mentions' || actor === null) return undefined;
        inFlight += 1;
        const isAlone = inFlight === 1;
        await new Promise((resolve) => setTimeout(resolve, 20));
        inFlight -= 1;
        met += isAlone ? 0 : 1;
        const body = { error: { code: 'internal', message: 'database is locked' } };
        return !isAlone && isBusy(met) ? { ...answer, status: 500, headers: {}, body } : undefined;
      },
    });
    expect(met).toBeGreaterThan(5);
    expect(findingsOf(run).filter((finding) => finding.includes('limit'))).toEqual([]);
    const reasons = run.checks.flatMap(({ clauses }) => clauses.flatMap(({ reason }) => reason ?? []));
    expect(reasons.join()).toContain('without a limit are not all answered either: status 500');
  });

  it('is not asked of a server whose hooks do nothing', async () => {
    const nothing = { call: () => Promise.resolve({}) };
    const run = await runAgainst(
      lifecycleChecks.filter(({ needs }) => !needs.includes('restart-hook')),
      {},
      {
        target: ({ hooks, ...target }) => ({
          ...target,
          settleMs: 60,
          hooks: { ...hooks, rename: nothing, limit: nothing },
        }),
      },
    );
    const idle = run.findings.map(({ clause }) => clause);
    expect(idle).toEqual([]);
    const names = run.checks.filter(({ check }) => only('message.', 'limit', 'renamed').includes(check));
    expect(names.map(({ verdict }) => verdict)).toEqual(names.map(() => 'inconclusive'));
  });
});
