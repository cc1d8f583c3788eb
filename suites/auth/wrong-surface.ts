import { check } from '../../harness/check/check.ts';
import type { Check } from '../../harness/check/check.ts';
import { describeAnswer } from '../../harness/verdict/outcome.ts';
import { expectOfAll } from '../arrange/auth/asked-forms.ts';
import { ofRole } from '../arrange/auth/credential-faults.ts';
import { requireLetIn, seeClosed } from '../arrange/auth/closed-call.ts';
import { agentCalls } from '../arrange/auth/access-matrix.ts';
import { clausesOfRefusal, isRead, needsOf, overviewCall } from '../arrange/auth/guarded-calls.ts';
import type { GuardedCall } from '../arrange/auth/guarded-calls.ts';

export const wrongSurfaceChecks: readonly Check[] = [
  ...agentCalls.map(machineCheck),
  agentCheck('author', 'an agent token'),
  agentCheck('api-key', 'a workspace API key'),
];

function machineCheck(call: GuardedCall): Check {
  // ids: auth.machine-token-does-not-open-mentions, auth.machine-token-does-not-open-channels-list,
  //   auth.machine-token-does-not-open-channel-read, auth.machine-token-does-not-open-send,
  //   auth.machine-token-does-not-open-receipts-list
  // auth.machine-token-refused-on-agent-surface: A machine token does not open the agent surface.
  return check(
    `auth.machine-token-does-not-open-${call.slug}`,
    {
      title: `the ${call.slug} call refuses a machine token`,
      clauses: ['auth.machine-token-refused-on-agent-surface', ...clausesOfRefusal(call)],
      needs: needsOf(call, 'machine', 'workspace', 'author', 'channel'),
      isReadOnly: isRead(call),
    },
    async (context) => {
      const { machine, identities, observe } = context;
      requireLetIn(await machine.overview(await identities.workspaceId()), 'machine on its own surface');
      await seeClosed(context, call, {
        kinds: [ofRole('machine', 'with a machine token')],
        judge: (refused) => {
          for (const { exchange } of refused.slice(0, 1))
            observe('auth.wrong-surface-status', `machine-token-on-${call.slug}`, describeAnswer(exchange));
          expectOfAll(context, 'auth.machine-token-refused-on-agent-surface', refused, 'refused');
        },
      });
    },
  );
}

function agentCheck(role: 'author' | 'api-key', who: string): Check {
  // ids: auth.agent-token-does-not-open-overview, auth.api-key-does-not-open-overview
  // overview.requires-a-machine-token: A credential of the agent surface does not open the overview.
  return check(
    `auth.${role === 'author' ? 'agent-token' : role}-does-not-open-overview`,
    {
      title: `the overview refuses ${who}`,
      clauses: ['overview.requires-a-machine-token'],
      needs: needsOf(overviewCall, role, 'author', 'channel'),
      isReadOnly: true,
    },
    async (context) => {
      const agent = role === 'author' ? context.author : context.apiKey;
      requireLetIn(await agent.mentions({ limit: 1 }), `${role} on its own surface`);
      await seeClosed(context, overviewCall, {
        kinds: [ofRole(role, `with ${who}`)],
        judge: (refused) => {
          for (const { exchange } of refused)
            context.observe('auth.wrong-surface-status', `${role}-on-the-overview`, describeAnswer(exchange));
          expectOfAll(context, 'overview.requires-a-machine-token', refused, 'refused');
        },
      });
    },
  );
}
