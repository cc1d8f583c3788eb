import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { AnsweredRequest } from '../../../reference/index.ts';
import type { Workspace } from '../../../spec/index.ts';
import { overviewChecks as everyOverviewChecks } from '../../../suites/overview/index.ts';
import { answering, findingsOfBroken, fromTime, refusal, withRules } from '../auth/broken-server.ts';
import type { BrokenServer } from '../auth/broken-server.ts';
import { plausibleOverview } from '../../../selftest/degenerate/answers/plausible-bodies.ts';
import { findingsOf, notPassed, runAgainst } from '../run-suite.ts';
import { withoutOperator } from '../operator-checks.ts';

const overviewChecks = withoutOperator(everyOverviewChecks);

const isOverview = ({ route }: AnsweredRequest): boolean => route === 'overview';

/** Shows a workspace to a machine under an address that satisfies `isMeant`. */
const showing = (workspaceId: string | undefined, isMeant: (address: string) => boolean) => () =>
  answering(
    ({ route, path, actor }) =>
      route === 'overview' && actor !== null && isMeant(decodeURIComponent(path.split('/').at(-1) ?? '')),
    ({ path }) => ({
      status: 200,
      headers: {},
      body: plausibleOverview(workspaceId ?? path.split('/').at(-1) ?? ''),
    }),
  );

/** The first overview of a run is preflight's, for the machine's own workspace. */
const remembering = () => {
  let own: string | undefined;
  return (address: string): boolean => {
    own ??= address;
    return address !== own;
  };
};

const isNeighbour = () => {
  let own: string | undefined;
  return (address: string): boolean => {
    own ??= address;
    return address !== own && address.slice(0, -1) === own.slice(0, -1) && address.length === own.length;
  };
};

const broken: readonly BrokenServer[] = [
  {
    check: 'overview.machine-sees-its-own-workspace',
    findings: ['overview.success-is-2xx failed'],
    options: () => answering(fromTime(3, isOverview), refusal(403)),
  },
  {
    check: 'overview.machine-sees-its-own-workspace',
    findings: ['overview.workspace.is-the-requested failed'],
    options: () => withRules({ presentWorkspace: (workspace) => ({ ...workspace, id: randomUUID() }) }),
  },
  {
    check: 'overview.machines-of-two-workspaces-see-their-own',
    findings: ['overview.workspace.is-the-requested failed'],
    options: () => {
      let first: Partial<Workspace> | undefined;
      return withRules({ presentWorkspace: (workspace) => (first ??= workspace) });
    },
  },
  {
    check: 'overview.the-membership-belongs-to-the-workspace',
    findings: ['membership.workspace-id.is-the-workspace warned'],
    options: () => withRules({ presentMembership: (own) => ({ ...own, workspace_id: randomUUID() }) }),
  },
  {
    check: 'overview.the-channels-belong-to-the-workspace',
    findings: ['channel.workspace-id.is-the-workspace warned'],
    options: () => withRules({ presentChannel: (channel) => ({ ...channel, workspace_id: randomUUID() }) }),
  },
  {
    check: 'overview.lists-a-known-channel',
    findings: ['overview.channels.lists-a-known-one warned'],
    options: () => withRules({ isChannelListed: () => false }),
  },
  {
    check: 'overview.lists-active-members-only',
    findings: ['overview.members.active-only failed'],
    options: () => withRules({ isMemberListed: () => true }),
  },
  {
    check: 'overview.unknown-workspace-is-refused',
    findings: ['overview.own-workspace-only failed'],
    options: () => showing(undefined, remembering())(),
  },
  {
    check: 'overview.unknown-workspace-is-refused',
    findings: ['overview.exact-workspace-id failed'],
    options: () => {
      let own: string | undefined;
      return answering(
        ({ route, path }) =>
          route === 'overview' && path.split('/').at(-1) !== (own ??= path.split('/').at(-1)),
        () => ({ status: 200, headers: {}, body: plausibleOverview(own ?? '') }),
      );
    },
  },
  {
    check: 'overview.another-workspace-is-refused',
    findings: ['overview.own-workspace-only failed'],
    options: () =>
      withRules({
        mayOverview: () => true,
        isLinkedMembershipActive: () => true,
        isCallersMembership: () => true,
      }),
  },
  {
    check: 'overview.id-with-another-last-digit-is-refused',
    findings: ['overview.exact-workspace-id failed'],
    options: () => showing(undefined, isNeighbour())(),
  },
  {
    check: 'overview.id-without-its-last-digit-is-refused',
    findings: ['overview.exact-workspace-id failed'],
    options: () => showing(randomUUID(), (address) => address.length === 35)(),
  },
  {
    check: 'overview.id-with-a-digit-more-is-refused',
    findings: ['overview.exact-workspace-id failed'],
    options: () => showing(randomUUID(), (address) => address.length === 37)(),
  },
];

describe('what a machine is shown', () => {
  it('is as the contract says on the reference, by every check', async () => {
    const run = await runAgainst(overviewChecks);
    expect(run.footer.end).toBe('complete');
    expect(notPassed(run)).toEqual([]);
    expect(findingsOf(run)).toEqual([]);
  });

  it('is held by no check that has not been seen to fail', () => {
    expect([...new Set(broken.map(({ check }) => check))]).toEqual(overviewChecks.map(({ id }) => id));
  });

  it.each(broken)('is found wrong by $check: $findings', async (row) => {
    expect(await findingsOfBroken(overviewChecks, row)).toEqual(row.findings);
  });

  it('may leave out or empty every field, and have words of its own', async () => {
    const withoutFields = (): Record<string, never> => ({});
    const bare = await runAgainst(
      overviewChecks,
      withRules({ presentMembership: withoutFields, presentMember: withoutFields }),
    );
    expect(findingsOf(bare)).toEqual([]);
    const worded = await runAgainst(
      overviewChecks,
      withRules({ presentMember: (member) => ({ ...member, status: 'enabled', role: 'captain' }) }),
    );
    expect(findingsOf(worded)).toEqual([]);
  });
});
