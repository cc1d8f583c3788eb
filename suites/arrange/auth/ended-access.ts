import type { Lifecycle } from '../../../harness/check/hook-fixtures.ts';
import type { FreshWorkspace } from '../../../harness/check/fresh-workspace.ts';
import type { Always, Context } from '../../../harness/check/context.ts';
import { isAccepted, statusOf } from '../../../harness/client/exchange.ts';
import { given, unmet } from '../../../harness/verdict/outcome.ts';
import { isSameId } from '../../../oracles/answers/overview.ts';
import { eventually } from '../eventually.ts';
import { humanIn } from '../overview/parts.ts';
import { askAll, expectOfAll, isAsExpected, openFormsIn } from './asked-forms.ts';
import type { Asked, PlacedForm } from './asked-forms.ts';
import { requireLetIn } from './closed-call.ts';
import type { CredentialKind } from './credential-faults.ts';
import { callsOf, rulesFor } from './endings.ts';
import type { Ending, FormerUser, RulesByCall } from './endings.ts';
import { isRead } from './guarded-calls.ts';
import type { GuardedCall } from './guarded-calls.ts';
import { freshPlace, heldBy } from './places.ts';
import type { FreshPlace, Place } from './places.ts';

type Ends = Context<'provision-hook' | 'revoke-hook' | 'expire-hook' | 'deactivate-hook'>;

/** The forms of a call that were open to somebody, and as what they are asked for again. */
interface Used {
  readonly call: GuardedCall;
  readonly forms: readonly PlacedForm[];
  readonly kind: CredentialKind;
}

/** What was taken away, and whether it surely is what its users need. */
interface Taken {
  readonly who: Lifecycle;
  readonly isSure: boolean;
}

/** Sees calls, in every form, closed to those who used them, and open again once what was taken away is given back. */
export async function seeEnded(context: Ends, ending: Ending): Promise<void> {
  const { end, users, lost, regained, again } = ending;
  await requirePrecedent(context, ending);
  const agents = users.flatMap(({ role }) => (role === 'machine' ? [] : [role]));
  const place = await freshPlace(context, agents);
  // Whom the operator left out is missed only where the clause is about it alone.
  const present = users.filter(({ role }, index) => index === 0 || place.actor(role) !== undefined);
  const used = await useAll(context, place, { ...ending, users: present });
  const taken = await endAll(context, end, place, present);
  const closed = await askAgain(context, used, (asked) => isClosed(asked, lost));
  // What becomes of agents whose machine or whose human is gone is not said.
  if (end !== 'machine' && end !== 'membership') {
    const other = place.fresh.actor('reader').readChannel(place.channel.id, { after: 0, limit: 1 });
    requireLetIn(await other, 'reader of the fresh workspace');
  }
  const isSure = taken?.isSure !== false || closed.every(({ exchange }) => !isAccepted(exchange));
  given(isSure, 'the overview shows the membership of another human than the reader’s');
  judge(context, lost, closed);
  if (taken === undefined) return;

  await context.restore(taken.who);
  const reopened = used.map((each) => ({ ...each, kind: again ?? each.kind }));
  const open = await askAgain(context, reopened, (asked) => isAsExpected(asked, 'accepted'));
  const kept = closed.flatMap(({ form, exchange }) => (isAccepted(exchange) ? form : []));
  const isBack = open.some(({ form, exchange }) => isAccepted(exchange) && !kept.includes(form));
  given(isBack, 'nothing is open again when all is as before');
  if (regained !== undefined) judge(context, regained, open);
}

/** Ends the check where one that was shut out long before is let in: another clause is broken. */
async function requirePrecedent({ optional }: Ends, { precedent, lost }: Ending): Promise<void> {
  const answer = precedent && (await optional(precedent)?.mentions({ limit: 1 }));
  const [expected] = rulesFor(lost, 'mentions').map(([, statuses]) => statuses);
  if (answer !== undefined && Array.isArray(expected) && !expected.includes(statusOf(answer)))
    unmet(`the credential of ${precedent} is not answered with ${expected.join(' or ')} either`, answer);
}

/**
 * Has everybody use every form that is open to them, the writing ones first: then nothing comes after the cursors that the
 * others are asked with. Ends the check when none is open.
 */
async function useAll(context: Ends, place: Place, ending: Ending): Promise<readonly Used[]> {
  const useThose = (isReading: boolean): Promise<readonly Used[]> => {
    const uses = ending.users.flatMap(({ role, kind }) =>
      callsOf(ending, role)
        .filter((call) => isRead(call) === isReading)
        .map(async (call) => ({ call, kind, forms: await openFormsIn(context, heldBy(place, role), call) })),
    );
    return Promise.all(uses);
  };
  const used = [...(await useThose(false)), ...(await useThose(true))];
  const isUsed = used.some(
    ({ call, forms }) => forms.length > 0 && rulesFor(ending.lost, call.slug).length > 0,
  );
  given(isUsed, 'no call was accepted before');
  return used;
}

/** Ends what the users need: their tokens for good, all else until it is given back. */
async function endAll(
  context: Ends,
  end: Ending['end'],
  place: FreshPlace,
  users: readonly FormerUser[],
): Promise<Taken | undefined> {
  if (end === 'revoked' || end === 'expired') {
    const tokens = users.map(({ role }) => place.fresh.token(role));
    await Promise.all(tokens.map(end === 'revoked' ? context.revoke : context.expire));
    return undefined;
  }
  const taken = await toTake(end, place.fresh);
  await context.deactivate(taken.who);
  return taken;
}

/** Whose machine a machine token is, no answer says: whoever provisions gives it that of the reader's. */
async function toTake(kind: Lifecycle['kind'], fresh: FreshWorkspace): Promise<Taken> {
  const { identities, workspaceId } = fresh;
  if (kind === 'access') {
    const agentId = await identities.agentId(fresh.actor('author'));
    return { who: { kind, agentId, workspaceId }, isSure: true };
  }
  const overview = await fresh.actor('machine').overview(workspaceId);
  const [humanUserId, reader] = [humanIn(overview), await identities.provenance(fresh.actor('reader'))];
  const isSure = reader.humanUserId !== undefined && isSameId(reader.humanUserId, humanUserId);
  if (kind === 'membership') return { who: { kind, humanUserId, workspaceId }, isSure };
  const { machineId } = reader;
  given(machineId !== undefined, 'reader has no machine in the fresh workspace');
  given(isSure, 'the machine token of the fresh workspace is not that of the reader’s machine', overview);
  return { who: { kind, machineId, workspaceId }, isSure };
}

/** Sends every form that was used once more, for as long as an answer to it may still change; the last answer to each. */
async function askAgain(
  context: Always,
  used: readonly Used[],
  isEnough: (asked: Asked) => boolean,
): Promise<readonly Asked[]> {
  const enough: Asked[] = [];
  const askThose = async (isReading: boolean): Promise<readonly Asked[]> => {
    const asked = used
      .filter(({ call }) => isRead(call) === isReading)
      .map(({ call, forms, kind }) => {
        const isLeft = ({ form }: PlacedForm): boolean =>
          !enough.some((each) => each.form === form && each.kind === kind);
        return askAll(context, call, forms.filter(isLeft), [kind]);
      });
    return (await Promise.all(asked)).flat();
  };
  const ask = async (): Promise<readonly Asked[]> => {
    const read = await askThose(true);
    // What is written comes after the cursors of the others: it has to wait until nothing more is asked with those.
    const written = read.every(isEnough) ? await askThose(false) : [];
    const all = [...read, ...written];
    enough.push(...all.filter(isEnough));
    return all.filter((asked) => !isEnough(asked));
  };
  const left = await eventually(context, ask, ({ length }) => length === 0);
  return [...enough, ...left];
}

function isClosed(asked: Asked, lost: RulesByCall): boolean {
  const isList = rulesFor(lost, asked.call).some(([, expected]) => expected === 'unlisted');
  return isAsExpected(asked, isList ? 'unlisted' : 'refused');
}

function judge(context: Ends, rules: RulesByCall, asked: readonly Asked[]): void {
  for (const rule of Object.values(rules).flat()) {
    const own = asked.filter(({ call }) => rulesFor(rules, call).includes(rule));
    expectOfAll(context, rule, own);
  }
}
