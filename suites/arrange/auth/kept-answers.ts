import { headerOf, isAccepted, type Exchange } from '../../../harness/client/exchange.ts';
import type { Asked, PlacedForm } from './asked-forms.ts';

/** What asks whether an answer still holds; `undefined` where it has nothing that says which it is. */
export function conditionsOf(answer: Exchange): Readonly<Record<string, string>> | undefined {
  const [etag, modified] = [headerOf(answer, 'etag'), headerOf(answer, 'last-modified')];
  if (etag === undefined && modified === undefined) return undefined;
  return {
    ...(etag !== undefined && { 'if-none-match': etag }),
    ...(modified !== undefined && { 'if-modified-since': modified }),
  };
}

/** The forms that were answered with something to ask by later, as a client asks that has kept the answers. */
export function askingWhatHolds(
  forms: readonly PlacedForm[],
  answered: readonly Asked[],
): readonly PlacedForm[] {
  return forms.flatMap((placed): readonly PlacedForm[] => {
    const { form, place } = placed;
    const { exchange } = answered.find((each) => each.form === form && each.place === place) ?? {};
    const conditions = exchange && isAccepted(exchange) ? conditionsOf(exchange) : undefined;
    if (conditions === undefined) return [];
    const conditional: PlacedForm['form'] = {
      ...form,
      words: `${form.words}, whether what it kept of that still holds`,
      compose: async (making) => {
        const { request, ...composed } = await form.compose(making);
        return { ...composed, request: { ...request, headers: { ...request.headers, ...conditions } } };
      },
    };
    return [{ ...placed, form: conditional }];
  });
}
