import { check } from '../../harness/check/check.ts';
import type { Check } from '../../harness/check/check.ts';
import { statusOf } from '../../harness/client/exchange.ts';
import { unmet } from '../../harness/verdict/outcome.ts';
import { seeAccessLostAndRegained } from '../arrange/auth/lost-access.ts';
import { mentionsCall } from '../arrange/auth/guarded-calls.ts';

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
      // Where one that never had access is let in, another clause is broken.
      const outsider = await context.optional('outsider')?.mentions({ limit: 1 });
      if (outsider !== undefined && ![401, 403].includes(statusOf(outsider) ?? 0))
        unmet('an agent without access is let in anyway', outsider);
      await seeAccessLostAndRegained(context, {
        calls: [mentionsCall],
        statuses: [401, 403],
        control: (agent, channelId) => agent.readChannel(channelId, { after: 0, limit: 1 }),
      });
    },
  ),
];
