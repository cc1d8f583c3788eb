import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { allChecks } from '../../suites/index.ts';
import type { Target } from '../../harness/config/target.ts';
import { refusal } from '../../selftest/mutants/base/spoil-answer.ts';
import { withAround, withHooks } from '../fixtures/hooks.ts';
import { findingsOf, runAgainst, verdictsOf } from './run-suite.ts';

/** The checks for which the operator sets a limit. */
const limits = allChecks.filter(({ needs }) => needs.includes('limit-hook'));
const renames = allChecks.filter(({ needs }) => needs.includes('rename-hook'));

describe('what the operator changes', () => {
  it.each([
    ['with and without a limit', () => true],
    ['under a limit too, beside its 429', (count: number) => count % 4 === 0],
  ])('is no limit where requests at one time are answered with 500 %s', async (_when, isBusy) => {
    let [inFlight, met] = [0, 0];
    const run = await runAgainst(limits, {
      // Whoever asks while somebody else is asking meets a locked database.
      answer: async (_answer, { route, actor }) => {
        if (route !== 'mentions' || actor === null) return undefined;
        inFlight += 1;
        const isAlone = inFlight === 1;
        await sleep(20);
        inFlight -= 1;
        met += isAlone ? 0 : 1;
        return !isAlone && isBusy(met) ? refusal(500) : undefined;
      },
    });
    expect(met).toBeGreaterThan(5);
    expect(findingsOf(run).filter((finding) => finding.includes('limit'))).toEqual([]);
    const reasons = run.checks.flatMap(({ clauses }) => clauses.flatMap(({ reason }) => reason ?? []));
    expect(reasons.join()).toContain('without a limit are not all answered either: status 500');
  });

  it('is not asked of a server whose hooks do nothing', async () => {
    const nothing = { call: () => Promise.resolve({}) };
    const target = (each: Target): Target =>
      withHooks({ rename: nothing, limit: nothing })({ ...each, settleMs: 60 });
    const run = await runAgainst([...limits, ...renames], {}, { target });
    expect(findingsOf(run)).toEqual([]);
    const open = Object.values(verdictsOf(run));
    expect(open).toEqual(open.map(() => 'inconclusive'));
    expect(open.length).toBeGreaterThan(3);
  });
});

it.each([
  'message.stays-as-written-when-names-change',
  'overview.the-membership-is-the-callers-own',
  'mentions.changes-take-nothing-away',
])('names that have to differ within a workspace are given by the operator for %s', async (id) => {
  const names = new Map<unknown, string>();
  // The check is alone, and asks for one workspace after the other.
  const provisioning = withAround(['provision'], (_, provision) => {
    names.clear();
    return provision();
  });
  const renaming = withAround(['rename'], async ({ kind, id: whose, display_name: name }, rename) => {
    const given = `${String(kind)} ${String(name)}`;
    const isTaken = [...names].some(([other, its]) => other !== whose && its === given);
    if (isTaken) throw new Error('the name is taken');
    names.set(whose, given);
    return rename();
  });
  const run = await runAgainst(id, {}, { target: (target) => renaming(provisioning(target)) });
  expect(names.size).toBeGreaterThan(0);
  expect([run.footer.reason, ...findingsOf(run)]).toEqual([undefined]);
  expect(Object.values(verdictsOf(run, id))).not.toContain('inconclusive');
});

/** What `hooks.provision` of the reference makes. */
interface Made {
  readonly agents?: readonly string[];
  readonly members?: number;
  readonly sharing: Readonly<Record<string, string>>;
  readonly without: Readonly<Record<string, string>>;
}

/** A target whose hook gives only what is left of what it made. */
function provisioning(left: (made: Made) => object): (target: Target) => Target {
  return withAround(['provision'], async (_, provision) => left((await provision()) as Made));
}

describe('what the operator adds', () => {
  it('says nothing of members where it added channels alone', async () => {
    const id = 'overview.lists-more-channels-and-members-than-a-page-has';
    const target = provisioning(({ members: _members, ...made }) => made);
    const run = await runAgainst(id, {}, { target });
    expect(verdictsOf(run, id)).toEqual({
      'overview.channels.lists-a-known-one': 'passed',
      'overview.members.lists-somebody': 'inconclusive',
    });
  });

  it.each([
    ['need not be members of a channel, all of them', () => false, 'passed'],
    ['are let in alike', (token: string, { without }: Made) => token !== without['machine'], 'warned'],
  ] as const)('%s', async (_what, mayRead, verdict) => {
    const id = 'auth.added-agents-are-let-in';
    const shutOut = new Set<string>();
    const run = await runAgainst(
      id,
      {
        answer: (_answer, { route, headers: { authorization } }) => {
          const token = String(authorization).replace('Bearer ', '');
          return route === 'read' && shutOut.has(token) ? refusal(403) : undefined;
        },
      },
      {
        target: provisioning((made) => {
          const { agents = [], sharing, without } = made;
          const added = [...agents, ...Object.values(sharing), ...Object.values(without)];
          for (const token of added) if (!mayRead(token, made)) shutOut.add(token);
          return made;
        }),
      },
    );
    expect(shutOut.size).toBeGreaterThan(0);
    expect(verdictsOf(run, id)).toEqual({
      [id]: verdict,
      'auth.api-key-accepted': 'passed',
      'auth.other-workspace-refused': 'passed',
    });
  });
});
