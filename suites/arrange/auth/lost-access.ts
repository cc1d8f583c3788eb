import type { Actor } from '../../../harness/client/actor.ts';
import { isAccepted } from '../../../harness/client/exchange.ts';
import type { Exchange } from '../../../harness/client/exchange.ts';
import type { Always, Context } from '../../../harness/check/context.ts';
import { describeAnswer } from '../../../harness/verdict/outcome.ts';
import { eventually } from '../eventually.ts';
import { clauseOfLost, clauseOfRegained } from './access-matrix.ts';
import { expectOfAll, isRefusedForMore } from './asked-forms.ts';
import type { Asked } from './asked-forms.ts';
import { requireLetIn } from './closed-call.ts';
import { askAgain, formerHolder, isClosed, useAll } from './ended-access.ts';
import { channelsListCall } from './guarded-calls.ts';
import type { GuardedCall } from './guarded-calls.ts';
import { freshPlace } from './places.ts';

const lost = formerHolder('access-lost', 'as an agent that lost its access');
const regained = formerHolder('access-regained', 'as an agent that has its access again');

/** What is closed and opened again, and how that is told. */
interface Loss {
  readonly calls: readonly GuardedCall[];
  /** Those that keep somebody without access out. */
  readonly statuses: readonly number[];
  /** Another request, which shows whether the access is back at all. */
  readonly control: (agent: Actor, channelId: string) => Promise<Exchange>;
}

/** Sees calls closed to an agent once it lost its access, in every form, and open when it has it again. */
export async function seeAccessLostAndRegained(
  context: Context<'provision-hook' | 'deactivate-hook'>,
  { calls, statuses, control }: Loss,
): Promise<void> {
  const place = await freshPlace(context);
  const { fresh, channel } = place;
  const [author, reader] = [fresh.actor('author'), fresh.actor('reader')];
  const [used = []] = await useAll(context, [{ place, calls }]);
  const access = {
    kind: 'access',
    agentId: await fresh.identities.agentId(author),
    workspaceId: fresh.workspaceId,
  } as const;

  await context.deactivate(access);
  const closed = await askAgain(context, [{ used, kind: lost }], (asked) => isClosed(asked, channel.id));
  requireLetIn(await control(reader, channel.id), 'reader of the fresh workspace');
  // What is only inferred comes last: it does not end the check.
  for (const call of calls.toSorted((one, other) => levelOf(one) - levelOf(other))) {
    const own = closed.filter((asked) => asked.call === call.slug && !isRefusedForMore(asked));
    if (call === channelsListCall) expectNoChannel(context, own, channel.id);
    else expectOfAll(context, clauseOfLost(call), own, statuses);
  }

  await context.restore(access);
  const back = await eventually(context, () => control(author, channel.id), isAccepted);
  requireLetIn(back, 'author with its access again');
  const open = await askAgain(context, [{ used, kind: regained }], ({ exchange }) => isAccepted(exchange));
  for (const call of calls)
    expectOfAll(
      context,
      clauseOfRegained(call),
      open.filter((asked) => asked.call === call.slug),
      'accepted',
    );
}

function levelOf(call: GuardedCall): number {
  return call === channelsListCall ? 1 : 0;
}

/** Judges lists of channels that somebody without access was shown. */
export function expectNoChannel(
  { expect, noteSituation }: Pick<Always, 'expect' | 'noteSituation'>,
  listed: readonly Asked[],
  channelId: string,
): void {
  const clause = 'auth.no-access-lists-no-channel';
  for (const asked of listed) {
    const { call, kind, form, exchange } = asked;
    const expected = `no channel of the workspace in a list that is asked for ${kind.words}`;
    const problem = { expected, actual: `${describeAnswer(exchange)}, with channel ${channelId}` };
    expect.holds(clause, isClosed(asked, channelId), problem, exchange);
    noteSituation(clause, { call, credential: kind.slug, form: form.slug });
  }
}
