import type { Actor } from '../../../harness/client/actor.ts';
import { isAccepted, statusOf } from '../../../harness/client/exchange.ts';
import type { Exchange } from '../../../harness/client/exchange.ts';
import type { Context } from '../../../harness/check/context.ts';
import { requireMemory } from '../../../harness/check/memory.ts';
import { given, unmet } from '../../../harness/verdict/outcome.ts';
import type { NeedName } from '../../../harness/config/capabilities.ts';
import { askAll, openForms } from './asked-forms.ts';
import type { Asked } from './asked-forms.ts';
import type { CredentialKind } from './credential-faults.ts';
import type { GuardedCall } from './guarded-calls.ts';

/** The part of a check that differs from one refusal to the next. */
interface Closing {
  /** One that nobody can know, where a server that lets it in breaks another clause. */
  readonly unknown?: CredentialKind | undefined;
  /** The credentials of somebody who must not get in. */
  readonly kinds: readonly CredentialKind[];
  readonly judge: (refused: readonly Asked[]) => void;
}

/**
 * Sees every form of a call opened to whom it is for, then closed to somebody else; what a refused send carried is
 * nowhere. Without the credential that opens the call the refusal is still judged, but never passes.
 */
export async function seeClosed(
  context: Context<NeedName>,
  call: GuardedCall,
  { kinds, unknown, judge }: Closing,
): Promise<void> {
  const forms = await openForms(context, call);
  const [{ control }] = forms;
  if (control !== undefined) requireLetIn(control, `${call.holder} itself`);
  const [refused, strange] = await Promise.all([
    askAll(context, call, forms, kinds),
    askAll(context, call, forms.slice(0, 1), unknown === undefined ? [] : [unknown]),
  ]);
  const admitted = strange.find(({ exchange }) => isAccepted(exchange))?.exchange;
  given(admitted === undefined, 'the call is open to any token', admitted);
  given(refused.length > 0, 'the target has no such credential');
  if (control === undefined) for (const { exchange } of refused) requireService(exchange);
  judge(refused);
  await requireMemory(context);
  const drafts = refused.flatMap(({ draft, exchange }) => (isAccepted(exchange) ? [] : (draft ?? [])));
  if (control === undefined || drafts.length === 0) return;
  await context.expect.stream('send.refused-stores-nothing', context.channel).toNeverShow(...drafts);
}

/** Ends the check when a request that should be let in was not: then a refusal of its counterpart proves nothing. */
export function requireLetIn(exchange: Exchange, who: string): void {
  given(isAccepted(exchange), `the same request was not accepted from ${who}`, exchange);
}

/**
 * Ends the check when an answer may be that of another server at the wrong address. Asked only where no credential has
 * shown that the service is there.
 */
export function requireService(exchange: Exchange): void {
  const { response } = exchange;
  if (response === undefined) return;
  if (response.status === 404 || response.json === undefined) {
    unmet('nothing has shown yet that the service is at base_url', exchange);
  }
}

/**
 * Ends the check when every call answers the outsider with 401: whether an agent that lost its access still
 * authenticates is the server's choice, and only an agent that does gets a 403.
 */
export async function requireKnown(outsider: Actor, channelId: string): Promise<void> {
  const answers = await Promise.all([
    outsider.mentions({ limit: 1 }),
    outsider.channels(),
    outsider.readChannel(channelId, { after: 0, limit: 1 }),
  ]);
  if (answers.every((answer) => statusOf(answer) === 401)) {
    unmet('the credential of outsider does not authenticate: every call answers it with 401', answers[0]);
  }
}
