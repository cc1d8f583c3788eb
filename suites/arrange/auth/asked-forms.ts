import type { Actor } from '../../../harness/client/actor.ts';
import { isAccepted, statusOf, type Exchange } from '../../../harness/client/exchange.ts';
import type { Always, Context } from '../../../harness/check/context.ts';
import type { Draft } from '../../../harness/stream/stream-view.ts';
import { describeAnswer } from '../../../harness/verdict/outcome.ts';
import { isTrouble } from '../../../harness/verdict/trouble.ts';
import { isRecord, type JsonRecord } from '../../../spec/calls/index.ts';
import { isSameId } from '../../../spec/oracles/answers/overview.ts';
import { idsIn, nodesOf } from '../../../spec/oracles/values/json-texts.ts';
import type { Problem } from '../../../spec/oracles/values/judgement.ts';
import type { ClauseId } from '../../../spec/index.ts';
import type { CredentialKind } from './credential-faults.ts';
import { type Composed, type GuardedCall, isSentWith, type RequestForm } from './guarded-calls.ts';
import { arranged } from '../or-else.ts';
import { ownPlace, quietPlace, type Place } from './places.ts';

/** One form of a request, sent with one kind of credential. */
export interface Asked {
  readonly call: GuardedCall['slug'];
  readonly form: RequestForm;
  readonly kind: CredentialKind;
  readonly place: Place;
  readonly exchange: Exchange;
  /** The same from whom it is for, where that was asked. */
  readonly control: Exchange | undefined;
  /** What it would leave behind. */
  readonly draft: Draft | undefined;
}

/** A form of a call, where it is made. */
export interface PlacedForm {
  readonly form: RequestForm;
  readonly place: Place;
  readonly holder: Actor | undefined;
  /** How its holder was answered, where that was asked. */
  readonly control?: Exchange | undefined;
}

/** A form that is open to whoever holds the credential of its call. */
type OpenForm = PlacedForm & Required<Pick<PlacedForm, 'control'>>;

interface Control extends Composed {
  readonly exchange: Exchange;
}

/** The forms of a call, each in a place where it is what it says, if the target has one. */
export async function placedForms(
  context: Context<'channel'>,
  { forms, holder }: GuardedCall,
): Promise<readonly PlacedForm[]> {
  const own = ownPlace(context);
  const wantsQuiet = forms.some(({ where }) => where === 'quiet') && own.actor(holder) !== undefined;
  const quiet = (wantsQuiet ? await quietPlace(context) : undefined) ?? own;
  return formsIn({ anywhere: own, quiet }, { forms, holder });
}

function formsIn(
  places: Readonly<Record<RequestForm['where'], Place>>,
  { forms, holder }: Pick<GuardedCall, 'forms' | 'holder'>,
): readonly PlacedForm[] {
  return forms.map((form) => ({
    form,
    place: places[form.where],
    holder: places[form.where].actor(holder),
  }));
}

/**
 * The forms of a call, each with its control request: sent once for all checks that ask. A form that a target cannot
 * make, or whose control request was not accepted, is left out; the baseline never is. Without a holder there is no other.
 */
export async function openForms(
  context: Context<'channel'>,
  call: GuardedCall,
): Promise<readonly [OpenForm, ...OpenForm[]]> {
  const own = ownPlace(context);
  const holder = own.actor(call.holder);
  const [form] = call.forms;
  if (holder === undefined) return [{ form, place: own, holder, control: undefined }];
  const [{ exchange: control }, [, ...others]] = await Promise.all([
    controlOf(context, own, call, form),
    placedForms(context, call),
  ]);
  const open = await Promise.all(others.map((each) => openForm(context, call, each)));
  return [{ form, place: own, holder, control }, ...open.flat()];
}

/** The forms of a call that are open in one place to whom the call is for there; not even the baseline has to be. */
export async function openFormsIn(
  context: Always,
  place: Place,
  call: GuardedCall,
): Promise<readonly PlacedForm[]> {
  const placed = formsIn({ anywhere: place, quiet: place }, call);
  return (await Promise.all(placed.map((each) => openForm(context, call, each)))).flat();
}

async function openForm(context: Always, call: GuardedCall, placed: PlacedForm): Promise<OpenForm[]> {
  const { slug, shownBy = [slug] } = placed.form;
  const shown = call.forms.filter((each) => shownBy.includes(each.slug));
  const controls = await Promise.all(
    shown.map((each) => arranged(() => controlOf(context, placed.place, call, each))),
  );
  const isOpen = controls.every((control) => control !== undefined && isAccepted(control.exchange));
  return isOpen ? [{ ...placed, control: controls[0]?.exchange }] : [];
}

/** What became of a form that its holder sent; a message that it left behind is seen there. */
function controlOf(context: Always, place: Place, call: GuardedCall, form: RequestForm): Promise<Control> {
  return place.once(`${call.slug} ${form.slug}`, async () => {
    const composed = await composedOf(context, place, call, form);
    const holder = place.actor(call.holder);
    const exchange = await (holder ?? context.anonymous).request(composed.request);
    if (isAccepted(exchange) && composed.draft !== undefined) await place.channel.arrival(composed.draft);
    return { ...composed, exchange };
  });
}

async function composedOf(
  context: Always,
  place: Place,
  call: GuardedCall,
  form: RequestForm,
): Promise<Composed> {
  return form.compose({ context, place, sent: () => controlOf(context, place, call, call.forms[0]) });
}

/** Sends all forms with all kinds of credential, side by side. */
export async function askAll(
  context: Always,
  call: GuardedCall,
  forms: readonly PlacedForm[],
  kinds: readonly CredentialKind[],
): Promise<readonly Asked[]> {
  const { anonymous, isIssued, names } = context;
  const asked = forms.flatMap(({ form, place, holder, control }) =>
    kinds.map(async (kind): Promise<readonly Asked[]> => {
      if (!isSentWith(form, kind.slug)) return [];
      const speak = kind.speaker({ anonymous, place, holder, isIssued, names, control });
      if (speak === undefined) return [];
      const composed = await arranged(() => composedOf(context, place, call, form));
      if (composed === undefined) return [];
      const { request, draft } = composed;
      return [{ call: call.slug, form, kind, place, control, draft, exchange: await speak(request) }];
    }),
  );
  return (await Promise.all(asked)).flat();
}

/** What an answer is expected to be; a list that is `unlisted` may be answered, if it lacks the channels of the place. */
export type Expected = readonly number[] | 'refused' | 'accepted' | 'unlisted';
export type Rule = readonly [clause: ClauseId, expected: Expected];

/** Judges every answer, a wrong one first, whose form and credential the finding names. */
export function expectOfAll(
  { expect, noteSituation }: Pick<Always, 'expect' | 'noteSituation'>,
  [clause, expected]: Rule,
  asked: readonly Asked[],
): void {
  const judged = asked.filter(
    (each) => !isRefusedForMore(each, expected) && !(expected === 'unlisted' && isTrouble(each.exchange)),
  );
  const wrong = judged.filter((each) => !isAsExpected(each, expected));
  const right = judged.filter((each) => !wrong.includes(each));
  for (const { call, kind, form } of judged)
    noteSituation(clause, { call, credential: kind.slug, form: form.slug });
  // One that was let in says more than one that got another status, and a limit or an error says nothing.
  const worst =
    wrong.find(({ exchange }) => isAccepted(exchange)) ??
    wrong.find(({ exchange }) => !isTrouble(exchange)) ??
    wrong[0];
  for (const each of [...(worst === undefined ? [] : [worst]), ...right]) {
    const { exchange } = each;
    const words = wordsOf(each, wrong);
    if (expected === 'refused') expect(clause, exchange, words).toBeRefused();
    else if (expected === 'accepted') expect(clause, exchange, words).toBeAccepted();
    else if (expected === 'unlisted') expect.holds(clause, right.includes(each), listed(each), exchange);
    else expect(clause, exchange, words).toHaveStatus(...expected);
  }
}

/** True of an answer that may be about what the request carries: which fault comes first is not said, and a conflict is no lack of access. */
function isRefusedForMore(
  { exchange, kind, form: { otherRefusals = [] } }: Asked,
  expected: Expected,
): boolean {
  const status = statusOf(exchange) ?? 0;
  const isMeant = kind.mayDoNothing === true || (expected === 'accepted' && status === 409);
  return (isMeant && otherRefusals.includes(status)) || kind.otherRefusals?.includes(status) === true;
}

/** Whether an answer is what it has to be; nothing is wrong with one that never came. */
export function isAsExpected(
  answered: Pick<Asked, 'exchange' | 'place' | 'control'>,
  expected: Expected,
): boolean {
  const { exchange } = answered;
  const status = statusOf(exchange);
  if (expected === 'unlisted') return !isAccepted(exchange) || channelShownIn(answered) === undefined;
  if (status === undefined) return true;
  if (expected === 'accepted') return status < 300;
  return expected === 'refused' ? status >= 400 && status < 500 : expected.includes(status);
}

/** A channel of the place that an answer shows: one that it is known by, or one that the list of its author has beside that. */
function channelShownIn({
  exchange,
  place,
  control,
}: Pick<Asked, 'exchange' | 'place' | 'control'>): string | undefined {
  const own = [place.channel.id, place.secondChannelId ?? [], listedBeside(place.channel.id, control)].flat();
  return idsIn(exchange.response?.json).find((id) => own.some((each) => isSameId(each, id)));
}

/** The channels of one workspace with a known one, as the elements of its list say. */
function listedBeside(channelId: string, control: Exchange | undefined): readonly string[] {
  const lists = [...nodesOf(control?.response?.json)].filter(Array.isArray);
  return lists.flatMap((list) => {
    const channels = list.filter(isListed);
    const known = channels.find(({ id }) => isSameId(id, channelId));
    const home = known?.['workspace_id'];
    return typeof home === 'string'
      ? channels.flatMap((each) => (each['workspace_id'] === home ? each.id : []))
      : [];
  });
}

function isListed(element: unknown): element is JsonRecord & { readonly id: string } {
  return isRecord(element) && typeof element['id'] === 'string';
}

function listed(asked: Asked): Problem {
  const { kind, exchange } = asked;
  const expected = `no channel of the workspace in a list that is asked for ${kind.words}`;
  return { expected, actual: `${describeAnswer(exchange)}, with channel ${channelShownIn(asked)}` };
}

/** `with a valid token edited in its middle, for an empty page (one of 4 such requests)`. */
function wordsOf({ form, kind }: Asked, wrong: readonly Asked[]): string {
  const more = wrong.length > 1 ? ` (one of ${wrong.length} such requests)` : '';
  return `${kind.words}, ${form.words}${more}`;
}
