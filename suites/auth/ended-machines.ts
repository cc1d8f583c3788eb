import { isAccepted } from '../../harness/client/exchange.ts';
import type { Exchange } from '../../harness/client/exchange.ts';
import { check } from '../../harness/check/check.ts';
import type { Check } from '../../harness/check/check.ts';
import type { FreshWorkspace } from '../../harness/check/fresh-workspace.ts';
import type { Lifecycle } from '../../harness/check/hook-fixtures.ts';
import { given, unmet } from '../../harness/verdict/outcome.ts';
import { isSameId } from '../../oracles/answers/overview.ts';
import { requireLetIn } from '../arrange/auth/closed-call.ts';
import { eventually } from '../arrange/eventually.ts';
import { humanIn } from '../arrange/overview/parts.ts';

const needs = ['provision-hook', 'deactivate-hook'] as const;

/** What ends the use of a machine token. */
const ends = [
  {
    slug: 'inactive-machine',
    clause: 'auth.machine-lifecycle',
    title:
      'the token of a machine opens nothing while the machine is inactive, and the overview again afterwards',
    whoIn: machineOf,
  },
  {
    slug: 'human-without-membership',
    clause: 'auth.machine-membership',
    title:
      'the token of a machine opens nothing while its human is not a member, and the overview again afterwards',
    whoIn: memberOf,
  },
] as const;

/** Machine tokens that worked and no longer do. */
export const endedMachineChecks: readonly Check[] = ends.map(({ slug, clause, title, whoIn }) =>
  // ids: auth.machine-token-of-inactive-machine-is-refused,
  //   auth.machine-token-of-human-without-membership-is-refused
  // auth.machine-lifecycle: The token of a machine that is no longer active opens nothing.
  // auth.machine-membership: The token of a machine whose human lost the membership opens nothing.
  check(`auth.machine-token-of-${slug}-is-refused`, { title, clauses: [clause], needs }, async (context) => {
    const { deactivate, expect, provision, restore } = context;
    const fresh = await provision();
    const ask = (): Promise<Exchange> => fresh.actor('machine').overview(fresh.workspaceId);
    const before = await ask();
    requireLetIn(before, 'machine of the fresh workspace');
    const who = await whoIn(fresh, before);

    await deactivate(who);
    const after = await eventually(context, ask, (answer) => !isAccepted(answer));
    expect(clause, after).toBeRefused();
    await restore(who);
    requireLetIn(await eventually(context, ask, isAccepted), 'machine when all is as before');
  }),
);

/** The reader's machine: whoever provisions gives its token to the machine role. */
async function machineOf(fresh: FreshWorkspace, before: Exchange): Promise<Lifecycle> {
  const { humanUserId, machineId } = await fresh.identities.provenance(fresh.actor('reader'));
  given(machineId !== undefined, 'reader has no machine in the fresh workspace');
  if (humanUserId === undefined || !isSameId(humanUserId, humanIn(before)))
    unmet('the machine token of the fresh workspace is not that of the reader’s machine', before);
  return { kind: 'machine', machineId, workspaceId: fresh.workspaceId };
}

function memberOf(fresh: FreshWorkspace, before: Exchange): Lifecycle {
  return { kind: 'membership', humanUserId: humanIn(before), workspaceId: fresh.workspaceId };
}
