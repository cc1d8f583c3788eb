import { isAccepted } from '../../../harness/client/exchange.ts';
import type { Always } from '../../../harness/check/context.ts';
import { given } from '../../../harness/verdict/outcome.ts';
import { isSameId } from '../../../oracles/answers/overview.ts';
import { idsIn } from '../../../oracles/values/json-texts.ts';
import { eventually } from '../eventually.ts';
import { askAll, openFormsIn } from './asked-forms.ts';
import type { Asked, PlacedForm } from './asked-forms.ts';
import type { CredentialKind } from './credential-faults.ts';
import { isRead } from './guarded-calls.ts';
import type { GuardedCall } from './guarded-calls.ts';
import type { Place } from './places.ts';

/** Forms of a call that somebody has used. */
interface UsedForms {
  readonly call: GuardedCall;
  readonly forms: readonly PlacedForm[];
}

/** Who uses which calls, and where. */
interface User {
  readonly place: Place;
  readonly calls: readonly GuardedCall[];
}

/** What a user has used, and who that is now. */
interface FormerUser {
  readonly used: readonly UsedForms[];
  readonly kind: CredentialKind;
}

/**
 * Has every user use every form that is open to him, the writing ones first: then nothing comes after the cursors that the
 * others are asked with. Ends the check when none is open.
 */
export async function useAll(
  context: Always,
  users: readonly User[],
): Promise<readonly (readonly UsedForms[])[]> {
  const usedBy = (writes: boolean): Promise<readonly (readonly UsedForms[])[]> =>
    Promise.all(
      users.map(({ place, calls }) =>
        Promise.all(
          calls
            .filter((call) => isRead(call) !== writes)
            .map(async (call) => ({ call, forms: await openFormsIn(context, place, call) })),
        ),
      ),
    );
  const [written, read] = [await usedBy(true), await usedBy(false)];
  const all = users.map((_, index) => [...(written[index] ?? []), ...(read[index] ?? [])]);
  const isUsed = all.some((used) => used.some(({ forms }) => forms.length > 0));
  given(isUsed, 'no call was accepted before');
  return all;
}

/** Whoever holds the credential that opened the forms. */
export function formerHolder(slug: string, words: string): CredentialKind {
  return { slug, words, speaker: ({ holder }) => holder && ((request) => holder.request(request)) };
}

/** Sends every form that was used once more, for as long as an answer to it may still change; the last answer to each. */
export async function askAgain(
  context: Always,
  users: readonly FormerUser[],
  isEnough: (asked: Asked) => boolean,
): Promise<readonly Asked[]> {
  const enough: Asked[] = [];
  const isLeft = ({ slug }: GuardedCall, { form }: PlacedForm, { slug: who }: CredentialKind): boolean =>
    !enough.some(({ call, kind, ...each }) => call === slug && each.form === form && kind.slug === who);
  const askOf = (writes: boolean): Promise<readonly (readonly Asked[])[]> =>
    Promise.all(
      users.flatMap(({ used, kind }) =>
        used
          .filter(({ call }) => isRead(call) !== writes)
          .map(({ call, forms }) => {
            const left = forms.filter((form) => isLeft(call, form, kind));
            return askAll(context, call, left, [kind]);
          }),
      ),
    );
  const ask = async (): Promise<readonly Asked[]> => {
    const read = (await askOf(false)).flat();
    // What is written comes after the cursors of the others: it has to wait until nothing more is asked with those.
    const written = read.every(isEnough) ? (await askOf(true)).flat() : [];
    const all = [...read, ...written];
    enough.push(...all.filter(isEnough));
    return all.filter((asked) => !isEnough(asked));
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
