import { requireMemory } from '../../../harness/check/check.ts';
import type { Context } from '../../../harness/check/context.ts';
import type { FreshWorkspace } from '../../../harness/check/fresh-workspace.ts';
import { isAccepted, statusOf, type Exchange } from '../../../harness/client/exchange.ts';
import type { NeedName } from '../../../harness/config/capabilities.ts';
import type { RoleName } from '../../../harness/config/roles.ts';
import { CheckStopped, describeAnswer, given, unmet } from '../../../harness/verdict/outcome.ts';
import { asText, valuesOf } from '../../../spec/oracles/values/json-texts.ts';
import { lacking } from '../provisioned.ts';
import { askAll, expectOfAll, isAsExpected, openForms, type Asked, type Expected } from './asked-forms.ts';
import type { Closing, ClosedTogether } from './closings.ts';
import { inFormsFor } from './guarded-calls.ts';

/**
 * Sees every form of a call opened to whom it is for, then closed to somebody else; what a refused send carried is
 * nowhere. Without the credential that opens the call the refusal is still judged, but never passes.
 */
export async function seeClosed(context: Context<NeedName>, closing: Closing): Promise<void> {
  const { kinds, others = [], holder: owner, rules, elsewhere, observed } = closing;
  const call = inFormsFor(
    closing.call,
    kinds.map(({ slug }) => slug),
  );
  if (owner !== undefined) await requireGood(context, owner);
  const forms = await openForms(context, call);
  const [{ control, place, holder }] = forms;
  if (control !== undefined) requireLetIn(control, `${call.holder} itself`);
  if (
    control !== undefined &&
    rules[0][1] === 'unlisted' &&
    isAsExpected({ exchange: control, place, control }, 'unlisted')
  )
    unmet('the list does not show the channel to the author either', control);
  const other = elsewhere && { form: elsewhere.call.forms[0], place, holder };
  const [refused, strange, there] = await Promise.all([
    askAll(context, call, forms, kinds),
    askAll(context, call, forms.slice(0, 1), others),
    elsewhere && other ? askAll(context, elsewhere.call, [other], kinds.slice(0, 1)) : [],
  ]);
  const admitted = strange.find(({ exchange }) => isAccepted(exchange))?.exchange;
  given(admitted === undefined, 'the call is open to any token, or without one', admitted);
  const [first = unmet('the target has no such credential')] = refused;
  if (control === undefined) for (const { exchange } of refused) requireService(exchange);
  if (observed !== undefined)
    context.observe(observed, `${call.slug} ${closing.words}`, toldBy(first.exchange));
  if (elsewhere !== undefined) requirePeculiar(refused, there, elsewhere.expected);
  for (const rule of rules) expectOfAll(context, rule, refused);
  await requireMemory(context);
  const drafts = refused.flatMap(({ draft, exchange }) => (isAccepted(exchange) ? [] : (draft ?? [])));
  if (control === undefined || drafts.length === 0) return;
  await context.expect.stream('send.refused-stores-nothing', context.channel).toNeverShow(...drafts);
}

/**
 * Sees a call closed to all whom it is closed to: what ends one of those looks ends none of the others, as not every token can
 * be made of another.
 */
export async function seeAllClosed(context: Context<NeedName>, { closings }: ClosedTogether): Promise<void> {
  const looks = await Promise.allSettled(closings.map((closing) => seeClosed(context, closing)));
  const ended = looks.flatMap((look) => (look.status === 'rejected' ? [look.reason as unknown] : []));
  const isUnmet = (reason: unknown): boolean =>
    reason instanceof CheckStopped && reason.stop.kind === 'unmet';
  const finding = ended.find((reason) => !isUnmet(reason));
  if (finding !== undefined) throw finding;
  if (ended.length === looks.length) throw ended[0];
}

/** Ends the check when a request that should be let in was not: then a refusal of its counterpart proves nothing. */
export function requireLetIn(exchange: Exchange, who: string): void {
  given(isAccepted(exchange), `the same request was not accepted from ${who}`, exchange);
}

/**
 * Ends the check when an answer may be that of another server at the wrong address. Asked only where no credential has
 * shown that the service is there.
 */
function requireService(exchange: Exchange): void {
  const { response } = exchange;
  if (response === undefined) return;
  if (response.status === 404 || response.json === undefined) {
    unmet('nothing has shown yet that the service is at base_url', exchange);
  }
}

/** Ends the check unless a credential is good for something: refused everywhere it proves nothing of one call. */
async function requireGood(context: Context<NeedName>, role: RoleName): Promise<void> {
  const { channel, identities, optional } = context;
  const holder = optional(role) ?? unmet(lacking(role));
  if (role === 'machine')
    return requireLetIn(await holder.overview(await identities.workspaceId()), 'machine on its own surface');
  const mentions = await holder.mentions({ limit: 1 });
  if (role !== 'outsider') return requireLetIn(mentions, `${role} where it belongs`);
  // Whether an agent that lost its access still authenticates is the server's choice, and only one that does gets a 403. What else a
  // call answers may be about what it is asked for, before anybody asks who it is.
  const others = [holder.channels(), holder.readChannel(channel.id, { after: 0, limit: 1 })];
  const isKnown = [mentions, ...(await Promise.all(others))].some(
    (answer) => isAccepted(answer) || [403, 404].includes(statusOf(answer) ?? 0),
  );
  given(isKnown, 'no call shows that the credential of outsider authenticates', mentions);
}

/** Ends the check when another call goes wrong in the same way: the clause about all calls then names it. */
function requirePeculiar(refused: readonly Asked[], [there]: readonly Asked[], expected: Expected): void {
  if (there === undefined) return;
  const elsewhere = there.exchange;
  for (const asked of refused) {
    const status = statusOf(asked.exchange);
    const isCommon = status === statusOf(elsewhere) || (isAccepted(asked.exchange) && isAccepted(elsewhere));
    if (!isAsExpected(asked, expected) && isCommon)
      unmet(`not peculiar to the call: another is answered with ${status} as well`, elsewhere);
  }
}

/** With which status and code it is refused. */
function toldBy(exchange: Exchange): string {
  const [code = 'none'] = valuesOf(exchange.response?.json, 'code');
  return `${describeAnswer(exchange)}, code ${asText(code)}`;
}

/** True of an answer that says that the credential opens nothing there: no limit and no error of the server, which pass. */
export function isShutOut(exchange: Exchange): boolean {
  return [401, 403, 404].includes(statusOf(exchange) ?? 0);
}

/** The call of somebody in a fresh workspace: the mentions, or the overview of a machine. */
export function useOf(fresh: FreshWorkspace, role: RoleName): Promise<Exchange> {
  const actor = fresh.actor(role);
  return role === 'machine' ? actor.overview(fresh.workspaceId) : actor.mentions({ limit: 1 });
}
