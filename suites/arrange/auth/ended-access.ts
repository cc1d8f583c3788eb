import type { Always, Context } from '../../../harness/check/context.ts';
import type { FreshWorkspace } from '../../../harness/check/fresh-workspace.ts';
import type { LifecycleFixtures } from '../../../harness/check/hook-fixtures.ts';
import { type Exchange, isAccepted, statusOf } from '../../../harness/client/exchange.ts';
import { given, unmet } from '../../../harness/verdict/outcome.ts';
import { isSameId } from '../../../spec/oracles/answers/overview.ts';
import { afterPauses, eventually } from '../eventually.ts';
import { isArranged } from '../or-else.ts';
import { humanIn } from '../overview-parts.ts';
import { agreedIdOf, requireBehind, requireReadersMachine } from '../provisioned.ts';
import { afterAbsence, beforeAbsence, nameAbsent } from './absence.ts';
import { askAll, type Asked, expectOfAll, openFormsIn, type PlacedForm } from './asked-forms.ts';
import { requireLetIn } from './closed-call.ts';
import type { CredentialKind } from './credential-faults.ts';
import { callsOf, type Ending, type FormerUser, type RulesByCall, rulesFor } from './endings.ts';
import { channelCalls, type GuardedCall, inFormsFor, isRead } from './guarded-calls.ts';
import { askingWhatHolds } from './kept-answers.ts';
import { freshPlace, type FreshPlace, heldBy, otherChannelOf } from './places.ts';
import { whileInUse } from './while-in-use.ts';

type Ends = Context<'provision-hook' | 'revoke-hook' | 'expire-hook' | 'deactivate-hook'>;

/** Whether a credential is good in the very ms in which it expires is not said, and a timer may fire a ms early. */
const clockTickMs = 3;

/** The forms of a call that were open to somebody, and as what they are asked for again. */
interface Used {
  readonly call: GuardedCall;
  readonly role: FormerUser['role'];
  readonly forms: readonly PlacedForm[];
  readonly kind: CredentialKind;
}

/** What was taken away, and whether the membership is surely that of the human behind its users. */
interface Taken {
  readonly who: LifecycleFixtures;
  readonly isItsHuman: boolean;
}

/** Sees calls, in every form, closed to those who used them, and open again once what was taken away is given back. */
export async function seeEnded(context: Ends, ending: Ending): Promise<void> {
  const { end, users, lost, regained, again, meanwhile } = ending;
  await requirePrecedent(context, ending);
  const agents = users.flatMap(({ role }) => (role === 'machine' ? [] : [role]));
  const place = await freshPlace(context, agents);
  const absent = meanwhile && (await beforeAbsence(context, place.fresh));
  // Whom the operator left out is missed only where the clause is about it alone.
  const present = users.filter(({ role }, index) => index === 0 || place.actor(role) !== undefined);
  const used = await useAll(context, place, { ...ending, users: present });
  const { closed, taken } = await endAll(context, end, place, used);
  const drafts = absent && (await nameAbsent(context, absent));
  // What becomes of agents whose machine or whose human is gone is not said.
  if (end !== 'machine' && end !== 'membership') {
    const other = place.fresh.actor('reader').readChannel(place.channel.id, { after: 0, limit: 100 });
    requireLetIn(await other, 'reader of the fresh workspace');
  }
  // If it was another human's, an answer that still lets its user in is right.
  const isDecided = taken?.isItsHuman !== false || closed.every(({ exchange }) => !isAccepted(exchange));
  requireReadersMachine(isDecided);
  judge(context, lost, closed);
  if (taken === undefined) return;
  if (await renameTaken(context, taken))
    judge(context, lost, await askOnce(context, used.map(writingNothing)));

  await context.restore(taken.who);
  const reopened = used.map((each) => ({ ...each, kind: again ?? each.kind }));
  const open = await askReopened(context, reopened);
  const kept = closed.flatMap(({ form, exchange }) => (isAccepted(exchange) ? form : []));
  const isBackIn = (answers: readonly Asked[]): boolean =>
    answers.some(({ form, exchange }) => isAccepted(exchange) && !kept.includes(form));
  // Where nothing opens at once, an operator may have given back nothing; what opens to another, or later, was, and is refused from memory.
  const isBack =
    isBackIn(open) ||
    (regained !== undefined &&
      ((await opensToAnother(context, place)) || (await opensLater(context, reopened, isBackIn))));
  given(isBack, 'hooks.deactivate has given access back, and no call is open again');
  if (regained !== undefined) judge(context, regained, open);
  if (absent && drafts) await afterAbsence(context, absent, drafts);
}

/** Ends the check where one that was shut out long before is let in: another clause is broken. */
async function requirePrecedent({ optional }: Ends, { precedent, lost }: Ending): Promise<void> {
  const answer = precedent && (await optional(precedent)?.mentions({ limit: 1 }));
  const [expected] = rulesFor(lost, 'mentions').map(([, statuses]) => statuses);
  if (answer !== undefined && Array.isArray(expected) && !expected.includes(statusOf(answer)))
    unmet(`the credential of ${precedent} is not answered with ${expected.join(' or ')} either`, answer);
}

/**
 * Has everybody use every form that is open to them in each channel, the writing ones first: then nothing comes after the
 * cursors that the others are asked with. Ends the check when none is open.
 */
async function useAll(context: Ends, place: FreshPlace, ending: Ending): Promise<readonly Used[]> {
  const other = await otherChannelOf(context, place);
  const useThose = (isReading: boolean): Promise<readonly Used[]> => {
    const uses = ending.users.flatMap(({ role, kind }) =>
      callsOf(ending, role)
        .filter((call) => isRead(call) === isReading)
        .flatMap((each) => {
          const call = inFormsFor(each, [kind.slug]);
          const places = other !== undefined && channelCalls.includes(each) ? [place, other] : [place];
          return places.map(async (where) => ({
            call,
            role,
            kind,
            forms: await openFormsIn(context, heldBy(where, role), call),
          }));
        }),
    );
    return Promise.all(uses);
  };
  const used = [...(await useThose(false)), ...(await useThose(true))];
  const isUsed = used.some(
    ({ call, forms }) => forms.length > 0 && rulesFor(ending.lost, call.slug).length > 0,
  );
  given(isUsed, 'nobody who is to be shut out was let in by any call before');
  return used;
}

/** The forms that leave nothing behind, and that wait for nothing. */
function writingNothing({ forms, ...used }: Used): Used {
  const isIdle = ({ form: { slug, shownBy } }: PlacedForm): boolean =>
    shownBy === undefined && (isRead(used.call) || slug === 'repeated-key');
  return { ...used, forms: forms.filter(isIdle) };
}

/** What was ended, and how every form was answered right after it. */
interface Ended {
  readonly closed: readonly Asked[];
  /** `undefined` for tokens, which nobody gives back. */
  readonly taken: Taken | undefined;
}

/** Ends what the users need: their tokens for good, all else until it is given back. */
async function endAll(
  context: Ends,
  end: Ending['end'],
  place: FreshPlace,
  used: readonly Used[],
): Promise<Ended> {
  if (end === 'revoked' || end === 'expired') {
    const closed = [...new Set(used.map(({ role }) => role))].map((role) => {
      const own = used.filter((each) => each.role === role);
      const token = place.fresh.token(role);
      return askAround(context, own, async () => {
        await context[end === 'revoked' ? 'revoke' : 'expire'](token);
        if (end === 'expired') await context.sleep(clockTickMs);
      });
    });
    return { closed: (await Promise.all(closed)).flat(), taken: undefined };
  }
  const taken = await toTake(end, place.fresh);
  return { closed: await askAround(context, used, () => context.deactivate(taken.who)), taken };
}

/** Answers that a change is judged by, at least: a server may have several workers, each of which remembers for itself. */
export const leastLooks = 4;

/**
 * How every form is answered right after a change. Right before it they are used once more, and one of each reading call while it is made:
 * then all that remembers who gets in does.
 */
async function askAround(
  context: Always,
  used: readonly Used[],
  change: () => Promise<void>,
): Promise<readonly Asked[]> {
  const idle = used.map(writingNothing);
  const answered = await askOnce(context, idle);
  // Who looks first whether an answer still holds tells that to those who have lost it, too.
  const kept = idle
    .filter(({ call }) => isRead(call))
    .map((each) => ({ ...each, forms: askingWhatHolds(each.forms, answered) }));
  const looks = [...used, ...repeated(used), ...kept];
  return whileInUse(context, readsOf(context, idle), change, () => askOnce(context, looks));
}

/** The reads that are still lacking where the forms are few, all of them as often as the others. */
function repeated(used: readonly Used[]): readonly Used[] {
  const forms = used.reduce((sum, each) => sum + each.forms.length, 0);
  const more = forms === 0 ? 0 : Math.ceil(leastLooks / forms) - 1;
  return Array.from({ length: more }, () => used.filter(({ call }) => isRead(call))).flat();
}

/** The first form of each reading call that each of its users has, the channel calls in one channel. */
function readsOf(context: Always, idle: readonly Used[]): readonly (() => Promise<unknown>)[] {
  const reading = idle.filter(({ call, forms }) => isRead(call) && forms.length > 0);
  const once = new Map(reading.map((each) => [`${each.role} ${each.call.slug}`, each]));
  return [...once.values()].map(
    ({ call, forms, kind }) =>
      () =>
        askAll(context, call, forms.slice(0, 1), [kind]),
  );
}

/** Whose machine a machine token is, no answer says: whoever provisions gives it that of the reader's. */
async function toTake(kind: LifecycleFixtures['kind'], fresh: FreshWorkspace): Promise<Taken> {
  const { identities, workspaceId } = fresh;
  if (kind === 'access') {
    const agentId = await agreedIdOf(identities, fresh.actor('author'));
    return { who: { kind, agentId, workspaceId }, isItsHuman: true };
  }
  const overview = await fresh.actor('machine').overview(workspaceId);
  const [humanUserId, reader] = [humanIn(overview), await identities.provenance(fresh.actor('reader'))];
  const isItsHuman = reader.humanUserId !== undefined && isSameId(reader.humanUserId, humanUserId);
  if (kind === 'membership') return { who: { kind, humanUserId, workspaceId }, isItsHuman };
  const machineId = requireBehind(reader.machineId, 'reader', 'machine');
  requireReadersMachine(isItsHuman, overview);
  return { who: { kind, machineId, workspaceId }, isItsHuman };
}

/** Gives another name to what was taken away, which gives back nothing; false where nobody can, or it was somebody else's. */
function renameTaken({ optionalHook }: Ends, { who, isItsHuman }: Taken): Promise<boolean> {
  const rename = optionalHook('rename-hook')?.rename;
  if (rename === undefined || !isItsHuman) return Promise.resolve(false);
  return isArranged(rename({ ...renamedOf(who), displayName: 'A former one', isUnusual: true }));
}

function renamedOf(who: LifecycleFixtures): {
  readonly kind: 'agent' | 'user' | 'machine';
  readonly id: string;
} {
  switch (who.kind) {
    case 'access':
      return { kind: 'agent', id: who.agentId };
    case 'membership':
      return { kind: 'user', id: who.humanUserId };
    case 'machine':
      return { kind: 'machine', id: who.machineId };
  }
}

/** The same after all was given back, the reading forms first: what is written comes after their cursors. */
async function askReopened(context: Always, used: readonly Used[]): Promise<readonly Asked[]> {
  const [reading, writing] = [true, false].map((isReading) =>
    used.filter(({ call }) => isRead(call) === isReading),
  );
  const read = await askOnce(context, reading ?? []);
  return [...read, ...(await askOnce(context, writing ?? []))];
}

/** Pauses between looks at what is still closed, in ms: some remember a refusal for ten seconds, and again with each request. */
const pausesOfLooksMs = [1_000, 2_000, 3_000, 6_000];

/**
 * Whether the hook gives access back: then an agent that asks for nothing while its own is away is let in afterwards, however long
 * a server remembers whom it has refused.
 */
async function opensToAnother(context: Ends, { fresh, channel }: FreshPlace): Promise<boolean> {
  const [other, { identities, workspaceId }] = [fresh.actor('reader'), fresh];
  const read = (): Promise<Exchange> => other.readChannel(channel.id, { after: 0, limit: 1 });
  if (!isAccepted(await read())) return false;
  const who = { kind: 'access', agentId: await agreedIdOf(identities, other), workspaceId } as const;
  await context.deactivate(who);
  await context.restore(who);
  return isAccepted(await read());
}

/** Whether forms that write nothing open some seconds after all was given back. */
async function opensLater(
  context: Ends,
  used: readonly Used[],
  isBackIn: (answers: readonly Asked[]) => boolean,
): Promise<boolean> {
  const look = (): Promise<readonly Asked[]> => askOnce(context, used.map(writingNothing));
  return (await afterPauses(context, pausesOfLooksMs, look, isBackIn)) !== undefined;
}

/**
 * Sends every form that was used once more, all at one time: whoever is late in one call must not gain time by the others. The
 * first answer decides, but for a conflict over a cursor, which a replica that is behind may see: then the next one does.
 */
async function askOnce(context: Always, used: readonly Used[]): Promise<readonly Asked[]> {
  const asked = used.flatMap(({ call, forms, kind }) =>
    forms.map((form) =>
      eventually(
        context,
        () => askAll(context, call, [form], [kind]),
        (answers) => !(isRead(call) && answers.some(({ exchange }) => statusOf(exchange) === 409)),
      ),
    ),
  );
  return (await Promise.all(asked)).flat();
}

function judge(context: Ends, rules: RulesByCall, asked: readonly Asked[]): void {
  for (const rule of Object.values(rules).flat()) {
    const own = asked.filter(({ call }) => rulesFor(rules, call).includes(rule));
    expectOfAll(context, rule, own);
  }
}
