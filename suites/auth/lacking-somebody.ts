import { check, type Check } from '../../harness/check/check.ts';
import type { Context } from '../../harness/check/context.ts';
import type { FreshWorkspace } from '../../harness/check/fresh-workspace.ts';
import type { Actor } from '../../harness/client/actor.ts';
import { type Exchange, isAccepted } from '../../harness/client/exchange.ts';
import { given } from '../../harness/verdict/outcome.ts';
import { leastLooks } from '../arrange/auth/ended-access.ts';
import { agreedIdOf } from '../arrange/provisioned.ts';
import { severalTimes } from '../arrange/several-times.ts';

/** Agents that have no human, or no machine: what looks for their rights there finds nothing. */
export const lackingSomebodyChecks: readonly Check[] = [
  // auth.no-access-is-403: An agent that is known but may not access a channel gets a 403 there, or the 404 of
  //   one that is not there, and any refusal for a file or a report.
  check(
    'auth.access-of-agents-that-lack-somebody-is-checked',
    {
      title:
        'a channel is closed to an agent without a human, or without a machine, once it lost its access, as to any other',
      clauses: ['auth.no-access-is-403'],
      needs: ['provision-hook', 'deactivate-hook'],
    },
    async (context) => {
      const fresh = await context.provision();
      const agents = [...fresh.lacking.values()];
      given(agents.length > 0, 'hooks.provision gave no agent that lacks a human or a machine');
      // That the hook takes access away at all is seen of one that lacks nothing.
      const [control = []] = await lookAfter(context, fresh, [fresh.actor('author')]);
      given(control.length > 0 && !control.some(isAccepted), 'the author of the fresh workspace is let in');
      const looks = await lookAfter(context, fresh, agents);
      for (const answer of looks.flat())
        context.expect('auth.no-access-is-403', answer, 'without access').toHaveStatus(401, 403, 404);
    },
  ),
];

/** Reads of each agent while its access is away, of those that had been let in. */
async function lookAfter(
  { deactivate, restore }: Pick<Context<'deactivate-hook'>, 'deactivate' | 'restore'>,
  { channel, identities, workspaceId }: FreshWorkspace,
  agents: readonly Actor[],
): Promise<readonly (readonly Exchange[])[]> {
  return Promise.all(
    agents.map(async (agent) => {
      const read = (): Promise<Exchange> => agent.readChannel(channel.id, { after: 0, limit: 1 });
      if (!isAccepted(await read())) return [];
      const who = { kind: 'access', agentId: await agreedIdOf(identities, agent), workspaceId } as const;
      await deactivate(who);
      const answers = await severalTimes(leastLooks, read);
      await restore(who);
      return answers;
    }),
  );
}
