import { isAccepted } from '../../harness/client/exchange.ts';
import type { Exchange } from '../../harness/client/exchange.ts';
import { check } from '../../harness/check/check.ts';
import type { Check } from '../../harness/check/check.ts';
import type { FreshWorkspace } from '../../harness/check/fresh-workspace.ts';
import type { Lifecycle } from '../../harness/check/hook-fixtures.ts';
import { describeAnswer, unarranged } from '../../harness/verdict/outcome.ts';
import { hasId, isSameId } from '../../oracles/answers/overview.ts';
import { requireAccepted } from '../arrange/auth/closed-call.ts';
import { eventually } from '../arrange/eventually.ts';
import { overviewIn } from '../arrange/overview/parts.ts';

const needs = ['provision-hook', 'deactivate-hook'] as const;

/** What ends the use of a machine token. */
const ends = [
  {
    slug: 'inactive-machine',
    clause: 'auth.machine-lifecycle',
    title:
      'the token of a machine opens nothing while the machine is not active, and the overview again after that',
    whoIn: machineOf,
  },
  {
    slug: 'human-without-membership',
    clause: 'auth.machine-membership',
    title:
      'the token of a machine opens nothing while its human is no member, and the overview again after that',
    whoIn: memberOf,
  },
] as const;

const machineTokens = ends.map(({ slug, clause, title, whoIn }) =>
  check(`auth.machine-token-of-${slug}-is-refused`, { title, clauses: [clause], needs }, async (context) => {
    const { deactivate, expect, provision, restore } = context;
    const fresh = await provision();
    const ask = (): Promise<Exchange> => fresh.actor('machine').overview(fresh.workspaceId);
    const before = await ask();
    requireAccepted(before, 'machine of the fresh workspace');
    const who = await whoIn(fresh, before);

    await deactivate(who);
    const after = await eventually(context, ask, (answer) => !isAccepted(answer));
    expect(clause, after).toBeRefused();
    await restore(who);
    requireAccepted(await eventually(context, ask, isAccepted), 'machine when all is as before');
  }),
);

const formerMember = check(
  'overview.a-former-member-is-not-listed',
  {
    title: 'a member whose membership ended is no longer among the members, and the others still are',
    clauses: ['overview.members.active-only'],
    needs,
  },
  async (context) => {
    const { deactivate, expect, provision } = context;
    const fresh = await provision();
    const ask = (): Promise<Exchange> => fresh.actor('machine').overview(fresh.workspaceId);
    const before = await ask();
    requireAccepted(before, 'machine of the fresh workspace');
    const own = humanIn(before);
    const { humanUserId } = await fresh.identities.provenance(fresh.actor('author'));
    if (humanUserId === undefined || isSameId(humanUserId, own)) unarranged('author has no human of its own');
    const lists = (answer: Exchange, id: string): boolean => hasId(overviewIn(answer).members, id);
    if (!lists(before, humanUserId))
      unarranged('the members have other ids than the humans they are', before);

    await deactivate({ kind: 'membership', humanUserId, workspaceId: fresh.workspaceId });
    const after = await eventually(context, ask, (answer) => !lists(answer, humanUserId));
    requireAccepted(after, 'machine after a member left');
    if (lists(before, own) && !lists(after, own)) unarranged('nobody is listed any more', after);
    const problem = { expected: `${humanUserId} not among the members`, actual: 'it is' };
    expect.holds('overview.members.active-only', !lists(after, humanUserId), problem, after);
  },
);

/** Machines and members whose time is over. */
export const machineChecks: readonly Check[] = [...machineTokens, formerMember];

/** The reader's machine: whoever provisions gives its token to the machine role. */
async function machineOf(fresh: FreshWorkspace, before: Exchange): Promise<Lifecycle> {
  const { humanUserId, machineId } = await fresh.identities.provenance(fresh.actor('reader'));
  if (machineId === undefined) unarranged('reader has no machine in the fresh workspace');
  if (humanUserId === undefined || !isSameId(humanUserId, humanIn(before)))
    unarranged('the machine token of the fresh workspace is not that of the reader’s machine', before);
  return { kind: 'machine', machineId, workspaceId: fresh.workspaceId };
}

function memberOf(fresh: FreshWorkspace, before: Exchange): Lifecycle {
  return { kind: 'membership', humanUserId: humanIn(before), workspaceId: fresh.workspaceId };
}

/** The human behind the machine token, as its own membership says. */
function humanIn(overview: Exchange): string {
  const { human_user_id: id } = overviewIn(overview).membership;
  if (typeof id === 'string') return id;
  return unarranged(
    `the overview does not say whose membership it shows: ${describeAnswer(overview)}`,
    overview,
  );
}
