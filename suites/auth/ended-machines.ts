import { isAccepted } from '../../harness/client/exchange.ts';
import type { Exchange } from '../../harness/client/exchange.ts';
import { check } from '../../harness/check/check.ts';
import type { Check } from '../../harness/check/check.ts';
import type { FreshWorkspace } from '../../harness/check/fresh-workspace.ts';
import type { Lifecycle } from '../../harness/check/hook-fixtures.ts';
import type { Provenance } from '../../harness/stream/identities.ts';
import { given, unmet } from '../../harness/verdict/outcome.ts';
import { isSameId } from '../../oracles/answers/overview.ts';
import { endedMachines } from '../arrange/auth/access-matrix.ts';
import { requireLetIn } from '../arrange/auth/closed-call.ts';
import { eventually } from '../arrange/eventually.ts';
import { humanIn } from '../arrange/overview/parts.ts';

const needs = ['provision-hook', 'deactivate-hook'] as const;

/** How each of them is told, and who loses what. */
const facts = {
  'inactive-machine': {
    title:
      'the token of a machine opens nothing while the machine is inactive, and the overview again afterwards',
    whoIn: machineOf,
  },
  'human-without-membership': {
    title:
      'the token of a machine opens nothing while its human is not a member, and the overview again afterwards',
    whoIn: memberOf,
  },
} as const;

/** Machine tokens that worked and no longer do. */
export const endedMachineChecks: readonly Check[] = endedMachines.map(({ slug, clause }) =>
  // ids: auth.machine-token-of-inactive-machine-is-refused,
  //   auth.machine-token-of-human-without-membership-is-refused
  // auth.machine-lifecycle: The token of a machine that is no longer active opens nothing.
  // auth.machine-membership: The token of a machine whose human lost the membership opens nothing.
  check(
    `auth.machine-token-of-${slug}-is-refused`,
    { title: facts[slug].title, clauses: [clause], needs },
    async (context) => {
      const { deactivate, expect, provision, restore } = context;
      const fresh = await provision();
      const ask = (): Promise<Exchange> => fresh.actor('machine').overview(fresh.workspaceId);
      const before = await ask();
      requireLetIn(before, 'machine of the fresh workspace');
      const who = await facts[slug].whoIn(fresh, before);

      await deactivate(who);
      const after = await eventually(context, ask, (answer) => !isAccepted(answer));
      requireCaller(slug, before, {
        after,
        reader: await fresh.identities.provenance(fresh.actor('reader')),
      });
      expect(clause, after).toBeRefused();
      context.noteSituation(clause, { call: 'overview', credential: slug, form: 'baseline' });
      await restore(who);
      requireLetIn(await eventually(context, ask, isAccepted), 'machine when all is as before');
    },
  ),
);

/** The reader's machine: whoever provisions gives its token to the machine role. */
async function machineOf(fresh: FreshWorkspace, before: Exchange): Promise<Lifecycle> {
  const { humanUserId, machineId } = await fresh.identities.provenance(fresh.actor('reader'));
  given(machineId !== undefined, 'reader has no machine in the fresh workspace');
  if (humanUserId === undefined || !isSameId(humanUserId, humanIn(before)))
    unmet('the machine token of the fresh workspace is not that of the reader’s machine', before);
  return { kind: 'machine', machineId, workspaceId: fresh.workspaceId };
}

/** Where the overview shows a membership that is not the caller's, another clause is broken. */
function requireCaller(
  slug: string,
  before: Exchange,
  { after, reader }: { readonly after: Exchange; readonly reader: Provenance },
): void {
  if (slug !== 'human-without-membership' || !isAccepted(after)) return;
  const isReaders = reader.humanUserId !== undefined && isSameId(reader.humanUserId, humanIn(before));
  given(isReaders, 'the overview shows the membership of another human than the reader’s', before);
}

function memberOf(fresh: FreshWorkspace, before: Exchange): Lifecycle {
  return { kind: 'membership', humanUserId: humanIn(before), workspaceId: fresh.workspaceId };
}
