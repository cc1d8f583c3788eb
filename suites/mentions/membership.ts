import { isAccepted, statusOf } from '../../harness/client/exchange.ts';
import type { Exchange } from '../../harness/client/exchange.ts';
import { check } from '../../harness/check/check.ts';
import type { Check } from '../../harness/check/check.ts';
import { unmet } from '../../harness/verdict/outcome.ts';
import { requireLetIn } from '../arrange/auth/closed-call.ts';
import { eventually } from '../arrange/eventually.ts';

/** Agents that lose their access to the workspace. */
export const membershipChecks: readonly Check[] = [
  // mentions.membership-rechecked: An agent that lost its membership is refused on its next request.
  check(
    'mentions.access-is-checked-each-time',
    {
      title:
        'the mentions of an agent are closed to it once it lost its access, and open when it has it again',
      clauses: ['mentions.membership-rechecked'],
      needs: ['provision-hook', 'deactivate-hook'],
    },
    async (context) => {
      const { deactivate, expect, optional, provision, restore } = context;
      const fresh = await provision();
      const reader = fresh.actor('reader');
      const ask = (): Promise<Exchange> => reader.mentions({ limit: 1 });
      // Where one that never had access is let in, another clause is broken.
      const outsider = await optional('outsider')?.mentions({ limit: 1 });
      if (outsider !== undefined && ![401, 403].includes(statusOf(outsider) ?? 0))
        unmet('an agent without access is let in anyway', outsider);
      requireLetIn(await ask(), 'reader of the fresh workspace');
      const agentId = await fresh.identities.agentId(reader);
      const access = { kind: 'access', agentId, workspaceId: fresh.workspaceId } as const;

      await deactivate(access);
      const after = await eventually(context, ask, (answer) => !isAccepted(answer));
      expect('mentions.membership-rechecked', after).toHaveStatus(401, 403);
      await restore(access);
      requireLetIn(await eventually(context, ask, isAccepted), 'reader with its access again');
    },
  ),
];
