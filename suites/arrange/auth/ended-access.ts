import { isAccepted } from '../../../harness/client/exchange.ts';
import type { Always } from '../../../harness/check/context.ts';
import { given } from '../../../harness/verdict/outcome.ts';
import { isSameId } from '../../../oracles/answers/overview.ts';
import { idsIn } from '../../../oracles/values/json-texts.ts';
import { eventually } from '../eventually.ts';
import { askAll, openFormsIn } from './asked-forms.ts';
import type { Asked, PlacedForm } from './asked-forms.ts';
import type { CredentialKind } from './credential-faults.ts';
import type { GuardedCall } from './guarded-calls.ts';
import type { Place } from './places.ts';

/** Forms of a call that somebody has used. */
export interface UsedForms {
  readonly call: GuardedCall;
  readonly forms: readonly PlacedForm[];
}

/** Uses every form of some calls that is open to whom they are for; ends the check when none is. */
export async function useAll(
  context: Always,
  place: Place,
  calls: readonly GuardedCall[],
): Promise<readonly UsedForms[]> {
  const used = calls.map(async (call) => ({ call, forms: await openFormsIn(context, place, call) }));
  const all = await Promise.all(used);
  given(
    all.some(({ forms }) => forms.length > 0),
    'no call was accepted before',
  );
  return all;
}

/** Whoever holds the credential that opened the forms. */
export function formerHolder(slug: string, words: string): CredentialKind {
  return { slug, words, speaker: ({ holder }) => holder && ((request) => holder.request(request)) };
}

/** Sends every form that was used once more, for as long as an answer to it may still change; the last answer to each. */
export async function askAgain(
  context: Always,
  used: readonly UsedForms[],
  kind: CredentialKind,
  isEnough: (asked: Asked) => boolean,
): Promise<readonly Asked[]> {
  const enough: Asked[] = [];
  const ask = async (): Promise<readonly Asked[]> => {
    const isLeft = ({ slug }: GuardedCall, { form }: PlacedForm): boolean =>
      !enough.some((each) => each.call === slug && each.form === form);
    const all = await Promise.all(
      used.map(({ call, forms }) =>
        askAll(
          context,
          call,
          forms.filter((form) => isLeft(call, form)),
          [kind],
        ),
      ),
    );
    enough.push(...all.flat().filter(isEnough));
    return all.flat().filter((asked) => !isEnough(asked));
  };
  const left = await eventually(context, ask, ({ length }) => length === 0);
  return [...enough, ...left];
}

/** True of an answer that lets nobody in: what a list without the channel shows is not the workspace's. */
export function isClosed({ call, exchange }: Asked, channelId: string): boolean {
  return !isAccepted(exchange) || (call === 'channels-list' && !showsChannel(exchange, channelId));
}

/** Whether a list of channels has one with that id in it. */
export function showsChannel({ response }: Asked['exchange'], channelId: string): boolean {
  return idsIn(response?.json).some((id) => isSameId(id, channelId));
}
